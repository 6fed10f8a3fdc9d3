// Orders the stops of a tour by the nearest next stop.
type Stop = { id: string; lat: number; lon: number };

function km(a: Stop, b: Stop): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 12_742 * Math.asin(Math.sqrt(h));
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { depot, stops }: { depot: Stop; stops: Stop[] } = await request.json();
    const left = new Set(stops);
    const tour: string[] = [];
    let here = depot;
    let total = 0;
    while (left.size > 0) {
      const next = [...left].reduce((best, stop) => (km(here, stop) < km(here, best) ? stop : best));
      total += km(here, next);
      tour.push(next.id);
      left.delete(next);
      here = next;
    }
    return Response.json({ tour, km: Math.round(total) });
  },
};

// Computes a delivery window from distance, cut-off time and weekends.
const SPEED_KM_PER_DAY = 600;

function nextWorkday(day: Date): Date {
  const next = new Date(day);
  do next.setUTCDate(next.getUTCDate() + 1);
  while (next.getUTCDay() === 0 || next.getUTCDay() === 6);
  return next;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { distance_km, ordered_at } = await request.json();
    const ordered = new Date(ordered_at);
    let days = Math.ceil(distance_km / SPEED_KM_PER_DAY) + (ordered.getUTCHours() >= 14 ? 1 : 0);
    let arrival = ordered;
    while (days-- > 0) arrival = nextWorkday(arrival);
    return Response.json({
      earliest: arrival.toISOString().slice(0, 10),
      latest: nextWorkday(arrival).toISOString().slice(0, 10),
    });
  },
};

// Answers with the weather of a place, cached for ten minutes.
const cache = new Map<string, { at: number; body: unknown }>();
const TEN_MINUTES_MS = 600_000;

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const key = `${Number(searchParams.get('lat')).toFixed(1)},${Number(searchParams.get('lon')).toFixed(1)}`;
    const known = cache.get(key);
    if (known && Date.now() - known.at < TEN_MINUTES_MS) return Response.json(known.body);
    const [lat, lon] = key.split(',');
    const answer = await fetch(
      `https://api.open-meteo.com/v1/forecast?latitude=${lat}&longitude=${lon}&current=temperature_2m,wind_speed_10m`,
    );
    const body = await answer.json();
    cache.set(key, { at: Date.now(), body });
    return Response.json(body);
  },
};

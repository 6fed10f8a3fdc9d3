// Returns where a parcel is, from the carrier's tracking API.
const CARRIER = 'https://api.carrier.example.com/v2/parcels';

export default {
  async fetch(request: Request): Promise<Response> {
    const number = new URL(request.url).searchParams.get('number');
    if (!number || !/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(number))
      return Response.json({ error: 'number: expected an S10 number such as RR123456785DE' }, { status: 400 });
    const answer = await fetch(`${CARRIER}/${number}`, {
      headers: { authorization: `Bearer ${process.env.CARRIER_TOKEN}` },
    });
    if (!answer.ok) return Response.json({ error: `carrier answered ${answer.status}` }, { status: 502 });
    const { events } = await answer.json();
    return Response.json({ number, last: events.at(-1) ?? null });
  },
};

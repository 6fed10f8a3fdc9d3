// Returns a rate of the connected app "Rates".
export default {
  async fetch(request: Request): Promise<Response> {
    const currency = new URL(request.url).searchParams.get('currency') ?? 'USD';
    const answer = await fetch(`${process.env.GATEWAY_URL}/rates/latest?base=EUR`, {
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}` },
    });
    const { rates } = await answer.json();
    if (!(currency in rates))
      return Response.json({ error: `currency: expected one of ${Object.keys(rates)}` }, { status: 400 });
    return Response.json({ currency, rate: rates[currency] });
  },
};

// Books each paid Stripe invoice in the ledger.
export default {
  async fetch(request: Request): Promise<Response> {
    const event = (await request.json()).data;
    const invoice = event.data.object;
    console.log('invoice', invoice.id, invoice.amount_paid, invoice.currency);
    const answer = await fetch(`${process.env.GATEWAY_URL}/ledger/entries`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${process.env.GATEWAY_TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': event.id,
      },
      body: JSON.stringify({ reference: invoice.id, cents: invoice.amount_paid, currency: invoice.currency }),
    });
    return Response.json({ status: answer.status }, { status: answer.ok ? 200 : 502 });
  },
};

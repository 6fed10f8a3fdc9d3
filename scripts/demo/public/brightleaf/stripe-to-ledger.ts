// Books a paid Stripe invoice into the ledger, once for each event.
export default {
  async fetch(request: Request): Promise<Response> {
    const { data } = await request.json();
    const invoice = data.data.object;
    const entry = {
      reference: invoice.id,
      debit: 'bank',
      credit: 'revenue',
      amount: invoice.amount_paid,
      currency: invoice.currency.toUpperCase(),
    };
    const answer = await fetch(`${process.env.GATEWAY_URL}/ledger/entries`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${process.env.GATEWAY_TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': data.id,
      },
      body: JSON.stringify(entry),
    });
    if (!answer.ok) throw new Error(`ledger answered ${answer.status}`);
    return Response.json(entry);
  },
};

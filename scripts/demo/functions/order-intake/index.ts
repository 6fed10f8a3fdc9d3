import { entryOf } from './ledger.ts';

// Books each Shopify order in the ledger.
export default {
  async fetch(request: Request): Promise<Response> {
    const { data: order } = await request.json();
    console.log('order', order.name, order.currency, order.total_price);
    const entry = entryOf(order);
    const answer = await fetch(`${process.env.GATEWAY_URL}/ledger/entries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(entry),
    });
    if (!answer.ok) throw new Error(`The ledger answered ${answer.status} for ${order.name}`);
    return Response.json({ booked: entry });
  },
};

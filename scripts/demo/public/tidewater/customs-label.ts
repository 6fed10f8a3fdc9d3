// Makes the text of a CN22 customs label from the items of an order.
type Item = { title: string; quantity: number; grams: number; cents: number; hs_code: string };

export default {
  async fetch(request: Request): Promise<Response> {
    const { items, currency }: { items: Item[]; currency: string } = await request.json();
    const rows = items.map(
      ({ title, quantity, grams, cents, hs_code }) =>
        `${quantity} × ${title.slice(0, 30).padEnd(30)} ${hs_code.padStart(8)} ${((grams * quantity) / 1000).toFixed(3)} kg ${((cents * quantity) / 100).toFixed(2)} ${currency}`,
    );
    const kg = items.reduce((sum, { grams, quantity }) => sum + grams * quantity, 0) / 1000;
    return new Response([...rows, `Total ${kg.toFixed(3)} kg`].join('\n'));
  },
};

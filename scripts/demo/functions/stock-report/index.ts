// Compares the stock of two shops and warns about articles that only one of them sells.
export default {
  async fetch(request: Request): Promise<Response> {
    const { a, b }: Record<'a' | 'b', Record<string, number>> = await request.json();
    const only = Object.keys({ ...a, ...b }).filter((sku) => !(sku in a && sku in b));
    for (const sku of only) console.warn('only one shop sells', sku);
    return Response.json({
      only,
      total: Object.values(a)
        .concat(Object.values(b))
        .reduce((sum, n) => sum + n, 0),
    });
  },
};

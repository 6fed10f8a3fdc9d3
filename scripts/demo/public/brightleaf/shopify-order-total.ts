// Adds up a Shopify order in cents and compares the sum with the order's total.
const cents = (price: string) => Math.round(Number(price) * 100);

export default {
  async fetch(request: Request): Promise<Response> {
    const order = (await request.json()).data;
    const lines = order.line_items.reduce(
      (sum: number, { price, quantity }: { price: string; quantity: number }) => sum + cents(price) * quantity,
      0,
    );
    const expected = lines + cents(order.total_shipping_price_set.shop_money.amount) - cents(order.total_discounts);
    const difference = cents(order.total_price) - expected;
    if (difference !== 0) console.warn('order', order.id, 'differs by', difference);
    return Response.json({ order: order.id, expected, difference });
  },
};

// Checks that a refund is not larger than its charge.
export default {
  async fetch(request: Request): Promise<Response> {
    const charge = (await request.json()).data.data.object;
    const { amount_refunded: refunded, amount } = charge;
    console.log(`${charge.id}: ${refunded} of ${amount} ${charge.currency}`);
    if (refunded > amount) throw new Error(`${charge.id} refunds more than it charged`);
    return Response.json({ charge: charge.id, left: amount - refunded });
  },
};

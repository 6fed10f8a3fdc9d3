// Stops refunds above a limit until a person approves them.
export default {
  async fetch(request: Request): Promise<Response> {
    const { data } = await request.json();
    const limit = Number(process.env.REFUND_LIMIT_CENTS ?? 20_000);
    if (data.amount <= limit) return Response.json({ approved: true });
    console.warn('refund', data.id, 'of', data.amount, 'needs approval');
    await fetch(`${process.env.GATEWAY_URL}/slack/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        channel: '#refunds',
        text: `Approve refund ${data.id}: ${data.amount / 100} ${data.currency}`,
      }),
    });
    return Response.json({ approved: false }, { status: 202 });
  },
};

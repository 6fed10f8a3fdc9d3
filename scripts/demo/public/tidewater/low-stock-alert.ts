// Posts to Slack when an article falls below its minimum stock.
export default {
  async fetch(request: Request): Promise<Response> {
    const { data } = await request.json();
    const { sku, stock, minimum } = data;
    if (stock >= minimum) return Response.json({ alerted: false });
    const answer = await fetch('https://slack.com/api/chat.postMessage', {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.SLACK_BOT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        channel: process.env.STOCK_CHANNEL,
        text: `${sku}: ${stock} left, minimum is ${minimum}`,
      }),
    });
    const { ok, error } = await answer.json();
    if (!ok) throw new Error(`Slack rejected the message: ${error}`);
    return Response.json({ alerted: true });
  },
};

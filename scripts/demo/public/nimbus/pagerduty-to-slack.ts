// Announces PagerDuty incidents in Slack, with the person on call.
export default {
  async fetch(request: Request): Promise<Response> {
    const { event } = (await request.json()).data;
    const { title, urgency, html_url, assignees } = event.data;
    const text = `${urgency === 'high' ? '🔴' : '🟡'} <${html_url}|${title}> – ${assignees[0]?.summary ?? 'unassigned'}`;
    await fetch(process.env.SLACK_WEBHOOK_URL ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return Response.json({ announced: event.event_type });
  },
};

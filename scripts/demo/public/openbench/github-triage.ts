// Labels new GitHub issues by the words in their title.
const LABELS: [RegExp, string][] = [
  [/\b(crash|exception|stack ?trace)\b/i, 'bug'],
  [/\b(docs?|readme|typo)\b/i, 'documentation'],
  [/\b(slow|memory|performance)\b/i, 'performance'],
];

export default {
  async fetch(request: Request): Promise<Response> {
    const { issue, repository } = (await request.json()).data;
    const labels = LABELS.filter(([pattern]) => pattern.test(issue.title)).map(([, label]) => label);
    if (labels.length === 0) return Response.json({ labels });
    const answer = await fetch(
      `${process.env.GATEWAY_URL}/github/repos/${repository.full_name}/issues/${issue.number}/labels`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ labels }),
      },
    );
    return Response.json({ labels, status: answer.status });
  },
};

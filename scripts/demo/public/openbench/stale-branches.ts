// Lists the branches of a repository without a commit for ninety days.
const DAYS_90_MS = 90 * 86_400_000;

async function github(path: string) {
  const answer = await fetch(`https://api.github.com${path}`, {
    headers: { authorization: `Bearer ${process.env.GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} for ${path}`);
  return answer.json();
}

export default {
  async fetch(request: Request): Promise<Response> {
    const repository = new URL(request.url).searchParams.get('repository');
    const branches = await github(`/repos/${repository}/branches?per_page=100`);
    const stale = [];
    for (const { name, commit } of branches) {
      const { commit: details } = await github(`/repos/${repository}/commits/${commit.sha}`);
      if (Date.now() - Date.parse(details.committer.date) > DAYS_90_MS)
        stale.push({ name, since: details.committer.date });
    }
    return Response.json({ stale });
  },
};

// Checks a list of addresses and reports those that are slow or down.
const LIMIT_MS = 3_000;

async function check(url: string) {
  const startedMs = performance.now();
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(LIMIT_MS) });
    return { url, up: answer.ok, status: answer.status, ms: Math.round(performance.now() - startedMs) };
  } catch (error) {
    return { url, up: false, status: null, error: String(error) };
  }
}

export default {
  async fetch(): Promise<Response> {
    const results = await Promise.all((process.env.CHECK_URLS ?? '').split(',').filter(Boolean).map(check));
    for (const { url, up } of results) if (!up) console.error('down', url);
    return Response.json({ results }, { status: results.every(({ up }) => up) ? 200 : 503 });
  },
};

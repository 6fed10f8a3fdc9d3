/** Starters of new functions: code that deploys and runs as it is. Loaded with the page that offers them. */
import { PYTHON_JOB } from './python-starter.ts';
import { SLACK_BOT } from './slack-starter.ts';
import type { Starter } from './starter.ts';

export const WEBHOOK_HANDLER: Starter = {
  id: 'webhook-handler',
  title: 'Webhook handler',
  what: 'Receives events of a trigger, verifies their signature if WEBHOOK_SECRET is set, and acts by type.',
  name: 'webhook-handler',
  runtime: 'nodejs24.x',
  handler: 'src/index.default',
  files: {
    'src/index.ts': `import { isSigned } from './signature.ts';

type Event = { type: string; event_id: string; source: string; data: unknown };

export default {
  /** Receives each event of a trigger that has this function as a destination. */
  async fetch(request: Request, env: Record<string, string>): Promise<Response> {
    const body = await request.text();
    // the signing secret of the destination, such as whsec_…
    if (env.WEBHOOK_SECRET && !(await isSigned(request.headers, body, env.WEBHOOK_SECRET)))
      return Response.json({ error: 'The signature is missing or invalid.' }, { status: 401 });

    let event: Event;
    try {
      event = JSON.parse(body);
    } catch {
      return Response.json({ error: 'Expected JSON.' }, { status: 400 });
    }
    console.log(JSON.stringify({ level: 'info', msg: 'event received', type: event.type, id: event.event_id }));

    switch (event.type) {
      case 'webhook.received':
        // add what to do with event.data
        return Response.json({ handled: event.type });
      default:
        // with a status of 2xx, the delivery is not retried
        return Response.json({ ignored: event.type ?? null });
    }
  },
};
`,
    'src/signature.ts': `/** Verifies the headers of Standard Webhooks: HMAC-SHA256 over id, timestamp and body. */
export async function isSigned(headers: Headers, body: string, secret: string): Promise<boolean> {
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const given = headers.get('webhook-signature')?.split(' ') ?? [];
  if (!id || !timestamp || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), HMAC, false, ['verify']);
  const message = new TextEncoder().encode(\`\${id}.\${timestamp}.\${body}\`);
  for (const each of given)
    if (each.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, bytesOf(each.slice(3)), message))) return true;
  return false;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
`,
  },
};

const SCHEDULED_REPORT: Starter = {
  id: 'scheduled-report',
  title: 'Scheduled report',
  what: 'Reads the JSON list at SOURCE_URL, sums it up, and posts the text to REPORT_URL. For a schedule trigger.',
  name: 'scheduled-report',
  runtime: 'nodejs24.x',
  handler: 'src/index.default',
  files: {
    'src/index.ts': `import { reportOf, type Row } from './report.ts';

export default {
  /** Creates the report. A schedule trigger with this function as its destination calls it. */
  async fetch(_request: Request, env: Record<string, string>): Promise<Response> {
    const rows = env.SOURCE_URL ? await read(env.SOURCE_URL) : [];
    const text = reportOf(rows, new Date());
    console.log(JSON.stringify({ level: 'info', msg: 'report created', rows: rows.length }));

    // for example an incoming webhook of a chat, which takes {"text": "…"}
    if (env.REPORT_URL) {
      const sent = await fetch(env.REPORT_URL, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
        signal: AbortSignal.timeout(10_000),
      });
      // an error makes the delivery fail, so that it is retried
      if (!sent.ok) throw new Error(\`REPORT_URL responded \${sent.status}\`);
    }
    return Response.json({ text, sent: Boolean(env.REPORT_URL) });
  },
};

async function read(url: string): Promise<Row[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(\`SOURCE_URL responded \${response.status}\`);
  const list: unknown = await response.json();
  if (!Array.isArray(list)) throw new Error('SOURCE_URL: expected a JSON list');
  return list;
}
`,
    'src/report.ts': `/** A row of the source: rows are counted by status, and their amounts are added up. */
export type Row = { status?: string; amount?: number };

export function reportOf(rows: readonly Row[], at: Date): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { status = 'unknown', amount = 0 } of rows) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    total += amount;
  }
  const lines = [...counts].map(([status, count]) => \`\${status}: \${count}\`);
  return [\`Report of \${at.toISOString().slice(0, 10)}: \${rows.length} rows, total \${total}\`, ...lines].join('\\n');
}
`,
  },
};

const API_PROXY: Starter = {
  id: 'api-proxy',
  title: 'API proxy',
  what: 'Forwards GET requests to UPSTREAM_URL with the key in UPSTREAM_KEY, and caches responses for a minute.',
  name: 'api-proxy',
  runtime: 'nodejs24.x',
  handler: 'src/index.default',
  files: {
    'src/index.ts': `type Env = { UPSTREAM_URL?: string; UPSTREAM_KEY?: string };

/** In the memory of one process: a deploy and a new process begin without it. */
const cache = new Map<string, { until: number; status: number; type: string; body: string }>();
const CACHE_MS = 60_000;
const CACHE_MAX = 100;

export default {
  /** Forwards a request to the upstream API. Callers never get the key. */
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.method !== 'GET') return Response.json({ error: 'Only GET is allowed.' }, { status: 405 });
    if (!env.UPSTREAM_URL)
      return Response.json({ error: 'Set the environment variable UPSTREAM_URL.' }, { status: 501 });

    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const known = cache.get(path);
    if (known && known.until > Date.now()) return answer(known, 'hit');

    const response = await fetch(env.UPSTREAM_URL.replace(/\\/$/, '') + path, {
      headers: env.UPSTREAM_KEY ? { authorization: \`Bearer \${env.UPSTREAM_KEY}\` } : {},
      // a redirect could lead to another host, which must not get the key
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    const type = response.headers.get('content-type') ?? 'application/octet-stream';
    const fresh = { until: Date.now() + CACHE_MS, status: response.status, type, body: await response.text() };
    if (response.ok) {
      if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '');
      cache.set(path, fresh);
    }
    console.log(JSON.stringify({ level: 'info', msg: 'forwarded', path: pathname, status: response.status }));
    return answer(fresh, 'miss');
  },
};

const answer = ({ status, type, body }: { status: number; type: string; body: string }, cached: 'hit' | 'miss') =>
  new Response(body, { status, headers: { 'content-type': type, 'x-cache': cached } });
`,
  },
};

export const STARTERS: readonly Starter[] = [WEBHOOK_HANDLER, SCHEDULED_REPORT, API_PROXY, SLACK_BOT, PYTHON_JOB];

export const starterOf = (id: string): Starter | undefined => STARTERS.find((each) => each.id === id);

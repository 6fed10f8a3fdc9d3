/** The endpoints that get the demo's deliveries, on a loopback port. Some fail, are slow, or recover. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const MINUTE_MS = 60_000;
const BAD = { everyMs: 60 * MINUTE_MS, fromMs: 2 * MINUTE_MS, untilMs: 17 * MINUTE_MS };
const CRM_PER_SECOND = 1;

type Receiver = (body: string, res: ServerResponse, at: number) => void;

export function startReceivers(port: number) {
  const startedAt = Date.now();
  /** A quarter of an hour of failures, two minutes after the start and then every hour. */
  const isBad = (at: number) => {
    const into = (at - startedAt) % BAD.everyMs;
    return into >= BAD.fromMs && into < BAD.untilMs;
  };
  let crmSecond = 0;
  let crmCalls = 0;
  const ok = (res: ServerResponse, body: object = { received: true }) => json(res, 200, body);
  const fine: Receiver = (_, res) => ok(res);

  const receivers: Record<string, Receiver> = {
    warehouse: fine,
    archive: fine,
    mailer: (_, res) => json(res, 202, { queued: true }),
    chat: fine,
    heartbeat: (_, res) => void res.writeHead(204).end(),
    // Fails in the bad quarter of an hour.
    erp: (_, res, at) =>
      isBad(at) ? json(res, 503, { error: 'upstream_busy', queue_depth: 4000 + (at % 500) }) : ok(res),
    // Slow, and slower in the bad quarter of an hour.
    analytics: (_, res, at) => void setTimeout(() => ok(res), isBad(at) ? 9_000 : 1_500),
    // Accepts one request a second.
    crm: (_, res, at) => {
      const second = Math.floor(at / 1000);
      if (second !== crmSecond) [crmSecond, crmCalls] = [second, 0];
      if (++crmCalls > CRM_PER_SECOND) json(res, 429, { error: 'rate_limited' }, { 'retry-after': '5' });
      else ok(res);
    },
    // Rejects one currency.
    accounting: (body, res) =>
      body.includes('"currency":"jpy"')
        ? json(res, 422, { error: 'currency_not_enabled', message: 'No account is configured for JPY.' })
        : ok(res),
    // Closes every fifth connection without a response.
    ci: (_, res, at) => (at % 5 === 0 ? void res.destroy() : ok(res)),
    // Moved; the destination still has the old URL.
    mirror: (_, res) => json(res, 410, { error: 'gone', moved_to: 'https://mirror.example.com/v2' }),
    // Its certificate service is down in the first half of every ten minutes.
    audit: (_, res, at) =>
      Math.floor(at / MINUTE_MS) % 10 < 5 ? json(res, 500, { error: 'signing service unavailable' }) : ok(res),
  };

  return createServer((req: IncomingMessage, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (chunk: string) => {
      if (body.length < 1_000_000) body += chunk;
    });
    req.on('end', () => {
      const receiver = receivers[(req.url ?? '').slice(1)];
      if (receiver) receiver(body, res, Date.now());
      else json(res, 404, { error: 'no such receiver' });
    });
  }).listen(port, '127.0.0.1');
}

function json(res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

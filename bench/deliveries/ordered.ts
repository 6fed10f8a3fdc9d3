/**
 * Events with keys to a destination that gets them in order by key, through two nodes of one database. Each key has a
 * source, which sends its next event when the last was acknowledged, to the nodes in turn. The receiver fails some
 * requests, which are retried. The node that sends is killed when half of the events are acknowledged.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../../contract/operations.ts';
import { findPlace } from '../../server/platform/database/embedded/place.ts';
import { newMemoryFolder } from '../../server/search/test/memory-folder.ts';
import { freePort, type Spawned, start } from '../../server/test/spawned.ts';
import { SETTINGS } from '../settings.ts';

export type Ordered = {
  events: number;
  keys: number;
  /** Acknowledged events that did not arrive. */
  lost: number;
  /** Requests of a key that arrived after a request of a later event of the key. */
  inversions: number;
  /** Requests that succeeded before; of an event in flight on the killed node. */
  again: number;
  /** Successful deliveries per second before the kill, and after the other node took over. */
  before: number;
  after: number;
  /** From the kill to the next request. */
  outageSeconds: number;
};

export const ORDERED = { events: 10_000, keys: 100, failed: 0.1 };
const PATIENCE_MS = 600_000;

/** Measures once; the first node runs the database and lives. */
export async function ordered({ events, keys, failed }: typeof ORDERED): Promise<Ordered> {
  const folder = newMemoryFolder('sluice-bench-ordered');
  const env = { ...SETTINGS, SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
  const first = await start(folder, await freePort(), env);
  const socket = encodeURIComponent(findPlace(folder).socketDir);
  const databaseUrl = `postgresql://sluice@localhost/postgres?host=${socket}`;
  const second = await start(folder, await freePort(), { ...env, DATABASE_URL: databaseUrl });
  const receiver = await startReceiver(failed);
  try {
    const hook = await makeTrigger(first, receiver.url);
    // The second node leases the destination while the first one is stopped.
    process.kill(first.pid, 'SIGSTOP');
    await post(second, hook, { key: 'none', n: 0 });
    await until(() => receiver.succeeded() === 1);
    process.kill(first.pid, 'SIGCONT');
    return await measure({ nodes: [first, second], hook, receiver, events, keys });
  } finally {
    await second.kill('SIGKILL');
    await first.kill('SIGTERM');
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeTrigger(node: Spawned, url: string): Promise<string> {
  const { body } = await node.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none', id_header: 'X-Id' },
    destinations: [
      { url, retry_schedule: [1, 1, 1, 1, 1], max_in_flight: 32, ordering: { by: 'KEY', key: 'payload.key' } },
    ],
  });
  return new URL(body.trigger.ingress?.url ?? '').pathname;
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type Given = { nodes: [Spawned, Spawned]; hook: string; receiver: Receiver; events: number; keys: number };

async function measure({ nodes: [first, second], hook, receiver, events, keys }: Given): Promise<Ordered> {
  const perKey = events / keys;
  let acknowledged = 0;
  let isKilled = false;
  const beganMs = performance.now();
  const write = async (key: string) => {
    for (let n = 0; n < perKey; ) {
      const node = n % 2 === 0 || isKilled ? first : second;
      // A source repeats an event that was not acknowledged, with the same id.
      if (!(await post(node, hook, { key, n }).catch(() => false))) continue;
      acknowledged++;
      n++;
    }
  };
  const writers = Promise.all(Array.from({ length: keys }, (_, key) => write(`k${key}`)));
  await until(() => acknowledged >= events / 2);
  const [killedMs, atKill] = [performance.now(), receiver.succeeded()];
  await second.kill('SIGKILL');
  isKilled = true;
  await writers;
  await until(() => receiver.arrived().size > events);
  const endMs = performance.now();
  const continuedMs = receiver.requestsMs().find((ms) => ms > killedMs + 5000) ?? endMs;
  return {
    events,
    keys,
    lost: events + 1 - receiver.arrived().size,
    inversions: receiver.inversions(),
    again: receiver.again(),
    before: atKill / ((killedMs - beganMs) / 1000),
    after: (receiver.succeeded() - atKill) / ((endMs - continuedMs) / 1000),
    outageSeconds: (continuedMs - killedMs) / 1000,
  };
}

/** Resolves when it is true, or when the patience is over. */
async function until(isTrue: () => boolean): Promise<void> {
  const stopMs = performance.now() + PATIENCE_MS;
  while (!isTrue() && performance.now() < stopMs) await new Promise<void>((ok) => setTimeout(ok, 5));
}

async function post(node: Spawned, hook: string, payload: { key: string; n: number }): Promise<boolean> {
  const headers = { 'content-type': 'application/json', 'x-id': `${payload.key} ${payload.n}` };
  const body = JSON.stringify(payload);
  const response = await fetch(`${node.url}${hook}`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status === 200;
}

/** Fails a part of the first requests of events. */
async function startReceiver(failed: number) {
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  const arrived = new Set<string>();
  const requestsMs: number[] = [];
  let inversions = 0;
  let again = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    requestsMs.push(performance.now());
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { key, n } = (JSON.parse(Buffer.concat(chunks).toString()) as { data: { key: string; n: number } }).data;
      const name = `${key} ${n}`;
      if (n < (latest.get(key) ?? 0)) inversions++;
      else latest.set(key, n);
      const isFailed = !seen.has(name) && Math.random() < failed;
      seen.add(name);
      if (!isFailed && arrived.has(name)) again++;
      if (!isFailed) arrived.add(name);
      res.writeHead(isFailed ? 500 : 200, { 'content-length': '2' }).end('ok');
    });
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: () => arrived,
    succeeded: () => arrived.size,
    inversions: () => inversions,
    again: () => again,
    requestsMs: () => requestsMs,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

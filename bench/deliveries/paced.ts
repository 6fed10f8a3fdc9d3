/**
 * A receiver with a quota, which returns 429 above it, and a destination with that rate limit, on two nodes of one
 * database. The quota is a sliding window over any second. The queue is filled while the
 * destination is paused. After it is resumed, both nodes get new events, an earlier event is replayed, and the receiver
 * fails some requests, which are retried.
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

export type Paced = {
  perSecond: number;
  arrived: number;
  /** The part of the quota that was used. */
  used: number;
  /** Responses of 429, and the largest number of requests in a window of one second. */
  refused: number;
  most: number;
};

export const RATES = [20, 200, 800];
const MEASURED_MS = 10_000;
const NEW_EVERY_MS = 100;
/** Every request with this number fails once. */
const FAILED_EVERY = 50;

/** Measures each rate, one after the other, with the same two nodes. */
export async function paced(rates: readonly number[]): Promise<Paced[]> {
  const folder = newMemoryFolder('sluice-bench-paced');
  const env = { ...SETTINGS, SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
  const first = await start(folder, await freePort(), env);
  const socket = encodeURIComponent(findPlace(folder).socketDir);
  const databaseUrl = `postgresql://sluice@localhost/postgres?host=${socket}`;
  const second = await start(folder, await freePort(), { ...env, DATABASE_URL: databaseUrl });
  try {
    const results: Paced[] = [];
    for (const rate of rates) results.push(await measure([first, second], rate));
    return results;
  } finally {
    await second.kill('SIGTERM');
    await first.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(nodes: [Spawned, Spawned], perSecond: number): Promise<Paced> {
  const receiver = await startQuota(perSecond);
  const { body } = await nodes[0].call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
    destinations: [
      {
        url: receiver.url,
        retry_schedule: [1, 1, 1],
        rate_limit: { requests: perSecond, per: 'second' },
        max_in_flight: 16,
      },
    ],
  });
  const { trigger_id, ingress, destinations } = body.trigger;
  const destination = `/triggers/${trigger_id}/destinations/${destinations[0]?.destination_id}`;
  const hook = new URL(ingress?.url ?? '').pathname;
  await nodes[0].call('PATCH', destination, { paused: true });
  const ids: string[] = [];
  const queued = Math.ceil((perSecond * MEASURED_MS) / 1000);
  for (let n = 0; n < queued; n += 20)
    ids.push(...(await Promise.all(Array.from({ length: 20 }, (_, i) => post(nodes[(n + i) % 2], hook, n + i)))));
  await nodes[1].call('PATCH', destination, { paused: false });
  while (receiver.times().length === 0) await pause(1);
  const stopMs = performance.now() + MEASURED_MS;
  for (let n = 0; performance.now() < stopMs; n++) {
    await post(nodes[n % 2], hook, queued + n);
    if (n % 10 === 0) await nodes[n % 2]?.call('POST', `/triggers/${trigger_id}/events/${ids[n]}:replay`);
    await pause(NEW_EVERY_MS);
  }
  await nodes[0].call('PATCH', destination, { status: 'DISABLED' });
  const times = receiver.times();
  const inTime = times.filter((ms) => ms < (times[0] ?? 0) + MEASURED_MS).length;
  receiver.close();
  return {
    perSecond,
    arrived: times.length,
    used: inTime / ((perSecond * MEASURED_MS) / 1000),
    refused: receiver.refused(),
    most: mostInASecond(times),
  };
}

const pause = (ms: number) => new Promise<void>((ok) => setTimeout(ok, ms));

async function post(node: Spawned | undefined, hook: string, n: number): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${node?.url}${hook}`, { method: 'POST', headers, body: JSON.stringify({ n }) });
  if (response.status !== 200) throw new Error(`an event was rejected with ${response.status}`);
  return ((await response.json()) as { event_ids: string[] }).event_ids[0] ?? '';
}

function mostInASecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [index, ms] of times.entries()) {
    while (ms - (times[first] ?? 0) >= 1000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Accepts at most `perSecond` requests in any second. */
async function startQuota(perSecond: number) {
  const times: number[] = [];
  const failed = new Set<unknown>();
  let refused = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const atMs = performance.now();
    const isOver = atMs - (times.at(-perSecond) ?? Number.NEGATIVE_INFINITY) < 1000;
    times.push(atMs);
    const id = req.headers['webhook-id'];
    const isFailed = times.length % FAILED_EVERY === 0 && !failed.has(id);
    if (isFailed) failed.add(id);
    if (isOver) refused++;
    const status = isOver ? 429 : isFailed ? 500 : 200;
    req.resume().on('end', () => res.writeHead(status, { 'content-length': '2' }).end('ok'));
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times: () => times,
    refused: () => refused,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Measures the pace of a bulk replay. *Beside*: new events arrive during the whole replay, as fast as they are
 * delivered. *In turn*: the replay is paused for new events, so that each has the whole machine.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { Reply } from '../../contract/operations.ts';
import { newMemoryFolder } from '../../server/search/test/memory-folder.ts';
import { freePort, type Spawned, start } from '../../server/test/spawned.ts';
import { SETTINGS } from '../settings.ts';

const CLIENTS = 32;
/** Limit of new events that are acknowledged but not delivered; a longer queue would be measured as latency. */
const UNDELIVERED_MAX = 128;
const PARTS = 3;
export const REPLAYED = 20_000;
export type Mode = { name: 'beside' | 'in turn'; ratePerSecond: number };
export const MODES: Mode[] = [
  { name: 'beside', ratePerSecond: 500 },
  { name: 'beside', ratePerSecond: 1000 },
  { name: 'in turn', ratePerSecond: 1000 },
];

export type ReplayPace = Mode & {
  events: number;
  /** Deliveries per second: of new events, and of the replay. */
  fresh: number[];
  replay: number;
  /** Distinct events of the replay that arrived, and repeated arrivals. */
  arrived: number;
  again: number;
  /** New events that were acknowledged and did not arrive. */
  lost: number;
  /** The longest time between the arrival of a delivery and its count in `done`. */
  behindSeconds: number;
  succeeded: number;
};

/** Stores `events` for a disabled destination, then replays them. */
export async function replayPace(events: number, mode: Mode): Promise<ReplayPace> {
  const folder = newMemoryFolder('sluice-bench-replay');
  const receiver = await startCounter();
  const service = await start(folder, await freePort(), SETTINGS);
  try {
    const live = await makeTrigger(service, `${receiver.url}/live`);
    const stored = await makeTrigger(service, `${receiver.url}/stored`);
    const destination = `/triggers/${stored.trigger_id}/destinations/${stored.destination_id}`;
    await service.call('PATCH', destination, { status: 'DISABLED' });
    await newEvents(receiver, live.hook, events / 10);
    await post(stored.hook, events);
    await service.call('PATCH', destination, { status: 'ENABLED' });
    const fresh: number[] = [];
    const sendFresh = async () => void fresh.push(await newEvents(receiver, live.hook, events / 8));
    const replay = { service, receiver, trigger_id: stored.trigger_id, events, ...mode };
    if (mode.name === 'in turn') {
      await sendFresh();
      const outcome = await runReplay(replay, sendFresh);
      await sendFresh();
      return { ...mode, events, fresh, ...outcome, lost: 0 };
    }
    let ended = false;
    const before = receiver.total('/live');
    const posting = post(live.hook, Number.POSITIVE_INFINITY, {
      isEnded: () => ended,
      isFull: (posted) => posted - (receiver.total('/live') - before) >= UNDELIVERED_MAX,
    });
    const outcome = await runReplay(replay).finally(() => {
      ended = true;
    });
    const [fromMs = 0, toMs = 0] = receiver.span('/stored');
    fresh.push(receiver.between('/live', fromMs, toMs) / ((toMs - fromMs) / 1000));
    const acknowledged = before + (await posting);
    const stopMs = performance.now() + 30_000;
    while (receiver.count('/live').size < acknowledged && performance.now() < stopMs) await pause(20);
    return { ...mode, events, fresh, ...outcome, lost: acknowledged - receiver.count('/live').size };
  } finally {
    await service.kill('SIGTERM');
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const pause = (ms: number) => new Promise<void>((ok) => setTimeout(ok, ms));

export type Counter = Awaited<ReturnType<typeof startCounter>>;

type Replay = Mode & { service: Spawned; receiver: Counter; trigger_id: string; events: number };

/**
 * Runs a replay to its end and samples its progress. With `between` the replay is paused twice, and `between` runs when
 * all sent deliveries have arrived and are counted.
 */
async function runReplay(
  { service, receiver, trigger_id, events, ratePerSecond }: Replay,
  between?: () => Promise<void>,
) {
  let startMs = performance.now();
  let sentMs = 0;
  let part = 1;
  const request = { filter: { trigger_id }, only_skipped: true, rate_per_second: ratePerSecond };
  const created = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', request);
  if (!created.body.replay) throw new Error(JSON.stringify(created.body));
  const path = `/replays/${created.body.replay.replay_id}`;
  let behindMs = 0;
  let arrivedBefore = 0;
  for (;;) {
    const atMs = performance.now();
    const had = receiver.total('/stored');
    const { status, body } = await service.call<Reply<'replayGet'>>('GET', path);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}\n${service.output()}`);
    const { replay } = body;
    if (had > replay.done) behindMs = Math.max(behindMs, atMs - receiver.atMs('/stored', replay.done));
    if (between && replay.status === 'RUNNING' && part < PARTS && had >= (events * part) / PARTS) {
      part++;
      await service.call('POST', `${path}:pause`);
    } else if (between && replay.status === 'PAUSED' && had === replay.done && had === arrivedBefore) {
      sentMs += receiver.lastMs('/stored') - startMs;
      await between();
      startMs = performance.now();
      await service.call('POST', `${path}:resume`);
    } else if (replay.status !== 'RUNNING' && replay.status !== 'PAUSED') {
      const seconds = (sentMs + (receiver.lastMs('/stored') || performance.now()) - startMs) / 1000;
      const { size: arrived } = receiver.count('/stored');
      const again = receiver.total('/stored') - arrived;
      return {
        replay: events / seconds,
        arrived,
        again,
        behindSeconds: behindMs / 1000,
        succeeded: replay.succeeded,
      };
    }
    arrivedBefore = had;
    await pause(100);
  }
}

/** Deliveries per second from the first post to the last arrival. */
async function newEvents(receiver: Counter, hook: string, count: number): Promise<number> {
  const had = receiver.total('/live');
  const startMs = performance.now();
  await post(hook, count);
  while (receiver.total('/live') < had + count) await pause(5);
  return count / ((receiver.lastMs('/live') - startMs) / 1000);
}

type Until = { isEnded: () => boolean; isFull: (posted: number) => boolean };
const UNLIMITED: Until = { isEnded: () => false, isFull: () => false };

/** Posts up to `count` events. Returns how many were acknowledged. */
async function post(hook: string, count: number, { isEnded, isFull } = UNLIMITED): Promise<number> {
  const { origin, pathname } = new URL(hook);
  const pool = new Pool(origin, { connections: CLIENTS, pipelining: 1 });
  let next = 0;
  const client = async () => {
    while (next < count && !isEnded()) {
      if (isFull(next)) {
        await pause(2);
        continue;
      }
      const body = JSON.stringify({ n: next++, customer: 'cust_1234', amount: 4200, text: 'x'.repeat(300) });
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ path: pathname, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`a new event was rejected with ${response.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await pool.close();
  return next;
}

/** A trigger without verification whose destination has no retries. */
export async function makeTrigger(service: Spawned, url: string) {
  const { body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
    destinations: [{ url, retry_schedule: [] }],
  });
  const { trigger_id, ingress, destinations } = body.trigger;
  const hook = new URL(new URL(ingress?.url ?? '').pathname, service.url).href;
  return { trigger_id, hook, destination_id: destinations[0]?.destination_id ?? '' };
}

/** A receiver that counts deliveries by path and `webhook-id`. */
export async function startCounter() {
  const seen = new Map<string, { ids: Map<string, number>; timesMs: number[] }>();
  const of = (path: string) => {
    const each = seen.get(path) ?? { ids: new Map<string, number>(), timesMs: [] };
    seen.set(path, each);
    return each;
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const { ids, timesMs } = of(req.url ?? '');
    const id = String(req.headers['webhook-id']);
    ids.set(id, (ids.get(id) ?? 0) + 1);
    timesMs.push(performance.now());
    req.resume().on('end', () => res.writeHead(200, { 'content-length': '2' }).end('ok'));
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (path: string) => of(path).ids,
    total: (path: string) => of(path).timesMs.length,
    /** When the delivery with this index arrived. */
    atMs: (path: string, index: number) => of(path).timesMs[index] ?? performance.now(),
    lastMs: (path: string) => of(path).timesMs.at(-1) ?? 0,
    span: (path: string) => [of(path).timesMs[0], of(path).timesMs.at(-1)],
    between: (path: string, fromMs: number, toMs: number) =>
      of(path).timesMs.filter((ms) => ms >= fromMs && ms <= toMs).length,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

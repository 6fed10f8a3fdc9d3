/**
 * Measures one bulk replay of very many failed deliveries: gathered in the background, paused and resumed, and killed
 * in the middle. Every event has to arrive, only those in flight twice, and the counters have to be exact.
 */
import { readFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import type { Reply } from '../../contract/operations.ts';
import { newMemoryFolder } from '../../server/search/test/memory-folder.ts';
import { embeddedIn, freePort, type Spawned, start } from '../../server/test/spawned.ts';
import { SETTINGS } from '../settings.ts';
import { type Counter, makeTrigger, pause, startCounter } from './replay-pace.ts';

const RATE = 1000;
/** Attempts in flight, and those whose record is not stored yet: they are made again after a kill. */
export const IN_FLIGHT_MAX = 256;
const STORED_AT_ONCE = 50_000;

export type ReplayScale = {
  events: number;
  gatheredSeconds: number;
  perSecond: number;
  /** Deliveries that arrived after the pause was confirmed, and for how long. */
  afterPause: number;
  afterPauseSeconds: number;
  missing: number;
  again: number;
  /** Differences between the counters, the matrix and what was stored. */
  miscounted: number;
  /** The longest read of the replay and of a page of its deliveries. */
  slowestReadMs: number;
  memoryMib: number;
};

type Detail = Reply<'replayGet'>;

/** Replays this many events. */
export async function replayScale(events: number): Promise<ReplayScale> {
  const folder = newMemoryFolder('sluice-bench-replay-scale');
  const receiver = await startCounter();
  const port = await freePort();
  let service = await start(folder, port, SETTINGS);
  let [slowestReadMs, memoryMib] = [0, 0];
  try {
    const trigger = await makeTrigger(service, `${receiver.url}/stored`);
    await storeFailed(folder, trigger, events);
    const request = { filter: { trigger_id: trigger.trigger_id }, only_failed: true, rate_per_second: RATE };
    const startedMs = performance.now();
    const created = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', request);
    if (!created.body.replay) throw new Error(JSON.stringify(created.body));
    const path = `/replays/${created.body.replay.replay_id}`;
    const read = async (): Promise<Detail> => {
      const atMs = performance.now();
      const { status, body } = await service.call<Detail>('GET', path);
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}\n${service.output()}`);
      await service.call('GET', `${path}/items?limit=50`);
      slowestReadMs = Math.max(slowestReadMs, performance.now() - atMs);
      memoryMib = Math.max(memoryMib, memoryOf(service));
      return body;
    };
    while ((await read()).replay.gathering) await pause(100);
    const gatheredMs = performance.now() - startedMs;
    await arrived(receiver, events / 3, read);
    await service.call('POST', `${path}:pause`);
    const paused = await untilQuiet(receiver);
    await service.call('POST', `${path}:resume`);
    await arrived(receiver, (events * 2) / 3, read);
    const perSecond = rateOf(receiver, paused.atIndex, receiver.total('/stored'));
    await service.kill('SIGKILL');
    service = await start(folder, port, SETTINGS);
    while ((await read()).replay.status === 'RUNNING') await pause(500);
    const { replay, matrix } = await read();
    const { size } = receiver.count('/stored');
    const counted = [replay.total, replay.done, replay.succeeded, matrix[0]?.count ?? 0];
    return {
      events,
      gatheredSeconds: gatheredMs / 1000,
      perSecond,
      afterPause: paused.count,
      afterPauseSeconds: paused.seconds,
      missing: events - size,
      again: receiver.total('/stored') - size,
      miscounted: counted.reduce((sum, count) => sum + Math.abs(count - events), replay.failed + matrix.length - 1),
      slowestReadMs,
      memoryMib,
    };
  } finally {
    await service.kill('SIGTERM');
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Inserts failed deliveries of this many events, without sending them. */
async function storeFailed(folder: string, trigger: Awaited<ReturnType<typeof makeTrigger>>, events: number) {
  const client = new Client(embeddedIn(folder));
  await client.connect();
  for (let left = events; left > 0; left -= STORED_AT_ONCE)
    await client.query(
      `with e as (
        insert into events (account_id, event_id, trigger_id, received_at, payload)
        select t.account_id, uuidv7(), t.trigger_id, now(), '{"n":' || n || ',"text":"' || repeat('x', 300) || '"}'
        from triggers t, generate_series(1, $3::int) n where t.trigger_id = $1 returning *
      )
      insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
        destination_url, destination_method, status, origin, attempts, created_at, finished_at)
      select account_id, event_id, gen_random_uuid(), trigger_id, $2::uuid, 'd', 'http://d', 'POST', 'FAILED', 'EVENT',
        0, now(), now() from e`,
      [trigger.trigger_id, trigger.destination_id, Math.min(left, STORED_AT_ONCE)],
    );
  await client.query('analyze');
  await client.end();
}

/** Waits until this many deliveries have arrived, and reads the replay meanwhile, as an open page does. */
async function arrived(receiver: Counter, count: number, read: () => Promise<unknown>): Promise<void> {
  while (receiver.total('/stored') < count) {
    await read();
    await pause(100);
  }
}

const QUIET_MS = 1500;

/** What arrives from now until nothing has arrived for a while. */
async function untilQuiet(receiver: Counter) {
  const atMs = performance.now();
  const had = receiver.total('/stored');
  let atIndex = had;
  for (;;) {
    await pause(QUIET_MS);
    const total = receiver.total('/stored');
    if (total === atIndex) break;
    atIndex = total;
  }
  const seconds = atIndex === had ? 0 : (receiver.lastMs('/stored') - atMs) / 1000;
  return { count: atIndex - had, seconds, atIndex };
}

/** Deliveries per second between two arrivals. */
const rateOf = (receiver: Counter, from: number, to: number): number =>
  ((to - 1 - from) * 1000) / (receiver.atMs('/stored', to - 1) - receiver.atMs('/stored', from));

/** The resident memory of the process. */
function memoryOf({ pid }: Spawned): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

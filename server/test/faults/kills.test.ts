/** The service on its own database, killed at each step of a delivery and at random moments. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { rawCall } from '../../gateway/test/raw-upstream.ts';
import { findPlace } from '../../platform/database/embedded/place.ts';
import { readPostmasterFile } from '../../platform/database/embedded/processes.ts';
import { type Sink, startSink } from '../sink.ts';
import { embeddedIn, type Folder, freePort, type Spawned, scratch, start } from '../spawned.ts';
import { arrivals, expectGood, judge, PATIENCE_MS, print, type Verdict, whenRecovered } from './ledger.ts';
import {
  beside,
  lockTable,
  makeTarget,
  post,
  ROUNDS,
  randomFrom,
  SEED,
  startWriters,
  type Target,
  whenStatementWaits,
} from './world.ts';

const PATIENTLY = { timeout: PATIENCE_MS };
const verdicts: Verdict[] = [];
let sink: Sink;
let folder: Folder;
let port: number;
let service: Spawned;
let database: ReturnType<typeof beside>;

beforeAll(async () => {
  sink = await startSink();
  folder = scratch();
  port = await freePort();
  service = await start(folder.path, port);
  database = beside(embeddedIn(folder.path));
});
afterAll(async () => {
  print(`kills (seed ${SEED}, ${ROUNDS} rounds)`, verdicts);
  await database.close().catch(() => {});
  await service.kill('SIGTERM');
  await sink.close();
  folder.remove();
});

let count = 0;
/** A separate destination for a test, which succeeds by default. */
async function target(retry_schedule = [1, 1, 1, 1]): Promise<Target & { at: string }> {
  const at = `/killed-${++count}`;
  return { ...(await makeTarget(service, [{ url: sink.url + at, retry_schedule }])), at };
}

let endedMs = 0;
async function end(signal: NodeJS.Signals): Promise<number | null> {
  const code = await service.kill(signal);
  endedMs = performance.now();
  return code;
}

async function restart(): Promise<void> {
  await end('SIGKILL');
  service = await start(folder.path, port);
}

const field = (at: string, acknowledged: string[]) =>
  [{ sink, paths: [at], database: database.client }, acknowledged] as const;

/** After the restart: nothing is lost, and only held events are duplicated. */
async function settle(fault: string, at: string, acknowledged: string[]): Promise<Verdict> {
  const recoveredMs = await whenRecovered(...field(at, acknowledged), endedMs);
  const verdict = await judge(fault, ...field(at, acknowledged), recoveredMs);
  verdicts.push(verdict);
  expectGood(verdict);
  return verdict;
}

async function statusOf(event_id: string): Promise<string | undefined> {
  const client = await database.client();
  const { rows } = await client.query<{ status: string }>('select status from deliveries where event_id = $1', [
    event_id,
  ]);
  return rows[0]?.status;
}

const stored = async ({ trigger }: Target) => {
  const client = await database.client();
  const { rows } = await client.query<{ event_id: string }>('select event_id from events where trigger_id = $1', [
    trigger.trigger_id,
  ]);
  return rows.map(({ event_id }) => event_id);
};

async function postAll(to: Target, many: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: many }, (_, n) => post(service, to, n)));
  return ids.map(String);
}

describe('kill -9', () => {
  it('before an event is stored: it is not acknowledged, and the source’s retry is', async () => {
    const to = await target();
    const lock = await lockTable(embeddedIn(folder.path), 'events');
    const answer = post(service, to, 'a').catch(() => 'broken');
    await whenStatementWaits(database.client);
    await end('SIGKILL');
    await lock.release();
    expect(await answer).toBe('broken');
    service = await start(folder.path, port);
    const id = String(await post(service, to, 'a'));
    await settle('before it is stored', to.at, [id]);
    expect(await stored(to)).toEqual([id]);
  });

  it('after it is stored and before the response: it is delivered, and the source’s retry is a duplicate', async () => {
    const to = await target();
    const lock = await lockTable(embeddedIn(folder.path), 'events');
    const answer = post(service, to, 'a').catch(() => 'broken');
    await whenStatementWaits(database.client);
    process.kill(service.pid, 'SIGSTOP');
    await lock.release();
    await expect.poll(() => stored(to), PATIENTLY).toHaveLength(1);
    const ids = await stored(to);
    await restart();
    expect(await answer).toBe('broken');
    const verdict = await settle('stored, not yet acknowledged', to.at, ids);
    expect(verdict.duplicated).toBe(0);
    expect(await post(service, to, 'a')).toBe(ids[0]);
  });

  it('before the receiver responds: deliveries in flight are sent again', async () => {
    const to = await target();
    sink.answer(to.at, () => {});
    const ids = await postAll(to, 20);
    await expect.poll(() => sink.received(to.at), PATIENTLY).toHaveLength(8);
    await end('SIGKILL');
    sink.answer(to.at, { status: 200 });
    service = await start(folder.path, port);
    const verdict = await settle('sent, not yet answered', to.at, ids);
    expect(verdict.duplicated).toBe(8);
  });

  it('after the response and before it is recorded: the event may be sent again', async () => {
    const to = await target();
    const lock = await lockTable(embeddedIn(folder.path), 'attempts');
    const ids = await postAll(to, 5);
    await expect.poll(() => sink.received(to.at), PATIENTLY).toHaveLength(5);
    await whenStatementWaits(database.client);
    await end('SIGKILL');
    await lock.release();
    service = await start(folder.path, port);
    await settle('answered, not yet recorded', to.at, ids);
  });

  it('after it is recorded: the event is not sent again', async () => {
    const to = await target();
    const lock = await lockTable(embeddedIn(folder.path), 'attempts');
    const [id = ''] = await postAll(to, 1);
    await expect.poll(() => sink.received(to.at), PATIENTLY).toHaveLength(1);
    await whenStatementWaits(database.client);
    process.kill(service.pid, 'SIGSTOP');
    await lock.release();
    await expect.poll(() => statusOf(id), PATIENTLY).toBe('SUCCEEDED');
    await restart();
    const verdict = await settle('recorded, and it does not know', to.at, [id]);
    expect(verdict.duplicated).toBe(0);
  });

  it('while a delivery waits for its next attempt: the attempt is made', async () => {
    const to = await target([2]);
    sink.answer(to.at, { status: 500 });
    const lock = await lockTable(embeddedIn(folder.path), 'attempts');
    const [id = ''] = await postAll(to, 1);
    await expect.poll(() => sink.received(to.at), PATIENTLY).toHaveLength(1);
    await whenStatementWaits(database.client);
    // Before the first attempt is recorded, so that no process makes the next one before the kill.
    process.kill(service.pid, 'SIGSTOP');
    await lock.release();
    await expect.poll(() => statusOf(id), PATIENTLY).toBe('RETRYING');
    await end('SIGKILL');
    sink.answer(to.at, { status: 200 });
    service = await start(folder.path, port);
    const recoveredMs = await whenRecovered(...field(to.at, [id]), endedMs);
    expect(await statusOf(id)).toBe('SUCCEEDED');
    expect(arrivals(sink, to.at)).toEqual(new Map([[id, 2]]));
    const verdict = await judge('waiting for its next attempt', ...field(to.at, [id]), recoveredMs);
    // The first attempt failed and the second was due.
    verdicts.push({ ...verdict, duplicated: verdict.duplicated - 1 });
    expect(verdict).toMatchObject({ lost: [], duplicated: 1, held: 0 });
  });

  it('while a lane is full and the rest waits in the table: all events are delivered', async () => {
    const to = await target();
    sink.answer(to.at, () => {});
    const ids = await postAll(to, 200);
    await expect.poll(() => sink.received(to.at), PATIENTLY).toHaveLength(8);
    await end('SIGKILL');
    sink.answer(to.at, { status: 200 });
    service = await start(folder.path, port);
    const verdict = await settle('a lane full, more in the table', to.at, ids);
    expect(verdict.duplicated).toBe(8);
  });

  it('in the middle of a replay: it completes, and each event is sent again', async () => {
    const to = await target();
    const ids = await postAll(to, 40);
    await whenRecovered(...field(to.at, ids));
    const { body } = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', {
      filter: { trigger_id: to.trigger.trigger_id },
    });
    const at = `/replays/${body.replay?.replay_id}`;
    await expect.poll(() => sink.received(to.at).length, PATIENTLY).toBeGreaterThan(50);
    await restart();
    const replay = async () => (await service.call<Reply<'replayGet'>>('GET', at)).body.replay;
    await expect.poll(replay, PATIENTLY).toMatchObject({ status: 'COMPLETED', succeeded: 40, failed: 0 });
    const recoveredMs = performance.now() - endedMs;
    const counts = [...arrivals(sink, to.at).values()];
    expect(counts.filter((times) => times < 2)).toEqual([]);
    const verdict = await judge('in the middle of a replay', ...field(to.at, ids), recoveredMs);
    verdicts.push({ ...verdict, duplicated: verdict.duplicated - ids.length });
    expectGood({ ...verdict, duplicated: verdict.duplicated - ids.length });
  });
});

it('SIGTERM under load ends it with 0; nothing is lost or duplicated', async () => {
  const to = await target();
  const writers = startWriters(() => [service], to);
  await writers.more(150);
  expect(await end('SIGTERM')).toBe(0);
  await writers.stop();
  service = await start(folder.path, port);
  const verdict = await settle('SIGTERM under load', to.at, writers.acknowledged);
  expect(verdict).toMatchObject({ duplicated: 0, held: 0 });
});

it('SIGTERM lets a request in progress finish, and accepts no other on its connection', async () => {
  const to = await target();
  const head = `POST ${to.path} HTTP/1.1\r\nHost: localhost\r\n`;
  const rest = 'X-Id: begun\r\nContent-Length: 7\r\n\r\n{"n":1}';
  const caller = rawCall(port, head);
  const isListening = () =>
    fetch(`${service.url}/healthz`).then(
      () => true,
      () => false,
    );
  expect(await isListening()).toBe(true);
  const ended = end('SIGTERM');
  await expect.poll(isListening, PATIENTLY).toBe(false);
  caller.socket.write(rest);
  const answer = await caller.until(({ ended }) => ended());
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(await ended).toBe(0);
  service = await start(folder.path, port);
  const { event_ids } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { event_ids: string[] };
  const verdict = await settle('SIGTERM within a request', to.at, event_ids);
  expect(verdict).toMatchObject({ acknowledged: 1, duplicated: 0 });
});

const KINDS = ['the service', 'a database session', 'the database'] as const;

/** The process id of the server, or of one of the service's sessions, once it exists. */
async function victim(kind: 'a database session' | 'the database', random: () => number): Promise<number> {
  const find = async () => {
    const pids = kind === 'the database' ? [server()] : await sessions();
    const pid = pids[Math.floor(random() * pids.length)];
    // Process 0 would signal the whole process group.
    if (!pid) throw new Error(`${kind} has no process`);
    return pid;
  };
  return await vi.waitFor(find, PATIENTLY);
}

/** The database may have been adopted by a service started after a kill, so it is not its child. */
const server = () => readPostmasterFile(findPlace(folder.path).cluster)?.pid;

async function sessions(): Promise<number[]> {
  const client = await database.client();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'sluice' order by pid`,
  );
  return rows.map(({ pid }) => pid);
}

it.runIf(existsSync('/proc/self/stat'))(
  'kill -9 at any moment, of the service, of a session of its database and of the whole database',
  async () => {
    const random = randomFrom(SEED);
    const to = await target();
    // Fewer than a lane has in flight, so that the backlog shrinks.
    const writers = startWriters(() => [service], to, 6);
    let settled = 0;
    const rounds: Record<string, { faults: number; worstMs: number }> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const kind = KINDS[round % KINDS.length] ?? 'the service';
      await writers.more(10 + Math.floor(random() * 200));
      const before = writers.acknowledged.slice(settled);
      settled += before.length;
      const atMs = performance.now();
      if (kind === 'the service') await restart();
      else process.kill(await victim(kind, random), 'SIGKILL');
      const recoveredMs = await whenRecovered(...field(to.at, before), atMs);
      const { faults = 0, worstMs = 0 } = rounds[kind] ?? {};
      rounds[kind] = { faults: faults + 1, worstMs: Math.max(worstMs, recoveredMs) };
    }
    await writers.stop();
    await whenRecovered(...field(to.at, writers.acknowledged));
    const worstMs = Math.max(...Object.values(rounds).map((each) => each.worstMs));
    const fault = `${ROUNDS} kills of ${Object.entries(rounds)
      .map(([kind, { faults }]) => `${kind} (${faults})`)
      .join(', ')}`;
    const verdict = await judge(fault, ...field(to.at, writers.acknowledged), worstMs);
    verdicts.push(verdict);
    expectGood(verdict, ROUNDS);
  },
  180_000 + ROUNDS * 60_000,
);

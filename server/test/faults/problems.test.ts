/** The service killed while it groups failures and in the middle of a problem's replay, and receivers that lie. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Sink, startSink } from '../sink.ts';
import { embeddedIn, type Folder, freePort, type Spawned, scratch, start } from '../spawned.ts';
import { arrivals, PATIENCE_MS } from './ledger.ts';
import { beside, lockTable, makeTarget, post, type Target, whenStatementWaits } from './world.ts';

const PATIENTLY = { timeout: PATIENCE_MS };
/** Attempts in flight to one destination: lanes.ts. */
const LANE = 8;
const EVENTS = 60;

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
  await database.close().catch(() => {});
  await service.kill('SIGTERM');
  await sink.close();
  folder.remove();
});

let count = 0;
/** A destination that rejects all events, which opens no circuit breaker. */
async function rejecting(rate_limit?: { requests: number; per: 'second' }) {
  const at = `/problem-${++count}`;
  sink.answer(at, { status: 422, body: `{"message":"receiver ${'abcdef'[count]} is broken"}` });
  const settings = { url: sink.url + at, retry_schedule: [], ...(rate_limit ? { rate_limit } : {}) };
  return { ...(await makeTarget(service, [settings])), at };
}
const idOf = ({ trigger }: Target) => trigger.destinations[0]?.destination_id ?? '';

async function problemOf(to: Target, isMeant: (problem: Problem) => boolean = () => true): Promise<Problem> {
  const read = async () =>
    (await service.call<Reply<'problemList'>>('GET', `/problems?resource_ids=${idOf(to)}`)).body.problems ?? [];
  await expect.poll(async () => (await read()).filter(isMeant).length, PATIENTLY).toBe(1);
  return (await read())[0] as Problem;
}
type Problem = Reply<'problemList'>['problems'][number];

async function postAll(to: Target, from: number, many: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + many; n++) ids.push(String(await post(service, to, n)));
  return ids;
}
/** Failed attempts, as the service recorded them. */
async function failedAttempts(to: Target): Promise<number> {
  const { rows } = await (await database.client()).query<{ count: number }>(
    `select count(*)::int as count from attempts a join events e using (account_id, event_id)
     where e.trigger_id = $1 and coalesce(a.response_status, 0) <> 200`,
    [to.trigger.trigger_id],
  );
  return rows[0]?.count ?? 0;
}
async function restart(): Promise<void> {
  await service.kill('SIGKILL');
  service = await start(folder.path, port);
}

async function replayOf({ problem_id }: Problem) {
  const { body, status } = await service.call<Reply<'problemReplayCreate'>>(
    'POST',
    `/problems/${problem_id}/replays`,
    {},
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return `/problems/${problem_id}/replays/${body.replay?.replay_id}`;
}
async function finalReceipt(at: string) {
  const read = async () => (await service.call<Reply<'receiptGet'>>('GET', at)).body.receipt;
  await expect.poll(async () => (await read())?.is_final, PATIENTLY).toBe(true);
  return read();
}

it('kill -9 while it groups: every failure is counted, and none twice', async () => {
  const to = await rejecting();
  await postAll(to, 0, 20);
  await problemOf(to, ({ failures }) => failures > 0);
  // The transaction that groups has inserted problems and waits for their failures.
  const lock = await lockTable(embeddedIn(folder.path), 'problem_failures');
  await postAll(to, 20, 20);
  await whenStatementWaits(database.client);
  await service.kill('SIGKILL');
  await lock.release();
  service = await start(folder.path, port);
  for (let round = 0; round < 2; round++) {
    await postAll(to, 40 + 10 * round, 10);
    await restart();
  }
  const { problem_id } = await problemOf(to, ({ failures }) => failures >= EVENTS);
  const failed = await failedAttempts(to);
  // Each event failed once; what a killed process had in flight arrived again before it was recorded.
  expect(failed).toBe(EVENTS);
  expect(arrivals(sink, to.at).size).toBe(EVENTS);
  expect(sink.received(to.at).length).toBeLessThanOrEqual(EVENTS + 3 * LANE);
  const problem = await problemOf(to, ({ failures }) => failures === failed);
  expect(problem).toMatchObject({ problem_id, counts: { DELIVERY: EVENTS } });
});

it('kill -9 in the middle of a replay of a problem: the receipt agrees with the receiver', async () => {
  const to = await rejecting({ requests: 20, per: 'second' });
  const ids = await postAll(to, 0, EVENTS);
  const problem = await problemOf(to, ({ failures }) => failures >= EVENTS);
  sink.answer(to.at, { status: 200 });
  const before = arrivals(sink, to.at);
  const at = await replayOf(problem);
  const since = () => [...arrivals(sink, to.at)].map(([id, times]) => times - (before.get(id) ?? 0));
  const arrived = () => since().reduce((sum, times) => sum + times, 0);
  for (const part of [10, 30]) {
    await expect.poll(arrived, PATIENTLY).toBeGreaterThan(part);
    await restart();
  }
  expect(await finalReceipt(at)).toMatchObject({
    summary: `${EVENTS} of ${EVENTS} delivered, 0 twice`,
    status: 'COMPLETED',
    delivered_twice: 0,
  });
  // Each arrived, and only what a killed process had in flight arrived again.
  expect(new Set(arrivals(sink, to.at).keys())).toEqual(new Set(ids));
  expect(Math.min(...since())).toBe(1);
  expect(arrived() - EVENTS).toBeLessThanOrEqual(2 * LANE);
  await problemOf(to, ({ state }) => state === 'RESOLVED');
});

it('receivers that lie: the receipt has each response as it was received', async () => {
  const to = await rejecting();
  await postAll(to, 0, 8);
  const problem = await problemOf(to, ({ failures }) => failures >= 8);
  /** The receiver's own account: complete responses with 200. */
  const confirmed: number[] = [];
  sink.answer(to.at, (response, { body }) => {
    const { n } = (JSON.parse(body) as { data: { n: number } }).data;
    const kind = n % 4;
    if (kind === 0) response.end('ok');
    else if (kind === 1) response.end('{"error":"not stored"}');
    else if (kind === 2) response.end('ok', () => response.socket?.destroy());
    else {
      response.writeHead(200, { 'content-length': 100 }).write('only a part');
      setImmediate(() => response.socket?.destroy());
    }
    if (kind !== 3) confirmed.push(n);
  });
  const at = await replayOf(problem);
  const receipt = await finalReceipt(at);
  const { body } = await service.call<Reply<'receiptLineList'>>('GET', `${at}/lines`);
  const outcomes = body.lines.map(({ outcome }) => outcome).toSorted();
  expect(receipt).toMatchObject({ delivered_twice: 0 });
  expect(outcomes.filter((outcome) => outcome === 'DELIVERED')).toHaveLength(new Set(confirmed).size);
  expect(receipt.summary).toMatch(/^6 of 8 delivered, 0 twice, 2 still failing because /);
});

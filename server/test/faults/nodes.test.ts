/** Nodes of one database that are killed, stopped, and disconnected from it. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFaultProxy, throughProxy } from '../fault-proxy.ts';
import { type Sink, startSink } from '../sink.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../spawned.ts';
import { ownDatabase } from './database.ts';
import { arrivals, expectGood, judge, print, type Verdict, whenRecovered } from './ledger.ts';
import { IS_LONG, makeTarget, post, startWriters, type Target } from './world.ts';

/** The recovery time of a fault is that of a machine without the other faults. */
const test = IS_LONG ? it : it.concurrent;
const PATIENTLY = { timeout: 120_000, interval: 50 };
const verdicts: Verdict[] = [];
const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const folders: Folder[] = [];
const nodes: Spawned[] = [];
let sink: Sink;
let database: Awaited<ReturnType<typeof ownDatabase>>;

async function startNode(databaseUrl = database.url): Promise<Spawned> {
  const folder = scratch();
  folders.push(folder);
  const node = await start(folder.path, await freePort(), { ...env, DATABASE_URL: databaseUrl });
  nodes.push(node);
  return node;
}

let third: Spawned;
beforeAll(async () => {
  sink = await startSink();
  database = await ownDatabase();
  third = await startNode();
});
afterAll(async () => {
  print('nodes', verdicts);
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
  await sink.close();
  for (const folder of folders) folder.remove();
  await database.drop();
});

async function target(at: string): Promise<Target> {
  return makeTarget(third, [{ url: sink.url + at, retry_schedule: [1, 1, 1, 1] }]);
}
const field = (at: string, acknowledged: string[]) =>
  [{ sink, paths: [at], database: database.client }, acknowledged] as const;

test('after one is killed, another sends what it held', async () => {
  const doomed = await startNode();
  const to = await target('/one-killed');
  let living = [third, doomed];
  const writers = startWriters(() => living, to);
  await writers.more(100);
  await doomed.kill('SIGKILL');
  living = [third];
  const atMs = performance.now();
  const recoveredMs = await whenRecovered(...field('/one-killed', [...writers.acknowledged]), atMs);
  await writers.stop();
  await whenRecovered(...field('/one-killed', writers.acknowledged));
  const verdict = await judge('one of two nodes killed', ...field('/one-killed', writers.acknowledged), recoveredMs);
  verdicts.push(verdict);
  expectGood(verdict);
});

test('after the node that sends to destinations with limits is killed, another continues', async () => {
  const own = await ownDatabase();
  const doomed = await startNode(own.url);
  const retry_schedule = [1, 1, 1, 1];
  const to = await makeTarget(doomed, [
    { url: `${sink.url}/few`, retry_schedule, max_in_flight: 3 },
    { url: `${sink.url}/paced`, retry_schedule, rate_limit: { requests: 500, per: 'second' } },
    { url: `${sink.url}/paused`, retry_schedule, max_in_flight: 8 },
  ]);
  const { trigger_id, destinations } = to.trigger;
  const paused = destinations.find(({ url }) => url.endsWith('/paused'));
  const pause = (node: Spawned, is: boolean) =>
    node.call('PATCH', `/triggers/${trigger_id}/destinations/${paused?.destination_id}`, { paused: is });
  await pause(doomed, true);
  let inFlight = 0;
  let most = 0;
  sink.answer('/few', (response) => {
    most = Math.max(most, ++inFlight);
    response.on('close', () => inFlight--);
    setImmediate(() => response.end());
  });
  // While it is the only node, it leases all destinations with limits.
  const first = String(await post(doomed, to, 'first'));
  const counts = () => ['/few', '/paced'].map((at) => sink.received(at).length);
  await vi.waitFor(() => expect(counts()).toEqual([1, 1]), PATIENTLY);
  const next = await startNode(own.url);
  let living = [next, doomed];
  const writers = startWriters(() => living, to, 4);
  await writers.more(100);
  await doomed.kill('SIGKILL');
  living = [next];
  const atMs = performance.now();
  await writers.more(20);
  await writers.stop();
  const acknowledged = [first, ...writers.acknowledged];
  const sent = { sink, paths: ['/few', '/paced'], database: own.client };
  const arrived = () => sent.paths.flatMap((at) => acknowledged.filter((id) => !arrivals(sink, at).has(id)));
  await vi.waitFor(() => expect(arrived()).toEqual([]), PATIENTLY);
  expect(sink.received('/paused')).toEqual([]);
  await pause(next, false);
  const all = { ...sent, paths: [...sent.paths, '/paused'] };
  const recoveredMs = await whenRecovered(all, acknowledged, atMs);
  const verdict = await judge('killed, with limits and a pause', all, acknowledged, recoveredMs);
  verdicts.push(verdict);
  expect(verdict.lost).toEqual([]);
  expect(verdict.duplicated).toBeLessThanOrEqual(verdict.held);
  expect(most).toBeLessThanOrEqual(3);
  await next.kill('SIGKILL');
  await own.drop();
});

test('after the node that sends in order and at a rate is killed, no key is out of order', async () => {
  const own = await ownDatabase();
  const doomed = await startNode(own.url);
  const at = '/in-order';
  const to = await makeTarget(doomed, [
    {
      url: sink.url + at,
      retry_schedule: [1, 1, 1, 1],
      rate_limit: { requests: 500, per: 'second' },
      ordering: { by: 'KEY', key: 'payload.key' },
    },
  ]);
  const arrived = new Map<string, number[]>();
  let refused = 0;
  sink.answer(at, (response, { body }) => {
    const { key, n } = (JSON.parse(body) as { data: { key: string; n: number } }).data;
    const before = arrived.get(key) ?? [];
    // One in ten fails once.
    const isFailed = n % 10 === 5 && !before.includes(n);
    arrived.set(key, [...before, n]);
    if (isFailed) refused++;
    response.writeHead(isFailed ? 422 : 200).end();
  });
  // While it is the only node, it leases the destination.
  const acknowledged = [String(await post(doomed, to, 'first', { key: 'first', n: 0 }))];
  await vi.waitFor(() => expect(arrived.size).toBe(1), PATIENTLY);
  const next = await startNode(own.url);
  let living = [next, doomed];
  const more = async (count: number) => {
    const enough = acknowledged.length + count;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough), PATIENTLY);
  };
  let going = true;
  const write = async (key: string) => {
    for (let n = 0; going || n % 10 !== 0; ) {
      const node = living[n % living.length] ?? next;
      // A source repeats an event that was not acknowledged, with the same id.
      const id = await post(node, to, `${key} ${n}`, { key, n }).catch(() => 0);
      if (typeof id !== 'string') continue;
      acknowledged.push(id);
      n++;
    }
  };
  const writers = Promise.all(Array.from({ length: 10 }, (_, key) => write(`k${key}`)));
  await more(100);
  await doomed.kill('SIGKILL');
  living = [next];
  const atMs = performance.now();
  await more(50);
  going = false;
  await writers;
  const field = { sink, paths: [at], database: own.client };
  const recoveredMs = await whenRecovered(field, acknowledged, atMs);
  const judged = await judge('killed, with an order and a rate', field, acknowledged, recoveredMs);
  const verdict = { ...judged, duplicated: judged.duplicated - refused };
  verdicts.push(verdict);
  expect(verdict.lost).toEqual([]);
  expect(verdict.duplicated).toBeLessThanOrEqual(verdict.held);
  for (const [key, numbers] of arrived) expect(numbers, key).toEqual(numbers.toSorted((a, b) => a - b));
  await next.kill('SIGKILL');
  await own.drop();
});

test('one that was stopped past its lease records its attempts late, and works again', async () => {
  const stopped = await startNode();
  const to = await target('/stopped');
  const held = Promise.withResolvers<void>();
  sink.answer('/stopped', (response) => void held.promise.then(() => response.writeHead(500).end()));
  const acknowledged = (await Promise.all([1, 2, 3, 4, 5].map((n) => post(stopped, to, n)))).map(String);
  await vi.waitFor(() => expect(sink.received('/stopped')).toHaveLength(5), PATIENTLY);
  process.kill(stopped.pid, 'SIGSTOP');
  sink.answer('/stopped', { status: 200 });
  const recoveredMs = await whenRecovered(...field('/stopped', acknowledged), performance.now());
  const rows = async () => {
    const client = await database.client();
    const deliveries = await client.query('select * from deliveries where event_id = any($1::uuid[])', [acknowledged]);
    const attempts = await client.query<{ number: number; ok: boolean }>(
      `select number, response_status = 200 as ok from attempts where event_id = any($1::uuid[]) order by number`,
      [acknowledged],
    );
    return { deliveries: deliveries.rows, attempts: attempts.rows.map(({ number, ok }) => [number, ok === true]) };
  };
  const before = await rows();
  expect(before.attempts).toEqual(Array(5).fill([2, true]));
  held.resolve();
  process.kill(stopped.pid, 'SIGCONT');
  await vi.waitFor(async () => expect((await rows()).attempts).toHaveLength(10), PATIENTLY);
  const after = await rows();
  expect(after.attempts).toEqual([...Array(5).fill([1, false]), ...Array(5).fill([2, true])]);
  expect(after.deliveries).toEqual(before.deliveries);
  const verdict = await judge(
    'stopped past its lease, then continued',
    ...field('/stopped', acknowledged),
    recoveredMs,
  );
  verdicts.push({ ...verdict, held: acknowledged.length });
  expectGood({ ...verdict, held: acknowledged.length });
  const later = String(await post(stopped, to, 6));
  await whenRecovered(...field('/stopped', [later]));
});

test.each([
  ['is gone', 'refuse', /^(503)$/],
  // Clients that time out disconnect without a response, and their requests may have been stored.
  ['answers nothing', 'swallow', /^(503|0)$/],
] as const)(
  'while its database %s a node acknowledges nothing, and afterwards everything works again',
  async (what, fault, expected) => {
    const { target: server, at } = throughProxy(database.url);
    const way = await startFaultProxy(server);
    const cut = await startNode(at(way.port));
    const path = `/database-${fault}`;
    const to = await target(path);
    const writers = startWriters(() => [cut], to);
    await writers.more(100);
    way[fault]();
    const before = writers.acknowledged.length;
    const refusals = () => [...writers.refused.values()].reduce((sum, each) => sum + each, 0);
    await vi.waitFor(() => expect(refusals()).toBeGreaterThan(15), PATIENTLY);
    if (IS_LONG) await new Promise((ok) => setTimeout(ok, 30_000));
    const during = writers.acknowledged.length - before;
    way.repair();
    const atMs = performance.now();
    await writers.more(50);
    await writers.stop();
    const recoveredMs = await whenRecovered(...field(path, writers.acknowledged), atMs);
    for (const status of writers.refused.keys()) expect(String(status)).toMatch(expected);
    // Events stored as the fault began.
    expect(during).toBeLessThanOrEqual(16);
    const verdict = await judge(
      `the database ${what}${IS_LONG ? ' for 30 s' : ''}`,
      ...field(path, writers.acknowledged),
      recoveredMs,
    );
    verdicts.push(verdict);
    expectGood(verdict);
    await way.close();
  },
  180_000,
);

/** Rate limits of a cluster: several nodes, here several counters of one database, admit as much as one. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFaultProxy, throughProxy } from '../../test/fault-proxy.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Folder, scratch } from '../../test/spawned.ts';
import { createSharedRateLimit, removeFull } from '../cluster/shared-rate-limit.ts';
import { connectionFrom, openDatabase } from '../database/database.ts';

const LIMIT = 10;
const env = { SLUICE_MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`, SLUICE_RATE_LIMIT: String(LIMIT) };
/** On a busy machine the database may need longer than requests wait for it. */
const databaseMs = 60_000;
let service: Service;
let other: Service;
let folder: Folder;
beforeAll(async () => {
  service = await startService({ env, rateLimitDatabaseMs: databaseMs });
  folder = scratch();
  const there = { ...env, DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: folder.path };
  other = await startService({ env: there, rateLimitDatabaseMs: databaseMs });
});
afterAll(async () => {
  await other.stop();
  await service.stop();
  folder.remove();
});

let names = 0;
/** The same limit on `count` nodes. */
function nodes(count: number, perSecond: number, burst: number) {
  const name = `test ${++names}`;
  const log = { warn: vi.fn() };
  const { db } = service.services;
  const options = { db, log, name, perSecond, burst, databaseMs };
  return Array.from({ length: count }, () => createSharedRateLimit(options));
}

it('admits exactly its burst, at once and on all nodes together', async () => {
  const limits = nodes(3, 0.001, 50);
  const taken = await Promise.all(limits.flatMap((limit) => Array.from({ length: 40 }, () => limit.take('a'))));
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(50);
  for (const { allowed, remaining, retryAfterSeconds } of taken)
    if (!allowed) expect([remaining, retryAfterSeconds > 900]).toEqual([0, true]);
  expect(await limits[0]?.take('b')).toMatchObject({ allowed: true, remaining: 49 });
});

it('all of it is available to one node', async () => {
  const [one, two] = nodes(2, 0.001, 30);
  await two?.take('a');
  const taken = await Promise.all(Array.from({ length: 60 }, () => one?.take('a')));
  expect(taken.filter((each) => each?.allowed)).toHaveLength(29);
});

it.each([20, 400])('%i a second on three nodes are admitted within 10 percent', async (perSecond) => {
  const limits = nodes(3, perSecond, perSecond);
  let admitted = 0;
  // The first answer may be late, and a full bucket does not fill further meanwhile.
  await Promise.all(limits.map((limit) => limit.take('a')));
  const startedMs = performance.now();
  const endMs = startedMs + 4_000;
  const seconds = await Promise.all(
    limits.flatMap((limit) =>
      Array.from({ length: 4 }, async () => {
        while (performance.now() < endMs) {
          const { allowed } = await limit.take('a');
          if (allowed) admitted += 1;
          else await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    ),
  ).then(() => (performance.now() - startedMs) / 1000);
  const expected = perSecond + perSecond * seconds;
  expect(admitted).toBeLessThanOrEqual(expected * 1.1);
  expect(admitted).toBeGreaterThanOrEqual(expected * 0.9);
});

it('returned tokens are admitted again', async () => {
  const [limit] = nodes(1, 0.001, 2);
  for (let i = 0; i < 6; i++) {
    expect((await limit?.take('a'))?.allowed).toBe(true);
    limit?.giveBack('a');
  }
});

it('a request without a token costs no query until there is one', async () => {
  const [limit] = nodes(1, 0.001, 1);
  await limit?.take('a');
  expect((await limit?.take('a'))?.allowed).toBe(false);
  // Synchronous: nothing is asked.
  expect(limit?.take('a')).toMatchObject({ allowed: false });
});

it('while the database does not answer, each node counts alone', async () => {
  const { target, at } = throughProxy(service.databaseUrl);
  const proxy = await startFaultProxy(target);
  const log = { warn: vi.fn() };
  const database = openDatabase(connectionFrom(at(proxy.port)), { poolSize: 2, log });
  const options = { db: database.kysely, log, name: 'cut off', perSecond: 0.001, burst: 3 };
  const limit = createSharedRateLimit(options);
  // Not by the limit itself: if its first answer came late, it would count alone already.
  expect((await createSharedRateLimit({ ...options, databaseMs }).take('a')).allowed).toBe(true);
  expect(log.warn).not.toHaveBeenCalled();
  proxy.swallow();
  const taken = [];
  for (let i = 0; i < 5; i++) taken.push((await limit.take('a')).allowed);
  expect(taken).toEqual([true, true, true, false, false]);
  expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ limit: 'cut off' }), expect.any(String));
  await proxy.close();
  await database.close();
});

it('two services admit as many calls of an account as one', async () => {
  const started = performance.now();
  const calls = [service, other].flatMap((node) =>
    Array.from({ length: 30 }, () => node.api('GET', '/account', undefined, { key: service.key })),
  );
  const answers = await Promise.all(calls);
  const seconds = (performance.now() - started) / 1000;
  const admitted = answers.filter(({ status }) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(LIMIT);
  expect(admitted).toBeLessThanOrEqual(Math.ceil((LIMIT + LIMIT * seconds) * 1.1));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=1`);
  expect(refused?.headers.get('retry-after')).toBe('1');
});

it('full buckets are deleted', async () => {
  const { db } = service.services;
  await db.updateTable('rate_limits').set({ at: '2026-01-01T00:00:00Z' }).execute();
  await removeFull(db, 600);
  expect(await db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
});

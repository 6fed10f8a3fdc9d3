/** A node whose clock is changed while it works; the database's clock is not affected. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Sink, startSink } from '../sink.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../spawned.ts';
import { ownDatabase } from './database.ts';
import { arrivals, expectGood, judge, print, type Verdict, whenRecovered } from './ledger.ts';
import { makeTarget, post, startWriters } from './world.ts';

const HOUR_MS = 3_600_000;
const verdicts: Verdict[] = [];
let sink: Sink;
let folder: Folder;
let service: Spawned;
let database: Awaited<ReturnType<typeof ownDatabase>>;

beforeAll(async () => {
  sink = await startSink();
  folder = scratch();
  database = await ownDatabase();
  service = await start(folder.path, await freePort(), {
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url))}`,
    SHIFTED_CLOCK: join(folder.path, 'clock'),
  });
});
afterAll(async () => {
  print('clock jumps', verdicts);
  await service.kill('SIGTERM');
  await database.drop();
  await sink.close();
  folder.remove();
});

/** Resolves once the clock of the service is off by this much. */
async function shift(hours: number): Promise<void> {
  const file = join(folder.path, 'clock');
  writeFileSync(file, String(hours * HOUR_MS));
  process.kill(service.pid, 'SIGUSR2');
  await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 60_000, interval: 20 });
}

const field = (paths: string[], acknowledged: string[]) =>
  [{ sink, paths, database: database.client }, acknowledged] as const;

it('that jumps ahead and back loses, duplicates and delays nothing', async () => {
  const to = await makeTarget(service, [{ url: `${sink.url}/jumps` }]);
  const failing = await makeTarget(service, [{ url: `${sink.url}/retried`, retry_schedule: [1, 1, 1] }]);
  const writers = startWriters(() => [service], to, 4);
  let worstMs = 0;
  // The first attempt at each event fails, and its retry succeeds, whenever it is made.
  sink.answer('/retried', (response, { headers }) => {
    const isFirst = arrivals(sink, '/retried').get(String(headers['webhook-id'])) === 1;
    response.writeHead(isFirst ? 500 : 200).end();
  });
  for (const hours of [72, -1, 24 * 10, -24 * 10, 0]) {
    const id = String(await post(service, failing, `at ${hours}`));
    await vi.waitFor(() => expect(arrivals(sink, '/retried').has(id)).toBe(true), { timeout: 60_000 });
    await shift(hours);
    const atMs = performance.now();
    await writers.more(20);
    const signedAt = Number(sink.received('/jumps').at(-1)?.headers['webhook-timestamp']) * 1000;
    expect(Math.round((signedAt - Date.now()) / HOUR_MS) + 0).toBe(hours);
    worstMs = Math.max(worstMs, await whenRecovered(...field(['/jumps'], [...writers.acknowledged]), atMs));
    // Retries scheduled before the jump are made at their time, neither immediately nor days later.
    await whenRecovered(...field(['/retried'], [id]));
    expect(arrivals(sink, '/retried').get(id)).toBe(2);
  }
  await writers.stop();
  await whenRecovered(...field(['/jumps'], writers.acknowledged));
  const verdict = await judge(
    'clock: +3 d, −1 h, +10 d, −10 d, right',
    ...field(['/jumps'], writers.acknowledged),
    worstMs,
  );
  verdicts.push(verdict);
  expectGood(verdict);
  expect(verdict).toMatchObject({ duplicated: 0, held: 0 });
  // In order of receipt, regardless of the clock.
  const query = `/triggers/${failing.trigger.trigger_id}/events`;
  const { body } = await service.call<Reply<'eventList'>>('GET', query);
  const payloads = body.events.map(({ payload }) => (payload as { n: string }).n);
  expect(payloads).toEqual(['at 0', 'at -240', 'at 240', 'at -1', 'at 72']);
});

/** Problems and their replays on two nodes of one database, one of which is killed. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEvent, makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { freePort, type Spawned, scratch, start } from '../../test/spawned.ts';
import { problemOf, QUICK } from './problems-support.ts';
import { finalReceipt, LONG, replay } from './replays-support.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const EVENTS = 60;

const sink = sinkForAll();
const here = serviceForAll({ env, retryScheduleSeconds: [], problems: QUICK });
const folder = scratch();
let there: Spawned;
beforeAll(async () => {
  there = await start(folder.path, await freePort(), { ...env, DATABASE_URL: here.databaseUrl });
});
afterAll(async () => {
  await there.kill('SIGKILL');
  folder.remove();
});

it('failures are counted once on two nodes, and a replay continues after one is killed', async () => {
  // A rejection of the event, which opens no circuit breaker.
  sink.answer('/nodes', { status: 422, body: 'broken' });
  const { trigger_id, destinations } = await makeTrigger(here, [
    { url: `${sink.url}/nodes`, retry_schedule: [], rate_limit: { requests: 20, per: 'second' } },
  ]);
  for (let id = 0; id < EVENTS; id++) await makeEvent(here, trigger_id, { id });
  const { destination_id } = only(destinations);
  const { problem_id } = await problemOf(here, destination_id, ({ failures }) => failures >= EVENTS);
  sink.answer('/nodes', { status: 200 });
  const before = sink.received('/nodes').length;
  expect(before).toBe(EVENTS);
  const { replay_id, total } = await replay(here, problem_id);
  expect(total).toBe(EVENTS);
  await expect.poll(() => sink.received('/nodes').length, LONG).toBeGreaterThan(before + 10);
  await there.kill('SIGKILL');
  const receipt = await finalReceipt(here, { problem_id, replay_id });
  expect(receipt).toMatchObject({ summary: `${EVENTS} of ${EVENTS} delivered, 0 twice`, status: 'COMPLETED' });
  const ids = sink
    .received('/nodes')
    .slice(before)
    .map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id);
  // Only what the killed node had in flight may have been sent again.
  expect(new Set(ids).size).toBe(EVENTS);
  expect(ids.length - EVENTS).toBeLessThanOrEqual(10);
  expect(await problemOf(here, destination_id, ({ state }) => state === 'RESOLVED')).toMatchObject({
    failures: EVENTS,
    counts: { DELIVERY: EVENTS },
    resolved_as: 'REPLAYED',
  });
}, 180_000);

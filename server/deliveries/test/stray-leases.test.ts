/** Leases without an owner: the database committed, and the caller never learned of it. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeEvent, makeTrigger, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ attemptTimeoutMs: 120_000 });

const HOUR_S = 3600;

/** The state after a claim whose reply was lost with the connection. */
async function leaseTo(node_id: string, event_id: string): Promise<void> {
  const { db } = service.services;
  await sql`update deliveries set leased_by = ${node_id}, attempts = attempts + 1, next_at = now() + interval '10 minutes'
    where event_id = ${event_id}`.execute(db);
  await sql`delete from waiting_deliveries where event_id = ${event_id}`.execute(db);
}

it.each([
  ['this node', '/here', () => service.services.nodeId],
  ['a node that is gone', '/gone', newId],
])('of %s are sent after all, and what is in flight meanwhile is not sent again', async (_, path, node) => {
  const held = `${path}/held`;
  const answers: (() => void)[] = [];
  sink.answer(held, (response) => void answers.push(() => response.end()));
  await makeEvent(service, (await makeTrigger(service, [{ url: sink.url + held }])).trigger_id);

  const lost = `${path}/lost`;
  sink.answer(lost, { status: 500 });
  const { trigger_id } = await makeTrigger(service, [{ url: sink.url + lost, retry_schedule: [HOUR_S] }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
  sink.answer(lost, { status: 200 });
  await leaseTo(node(), event.event_id);
  await whenAll(service, event, 'SUCCEEDED');

  expect(sink.received(lost)).toHaveLength(2);
  expect(sink.received(held)).toHaveLength(1);
  for (const answer of answers) answer();
});

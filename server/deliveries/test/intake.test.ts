/** Many events at once: stored together, acknowledged when on disk, delivered once each. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Failure } from '../../lib/failure.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { createPipeline, ingest } from '../intake/intake.ts';
import { deleteOldKeys } from '../store/queue/ingress-keys.ts';
import { makeTrigger } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll();

it('a thousand events reach two destinations once each, despite full lanes', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/a` }, { url: `${sink.url}/b` }]);
  const { account_id, services } = service;
  const payloads = Array.from({ length: 1000 }, (_, n) => ({ n }));
  const stored = await ingest(
    services,
    'webhook',
    payloads.map((payload) => ({ account_id, trigger_id, payload })),
  );
  const { count } = services.db.fn;
  const { events } = await services.db
    .selectFrom('events')
    .select(count<number>('event_id').as('events'))
    .where('trigger_id', '=', trigger_id)
    .executeTakeFirstOrThrow();
  expect(Number(events)).toBe(1000);
  const succeeded = async () => {
    const { rows } = await services.db
      .selectFrom('deliveries')
      .select(count<number>('delivery_id').as('rows'))
      .where('trigger_id', '=', trigger_id)
      .where('status', '=', 'SUCCEEDED')
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  await expect.poll(succeeded).toBe(2000);
  const ids = stored.map(({ event_id }) => event_id).toSorted();
  for (const path of ['/a', '/b']) {
    expect(
      sink
        .received(path)
        .map(({ headers }) => headers['webhook-id'])
        .toSorted(),
    ).toEqual(ids);
  }
});

it('events beyond the limit are rejected, not acknowledged', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { account_id, services } = service;
  const events = Array.from({ length: 5001 }, () => ({ account_id, trigger_id, payload: {} }));
  await expect(ingest(services, 'webhook', events)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  const left = await services.db.selectFrom('events').select('event_id').where('trigger_id', '=', trigger_id).execute();
  expect(left).toEqual([]);
});

/** Events of one trigger with deduplication keys, like those of a source. */
async function take(trigger_id: string, keys: (string | undefined)[]) {
  const { account_id, services } = service;
  return ingest(
    services,
    'webhook',
    keys.map((key, n) => ({ account_id, trigger_id, json: `{"n":${n}}`, key })),
  );
}
const outcomes = (taken: { outcome: string }[]) => taken.map(({ outcome }) => outcome);

it('a duplicate is stored and delivered once, even with fifty at once', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/once` }]);
  const other = await makeTrigger(service);
  const taken = (await Promise.all(Array.from({ length: 50 }, () => take(trigger_id, ['a'])))).flat();
  expect(outcomes(taken).toSorted()).toEqual([...Array(49).fill('DUPLICATE'), 'STORED']);
  expect(new Set(taken.map(({ event_id }) => event_id)).size).toBe(1);
  expect(outcomes(await take(trigger_id, ['a', 'b', 'b', undefined, undefined]))).toEqual([
    'DUPLICATE',
    'STORED',
    'DUPLICATE',
    'STORED',
    'STORED',
  ]);
  expect(outcomes(await take(other.trigger_id, ['a']))).toEqual(['STORED']);
  await expect.poll(() => sink.received('/once')).toHaveLength(4);
  const { body } = await service.api<{ events: unknown[] }>('GET', `/triggers/${trigger_id}/events`);
  expect(body.events).toHaveLength(4);
});

it('a key expires after a day: then it counts as new, and the sweep deletes it', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { db } = service.services;
  const [first] = await take(trigger_id, ['old']);
  const age = (hours: number) =>
    sql`update ingress_keys set at = now() - ${hours} * interval '1 hour' where trigger_id = ${trigger_id}`.execute(db);
  await age(23.9);
  await deleteOldKeys(db, 10);
  expect(await take(trigger_id, ['old'])).toEqual([{ event_id: first?.event_id, outcome: 'DUPLICATE' }]);
  await age(24.1);
  const [again] = await take(trigger_id, ['old']);
  expect(again?.outcome).toBe('STORED');
  expect(await take(trigger_id, ['old'])).toEqual([{ event_id: again?.event_id, outcome: 'DUPLICATE' }]);
  await age(25);
  expect(await deleteOldKeys(db, 10)).toBe(1);
  expect(outcomes(await take(trigger_id, ['old']))).toEqual(['STORED']);
});

it('two batches with the same keys in different order do not deadlock', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { account_id, services } = service;
  const keys = Array.from({ length: 300 }, (_, n) => `key ${n}`);
  const rows = (order: string[]) => order.map((key) => ({ account_id, trigger_id, json: '{}', key }));
  const node = createPipeline(services);
  const taken = await Promise.all([
    ingest(services, 'webhook', rows(keys)),
    ingest({ ...services, pipeline: node }, 'webhook', rows(keys.toReversed())),
  ]);
  expect(outcomes(taken.flat()).filter((outcome) => outcome === 'STORED')).toHaveLength(300);
});

it('an event of a deleted trigger is not stored, and delays no other', async () => {
  const gone = await makeTrigger(service);
  const { trigger_id } = await makeTrigger(service);
  await service.api('DELETE', `/triggers/${gone.trigger_id}`);
  const taken = await Promise.all([take(gone.trigger_id, ['x']), take(trigger_id, ['x'])]);
  expect(outcomes(taken.flat())).toEqual(['GONE', 'STORED']);
  const { db } = service.services;
  expect(await db.selectFrom('events').where('trigger_id', '=', gone.trigger_id).selectAll().execute()).toEqual([]);
});

it('events of a trigger whose change this node has missed are stored, with and without a key', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/changed` }]);
  await take(trigger_id, [undefined]);
  for (const key of [undefined, 'k']) {
    // as another node whose broadcast has not arrived
    await sql`update triggers set updated_at = now() where trigger_id = ${trigger_id}`.execute(service.services.db);
    const [taken] = await take(trigger_id, [key]);
    const { status } = await service.api('GET', `/triggers/${trigger_id}/events/${taken?.event_id}`);
    expect(status, key).toBe(200);
  }
  await expect.poll(() => sink.received('/changed').length).toBe(3);
});

it('an account may fill a share of what waits to be stored, and events of another are stored meanwhile', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { account_id } = service;
  const other = await service.secondAccount();
  const made = { source: 'webhook', event_type: 'webhook.received' };
  const { body } = await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', made, other);
  // Storing them may take long on a busy machine.
  const services = { ...service.services, settings: { ...service.services.settings, intakeTimeoutMs: 60_000 } };
  const one = (of: { account_id: string; trigger_id: string }) => ingest(services, 'webhook', [{ ...of, json: '{}' }]);
  const sent = Array.from({ length: 3_800 }, () => one({ account_id, trigger_id }));
  const theirs = one({ account_id: other.account_id, trigger_id: body.trigger.trigger_id });
  const settled = await Promise.allSettled(sent);
  expect(outcomes(await theirs)).toEqual(['STORED']);
  const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Failure] : []));
  expect(refused.map(({ status, message }) => `${status} ${message}`)).toEqual(
    Array(50).fill("429 The account's share is used up: too many of its events are waiting to be stored."),
  );
  const { db } = service.services;
  const stored = await db.selectFrom('events').select('event_id').where('trigger_id', '=', trigger_id).execute();
  expect(stored).toHaveLength(3_750);
  expect(service.services.pipeline.accounts.size).toBe(0);
});

it('an account may fill a share of the bytes that wait, unless it is one request', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { account_id, services } = service;
  const json = JSON.stringify({ text: 'x'.repeat(1024 * 1024 - 11) });
  const settled = await Promise.allSettled(
    Array.from({ length: 60 }, () => ingest(services, 'webhook', [{ account_id, trigger_id, json }])),
  );
  const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Failure).status] : []));
  expect(reasons.filter((status) => status === 429)).toHaveLength(12);
});

it('test events sent at once, more of them than database connections, are all stored', async () => {
  const sendAll = async () => {
    // a new trigger is not cached
    const { trigger_id } = await makeTrigger(service);
    const sent = await Promise.all(
      Array.from({ length: 40 }, () => service.api('POST', `/triggers/${trigger_id}:test`, { payload: {} })),
    );
    return [...new Set(sent.map(({ status }) => status))];
  };
  // the first round opens the connections of the pool
  for (const _ of [1, 2, 3]) expect(await sendAll()).toEqual([200]);
});

/** The source `sluice`: no loops, one event in a cluster, after a failure and while a destination flaps, per account. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { fromNow } from '../../lib/clock.ts';
import { problemOf, QUICK } from '../../problems/test/problems-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { evaluated, watch } from './conditions-support.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const options = { env, retryScheduleSeconds: [], problems: QUICK, conditions: { everyMs: 100, holdMs: 300 } };

const sink = sinkForAll();
const service = serviceForAll(options);

let count = 0;
async function target(status: number) {
  const path = `/safety-${++count}`;
  sink.answer(path, { status });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path }]);
  const { destination_id } = only(destinations);
  const send = async (wanted: 'SUCCEEDED' | 'FAILED') => whenAll(service, await makeEvent(service, trigger_id), wanted);
  return { path, trigger_id, destination_id, send };
}

const payloadsOf = async (trigger_id: string) =>
  (
    await service.api<{ events: { payload: { type: string; resource: { id: string } } }[] }>(
      'GET',
      `/triggers/${trigger_id}/events?limit=200`,
    )
  ).body.events.map(({ payload }) => payload);
const failing = async () => {
  const { body } = await service.api<{ triggers: { trigger_id: string }[] }>('GET', '/triggers?failing=true');
  return body.triggers.map(({ trigger_id }) => trigger_id);
};
const destinationOf = async (trigger_id: string) =>
  only(
    (await service.api<{ destinations: { destination_id: string }[] }>('GET', `/triggers/${trigger_id}/destinations`))
      .body.destinations,
  ).destination_id;

it('a notification trigger whose destination always fails reports neither itself nor another', async () => {
  const parameters = { after_failures: 1, free_percent: 1 };
  const [one, other] = [
    await watch(service, sink, 'sluice.*', parameters),
    await watch(service, sink, 'sluice.*', parameters),
  ];
  for (const { path } of [one, other]) sink.answer(path, { status: 500 });
  const { destination_id, send } = await target(500);
  await send('FAILED');
  const problems = [await problemOf(service, destination_id)];
  for (const { trigger_id } of [one, other]) {
    await expect.poll(async () => (await payloadsOf(trigger_id)).length).toBe(3);
    await expect.poll(failing).toContain(trigger_id);
    // The failed notifications are a problem too, which is only listed.
    problems.push(await problemOf(service, await destinationOf(trigger_id)));
  }
  expect(new Set(problems.map(({ problem_id }) => problem_id)).size).toBe(3);
  for (const { trigger_id } of [one, other]) {
    await evaluated(service, trigger_id);
    const payloads = await payloadsOf(trigger_id);
    expect(payloads.map(({ type, resource }) => [type, resource.id]).toSorted()).toEqual([
      ['delivery.exhausted', destination_id],
      ['destination.failing', destination_id],
      ['problem.opened', problems[0]?.problem_id],
    ]);
  }
  // A disabled one is reported to the other trigger only, and once.
  sink.answer(one.path, { status: 410 });
  const disabledId = await destinationOf(one.trigger_id);
  await makeEvent(service, one.trigger_id);
  await expect
    .poll(async () => (await payloadsOf(other.trigger_id)).at(0))
    .toMatchObject({
      type: 'destination.disabled',
      resource: { id: disabledId },
    });
  await evaluated(service, one.trigger_id);
  await evaluated(service, other.trigger_id);
  expect(await payloadsOf(other.trigger_id)).toHaveLength(4);
  // The event with the sample of the type, by `:test`.
  expect(await payloadsOf(one.trigger_id)).toHaveLength(4);
  for (const { trigger_id } of [one, other]) await service.api('DELETE', `/triggers/${trigger_id}`);
});

it('a function that fails to process notifications is not reported to itself', async () => {
  const fn = await makeFunction(service, 'export default { fetch: () => { throw new Error("no"); } };');
  const { trigger_id } = await makeTrigger(service, [{ url: fn.url }], {
    source: 'sluice',
    event_type: 'sluice.*',
    parameters: { after_failures: 1, free_percent: 1 },
  });
  const { send } = await target(500);
  await send('FAILED');
  await expect
    .poll(
      async () =>
        (await service.api<{ runs: { status: string }[] }>('GET', `/functions/${fn.function_id}/runs`)).body.runs.map(
          ({ status }) => status,
        ),
      { timeout: 60_000 },
    )
    .toContain('ERROR');
  await evaluated(service, trigger_id);
  const types = (await payloadsOf(trigger_id)).map(({ type }) => type);
  expect(types).toContain('destination.failing');
  expect(types).not.toContain('function.failing');
  await service.api('DELETE', `/triggers/${trigger_id}`);
});

it('two nodes report a condition once', async () => {
  const other: Service = await startService({
    ...options,
    env: { ...env, DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir },
  });
  const watched = await watch(service, sink, 'sluice.failure', { after_failures: 1 });
  const targets = await Promise.all(Array.from({ length: 6 }, () => target(410)));
  await Promise.all(targets.map(({ send }) => send('FAILED')));
  for (const { destination_id } of targets) await watched.whenReceived(1, destination_id);
  await evaluated(service, watched.trigger_id);
  await evaluated(service, watched.trigger_id);
  for (const { destination_id } of targets) expect(watched.received(destination_id)).toHaveLength(1);
  await other.stop();
});

it('a condition is not stored without its event, and the event follows', async () => {
  const { db } = service.services;
  const watched = await watch(service, sink, 'api_key.expiring');
  await sql`create function refuse_events() returns trigger language plpgsql as
    'begin raise exception ''the disk is full''; end'`.execute(db);
  await sql
    .raw(
      `create trigger refuse before insert on events for each row when (new.trigger_id = '${watched.trigger_id}')
        execute function refuse_events()`,
    )
    .execute(db);
  const expires_at = fromNow(3_600_000);
  const made = await service.api<{ api_key: { key_id: string } }>('POST', '/api-keys', { name: 'ci', expires_at });
  const { key_id } = made.body.api_key;
  await expect.poll(() => service.logged()).toContain('conditions could not be evaluated, retrying');
  const rows = () => db.selectFrom('conditions').select('key').where('trigger_id', '=', watched.trigger_id).execute();
  expect(await rows()).toEqual([]);
  await sql`drop trigger refuse on events`.execute(db);
  // A change of the trigger evaluates it at once.
  await service.api('PATCH', `/triggers/${watched.trigger_id}`, { parameters: {} });
  await watched.whenReceived(1, key_id);
  expect(await rows()).toEqual([{ key: `api_key:${key_id}` }]);
  await service.api('DELETE', `/api-keys/${key_id}`);
});

it('a destination that fails and recovers in turn is reported once, until it has recovered for a while', async () => {
  const { conditions } = service.services.settings;
  const watched = await watch(service, sink, 'sluice.failure', { after_failures: 1 });
  const { path, destination_id, send } = await target(500);
  const types = () =>
    watched.received(destination_id).flatMap(({ type }) => (type.startsWith('destination.') ? [type] : []));
  await send('FAILED');
  await expect.poll(types).toEqual(['destination.failing']);
  conditions.holdMs = 3_600_000;
  for (let n = 0; n < 3; n++) {
    sink.answer(path, { status: 200 });
    await send('SUCCEEDED');
    await evaluated(service, watched.trigger_id);
    sink.answer(path, { status: 500 });
    await send('FAILED');
    await evaluated(service, watched.trigger_id);
  }
  expect(types()).toEqual(['destination.failing']);
  conditions.holdMs = 0;
  sink.answer(path, { status: 200 });
  await send('SUCCEEDED');
  await expect.poll(types).toEqual(['destination.failing', 'destination.recovered']);
  sink.answer(path, { status: 500 });
  await send('FAILED');
  await expect.poll(types).toEqual(['destination.failing', 'destination.recovered', 'destination.failing']);
  // Opened again within an hour: it closes after twice the time.
  conditions.holdMs = 600_000;
  sink.answer(path, { status: 200 });
  await send('SUCCEEDED');
  const calmFor = async (ms: number) => {
    await service.services.db
      .updateTable('conditions')
      .set({ calm_since: fromNow(-ms) })
      .where('trigger_id', '=', watched.trigger_id)
      .where('key', '=', `destination:${destination_id}`)
      .execute();
    await evaluated(service, watched.trigger_id);
  };
  await evaluated(service, watched.trigger_id);
  await calmFor(1_190_000);
  expect(types()).toHaveLength(3);
  await calmFor(1_200_000);
  await expect.poll(types).toHaveLength(4);
  const ids = watched.received(destination_id).filter(({ type }) => type === 'destination.failing');
  expect(new Set(ids.map(({ condition_id }) => condition_id)).size).toBe(2);
  conditions.holdMs = 300;
});

it('another account gets no event', async () => {
  const { key } = await service.secondAccount();
  sink.answer('/another-account', { status: 200 });
  const made = await service.api<{ trigger: { trigger_id: string } }>(
    'POST',
    '/triggers',
    {
      source: 'sluice',
      event_type: 'sluice.*',
      parameters: { after_failures: 1, free_percent: 1 },
      destinations: [{ url: `${sink.url}/another-account` }],
    },
    { key },
  );
  expect(made.status).toBe(200);
  const watched = await watch(service, sink, 'sluice.failure', { after_failures: 1 });
  const { destination_id, send } = await target(410);
  await send('FAILED');
  await watched.whenReceived(1, destination_id);
  await evaluated(service, made.body.trigger.trigger_id);
  const bodies = sink.received('/another-account').map(({ body }) => JSON.parse(body) as { data: { type: string } });
  // Its key, which expires in an hour.
  expect(bodies.map(({ data }) => data.type)).toEqual(['api_key.expiring']);
});

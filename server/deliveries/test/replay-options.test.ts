/** What a bulk replay leaves out, what it changes in its requests, and how it shares a destination. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { attemptsOf, makeEvent, makeTrigger, only, patchDestination, readEvent, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/options-${++count}`;
});

type Event = Awaited<ReturnType<typeof makeEvent>>;
type Replay = NonNullable<Reply<'replayCreate'>['replay']>;
const ask = (body: Body<'replayCreate'>) =>
  service.api<Reply<'replayCreate'> & { message: string }>('POST', '/events:replay', body);
const start = async (body: Body<'replayCreate'>): Promise<Replay> => {
  const { body: reply, status } = await ask({ rate_per_second: 500, ...body });
  expect(status, JSON.stringify(reply)).toBe(200);
  if (!reply.replay) throw new Error('expected a replay');
  return reply.replay;
};
const read = async ({ replay_id }: Replay) =>
  (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body;
const completed = async (replay: Replay) => {
  await expect.poll(async () => (await read(replay)).replay.status).toBe('COMPLETED');
  return (await read(replay)).replay;
};
const bodiesAt = (at: string) => sink.received(at).map(({ body }) => body.toString());

/** Failed events of a trigger whose receiver has recovered. */
async function repaired(events: number, settings = {}) {
  sink.answer(path, { status: 500 });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, ...settings }]);
  const made: Event[] = [];
  for (let i = 0; i < events; i++) made.push(await makeEvent(service, trigger_id, { i }));
  for (const event of made) await whenAll(service, event, 'FAILED');
  sink.answer(path, { status: 200 });
  return { trigger_id, destination_id: only(destinations).destination_id, events: made };
}

/** Failed deliveries of many events to one of the trigger's destinations. */
async function storeFailed(trigger_id: string, destination_id: string, ids: string[]): Promise<void> {
  const { account_id, services } = service;
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
    select ${account_id}, id, ${trigger_id}, now(), '{}' from unnest(${ids}::uuid[]) id on conflict do nothing`.execute(
    services.db,
  );
  await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, created_at, finished_at)
    select ${account_id}, id, gen_random_uuid(), ${trigger_id}, ${destination_id}::uuid, 'd', 'http://d', 'POST', 'FAILED',
      'EVENT', 0, now(), now() from unnest(${ids}::uuid[]) id`.execute(services.db);
}

describe('only_undelivered', () => {
  it('leaves out what was delivered since, by a replay or by an edited copy, and what a filter skipped', async () => {
    const { trigger_id, destination_id, events } = await repaired(4);
    const [again, edited, editedInVain, failed] = events as [Event, Event, Event, Event];
    await service.api('POST', `/triggers/${trigger_id}/events/${again.event_id}:replay`);
    await whenAll(service, again, 'SUCCEEDED');
    const copy = async (of: Event, status: 'SUCCEEDED' | 'FAILED') => {
      const body = { payload: { edited: true }, replay_of: of.event_id };
      const made = await service.api<Reply<'eventCreate'>>('POST', `/triggers/${trigger_id}/events`, body);
      await whenAll(service, made.body.event, status);
      return made.body.event;
    };
    await copy(edited, 'SUCCEEDED');
    sink.answer(path, { status: 500 });
    const failedCopy = await copy(editedInVain, 'FAILED');
    await patchDestination(service, trigger_id, destination_id, { filter: { payload: { i: [5] } } });
    await whenAll(service, await makeEvent(service, trigger_id, { i: 6 }), 'SKIPPED');
    sink.answer(path, { status: 200 });
    const before = sink.received(path).length;
    for (const filter of [{ trigger_id }, { event_ids: events.map(({ event_id }) => event_id) }]) {
      const { body } = await ask({ filter, only_undelivered: true, dry_run: true });
      const found = body.dry_run?.items.map(({ event_id }) => event_id);
      const rest = [editedInVain, failed, ...('trigger_id' in filter ? [failedCopy] : [])];
      expect(found?.sort()).toEqual(rest.map(({ event_id }) => event_id).sort());
    }
    const replay = await completed(await start({ filter: { trigger_id }, only_undelivered: true }));
    expect(replay).toMatchObject({ total: 3, succeeded: 3, skipped: 0 });
    expect(sink.received(path)).toHaveLength(before + 3);
  });

  it.each([null, 2])('does not send what is delivered while it waits, with canary %s', async (canary) => {
    const { trigger_id, events } = await repaired(2);
    const wish = { filter: { trigger_id }, only_undelivered: true, rate_per_second: 0.1 };
    const replay = await start({ ...wish, ...(canary === null ? {} : { canary }) });
    await expect.poll(async () => (await read(replay)).replay.done).toBe(1);
    await service.api('POST', `/replays/${replay.replay_id}:pause`);
    const [, second] = events as [Event, Event];
    await service.api('POST', `/triggers/${trigger_id}/events/${second.event_id}:replay`);
    await whenAll(service, second, 'SUCCEEDED');
    const changes = { rate_per_second: 500 };
    await service.services.db.updateTable('replays').set(changes).where('replay_id', '=', replay.replay_id).execute();
    await service.api('POST', `/replays/${replay.replay_id}:resume`);
    expect(await completed(replay)).toMatchObject({ total: 2, done: 2, succeeded: 1, skipped: 1 });
    expect(sink.received(path)).toHaveLength(4);
  });
});

describe('a replay with another body template', () => {
  const body_template = '{"changed": {{ payload.i }}}';

  it('shows it in the dry run, and sends it in each attempt of its deliveries, and nowhere else', async () => {
    const { trigger_id, destination_id, events } = await repaired(2, {
      body_template: '{"own": {{ payload.i }}}',
      retry_schedule: [],
    });
    const wish = { filter: { trigger_id }, destination_ids: [destination_id], body_template };
    const { body } = await ask({ ...wish, dry_run: true });
    expect(body.dry_run?.items.map(({ last, next }) => [last?.body, next?.body])).toEqual([
      ['{"own": 0}', '{"changed": 0}'],
      ['{"own": 1}', '{"changed": 1}'],
    ]);
    await patchDestination(service, trigger_id, destination_id, { retry_schedule: [1] });
    const failed = new Set<unknown>();
    // The first attempt at each event fails, and its retry succeeds.
    sink.answer(path, (response, { headers }) => {
      response.writeHead(failed.has(headers['webhook-id']) ? 200 : 500).end();
      failed.add(headers['webhook-id']);
    });
    const replay = await start(wish);
    expect(replay).toMatchObject({ has_body_template: true, function_version: null });
    for (const event of events) await whenAll(service, event, 'SUCCEEDED');
    expect((await read(replay)).body_template).toBe(body_template);
    const [first] = events as [Event, Event];
    const sent = () => attemptsOf(service, first).then((all) => all.map(({ request }) => request.body));
    expect(await sent()).toEqual(['{"own": 0}', '{"changed": 0}', '{"changed": 0}']);
    await service.api('POST', `/triggers/${trigger_id}/events/${first.event_id}:replay`);
    await whenAll(service, first, 'SUCCEEDED');
    await expect.poll(sent).toContainEqual('{"own": 0}');
    expect(bodiesAt(path).at(-1)).toBe('{"own": 0}');
  });

  it('reports in the dry run that its result cannot be sent', async () => {
    const { trigger_id, destination_id } = await repaired(1);
    const template = '{"a": -{{ payload.none }}}';
    const wish = { filter: { trigger_id }, destination_ids: [destination_id], dry_run: true, body_template: template };
    const item = only((await ask(wish)).body.dry_run?.items ?? []);
    expect(item).toMatchObject({ next: null, problem: expect.stringContaining('not JSON') });
  });
});

it('a replay calls another version of a function, also with a canary, and its runs show it', async () => {
  const answering = (text: string) => ({ 'index.ts': `export default { fetch: () => new Response('${text}') };` });
  const { function_id, url } = await makeFunction(service, answering('first'));
  await service.api('POST', `/functions/${function_id}/versions`, { files: answering('second') });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url }]);
  const { destination_id } = only(destinations);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  const lastOf = async () => only((await readEvent(service, event)).deliveries);
  const before = (await lastOf()).last_response_body;
  const wish = { filter: { trigger_id }, destination_ids: [destination_id], function_version: 1 };
  expect((await ask({ ...wish, dry_run: true })).body.dry_run).toMatchObject({ deliveries: 1 });
  for (const canary of [undefined, 1]) {
    const replay = await completed(await start({ ...wish, ...(canary ? { canary } : {}) }));
    expect(replay).toMatchObject({ function_version: 1, has_body_template: false, succeeded: 1 });
    const attempt = (await attemptsOf(service, event)).at(-1);
    expect(attempt).toMatchObject({ origin: 'REPLAY', replay_id: replay.replay_id, response: { body: 'first' } });
    const { body } = await service.api<Reply<'runGet'>>('GET', `/functions/${function_id}/runs/${attempt?.run_id}`);
    expect(body.version).toBe(1);
  }
  await completed(await start({ filter: { trigger_id } }));
  expect([before, (await lastOf()).last_response_body]).toEqual(['second', 'second']);

  const unknown = await ask({ ...wish, function_version: 3 });
  expect([unknown.status, unknown.body.message]).toEqual([
    400,
    expect.stringMatching(/^function_version: .* it has no version 3$/),
  ]);
  // The destination is changed after the replay was created.
  await service.api('PATCH', `/triggers/${trigger_id}/destinations/${destination_id}`, { paused: true });
  const replay = await start(wish);
  await patchDestination(service, trigger_id, destination_id, { url: sink.url + path, paused: false });
  expect(await completed(replay)).toMatchObject({ failed: 1 });
  expect(await lastOf()).toMatchObject({ status: 'FAILED', reason: 'TEMPLATE_ERROR' });
  expect(sink.received(path)).toEqual([]);
});

it('a change without exactly one destination, or that the destination cannot have, is rejected', async () => {
  const { trigger_id, destinations } = await makeTrigger(service, [
    { url: `${sink.url}/a` },
    { url: `${sink.url}/b`, body_source: 'ORIGINAL' },
  ]);
  const [plain, original] = destinations.map(({ destination_id }) => destination_id) as [string, string];
  const { key } = await service.secondAccount();
  const open = { visibility: 'PUBLIC' as const, invoke_access: 'ANYONE' as const };
  const foreign = await makeFunction(service, undefined, open, key);
  const calls = await makeTrigger(service, [{ url: foreign.url }]);
  const { destination_id: foreignId } = only(calls.destinations);
  const template = { body_template: '{"a": {{ payload.i }}}' };
  const cases: [object, RegExp][] = [
    [template, /^body_template: expected exactly one destination in destination_ids$/],
    [{ ...template, destination_ids: [plain, original] }, /^body_template: expected exactly one destination/],
    [{ function_version: 1 }, /^function_version: expected exactly one destination/],
    [{ function_version: 1, destination_ids: [plain] }, /^function_version: expected a destination that is a function/],
    [{ function_version: 1, destination_ids: [foreignId] }, /^function_version: .* function of this account$/],
    [{ function_version: 0, destination_ids: [plain] }, /^function_version: expected a whole number/],
    [{ ...template, destination_ids: [original] }, /^body_template: expected none, as body_source is ORIGINAL$/],
    [{ body_template: '{{ payload', destination_ids: [plain] }, /^body_template: /],
    [{ body_template: 'not JSON', destination_ids: [plain] }, /^body_template: expected a template for JSON/],
    [{ body_template: 'x'.repeat(65_537), destination_ids: [plain] }, /^body_template: expected at most 65536/],
  ];
  for (const [more, message] of cases)
    for (const dry_run of [true, false]) {
      const { status, body } = await ask({ filter: { trigger_id }, ...more, dry_run } as Body<'replayCreate'>);
      expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    }
});

it('a slow destination has few deliveries open, delays no other, and a pause stops the rest', async () => {
  sink.answer(path, { status: 200 });
  const slowPath = `${path}-slow`;
  const slow = { url: sink.url + slowPath, rate_limit: { requests: 1, per: 'hour' as const } };
  const { trigger_id, destinations } = await makeTrigger(service, [slow, { url: sink.url + path }]);
  const [slowId, fastId] = destinations.map(({ destination_id }) => destination_id) as [string, string];
  const ids = Array.from({ length: 300 }, () => newId());
  await storeFailed(trigger_id, slowId, ids);
  await storeFailed(trigger_id, fastId, ids);
  const replay = await start({ filter: { trigger_id }, rate_per_second: 1000 });
  await expect.poll(() => sink.received(path).length).toBe(300);
  // A replay has no rate in its first second.
  const expected = { total: 600, done: 301, succeeded: 301, current_rate_per_second: expect.any(Number) };
  await expect.poll(async () => (await read(replay)).replay).toMatchObject(expected);
  const { replay: running, matrix } = await read(replay);
  expect(running.seconds_left).toBe(Math.ceil(299 / (running.current_rate_per_second ?? 0)));
  expect(matrix.reduce((sum, each) => sum + each.count, 0)).toBe(600);
  const at = `/triggers/${trigger_id}/destinations/${slowId}`;
  const queue = async () => (await service.api<Reply<'destinationGet'>>('GET', at)).body.destination.queue;
  expect((await queue()).waiting).toBeLessThan(4);
  await service.api('POST', `/replays/${replay.replay_id}:pause`);
  expect((await read(replay)).replay).toMatchObject({ current_rate_per_second: null, seconds_left: null });
  await patchDestination(service, trigger_id, slowId, { rate_limit: null });
  await expect.poll(async () => (await queue()).waiting).toBe(0);
  expect(sink.received(slowPath).length).toBeLessThan(5);
  await service.api('POST', `/replays/${replay.replay_id}:resume`);
  expect(await completed(replay)).toMatchObject({ total: 600, done: 600, succeeded: 600 });
  for (const each of [path, slowPath])
    expect(
      sink
        .received(each)
        .map(({ headers }) => headers['webhook-id'])
        .sort(),
    ).toEqual(ids.toSorted());
});

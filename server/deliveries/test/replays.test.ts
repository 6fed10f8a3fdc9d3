/** Bulk replays, through the API and a real receiver. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { collect, selectionOf, survey } from '../replays/replay-gathering.ts';
import {
  addDestination,
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  whenAll,
} from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/replay-${++count}`;
});

type Event = Awaited<ReturnType<typeof makeEvent>>;
type Replay = NonNullable<Reply<'replayCreate'>['replay']>;
const ask = (body: Body<'replayCreate'>) =>
  service.api<Reply<'replayCreate'> & { message: string }>('POST', '/events:replay', body);
const start = async (body: Body<'replayCreate'>): Promise<Replay> => {
  const { body: reply, status } = await ask(body);
  expect(status, JSON.stringify(reply)).toBe(200);
  if (!reply.replay) throw new Error('expected a replay');
  return reply.replay;
};
const read = async ({ replay_id }: Replay) =>
  (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body;
const when = async (replay: Replay, status: string) => {
  await expect.poll(async () => (await read(replay)).replay.status).toBe(status);
  return read(replay);
};
const verb = async ({ replay_id }: Replay, name: string) =>
  service.api<{ replay: Replay; message: string }>('POST', `/replays/${replay_id}:${name}`);

/** A trigger with `events` failed deliveries, whose receiver has recovered. */
async function repaired(events: number): Promise<{ trigger_id: string; events: Event[] }> {
  sink.answer(path, { status: 500 });
  const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
  const made: Event[] = [];
  for (let i = 0; i < events; i++) made.push(await makeEvent(service, trigger_id, { i }));
  for (const event of made) await whenAll(service, event, 'FAILED');
  sink.answer(path, { status: 200 });
  return { trigger_id, events: made };
}

describe('a replay', () => {
  it('sends all matches again, in order, and reports the outcome of each', async () => {
    const { trigger_id, events } = await repaired(5);
    const replay = await start({ filter: { trigger_id, status: 'FAILED' }, only_failed: true, rate_per_second: 500 });
    expect(replay).toMatchObject({
      status: 'RUNNING',
      total: 5,
      gathering: false,
      done: 0,
      created_by: expect.any(String),
    });
    const { replay: ended, matrix } = await when(replay, 'COMPLETED');
    expect(ended).toMatchObject({ done: 5, succeeded: 5, failed: 0, skipped: 0, finished_at: expect.any(String) });
    expect(matrix).toEqual([{ before: 'FAILED', after: 'SUCCEEDED', count: 5 }]);
    const sent = sink.received(path).slice(5);
    expect(sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events.map((each) => each.event_id).sort());
    const attempts = await attemptsOf(service, events[0] as Event);
    expect(attempts.map(({ origin, replay_id }) => [origin, replay_id])).toEqual([
      ['EVENT', null],
      ['REPLAY', replay.replay_id],
    ]);
  });

  it('of given events sends only those; as_new sends them with new ids', async () => {
    const { events } = await repaired(3);
    const chosen = events.slice(1).map(({ event_id }) => event_id);
    const replay = await start({ filter: { event_ids: chosen }, as_new: true, rate_per_second: 500 });
    await when(replay, 'COMPLETED');
    const ids = sink
      .received(path)
      .slice(3)
      .map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(ids.filter((id) => events.some(({ event_id }) => event_id === id))).toEqual([]);
    const [, again] = await attemptsOf(service, events[1] as Event);
    expect(ids).toContain(again?.webhook_id);
  });

  it('skips disabled destinations and counts them', async () => {
    const { trigger_id, events } = await repaired(2);
    const { destination_id } = only((events[0] as Event).deliveries);
    await patchDestination(service, trigger_id, destination_id, { status: 'DISABLED' });
    const replay = await start({ filter: { trigger_id }, rate_per_second: 500 });
    const { replay: ended, matrix } = await when(replay, 'COMPLETED');
    expect(ended).toMatchObject({ total: 2, done: 2, skipped: 2, succeeded: 0 });
    expect(matrix).toEqual([{ before: 'FAILED', after: null, count: 2 }]);
  });

  it('sends deliveries missed while a destination was disabled', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { destination_id } = await addDestination(service, trigger_id, { url: sink.url + path });
    await patchDestination(service, trigger_id, destination_id, { status: 'DISABLED' });
    const missed = await makeEvent(service, trigger_id);
    await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    const replay = await start({ filter: { destination_id }, only_skipped: true });
    const { matrix } = await when(replay, 'COMPLETED');
    expect(matrix).toEqual([{ before: 'SKIPPED', after: 'SUCCEEDED', count: 1 }]);
    expect(sink.received(path).map(({ headers }) => headers['webhook-id'])).toContain(missed.event_id);
    expect(sink.received(path)).toHaveLength(2);
  });

  it('selects the still failing deliveries of another replay', async () => {
    const { trigger_id, events } = await repaired(2);
    let calls = 0;
    sink.answer(path, (response) => response.writeHead(calls++ === 0 ? 200 : 503).end());
    const first = await start({ filter: { trigger_id }, rate_per_second: 500 });
    const { matrix } = await when(first, 'COMPLETED');
    expect(matrix.map(({ after, count }) => [after, count])).toEqual([
      ['FAILED', 1],
      ['SUCCEEDED', 1],
    ]);
    sink.answer(path, { status: 200 });
    const filter = { replay_id: first.replay_id, status: 'FAILED' as const };
    const second = await start({ filter, only_failed: true, rate_per_second: 500 });
    expect(second.total).toBe(1);
    await when(second, 'COMPLETED');
    for (const event of events) await whenAll(service, event, 'SUCCEEDED');
    // The first replay's matrix follows the current status of its deliveries.
    expect((await read(first)).matrix).toEqual([{ before: 'FAILED', after: 'SUCCEEDED', count: 2 }]);
  });
});

describe('a replay that goes wrong', () => {
  it('is stopped by its canary when more than half fail', async () => {
    const { trigger_id } = await repaired(6);
    sink.answer(path, { status: 500 });
    const replay = await start({ filter: { trigger_id }, canary: 2, rate_per_second: 500 });
    const { replay: ended } = await when(replay, 'STOPPED');
    expect(ended).toMatchObject({ done: 2, failed: 2, reason: '2 of the first 2 deliveries failed again.' });
    expect(sink.received(path)).toHaveLength(8);
  });

  it('continues after a canary that succeeds', async () => {
    const { trigger_id } = await repaired(4);
    const replay = await start({ filter: { trigger_id }, canary: 2, rate_per_second: 500 });
    expect((await when(replay, 'COMPLETED')).replay).toMatchObject({ done: 4, succeeded: 4 });
  });

  it('is paused, resumed and canceled; a paused one sends nothing', async () => {
    const { trigger_id } = await repaired(4);
    // Slow enough that most of it is left at the end.
    const replay = await start({ filter: { trigger_id }, rate_per_second: 0.1 });
    expect((await verb(replay, 'pause')).body.replay.status).toBe('PAUSED');
    expect((await verb(replay, 'pause')).status).toBe(200);
    const before = sink.received(path).length;
    expect(before).toBeLessThan(8);
    expect((await verb(replay, 'resume')).body.replay.status).toBe('RUNNING');
    await expect.poll(() => sink.received(path).length).toBeGreaterThan(before);
    expect((await verb(replay, 'cancel')).body.replay.status).toBe('CANCELED');
    const late = await verb(replay, 'resume');
    expect(late.status).toBe(400);
    expect(late.body.message).toBe('status: expected a replay that is PAUSED; it is CANCELED');
  });

  it('that could not be searched at once is gathered by the worker, sends nothing before, and reports it', async () => {
    const { trigger_id } = await repaired(3);
    const replay = await interrupted(trigger_id);
    const sent = sink.received(path).length;
    const { replay: waits, matrix } = await read(replay);
    expect(waits).toMatchObject({ status: 'PAUSED', gathering: true, total: 0 });
    expect(matrix).toEqual([]);
    expect(sink.received(path)).toHaveLength(sent);
    await verb(replay, 'resume');
    const { replay: ended } = await when(replay, 'COMPLETED');
    expect(ended).toMatchObject({ gathering: false, total: 3, done: 3, succeeded: 3 });
  });

  it('that is canceled while it is gathered sends nothing', async () => {
    const { trigger_id } = await repaired(2);
    const replay = await interrupted(trigger_id);
    expect((await verb(replay, 'cancel')).body.replay).toMatchObject({ status: 'CANCELED', gathering: false });
    expect((await read(replay)).replay).toMatchObject({ status: 'CANCELED', total: 0 });
  });

  it('that matches too many events is rejected for any number of deliveries; so is its dry run', async () => {
    const { trigger_id } = await repaired(2);
    await addDestination(service, trigger_id, { url: sink.url + path });
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    const before = (await service.api<Reply<'replayList'>>('GET', '/replays')).body.replays;
    const sent = sink.received(path).length;
    await withAtMost(2, async () => {
      for (const dry_run of [false, true]) {
        const { status, body } = await ask({ filter: { trigger_id }, dry_run });
        expect([status, body.message]).toEqual([400, 'filter: expected at most 2 matching events']);
      }
    });
    expect((await service.api<Reply<'replayList'>>('GET', '/replays')).body.replays).toEqual(before);
    // Three events have four deliveries.
    const fits = await withAtMost(3, () => start({ filter: { trigger_id }, rate_per_second: 500 }));
    expect(fits.total).toBe(4);
    await when(fits, 'COMPLETED');
    expect(sink.received(path)).toHaveLength(sent + 4);
  });

  it('that turns out to match too many events stops with its reason, and sends nothing', async () => {
    const { trigger_id } = await repaired(3);
    const replay = await interrupted(trigger_id);
    const sent = sink.received(path).length;
    const { replay: ended } = await withAtMost(2, async () => {
      await verb(replay, 'resume');
      return when(replay, 'STOPPED');
    });
    expect(ended).toMatchObject({
      reason: 'The filter matches more than 2 events; nothing was sent.',
      gathering: false,
      done: 0,
      finished_at: expect.any(String),
    });
    expect((await verb(replay, 'resume')).status).toBe(400);
    expect(sink.received(path)).toHaveLength(sent);
  });

  it('is continued by another node after a crash, and sends nothing twice', async () => {
    const { trigger_id } = await repaired(4);
    const replay = await start({ filter: { trigger_id }, rate_per_second: 500 });
    await service.services.db
      .updateTable('replays')
      .set({ node_id: '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac', next_at: new Date().toISOString() })
      .where('replay_id', '=', replay.replay_id)
      .execute();
    await when(replay, 'COMPLETED');
    expect(sink.received(path)).toHaveLength(8);
  });
});

/** While a replay is limited to this number of events. */
async function withAtMost<T>(events: number, work: () => Promise<T>): Promise<T> {
  const { settings } = service.services;
  const usual = settings.replayMaxEvents;
  settings.replayMaxEvents = events;
  try {
    return await work();
  } finally {
    settings.replayMaxEvents = usual;
  }
}

/** A paused replay that sent one event and did not finish its search in time. */
async function interrupted(trigger_id: string): Promise<Replay> {
  const replay = await start({ filter: { trigger_id }, rate_per_second: 0.1 });
  await expect.poll(async () => (await read(replay)).replay.done).toBe(1);
  await verb(replay, 'pause');
  const { replay_id } = replay;
  const { db } = service.services;
  await db.deleteFrom('replay_items').where('replay_id', '=', replay_id).execute();
  await db
    .updateTable('replays')
    .set({
      total: 0,
      done: 0,
      succeeded: 0,
      rate_per_second: 500,
      gather_before: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
    })
    .where('replay_id', '=', replay_id)
    .execute();
  return replay;
}

describe('a dry run', () => {
  it('counts, shows each next request beside the last one, and sends nothing', async () => {
    const { trigger_id, events } = await repaired(3);
    const { destination_id } = only((events[0] as Event).deliveries);
    await patchDestination(service, trigger_id, destination_id, {
      url: `${sink.url}/elsewhere`,
      body_template: '{"just": {{ payload.i }}}',
      headers: { 'x-secret': 'hidden-value' },
    });
    const { body } = await ask({ filter: { trigger_id }, dry_run: true });
    expect(body.replay).toBeNull();
    expect(body.dry_run).toMatchObject({ events: 3, deliveries: 3, at_least: false });
    expect(body.dry_run?.items[0]).toMatchObject({
      before_status: 'FAILED',
      last: { url: sink.url + path },
      next: { url: `${sink.url}/elsewhere`, body: '{"just": 0}' },
      problem: null,
    });
    expect(JSON.stringify(body)).not.toContain('hidden-value');
    expect(sink.received('/elsewhere')).toEqual([]);
  });

  it('whose count times out reports minimums, and shows the oldest of those counted', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { db } = service.services;
    const ids = Array.from({ length: 500 }, () => newId());
    const { account_id } = await db
      .selectFrom('triggers')
      .select('account_id')
      .where('trigger_id', '=', trigger_id)
      .executeTakeFirstOrThrow();
    await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
      select ${account_id}, id, ${trigger_id}, now(), '{}' from unnest(${ids}::uuid[]) id`.execute(db);
    await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
        destination_url, destination_method, status, origin, attempts, created_at)
      select ${account_id}, id, id, ${trigger_id}, ${newId()}::uuid, 'd', 'http://d', 'POST', 'FAILED', 'EVENT', 1, now()
      from unnest(${ids}::uuid[]) id`.execute(db);
    const selection = selectionOf({ filter: { trigger_id } });
    const { first, ...counted } = await survey(db, account_id, selection, { maxEvents: 1000, budgetMs: 0 });
    expect(counted).toEqual({ events: 400, deliveries: 400, at_least: true });
    expect(first.map(({ event_id }) => event_id)).toEqual(ids.slice(100, 120));
    const whole = await survey(db, account_id, selection, { maxEvents: 1000, budgetMs: 60_000 });
    expect(whole).toMatchObject({ events: 500, deliveries: 500, at_least: false });
    expect(whole.first.map(({ event_id }) => event_id)).toEqual(ids.slice(0, 20));
    // More deliveries than the limit of events, in two stretches of events.
    await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
        destination_url, destination_method, status, origin, attempts, created_at)
      select account_id, event_id, gen_random_uuid(), trigger_id, ${newId()}::uuid, 'd', 'http://d', 'POST', 'FAILED', 'EVENT', 1, now()
      from deliveries where trigger_id = ${trigger_id}`.execute(db);
    const { replay_id } = await start({ filter: { status: 'CANCELED' } });
    const empty = { account_id, replay_id, total: 0, gather_before: null, left_out: null };
    for (const maxEvents of [499, 500]) {
      const bounds = { maxEvents, budgetMs: 60_000 };
      const found = await db.transaction().execute((tx) => collect(tx, empty, selection, bounds));
      expect(found).toMatchObject({ total: 1000, isTooMany: maxEvents < 500 });
      await db.deleteFrom('replay_items').where('replay_id', '=', replay_id).execute();
    }
  });

  it('reports why nothing would be sent', async () => {
    const { trigger_id, events } = await repaired(1);
    const { destination_id } = only((events[0] as Event).deliveries);
    await patchDestination(service, trigger_id, destination_id, {
      body_template: '{"a": -{{ payload.none }}}',
    });
    const { body } = await ask({ filter: { trigger_id }, dry_run: true });
    expect(body.dry_run?.items[0]).toMatchObject({ next: null, problem: expect.stringContaining('not JSON') });
  });
});

describe('what is refused', () => {
  it.each<[string, object]>([
    ['filter:', { filter: {} }],
    ['filter:', {}],
    ['rate_per_second:', { filter: { status: 'FAILED' }, rate_per_second: 0 }],
    ['rate_per_second:', { filter: { status: 'FAILED' }, rate_per_second: 1e9 }],
    ['canary:', { filter: { status: 'FAILED' }, canary: 0 }],
    ['filter.status:', { filter: { status: 'BROKEN' } }],
    ['filter.response_status:', { filter: { response_status: '6xx' } }],
    ['filter.event_ids.0:', { filter: { event_ids: ['x'] } }],
    ['everything:', { filter: { status: 'FAILED' }, everything: true }],
  ])('names %s', async (field, body) => {
    const answer = await service.api<{ message: string }>('POST', '/events:replay', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(field);
  });

  it('a replay is not readable by another account', async () => {
    const replay = await start({ filter: { status: 'CANCELED' } });
    const { key: other } = await service.secondAccount();
    for (const [method, at] of [
      ['GET', ''],
      ['GET', '/items'],
      ['POST', ':pause'],
      ['POST', ':cancel'],
    ] as const)
      expect((await service.api(method, `/replays/${replay.replay_id}${at}`, undefined, { key: other })).status).toBe(
        404,
      );
  });
});

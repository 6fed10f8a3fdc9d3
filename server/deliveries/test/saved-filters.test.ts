/** Filters that an account saves, and the number of events that match them. */
import { afterEach, describe, expect, it } from 'vitest';
import { SAVED_FILTERS_MAX } from '../../../contract/limits.ts';
import type { LiveChange } from '../../../contract/live.ts';
import type { Reply } from '../../../contract/operations.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeEvent, makeTrigger, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

type Answer = Reply<'savedFilterCreate'> & { message: string };
const create = (body: object, key?: string) =>
  service.api<Answer>('POST', '/events/filters', body, key === undefined ? {} : { key });
const change = (id: string, body: object) => service.api<Answer>('PATCH', `/events/filters/${id}`, body);
const remove = (id: string) => service.api<Answer>('DELETE', `/events/filters/${id}`);
const list = async () => (await service.api<Reply<'savedFilterList'>>('GET', '/events/filters')).body.saved_filters;
const counts = async () => (await service.api<Reply<'savedFilterCounts'>>('GET', '/events/filters:counts')).body.counts;

afterEach(async () => {
  for (const { saved_filter_id } of await list()) await remove(saved_filter_id);
});

describe('a saved filter', () => {
  it('is listed by name for all members, renamed, replaced and deleted, and consoles are notified', async () => {
    const published: LiveChange[] = [];
    const { stop } = service.services.live.subscribe(service.account_id, undefined, ({ changes }) =>
      published.push(...changes),
    );
    const { body } = await create({ name: ' zebra ', filter: { status: 'FAILED', received_within: '24h' } });
    const { saved_filter } = body;
    expect(saved_filter).toEqual({
      saved_filter_id: expect.any(String),
      name: 'zebra',
      filter: { status: 'FAILED', received_within: '24h' },
      created_by: expect.any(String),
      created_at: expect.any(String),
      updated_at: saved_filter.created_at,
    });
    const second = (await create({ name: 'Ant', filter: { q: 'cust_4321', held: 'true' } })).body.saved_filter;
    expect(await list()).toEqual([second, saved_filter]);

    const { saved_filter_id } = saved_filter;
    const renamed = await change(saved_filter_id, { name: 'ZEBRA' });
    expect(renamed.body.saved_filter).toMatchObject({ name: 'ZEBRA', filter: saved_filter.filter });
    const replaced = await change(saved_filter_id, { filter: { response_status: '5xx' } });
    expect(replaced.body.saved_filter).toMatchObject({ name: 'ZEBRA', filter: { response_status: '5xx' } });
    expect(await list()).toEqual([second, replaced.body.saved_filter]);
    expect((await remove(saved_filter_id)).status).toBe(200);
    expect((await remove(saved_filter_id)).status).toBe(404);
    expect(await list()).toEqual([second]);
    await expect.poll(() => published).toContainEqual({ noun: 'saved_filter', saved_filter_id });
    stop();
  });

  it('belongs to its account', async () => {
    const { key } = await service.secondAccount();
    const { saved_filter } = (await create({ name: 'Mine', filter: { status: 'FAILED' } })).body;
    const at = `/events/filters/${saved_filter.saved_filter_id}`;
    expect((await create({ name: 'Mine', filter: { status: 'FAILED' } }, key)).status).toBe(200);
    expect((await service.api('PATCH', at, { name: 'Theirs' }, { key })).status).toBe(404);
    expect((await service.api('DELETE', at, undefined, { key })).status).toBe(404);
    expect(await list()).toEqual([saved_filter]);
  });

  it.each<[body: object, message: string]>([
    [{ filter: { status: 'FAILED' } }, 'name: '],
    [{ name: '', filter: { status: 'FAILED' } }, 'name: expected at least one character'],
    [{ name: 'a\nb', filter: { status: 'FAILED' } }, 'name: expected one line'],
    [{ name: 'x'.repeat(101), filter: { status: 'FAILED' } }, 'name: expected at most 100'],
    [{ name: 'x' }, 'filter: '],
    [{ name: 'x', filter: {} }, 'filter: expected at least one condition'],
    [{ name: 'x', filter: [] }, 'filter: '],
    [{ name: 'x', filter: { status: 'BROKEN' } }, 'filter.status: '],
    [{ name: 'x', filter: { colour: 'red' } }, 'filter.colour: '],
    [
      { name: 'x', filter: JSON.parse('{"__proto__": {"status": "FAILED"}, "status": "FAILED"}') },
      'filter.__proto__: ',
    ],
    [{ name: 'x', filter: { trigger_id: 'one' } }, 'filter.trigger_id: '],
    [{ name: 'x', filter: { received_after: 'yesterday' } }, 'filter.received_after: '],
    [{ name: 'x', filter: { q: 'x'.repeat(10_000) } }, 'filter.q: '],
    [{ name: 'x', filter: { response_status: '9xx' } }, 'filter.response_status: '],
    [
      { name: 'x', filter: { received_within: '24h', received_after: '2026-01-01' } },
      'filter: expected received_within',
    ],
  ])('that is invalid is refused: %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await list()).toEqual([]);
  });

  it('has a unique name, and an account has a limited number, also at the same time', async () => {
    const filter = { status: 'FAILED' };
    const taken = await Promise.all(['Same', 'same', 'SAME'].map((name) => create({ name, filter })));
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(taken.find(({ status }) => status === 400)?.body.message).toBe('name: another saved filter has this name');
    const { saved_filter } = (await create({ name: 'Other', filter })).body;
    expect((await change(saved_filter.saved_filter_id, { name: 'same' })).status).toBe(400);
    const many = await Promise.all(
      Array.from({ length: SAVED_FILTERS_MAX }, (_, n) => create({ name: `filter ${n}`, filter })),
    );
    expect(many.filter(({ status }) => status === 200)).toHaveLength(SAVED_FILTERS_MAX - 2);
    expect(many.find(({ status }) => status === 400)?.body.message).toContain('at most 50 saved filters');
  });
});

it('the events of each filter are counted up to 1,000', async () => {
  const { db } = service.services;
  sink.answer('/no', { status: 500 });
  const failing = await makeTrigger(service, [{ url: `${sink.url}/no` }]);
  for (let i = 0; i < 3; i++)
    await whenAll(service, await makeEvent(service, failing.trigger_id, { customer: `cust_${i}` }), 'FAILED');
  const { trigger_id } = await makeTrigger(service);
  const now = Date.now();
  const many = Array.from({ length: 1_200 }, (_, n) => ({
    account_id: service.account_id,
    trigger_id,
    event_id: firstIdAt(now - 3 * 3_600_000 - n),
    received_at: new Date(now - 3 * 3_600_000 - n).toISOString(),
    payload: '{}',
  }));
  await db.insertInto('events').values(many).execute();
  const expected: Record<string, [count: number, at_least: boolean]> = {};
  const save = async (filter: object, count: number, at_least = false) => {
    const { saved_filter } = (await create({ name: JSON.stringify(filter).slice(0, 99), filter })).body;
    expected[saved_filter.saved_filter_id] = [count, at_least];
  };
  await save({ status: 'FAILED' }, 3);
  await save({ trigger_id }, 1_000, true);
  await save({ trigger_id: failing.trigger_id }, 3);
  await save({ trigger_id, received_within: '1h' }, 0);
  await save({ q: 'cust_1' }, 1);
  await save({ pinned: 'true' }, 0);
  const byId = async () =>
    Object.fromEntries(
      (await counts()).map(({ saved_filter_id, count, at_least }) => [saved_filter_id, [count, at_least]]),
    );
  await expect.poll(byId).toEqual(expected);
});

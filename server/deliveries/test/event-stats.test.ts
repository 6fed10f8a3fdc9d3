/** Outcomes of events over time, and filters evaluated on past events. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { addDestination, makeEvent, makeTrigger, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [0.02] });

type Stats = Reply<'eventStats'>;
const stats = async (query: string) => (await service.api<Stats>('GET', `/events/stats?${query}`)).body;
const sum = (
  buckets: Stats['buckets'],
  name: 'events' | 'succeeded' | 'failed' | 'skipped' | 'attempts' | 'failures',
) => buckets.reduce((total, bucket) => total + bucket[name], 0);

it('counts events, deliveries by current status, attempts and responses', async () => {
  sink.answer('/bad', { status: 503 });
  const { trigger_id } = await makeTrigger(service);
  const good = await addDestination(service, trigger_id, { url: `${sink.url}/good` });
  const before = await makeEvent(service, trigger_id);
  await whenAll(service, before, 'SUCCEEDED');
  const bad = await addDestination(service, trigger_id, { url: `${sink.url}/bad`, filter: { wanted: true } });
  await makeEvent(service, trigger_id, { wanted: false });
  await makeEvent(service, trigger_id, { wanted: true });
  const totals = async () => {
    const { buckets } = await stats(`range=1h&trigger_id=${trigger_id}`);
    const names = ['events', 'succeeded', 'failed', 'skipped', 'attempts', 'failures'] as const;
    return names.map((name) => sum(buckets, name));
  };
  await expect.poll(totals).toEqual([3, 3, 1, 1, 5, 2]);

  const all = await stats(`range=1h&trigger_id=${trigger_id}`);
  expect(all.buckets).toHaveLength(60);
  expect(all.bucket_seconds).toBe(60);
  expect(all.codes).toEqual([
    { status: 200, reason: null, count: 3 },
    { status: 503, reason: null, count: 2 },
  ]);
  expect(all.buckets.findLast(({ attempts }) => attempts > 0)).toMatchObject({ p50_ms: expect.any(Number) });

  const ofGood = await stats(`destination_id=${good.destination_id}`);
  expect([sum(ofGood.buckets, 'events'), sum(ofGood.buckets, 'failures')]).toEqual([3, 0]);
  const ofBad = await stats(`range=7d&destination_id=${bad.destination_id}`);
  expect([sum(ofBad.buckets, 'events'), sum(ofBad.buckets, 'attempts')]).toEqual([2, 2]);
});

it('reports the events and the failing destinations of every trigger', async () => {
  sink.answer('/broken', { status: 500 });
  const busy = await makeTrigger(service);
  const quiet = await makeTrigger(service);
  const kept = await makeTrigger(service);
  await addDestination(service, busy.trigger_id, { url: `${sink.url}/fine` });
  const broken = await addDestination(service, busy.trigger_id, { url: `${sink.url}/broken` });
  await makeEvent(service, busy.trigger_id);
  await makeEvent(service, busy.trigger_id);
  await makeEvent(service, kept.trigger_id);
  const of = async ({ trigger_id }: { trigger_id: string }, key = service.key) =>
    (
      await service.api<Reply<'triggerStats'>>('GET', '/triggers:stats?range=1h', undefined, { key })
    ).body.triggers.find((each) => each.trigger_id === trigger_id);
  const { destination_id } = broken;
  const failing = [{ destination_id }];
  // The health of a destination is stored after its attempts.
  await expect.poll(() => of(busy)).toMatchObject({ events: 2, succeeded: 2, failed: 2, open: 0, failing });
  const figures = await of(busy);
  expect(figures?.buckets).toHaveLength(60);
  expect(figures?.buckets.reduce((total, count) => total + count, 0)).toBe(2);
  expect(figures?.failing).toEqual([{ destination_id, failing_since: expect.any(String), warning: 0 }]);
  expect(await of(quiet)).toBeUndefined();
  expect(await of(kept)).toMatchObject({ events: 1, succeeded: 0, failed: 0, failing: [] });
  const { key } = await service.secondAccount();
  expect(await of(busy, key)).toBeUndefined();
});

it('statistics contain only the account’s events', async () => {
  const { trigger_id } = await makeTrigger(service);
  await makeEvent(service, trigger_id);
  const { key } = await service.secondAccount();
  const { body } = await service.api<Stats>('GET', `/events/stats?trigger_id=${trigger_id}`, undefined, { key });
  expect(sum(body.buckets, 'events')).toBe(0);
});

it.each(['range=1y', 'trigger_id=x', 'range='])('refuses %s', async (query) => {
  expect((await service.api('GET', `/events/stats?${query}`)).status).toBe(400);
});

it('a filter is evaluated on past events, newest first', async () => {
  const { trigger_id } = await makeTrigger(service);
  for (const n of [1, 2, 3]) await makeEvent(service, trigger_id, { n });
  const path = (filter: string) => `/triggers/${trigger_id}/filter:test?filter=${encodeURIComponent(filter)}`;
  const { body } = await service.api<Reply<'triggerFilterTest'>>('GET', path('{"n":{"$gte":2}}'));
  expect(body).toMatchObject({ matched: 2, total: 3 });
  expect(body.events.map(({ matches }) => matches)).toEqual([true, true, false]);
  for (const [filter, message] of [
    ['{"n":{"$above":2}}', /^filter\.n\.\$above: expected/],
    ['{', /^filter: expected JSON/],
  ] as const) {
    const wrong = await service.api<{ message: string }>('GET', path(filter));
    expect(wrong.status).toBe(400);
    expect(wrong.body.message).toMatch(message);
  }
});

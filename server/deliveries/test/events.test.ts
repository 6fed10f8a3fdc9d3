import { beforeAll, describe, expect, it } from 'vitest';
import type { LiveChange } from '../../../contract/live.ts';
import type { Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { attemptsOf, makeEvent, makeTrigger, only, readEvent, whenAll } from './delivery-support.ts';

type Page = Reply<'eventList'>;

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });
beforeAll(async () => {
  sink.answer('/bad', { status: 500 });
});

const list = async (path: string) => {
  const { status, body } = await service.api<Page & { message: string }>('GET', path);
  expect(status, body.message).toBe(200);
  return body;
};
const ids = ({ events }: Page) => events.map(({ event_id }) => event_id);

describe('the events of a trigger', () => {
  it('are newest first, with counts and one outcome per destination', async () => {
    const trigger = await makeTrigger(service, [{ url: `${sink.url}/good` }, { url: `${sink.url}/bad`, name: 'Bad' }]);
    const first = await makeEvent(service, trigger.trigger_id, { n: 1 });
    const second = await makeEvent(service, trigger.trigger_id, { n: 2 });
    const path = `/triggers/${trigger.trigger_id}/events`;
    await expect
      .poll(async () => (await list(path)).events.map(({ delivery_counts }) => delivery_counts))
      .toEqual(Array(2).fill({ total: 2, succeeded: 1, failed: 1 }));
    const page = await list(path);
    expect(ids(page)).toEqual([second.event_id, first.event_id]);
    expect(page.next_token).toBeNull();
    expect(page.events[0]).toMatchObject({
      trigger_id: trigger.trigger_id,
      trigger_name: trigger.name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      payload: { n: 2 },
      outcomes: [
        { status: 'SUCCEEDED', attempts: 1, last_response_status: 200 },
        { status: 'FAILED', attempts: 1, last_response_status: 500, destination_name: 'Bad' },
      ],
    });
    const lastEventAt = async () =>
      (await service.api<Reply<'triggerGet'>>('GET', `/triggers/${trigger.trigger_id}`)).body.trigger.last_event_at;
    await expect.poll(lastEventAt).toBe(second.received_at);
  });

  it('are paged, and a later event does not shift the pages', async () => {
    const { trigger_id } = await makeTrigger(service);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await makeEvent(service, trigger_id, { n })).event_id);
    const path = `/triggers/${trigger_id}/events`;
    const first = await list(`${path}?limit=2`);
    await makeEvent(service, trigger_id);
    const second = await list(`${path}?limit=2&next_token=${first.next_token}`);
    const third = await list(`${path}?limit=2&next_token=${second.next_token}`);
    expect([first, second, third].flatMap(ids)).toEqual(made);
    expect(third.next_token).toBeNull();
    const other = await service.api('GET', `${path}?limit=2&status=FAILED&next_token=${first.next_token}`);
    expect(other.status).toBe(400);
  });

  it('after since_id are the later ones only, and none that commits late is skipped', async () => {
    const { trigger_id } = await makeTrigger(service);
    const first = await makeEvent(service, trigger_id);
    const second = await makeEvent(service, trigger_id);
    const since = (id: string) => list(`/triggers/${trigger_id}/events?since_id=${id}`).then(ids);
    await expect.poll(() => since(first.event_id)).toEqual([second.event_id]);
    expect(await since(second.event_id)).toEqual([]);

    // An event that got its id before the third, in a transaction that is still open.
    const begun = Promise.withResolvers<string>();
    const release = Promise.withResolvers<void>();
    const late = service.services.db.transaction().execute(async (tx) => {
      const event = { account_id: service.account_id, event_id: newId(), trigger_id, payload: '{}' };
      await tx
        .insertInto('events')
        .values({ ...event, received_at: now() })
        .execute();
      begun.resolve(event.event_id);
      await release.promise;
    });
    const lateId = await begun.promise;
    const third = await makeEvent(service, trigger_id);
    expect(await since(second.event_id)).toEqual([]);
    release.resolve();
    await late;
    await expect.poll(() => since(second.event_id)).toEqual([third.event_id, lateId]);
  });
});

describe('filters', () => {
  it('select by delivery status, time and text', async () => {
    const good = await makeTrigger(service, [{ url: `${sink.url}/good` }]);
    const bad = await makeTrigger(service, [{ url: `${sink.url}/bad` }]);
    const a = await whenAll(
      service,
      await makeEvent(service, good.trigger_id, { text: 'Alpha 100%_\\x' }),
      'SUCCEEDED',
    );
    const b = await whenAll(service, await makeEvent(service, bad.trigger_id, { text: 'beta' }), 'FAILED');
    const mine = `received_after=${a.received_at}`;
    expect(ids(await list(`/events?${mine}`))).toEqual([b.event_id, a.event_id]);
    expect(ids(await list(`/events?${mine}&status=FAILED`))).toEqual([b.event_id]);
    expect(ids(await list(`/events?${mine}&status=CANCELED`))).toEqual([]);
    expect(ids(await list(`/events?${mine}&trigger_id=${good.trigger_id}`))).toEqual([a.event_id]);
    expect(ids(await list(`/events?${mine}&q=ALPHA`))).toEqual([a.event_id]);
    expect(ids(await list(`/events?${mine}&q=${encodeURIComponent('100%_')}`))).toEqual([a.event_id]);
    expect(ids(await list(`/events?${mine}&q=${encodeURIComponent('%')}&status=FAILED`))).toEqual([]);
    expect(ids(await list(`/events?${mine}&received_before=${b.received_at}`))).toEqual([a.event_id]);
    expect(ids(await list(`/events?received_after=9999-01-01T00:00:00Z`))).toEqual([]);
    expect(
      ids(await list(`/triggers/${bad.trigger_id}/events?status=FAILED&received_after=1970-01-01T00:00:00Z`)),
    ).toEqual([b.event_id]);
  });

  it.each([
    'status=LOST',
    'received_after=yesterday',
    'received_after=2026-02-30T00:00:00Z',
    'since_id=7',
    'limit=-1',
    'next_token=abc',
  ])('%s is a 400', async (query) => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await service.api<{ message: string }>('GET', `/triggers/${trigger_id}/events?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(query.split('=')[0]);
  });

  it('skip other accounts and deleted triggers', async () => {
    const { trigger_id } = await makeTrigger(service);
    const event = await makeEvent(service, trigger_id);
    const { key } = await service.secondAccount();
    const foreign = await service.api<Page>('GET', '/events', undefined, { key });
    expect(foreign.body.events).toEqual([]);
    await service.api('DELETE', `/triggers/${trigger_id}`);
    expect(ids(await list('/events'))).not.toContain(event.event_id);
  });
});

describe('a test event', () => {
  it('is created from the trigger’s schedule, or from the given payload', async () => {
    const { trigger_id } = await makeTrigger(service, [], {
      parameters: { cron_expression: '0 0 1 1 *', timezone: 'Europe/Berlin' },
    });
    expect((await makeEvent(service, trigger_id)).payload).toEqual({
      scheduled_for: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      cron_expression: '0 0 1 1 *',
      timezone: 'Europe/Berlin',
    });
    const payload = { b: 1, a: { nul: '\u0000', pair: '😀', deep: [null, true, 1.5] } };
    const event = await makeEvent(service, trigger_id, payload);
    expect(JSON.stringify((await readEvent(service, event)).payload)).toBe(JSON.stringify(payload));
  });

  it('keeps the numbers of its payload as written, for every way to send and read it', async () => {
    const payload = '{"id":12345678901234567890,"most":[1e400,0.10000000000000000001],"plain":1.5}';
    const template = '{"id":{{ payload.id }},"text":"{{ payload.id }}"}';
    const destinations = [{ url: `${sink.url}/exact` }, { url: `${sink.url}/exact-part`, body_template: template }];
    const trigger = await makeTrigger(service, destinations, {
      source: 'webhook',
      event_type: 'webhook.received',
      parameters: {},
    });
    const at = `/triggers/${trigger.trigger_id}/events`;
    const text = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', ...headers },
        ...(body ? { body } : {}),
      });
      return response.text();
    };
    await fetch(service.url + new URL(trigger.ingress?.url ?? '').pathname, { method: 'POST', body: payload });
    expect(await text('GET', at)).toContain(payload);
    const [event_id] = ids(await list(at));
    expect(await text('GET', `${at}/${event_id}`)).toContain(payload);
    expect(await text('POST', `${at}/${event_id}:replay`)).toContain(payload);
    const once = { 'idempotency-key': newId() };
    expect(await text('POST', at, `{"payload":${payload}}`, once)).toContain(payload);
    expect(await text('POST', `/triggers/${trigger.trigger_id}:test`, `{"payload":${payload}}`)).toContain(payload);
    await expect.poll(() => sink.received('/exact').length).toBeGreaterThanOrEqual(3);
    for (const { body } of sink.received('/exact')) expect(body).toContain(payload);
    await expect.poll(() => sink.received('/exact-part').length).toBeGreaterThanOrEqual(3);
    for (const { body } of sink.received('/exact-part'))
      expect(body).toBe('{"id":12345678901234567890,"text":"12345678901234567890"}');
  });

  it('has a payload of limited size', async () => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await service.api<{ message: string }>('POST', `/triggers/${trigger_id}:test`, {
      payload: { text: 'x'.repeat(600_000) },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^payload: expected at most/) },
    });
  });
});

it('attempts are paged, in order', async () => {
  service.services.settings.retryScheduleSeconds = [0, 0, 0, 0];
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/bad` }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED').finally(() => {
    service.services.settings.retryScheduleSeconds = [];
  });
  expect(await attemptsOf(service, event)).toHaveLength(5);
  const path = `/triggers/${trigger_id}/events/${event.event_id}/deliveries/${only(event.deliveries).delivery_id}/attempts`;
  const numbers: number[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const query: string = token ? `&next_token=${token}` : '';
    const { body } = await service.api<Reply<'attemptList'>>('GET', `${path}?limit=2${query}`);
    numbers.push(...body.attempts.map(({ number }) => number));
    token = body.next_token;
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5]);
});

it('every change is published to subscribers', async () => {
  const published: LiveChange[] = [];
  const { stop } = service.services.live.subscribe(service.account_id, undefined, ({ changes }) =>
    published.push(...changes),
  );
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/good` }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  const { event_id } = event;
  const { delivery_id } = only(event.deliveries);
  await expect.poll(() => published).toContainEqual({ noun: 'event', event_id, trigger_id });
  await expect
    .poll(() => published)
    .toContainEqual({ noun: 'delivery', event_id, trigger_id, delivery_id, status: 'SUCCEEDED' });
  expect(published).toContainEqual({ noun: 'trigger', trigger_id });
  stop();
});

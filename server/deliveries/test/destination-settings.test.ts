/** Settings of a destination besides its URL: filter, retry schedule, signing secret. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  addDestination,
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [0.05] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/set-${++count}`;
});
const url = () => sink.url + path;
const at = (trigger_id: string, destination_id: string) => `/triggers/${trigger_id}/destinations/${destination_id}`;
type Answer = { destination: { signing_secret: string; previous_secret_until: string | null }; message: string };
const get = async (trigger_id: string, destination_id: string) =>
  (await service.api<{ destination: Record<string, unknown> }>('GET', at(trigger_id, destination_id))).body.destination;

describe('a filter', () => {
  it('of the trigger stores other events as SKIPPED, and a replay sends them', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: url() }], { filter: { action: 'opened' } });
    const out = await makeEvent(service, trigger_id, { action: 'closed' });
    const sent = await makeEvent(service, trigger_id, { action: 'opened' });
    await whenAll(service, sent, 'SUCCEEDED');
    expect(only((await readEvent(service, out)).deliveries)).toMatchObject({ status: 'SKIPPED', reason: 'FILTERED' });
    expect(sink.received(path)).toHaveLength(1);
    await service.api('POST', `/triggers/${trigger_id}/events/${out.event_id}:replay`);
    await whenAll(service, out, 'SUCCEEDED');
  });

  it('of a destination applies in addition to the trigger’s: both must match', async () => {
    const { trigger_id } = await makeTrigger(service, [], { filter: { n: { $gt: 1 } } });
    await addDestination(service, trigger_id, { url: url(), filter: { n: { $lt: 10 } } });
    await addDestination(service, trigger_id, { url: url() });
    const statuses = async (n: number) =>
      (await makeEvent(service, trigger_id, { n })).deliveries.map(({ reason }) => reason);
    expect(await statuses(1)).toEqual(['FILTERED', 'FILTERED']);
    expect(await statuses(11)).toEqual(['FILTERED', null]);
    expect(await statuses(5)).toEqual([null, null]);
  });

  it('is changed and cleared by PATCH, and read back as it was written', async () => {
    const { trigger_id, destinations } = await makeTrigger(service, [{ url: url(), filter: { b: 1, a: 2 } }]);
    const { destination_id } = only(destinations);
    expect(JSON.stringify((await get(trigger_id, destination_id))['filter'])).toBe('{"b":1,"a":2}');
    await patchDestination(service, trigger_id, destination_id, { filter: null });
    expect(await get(trigger_id, destination_id)).toMatchObject({ filter: null });
    const { body } = await service.api('PATCH', `/triggers/${trigger_id}`, { filter: { a: 1 } });
    expect(body).toMatchObject({ trigger: { filter: { a: 1 } } });
    expect((await service.api('PATCH', `/triggers/${trigger_id}`, { filter: null })).body).toMatchObject({
      trigger: { filter: null },
    });
  });

  it('compares numbers to the last digit, and stores them as written', async () => {
    const [id, other] = ['12345678901234567890', '12345678901234567891'].map(parseExactly);
    const { trigger_id } = await makeTrigger(service, [{ url: url(), filter: { id } }], {
      filter: { id: { $gte: id } },
    });
    const { destination_id } = await addDestination(service, trigger_id, { url: url(), filter: { id: { $gt: id } } });
    const reasons = async (payload: object) =>
      (await makeEvent(service, trigger_id, payload)).deliveries.map(({ reason }) => reason);
    expect(await reasons({ id })).toEqual([null, 'FILTERED']);
    expect(await reasons({ id: other })).toEqual(['FILTERED', null]);
    const text = async (where: string) =>
      (await fetch(`${service.url}/api${where}`, { headers: { authorization: `Bearer ${service.key}` } })).text();
    expect(await text(`/triggers/${trigger_id}`)).toContain('"filter":{"id":{"$gte":12345678901234567890}}');
    expect(await text(at(trigger_id, destination_id))).toContain('"filter":{"id":{"$gt":12345678901234567890}}');
    const filter = encodeURIComponent(JSON.stringify({ id }));
    expect(JSON.parse(await text(`/triggers/${trigger_id}/filter:test?filter=${filter}`))).toMatchObject({
      matched: 1,
      total: 2,
    });
  });

  it.each([
    [{ $where: 'x' }, 'filter.$where: expected one of'],
    [{ a: { $gt: [] } }, 'filter.a.$gt: expected a number or a string'],
    [[], 'filter: expected'],
    ['x', 'filter: expected'],
    [parseExactly('12345678901234567890'), 'filter: expected'],
    [{ a: 'x'.repeat(20_000) }, 'filter: expected at most 16384'],
  ])('that is %j is refused by name', async (filter, message) => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await service.api<{ message: string }>('PATCH', `/triggers/${trigger_id}`, { filter });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('a retry schedule', () => {
  it('of the destination overrides the service’s', async () => {
    sink.answer(path, { status: 500 });
    const { trigger_id } = await makeTrigger(service, [{ url: url(), retry_schedule: [] }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
    expect(await attemptsOf(service, event)).toHaveLength(1);
  });

  it('null restores the service’s schedule', async () => {
    sink.answer(path, { status: 500 });
    const { trigger_id, destinations } = await makeTrigger(service, [{ url: url(), retry_schedule: [3600, 7200] }]);
    const { destination_id } = only(destinations);
    expect(await get(trigger_id, destination_id)).toMatchObject({ retry_schedule: [3600, 7200] });
    await patchDestination(service, trigger_id, destination_id, { retry_schedule: null });
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
    expect(await attemptsOf(service, event)).toHaveLength(2);
  });

  it.each([[[0]], [[-1]], [[1.5]], [[86_401]], [['5']], [Array.from({ length: 21 }, () => 1)]])(
    'that is %j is refused',
    async (retry_schedule) => {
      const { trigger_id } = await makeTrigger(service);
      const body = { url: url(), retry_schedule };
      const answer = await service.api<{ message: string }>('POST', `/triggers/${trigger_id}/destinations`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(/^retry_schedule/);
    },
  );
});

describe('a signing secret', () => {
  const rotate = (trigger_id: string, destination_id: string, body?: object) =>
    service.api<Answer>('POST', `${at(trigger_id, destination_id)}/secret:rotate`, body);
  const verifies = (secret: string) => {
    const { body, headers } = sink.received(path).at(-1) ?? { body: '', headers: {} };
    try {
      return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>));
    } catch {
      return false;
    }
  };

  it('is rotated with an overlap in which the old and the new secret sign', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { destination_id, signing_secret: old } = await addDestination(service, trigger_id, { url: url() });
    const { status, body } = await rotate(trigger_id, destination_id);
    expect(status).toBe(200);
    const fresh = body.destination.signing_secret;
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/=]{40,}$/);
    expect(fresh).not.toBe(old);
    expect(Date.parse(body.destination.previous_secret_until ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    expect([verifies(old), verifies(fresh)]).toEqual([true, true]);
    expect(JSON.stringify(await get(trigger_id, destination_id))).not.toContain(fresh);
  });

  it('without an overlap stops signing at once', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { destination_id, signing_secret: old } = await addDestination(service, trigger_id, { url: url() });
    await rotate(trigger_id, destination_id);
    const { body } = await rotate(trigger_id, destination_id, { overlap_hours: 0 });
    expect(body.destination.previous_secret_until).toBeNull();
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    expect([verifies(old), verifies(body.destination.signing_secret)]).toEqual([false, true]);
  });

  it.each([-1, 169, '24', null])('is not rotated with an overlap of %j', async (overlap_hours) => {
    const { trigger_id, destinations } = await makeTrigger(service, [{ url: url() }]);
    const answer = await rotate(trigger_id, only(destinations).destination_id, { overlap_hours });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^overlap_hours: expected/);
  });
});

/** From an event to its receivers, through the API and a real receiver. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../test/service.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  addDestination,
  attemptsOf,
  type Delivery,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [0.05, 0.05, 0.05] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/hook-${++count}`;
});
const url = () => sink.url + path;

describe('a delivery that succeeds', () => {
  it('is signed according to Standard Webhooks and contains the payload', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { signing_secret } = await addDestination(service, trigger_id, { url: url() });
    const event = await makeEvent(service, trigger_id, { greeting: 'grüße', n: [1, 2] });
    const done = await whenAll(service, event, 'SUCCEEDED');
    const received = only(sink.received(path));
    expect(received.headers).toMatchObject({
      'webhook-id': event.event_id,
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Sluice\//),
    });
    expect(new Webhook(signing_secret).verify(received.body, received.headers as Record<string, string>)).toEqual({
      type: 'schedule.elapsed',
      timestamp: event.received_at,
      data: { greeting: 'grüße', n: [1, 2] },
      event_id: event.event_id,
      trigger_id,
      source: 'schedule',
    });
    expect(only(done.deliveries)).toMatchObject({
      reason: null,
      attempts: 1,
      last_response_status: 200,
      last_response_body: 'ok',
      last_response_duration: expect.any(Number),
      last_error_message: null,
      destination_url: url(),
      destination_method: 'POST',
      finished_at: expect.any(String),
      next_attempt_at: null,
    });
  });

  it('stores each body exactly, wherever the payload is in it', async () => {
    const [whole, rendered, twice] = [`${path}/whole`, `${path}/rendered`, `${path}/twice`];
    const { trigger_id } = await makeTrigger(service, [
      { url: sink.url + whole },
      { url: sink.url + rendered, body_template: '{"grüße 🎈": {{ payload.text }}, "all": {{ payload }}}' },
      { url: sink.url + twice, body_template: '[{{ payload }}, {{ payload }}]' },
    ]);
    const made = await makeEvent(service, trigger_id, { text: 'ä🎈"\\\u2028'.repeat(40), n: [1, { a: null }] });
    const { deliveries } = await whenAll(service, made, 'SUCCEEDED');
    for (const [index, at] of [whole, rendered, twice].entries()) {
      const kept = only(await attemptsOf(service, { ...made, deliveries: [deliveries[index] as Delivery] }));
      expect(kept.request.body).toBe(only(sink.received(at)).body);
    }
  });

  it('stores its attempt: the request as sent, with the destination’s headers masked, and the response', async () => {
    const destination = { url: url(), headers: { 'X-Token': 'very-secret-token', 'Content-Type': 'application/json' } };
    const { trigger_id } = await makeTrigger(service, [destination]);
    sink.answer(path, { status: 201, headers: { 'x-answer': 'yes' }, body: '{"took":1}' });
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    expect(only(sink.received(path)).headers['x-token']).toBe('very-secret-token');
    const attempt = only(await attemptsOf(service, event));
    expect(attempt).toMatchObject({
      number: 1,
      origin: 'EVENT',
      reason: null,
      request: { method: 'POST', url: url(), body: only(sink.received(path)).body },
      response: { status: 201, body: '{"took":1}', truncated: false },
    });
    expect(attempt.request.headers).toMatchObject({
      'X-Token': '••••••••oken',
      'webhook-id': event.event_id,
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect(attempt.response?.headers).toMatchObject({ 'x-answer': 'yes' });
    expect(service.logged()).not.toContain('very-secret-token');
  });

  it('is sent with the method and the body template of the destination', async () => {
    const { trigger_id, name } = await makeTrigger(service, [
      {
        url: `${url()}?q=1`,
        method: 'PUT',
        body_template:
          '{"text": "{{ trigger_name }}: {{ payload.user.name }}", "n": {{ payload.n }}, "x": {{ payload.x }}}',
      },
      { url: url(), method: 'GET' },
    ]);
    const event = await makeEvent(service, trigger_id, { user: { name: 'A "B"' }, n: 3 });
    await whenAll(service, event, 'SUCCEEDED');
    const [put] = sink.received(path).filter(({ method }) => method === 'PUT');
    expect(put?.path).toBe(`${path}?q=1`);
    expect(JSON.parse(put?.body ?? '')).toEqual({ text: `${name}: A "B"`, n: 3, x: null });
    const [get] = sink.received(path).filter(({ method }) => method === 'GET');
    expect(get?.body).toBe('');
  });

  it('keeps the order of receipt, eight at a time, for a slow destination', async () => {
    // With the default timeout: none of the attempts held here may end before its release.
    const service = await startService();
    onTestFinished(() => service.stop());
    const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
    const releases: (() => void)[] = [];
    sink.answer(path, (response) => releases.push(() => response.end()));
    const made: string[] = [];
    for (let n = 0; n < 20; n++) made.push((await makeEvent(service, trigger_id)).event_id);
    const ids = () => sink.received(path).map(({ headers }) => headers['webhook-id']);
    await expect.poll(() => ids().toSorted()).toEqual(made.slice(0, 8));
    for (let n = 0; n < 20; n++) {
      await expect.poll(() => ids().length).toBe(Math.min(8 + n, 20));
      releases[n]?.();
    }
    expect(ids().slice(8)).toEqual(made.slice(8));
  });
});

describe('a delivery that fails', () => {
  it('is retried according to the schedule, then FAILED, with every attempt stored', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
    sink.answer(path, { status: 503, body: '{"error":"busy"}' });
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({
      reason: 'HTTP_STATUS',
      attempts: 4,
      last_response_status: 503,
      last_response_body: '{"error":"busy"}',
    });
    const attempts = await attemptsOf(service, event);
    expect(attempts.map(({ number, origin }) => [number, origin])).toEqual([
      [1, 'EVENT'],
      [2, 'RETRY'],
      [3, 'RETRY'],
      [4, 'RETRY'],
    ]);
    expect(new Set(sink.received(path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.event_id]));
  });

  it('succeeds when the receiver comes back', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
    sink.answer(path, (response) => {
      response.statusCode = sink.received(path).length < 3 ? 500 : 200;
      response.end();
    });
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    expect((await attemptsOf(service, event)).map(({ response }) => response?.status)).toEqual([500, 500, 200]);
  });

  it('shows when the next attempt is due', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
    sink.answer(path, { status: 503 });
    service.services.settings.retryScheduleSeconds = [3600];
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING').finally(() => {
      service.services.settings.retryScheduleSeconds = [0.05, 0.05, 0.05];
    });
    const { next_attempt_at, finished_at } = only(event.deliveries);
    const inMinutes = (Date.parse(next_attempt_at ?? '') - Date.now()) / 60_000;
    expect(inMinutes).toBeGreaterThan(47);
    expect(inMinutes).toBeLessThan(73);
    expect(finished_at).toBeNull();
  });

  it.each([
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/x' } }, 'REDIRECT', 302],
    ['a 404', { status: 404 }, 'HTTP_STATUS', 404],
  ])('%s is not followed up by anything but a retry', async (_, answer, reason, status) => {
    const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
    sink.answer(path, answer);
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({ reason, attempts: 4, last_response_status: status });
  });

  it('with 410 is GONE at once, and disables the destination', async () => {
    const trigger = await makeTrigger(service, [{ url: url() }]);
    sink.answer(path, { status: 410 });
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({ reason: 'GONE', attempts: 1 });
    await expect
      .poll(async () => {
        const { body } = await service.api<{ destinations: object[] }>(
          'GET',
          `/triggers/${trigger.trigger_id}/destinations`,
        );
        return body.destinations;
      })
      .toMatchObject([{ status: 'DISABLED', reason: 'GONE' }]);
    const next = await makeEvent(service, trigger.trigger_id);
    expect(only(next.deliveries)).toMatchObject({ status: 'SKIPPED', reason: 'DESTINATION_DISABLED', attempts: 0 });
    const { destination_id } = only(trigger.destinations);
    const repaired = await patchDestination(service, trigger.trigger_id, destination_id, { status: 'ENABLED' });
    expect(repaired).toMatchObject({ status: 'ENABLED', reason: null });
  });

  it('is not sent if the body template’s result is not JSON', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: url(), body_template: '{"x": -{{ payload.x }}}' }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id, { x: 'one' }), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({
      reason: 'TEMPLATE_ERROR',
      attempts: 1,
      last_response_status: null,
      last_error_message: expect.stringContaining('not JSON'),
    });
    expect(sink.received(path)).toEqual([]);
  });

  it('may be other text where the content type says so', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { trigger_id } = await makeTrigger(service, [
      { url: url(), headers, body_template: 'hello {{ payload.x }}' },
    ]);
    await whenAll(service, await makeEvent(service, trigger_id, { x: 1 }), 'SUCCEEDED');
    expect(only(sink.received(path))).toMatchObject({ body: 'hello 1', headers });
  });
});

describe('what is disabled or gone', () => {
  it('stores its events as SKIPPED, with the reason', async () => {
    const trigger = await makeTrigger(service, [{ url: url() }]);
    const { destination_id } = only(trigger.destinations);
    await patchDestination(service, trigger.trigger_id, destination_id, { status: 'DISABLED' });
    const event = await makeEvent(service, trigger.trigger_id);
    expect(only(event.deliveries)).toMatchObject({
      status: 'SKIPPED',
      reason: 'DESTINATION_DISABLED',
      finished_at: expect.any(String),
    });
    await patchDestination(service, trigger.trigger_id, destination_id, { status: 'ENABLED' });
    await service.api('PATCH', `/triggers/${trigger.trigger_id}`, { status: 'DISABLED' });
    const second = await makeEvent(service, trigger.trigger_id);
    expect(only(second.deliveries)).toMatchObject({ status: 'SKIPPED', reason: 'TRIGGER_DISABLED' });
    expect(sink.received(path)).toEqual([]);
  });

  it('ends waiting deliveries: SKIPPED when disabled, CANCELED when deleted', async () => {
    const trigger = await makeTrigger(service, [{ url: url() }, { url: `${url()}-other` }]);
    sink.answer(path, { status: 500 });
    sink.answer(`${path}-other`, { status: 500 });
    service.services.settings.retryScheduleSeconds = [3600];
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'RETRYING').finally(() => {
      service.services.settings.retryScheduleSeconds = [0.05, 0.05, 0.05];
    });
    const [first, second] = trigger.destinations;
    await patchDestination(service, trigger.trigger_id, first?.destination_id ?? '', { status: 'DISABLED' });
    const gone = await service.api('DELETE', `/triggers/${trigger.trigger_id}/destinations/${second?.destination_id}`);
    expect(gone.status).toBe(200);
    const { deliveries } = await readEvent(service, event);
    expect(deliveries).toMatchObject([
      { status: 'SKIPPED', reason: 'DESTINATION_DISABLED', attempts: 1 },
      { status: 'CANCELED', reason: 'CANCELED', attempts: 1 },
    ]);
  });
});

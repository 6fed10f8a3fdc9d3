/** `GET /lookup`: from any id to the resource it names, within the account. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { bearer, callAddress, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { firstIdAt, newId } from '../../lib/ids.ts';
import { invite, signIn } from '../../test/browser.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';

type Match = Reply<'lookup'>['matches'][number];

const sink = sinkForAll();
const service = serviceForAll();

const ask = (id: string, key = service.key) =>
  service.api<Reply<'lookup'>>('GET', `/lookup?id=${encodeURIComponent(id)}`, undefined, { key });
const lookup = async (id: string): Promise<Match[]> => {
  const { status, body } = await ask(id);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.matches;
};
const found = async (id: string) => only(await lookup(id));

describe('an id of the account', () => {
  it('finds the trigger, the destination, the event and the delivery', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url, name: 'orders' }], { name: 'Nightly' });
    const { trigger_id } = trigger;
    const destination_id = only(trigger.destinations).destination_id;
    const made = await makeEvent(service, trigger_id);
    const { event_id, deliveries } = await whenAll(service, made, 'SUCCEEDED');
    const { delivery_id } = only(deliveries);

    expect(await found(trigger_id)).toMatchObject({ kind: 'TRIGGER', name: 'Nightly', params: { trigger_id } });
    expect(await found(destination_id)).toMatchObject({
      kind: 'DESTINATION',
      name: 'orders',
      params: { trigger_id, destination_id },
    });
    expect(await found(event_id)).toEqual({
      kind: 'EVENT',
      id: event_id,
      name: 'schedule.elapsed',
      detail: 'Nightly',
      at: made.received_at,
      matched: 'ID',
      params: { trigger_id, event_id },
    });
    expect(await found(delivery_id)).toMatchObject({
      kind: 'DELIVERY',
      name: 'orders',
      params: { trigger_id, event_id, delivery_id },
    });
  });

  it('finds the attempt, by the webhook-id of a replay as a new message', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    await service.api('POST', `/triggers/${trigger_id}/events/${event.event_id}:replay`, { as_new: true });
    await expect.poll(async () => (await attemptsOf(service, event)).length).toBe(2);
    const webhook_id = (await attemptsOf(service, event)).at(-1)?.webhook_id ?? '';
    expect(webhook_id).not.toBe(event.event_id);
    expect(await found(webhook_id)).toMatchObject({
      kind: 'ATTEMPT',
      matched: 'WEBHOOK_ID',
      params: {
        trigger_id,
        event_id: event.event_id,
        delivery_id: only(event.deliveries).delivery_id,
        attempt: 2,
      },
    });
  });

  it('finds a delivery that a replay added long after the event', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { event_id } = await makeEvent(service, trigger_id);
    const added = await service.api('POST', `/triggers/${trigger_id}/destinations`, { url: sink.url });
    expect(added.status).toBe(200);
    const path = `/triggers/${trigger_id}/events/${event_id}`;
    const replayed = await service.api<Reply<'eventReplay'>>('POST', `${path}:replay`);
    const { delivery_id } = only(replayed.body.event.deliveries);
    // As far apart as in a replay of last month's event. Not newId, which would move the ids of this process an hour
    // ahead.
    const late = firstIdAt(Date.now() + 3_600_000);
    await service.services.db
      .updateTable('deliveries')
      .set({ delivery_id: late })
      .where('delivery_id', '=', delivery_id)
      .execute();
    expect(await found(late)).toMatchObject({ kind: 'DELIVERY', params: { trigger_id, event_id, delivery_id: late } });
  });

  it('finds the function, the run, the key, the connection, the replay and the member', async () => {
    const fn = await makeFunction(service, undefined, { name: 'Hello' });
    const { function_id } = fn;
    const { run_id } = await invoke(service, fn);
    expect(await found(function_id)).toMatchObject({ kind: 'FUNCTION', name: 'Hello', params: { function_id } });
    expect(await found(run_id)).toMatchObject({
      kind: 'RUN',
      name: 'POST /',
      detail: 'Hello',
      params: { function_id, run_id },
    });
    const called = await callAddress(service, fn.url, { headers: bearer(service.key) });
    const at_address = String(called.headers['x-function-run-id']);
    expect(await found(at_address)).toMatchObject({ kind: 'RUN', params: { run_id: at_address } });

    const key = await service.api<Reply<'apiKeyCreate'>>('POST', '/api-keys', { name: 'CI' });
    const { key_id } = key.body.api_key;
    expect(await found(key_id)).toMatchObject({ kind: 'API_KEY', name: 'CI', params: { key_id } });

    const app = await addApp(service, sink.url);
    const connection_id = await connect(service, app, { api_key: 'k' });
    expect(await found(connection_id)).toMatchObject({ kind: 'CONNECTION', detail: app, params: { connection_id } });

    const { trigger_id } = await makeTrigger(service, [{ url: sink.url }]);
    await makeEvent(service, trigger_id);
    const replay = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { filter: { trigger_id } });
    const replay_id = replay.body.replay?.replay_id ?? '';
    expect(await found(replay_id)).toMatchObject({ kind: 'REPLAY', params: { replay_id } });

    const members = await service.api<Reply<'memberList'>>('GET', '/account/members');
    const { user_id, name } = only(members.body.members);
    expect(await found(user_id)).toMatchObject({ kind: 'MEMBER', name, params: { user_id } });
  });

  it('is accepted in any case and with surrounding blanks', async () => {
    const { trigger_id } = await makeTrigger(service);
    expect(await found(`  ${trigger_id.toUpperCase()}\n`)).toMatchObject({ kind: 'TRIGGER', id: trigger_id });
  });
});

describe('a request id', () => {
  it('finds the change it made', async () => {
    const made = await service.api<Reply<'apiKeyCreate'>>(
      'POST',
      '/api-keys',
      { name: 'by request' },
      { headers: { 'x-request-id': 'req/One:1' } },
    );
    expect(await found('req/One:1')).toMatchObject({
      kind: 'AUDIT_ENTRY',
      name: 'apiKeyCreate',
      matched: 'REQUEST_ID',
      params: { resource_id: made.body.api_key.key_id },
    });
    const unnamed = await service.api('POST', '/api-keys', { name: 'unnamed request' });
    const id = String(unnamed.headers.get('x-request-id'));
    expect(await found(id)).toMatchObject({ kind: 'AUDIT_ENTRY', matched: 'REQUEST_ID' });
  });

  it('finds the gateway call with it in the request or response', async () => {
    const app = await addApp(service, sink.url);
    const connection_id = await connect(service, app, { api_key: 'k' });
    await service.api('GET', `/${app}/things`, undefined, { headers: { 'x-request-id': 'call-77' } });
    await expect.poll(async () => (await lookup('call-77')).length).toBe(1);
    const match = await found('call-77');
    expect(match).toMatchObject({
      kind: 'GATEWAY_CALL',
      name: 'GET /things',
      detail: app,
      matched: 'REQUEST_ID',
      params: { connection_id, call_id: match.id },
    });
    expect(await found(match.id)).toMatchObject({ kind: 'GATEWAY_CALL', matched: 'ID' });

    const closed = await addApp(service, 'http://127.0.0.1:1');
    await connect(service, closed, { api_key: 'k' });
    const refused = await service.api('GET', `/${closed}/things`);
    expect(refused.status).toBe(502);
    const first_id = String(refused.headers.get('x-request-id'));
    await expect.poll(async () => (await lookup(first_id)).length).toBe(1);
    expect(await found(first_id)).toMatchObject({ kind: 'GATEWAY_CALL', detail: closed });
  });

  it('finds the event of a source, or the rejection', async () => {
    const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
    const { trigger_id } = trigger;
    const named = await post(url, '{"n":1}', { 'x-request-id': 'from-the-sender' });
    const [event_id] = named.body['event_ids'] as string[];
    expect(named.headers.get('x-request-id')).toBe('from-the-sender');
    expect(await found('from-the-sender')).toMatchObject({
      kind: 'EVENT',
      matched: 'REQUEST_ID',
      params: { trigger_id, event_id },
    });

    const unnamed = await post(url, '{"n":2}');
    const first_id = String(unnamed.headers.get('x-request-id'));
    expect(await found(first_id)).toMatchObject({
      kind: 'EVENT',
      params: { trigger_id, event_id: (unnamed.body['event_ids'] as string[])[0] },
    });

    const refused = await post(url, 'no JSON');
    expect(refused.status).toBe(400);
    const second_id = String(refused.headers.get('x-request-id'));
    await expect.poll(async () => (await lookup(second_id)).length).toBe(1);
    expect(await found(second_id)).toMatchObject({
      kind: 'REJECTION',
      name: 'NOT_JSON',
      detail: trigger.name,
      params: { trigger_id },
    });
  });
});

describe('an id outside the account', () => {
  it('has the same empty response: unknown, malformed, deleted or of another account', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url }]);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
    const fn = await makeFunction(service, undefined, { name: 'Foreign', visibility: 'PUBLIC' });
    const run = await invoke(service, fn);
    const other = await service.secondAccount();
    const made = await service.api('POST', '/api-keys', { name: 'mine' }, { headers: { 'x-request-id': 'mine-1' } });
    expect(made.status).toBe(200);
    const asked = [
      trigger.trigger_id,
      only(trigger.destinations).destination_id,
      event.event_id,
      only(event.deliveries).delivery_id,
      fn.function_id,
      run.run_id,
      'mine-1',
      newId(),
      'not-an-id',
      'a b',
      '%',
      'x'.repeat(2_000),
      '漢字',
    ];
    for (const id of asked) {
      const { status, body } = await ask(id, other.key);
      expect(status, id).toBe(200);
      expect(body).toEqual({ matches: [] });
    }
    await service.api('DELETE', `/triggers/${trigger.trigger_id}`);
    for (const id of [trigger.trigger_id, event.event_id, only(event.deliveries).delivery_id])
      expect((await ask(id)).body).toEqual({ matches: [] });
  });

  it('is required', async () => {
    for (const query of ['', '?id=', '?id=%20']) {
      const { status, body } = await service.api('GET', `/lookup${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: expect.stringMatching(/^id: expected the ID/) });
    }
  });

  it('can be looked up by a viewer', async () => {
    const owner = await signIn(service);
    const { browser } = await invite(
      owner,
      service,
      { email: 'v@example.com', password: 'only reads things' },
      'VIEWER',
    );
    const { trigger_id } = await makeTrigger(service);
    const answer = await browser.call<Reply<'lookup'>>('GET', `/lookup?id=${trigger_id}`);
    expect(answer.status).toBe(200);
    expect(only(answer.body.matches).kind).toBe('TRIGGER');
  });
});

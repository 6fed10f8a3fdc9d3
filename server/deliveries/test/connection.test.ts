/** Destinations that are connected apps: requests with the credentials of a connection. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect, getConnection, newConnection, submitIn } from '../../connections/test/connecting.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { openVisitor } from '../../test/visitor.ts';
import { attemptsOf, makeEvent, makeTrigger, only, patchDestination, whenAll } from './delivery-support.ts';

const KEY = 'upstream-secret-key-1';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [1, 1, 1, 1, 1] });

type Settings = Partial<Body<'destinationCreate'>>;
type Ending = 'SUCCEEDED' | 'FAILED' | 'RETRYING' | 'SKIPPED';

let paths = 0;
/** A path of the sink that no other test uses. */
const fresh = () => `/app-${++paths}`;

/** An app at this path of the sink, with a connection whose key is KEY. */
async function connected(base = ''): Promise<string> {
  return connect(service, await addApp(service, sink.url + base), { api_key: KEY });
}

async function send(
  url: string,
  settings: Settings = {},
  payload: object = { amount: 7 },
  ending: Ending = 'SUCCEEDED',
) {
  const trigger = await makeTrigger(service, [{ url, ...settings }]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, payload), ending);
  return { trigger, event, delivery: only(event.deliveries), attempts: await attemptsOf(service, event) };
}

describe('a delivery', () => {
  it('is a request to the app with the credentials of the connection, which no record contains', async () => {
    const base = fresh();
    const id = await connected(base);
    const { event, trigger, delivery, attempts } = await send(
      `connection://${id}/v1/{{ payload.list }}?q={{ payload.q }}`,
      {
        method: 'PUT',
        headers: { 'X-Amount': '{{ payload.amount }}', Authorization: 'Bearer my-own-key-123' },
        body_template: '{"text":"{{ payload.text }}","all":{{ payload }}}',
      },
      { list: 'a/b', q: 'x&y', amount: 7, text: 'say "hi"' },
    );
    const request = only(sink.received(`${base}/v1/a%2Fb`));
    expect(request).toMatchObject({
      method: 'PUT',
      path: `${base}/v1/a%2Fb?q=x%26y`,
      headers: { authorization: `Bearer ${KEY}`, 'x-amount': '7', 'content-type': 'application/json' },
    });
    expect(JSON.parse(request.body)).toMatchObject({ text: 'say "hi"', all: { list: 'a/b' } });
    expect(Object.keys(request.headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    const attempt = only(attempts);
    expect(attempt.request).toMatchObject({
      method: 'PUT',
      url: `connection://${id}/v1/a%2Fb?q=x%26y`,
      body: request.body,
    });
    expect(attempt.response?.status).toBe(200);
    expect(delivery).toMatchObject({ destination_name: expect.stringMatching(/^App \d+$/), status: 'SUCCEEDED' });
    expect(only(trigger.destinations).url).toBe(`connection://${id}/v1/{{ payload.list }}?q={{ payload.q }}`);
    const exported = await service.api('GET', `/events:export?trigger_id=${event.trigger_id}`);
    for (const text of [JSON.stringify([event, attempts, exported.body]), service.logged()])
      expect(text).not.toContain(KEY);
    await expect
      .poll(async () => (await service.api<Reply<'connectionCallList'>>('GET', `/connections/${id}/calls`)).body.calls)
      .toMatchObject([{ method: 'PUT', path: '/v1/a%2Fb', status: 200 }]);
  });

  it('masks credentials that the app returns', async () => {
    const base = fresh();
    sink.answer(`${base}/echo`, (response, { headers }) => {
      response.setHeader('X-Echo', String(headers.authorization));
      response.end(JSON.stringify({ sent: headers.authorization, key: KEY }));
    });
    const { attempts } = await send(`connection://${await connected(base)}/echo`);
    const { response } = only(attempts);
    expect(response?.headers['x-echo']).toMatch(/…|•|\*/);
    expect(response?.body).toContain('"sent":');
    expect(JSON.stringify(attempts)).not.toContain(KEY);
  });

  it('with the name of the connection names the destination', async () => {
    const id = await connected(fresh());
    await service.api('PATCH', `/connections/${id}`, { name: 'Acme' });
    const trigger = await makeTrigger(service, [{ url: `connection://${id}/x` }]);
    expect(only(trigger.destinations).name).toMatch(/^App \d+ · Acme$/);
  });

  it('fails and is retried by the schedule, and a replay sends it again', async () => {
    const base = fresh();
    sink.answer(`${base}/in`, { status: 500 });
    const id = await connected(base);
    const { event, trigger } = await send(`connection://${id}/in`, { retry_schedule: [] }, { n: 1 }, 'FAILED');
    sink.answer(`${base}/in`, { status: 200 });
    await patchDestination(service, trigger.trigger_id, only(trigger.destinations).destination_id, {
      url: `connection://${id}/later`,
    });
    const path = `/triggers/${trigger.trigger_id}/events/${event.event_id}:replay`;
    expect((await service.api('POST', path, {})).status).toBe(200);
    await whenAll(service, event, 'SUCCEEDED');
    expect(sink.received(`${base}/in`)).toHaveLength(1);
    expect(JSON.parse(only(sink.received(`${base}/later`)).body)).toMatchObject({ data: { n: 1 } });
  });

  it('fails if a 2xx response contains what the app defines as an error', async () => {
    const base = fresh();
    const app = await addApp(service, sink.url + base);
    const gateway = { failure: { path: 'ok', success: true, error: 'error' } };
    expect((await service.api('PATCH', `/apps/${app}`, { gateway })).status).toBe(200);
    const id = await connect(service, app, { api_key: KEY });
    sink.answer(`${base}/x`, { body: '{"ok":false,"error":"channel_not_found"}' });
    const { delivery } = await send(`connection://${id}/x`, { retry_schedule: [] }, {}, 'FAILED');
    expect(delivery).toMatchObject({
      reason: 'APP_ERROR',
      last_response_status: 200,
      last_error_message: 'It returned 200 with the error channel_not_found.',
    });
    // An app may repeat the credentials in its error.
    sink.answer(`${base}/x`, { body: JSON.stringify({ ok: false, error: `bad token ${KEY}` }) });
    const repeated = await send(`connection://${id}/x`, { retry_schedule: [] }, {}, 'FAILED');
    expect(repeated.delivery.last_error_message).toMatch(/^It returned 200 with the error bad token /);
    expect(JSON.stringify([repeated.delivery, repeated.attempts])).not.toContain(KEY);
    for (const body of ['{"ok":true}', '{}', 'ok', '', '[1]', '{"ok":true,"error":"x"}']) {
      sink.answer(`${base}/x`, { body });
      await send(`connection://${id}/x`, { retry_schedule: [] });
    }
  });

  it('is made by a function, below the path of its URL and with the credentials of the connection', async () => {
    const base = fresh();
    const id = await connected(base);
    const fn = await makeFunction(
      service,
      `export default (call: { body: string }) => {
        const { data, request } = JSON.parse(call.body);
        if (data.skip) return null;
        return {
          method: 'PUT', path: data.path ?? request.path + '/' + data.id + '?all=1',
          headers: { authorization: 'Bearer chosen-by-the-function', 'x-kind': 'made' }, body: { seen: request },
        };
      };`,
    );
    const settings = { retry_schedule: [], transform: { function_id: fn.function_id } };
    const url = `connection://${id}/v1/rows`;
    const { attempts } = await send(url, settings, { id: 7 });
    const request = only(sink.received(`${base}/v1/rows/7`));
    expect(request).toMatchObject({
      method: 'PUT',
      path: `${base}/v1/rows/7?all=1`,
      headers: { authorization: `Bearer ${KEY}`, 'x-kind': 'made', 'content-type': 'application/json' },
    });
    expect(JSON.parse(request.body)).toMatchObject({ seen: { method: 'POST', path: '/v1/rows' } });
    expect(request.body).not.toContain(KEY);
    expect(only(attempts)).toMatchObject({
      request: { method: 'PUT', url: `${url}/7?all=1` },
      transform: { function_id: fn.function_id, version: 1 },
    });
    expect((await send(url, settings, { skip: true }, 'SKIPPED')).delivery.reason).toBe('TRANSFORM_SKIPPED');
    const refused = await send(url, settings, { path: '/v1/other' }, 'FAILED');
    expect(only(refused.attempts).error_message).toContain('path: expected /v1/rows, or a path below it');
    expect(sink.received(`${base}/v1/other`)).toEqual([]);
  });

  it('of 1 MB, with arrays and objects, arrives unchanged', async () => {
    const base = fresh();
    const url = `connection://${await connected(base)}/big`;
    const body_template = '{"text":"{{ payload.text }}","list":{{ payload.list }},"in":"{{ payload.list }}"}';
    const { ingress } = await makeTrigger(service, [{ url, body_template }], {
      source: 'webhook',
      event_type: 'webhook.received',
      parameters: { verification: 'none' },
    });
    const payload = { text: 'é"\\'.repeat(165_000), list: [1, { a: null }] };
    const answer = await fetch(ingress?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => sink.received(`${base}/big`).length).toBe(1);
    expect(JSON.parse(only(sink.received(`${base}/big`)).body)).toEqual({ ...payload, in: '[1,{"a":null}]' });
  });
});

describe('a template', () => {
  it.each<[name: string, rest: string, settings: Settings, payload: object, message: string]>([
    ['a line break in a header', '/a', { headers: { 'X-A': 'x{{ payload.v }}' } }, { v: 'a\r\nX-B: 1' }, 'line break'],
    ['dots in the path', '/a/{{ payload.v }}/b', {}, { v: '..' }, 'segment . or ..'],
    ['a missing value in the path', '/a/{{ payload.none }}', {}, {}, 'needs payload.none'],
    ['a required value', '/a', { body_template: '{"a":{{ payload.x.y | required }}}' }, {}, 'requires payload.x.y'],
  ])('sends nothing for %s', async (_name, rest, settings, payload, message) => {
    const base = fresh();
    const id = await connected(base);
    const { delivery } = await send(`connection://${id}${rest}`, settings, payload, 'FAILED');
    expect(delivery).toMatchObject({ reason: 'TEMPLATE_ERROR', attempts: 1 });
    expect(delivery.last_error_message).toContain(message);
    expect(sink.received(`${base}/a`)).toEqual([]);
  });

  it.each<[name: string, rest: string, payload: object, path: string]>([
    ['a host', '/{{ payload.v }}', { v: '//evil.example/' }, '/%2F%2Fevil.example%2F'],
    ['a user and host', '/{{ payload.v }}', { v: '@evil.example' }, '/%40evil.example'],
    ['a line break', '/{{ payload.v }}', { v: 'a\r\nHost: evil.example' }, '/a%0D%0AHost%3A%20evil.example'],
    ['an encoded dot', '/{{ payload.v }}/b', { v: '%2e%2e' }, '/%252e%252e/b'],
    ['a backslash', '/{{ payload.v }}', { v: '..\\x' }, '/..%5Cx'],
    ['a default', '/{{ payload.none | default:all }}', {}, '/all'],
    ['two slashes', '//evil.example/{{ payload.v }}', { v: 'x' }, '//evil.example/x'],
  ])('never leaves the host of the app: %s', async (_name, rest, payload, path) => {
    const base = fresh();
    await send(`connection://${await connected(base)}${rest}`, {}, payload);
    expect(only(sink.received(base + path)).headers.host).toBe(new URL(sink.url).host);
  });

  it.each<[url: string, message: string]>([
    ['connection://{{ payload.id }}/x', 'expected placeholders in the path and the query only'],
    ['connection://ID/../{{ payload.id }}', 'expected no segments . or ..'],
    ['connection://ID/{{ payload id }}', 'expected a name such as payload.a.b'],
    ['connection://ID/x#y', 'expected a URL without a # fragment'],
    ['connection://user@ID/x', 'expected a URL without user name or password'],
    ['connection://slack/x', 'no connection of this account has the ID slack'],
    ['connection:ID', 'no connection of this account has the ID'],
    [`connection://${newId()}/x`, 'no connection of this account has the ID'],
  ])('is rejected: %s', async (url, message) => {
    const given = url.replace('ID', await connected());
    const { status, body } = await service.api<{ message: string }>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: given }],
    });
    expect([status, body.message]).toEqual([400, expect.stringContaining('destinations.0.url: ')]);
    expect(body.message).toContain(message);
  });
});

describe('who may send with a connection', () => {
  it('is the account of the connection', async () => {
    const id = await connected();
    const { key } = await service.secondAccount();
    const body = {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `connection://${id}/x` }],
    };
    const answer = await service.api('POST', '/triggers', body, { key });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: `destinations.0.url: no connection of this account has the ID ${id}` },
    });
  });

  it('is no key without the scope gateway:call', async () => {
    const id = await connected(fresh());
    const { trigger_id, destinations } = await makeTrigger(service, [{ url: `connection://${id}/x` }]);
    const { body } = await service.api<{ key: string }>('POST', '/api-keys', {
      name: 'Triggers only',
      access: 'LIMITED',
      scopes: ['triggers:read', 'triggers:write'],
    });
    const path = `/triggers/${trigger_id}/destinations`;
    const own = `${path}/${only(destinations).destination_id}`;
    const call = { key: body.key };
    expect(await service.api('POST', path, { url: `connection://${id}/y` }, call)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('gateway:call') },
    });
    for (const changes of [
      { method: 'DELETE' },
      { body_template: '{}' },
      { headers: { a: 'b' } },
      { url: `connection://${id}/y` },
      { transform: { function_id: (await makeFunction(service, 'export default () => ({});')).function_id } },
      { transform: null },
    ])
      expect((await service.api('PATCH', own, changes, call)).status).toBe(403);
    expect((await service.api('PATCH', own, { name: 'Other', paused: true }, call)).status).toBe(200);
    expect((await service.api('POST', path, { url: sink.url }, call)).status).toBe(200);
  });
});

describe('a connection that cannot be used', () => {
  it('fails the attempt in words, with its page, and a retry sends once it is connected again', async () => {
    const base = fresh();
    const id = await connected(base);
    // More retries than are made until it is connected again.
    const retry_schedule = Array(20).fill(1);
    const trigger = await makeTrigger(service, [{ url: `connection://${id}/x`, retry_schedule }]);
    await service.api('POST', '/connections:bulk', { action: 'DISCONNECT', connection_ids: [id] });
    const event = await makeEvent(service, trigger.trigger_id);
    await expect
      .poll(async () => only((await whenAll(service, event, 'RETRYING')).deliveries).reason)
      .toBe('CONNECTION_FAILED');
    const [attempt] = await attemptsOf(service, event);
    expect(attempt).toMatchObject({ response: null, reason: 'CONNECTION_FAILED' });
    expect(attempt?.error_message).toMatch(
      new RegExp(`^App \\d+: It is FAILED\\. An admin disconnected it: .* See http.*/connections/${id}$`),
    );
    await service.api('POST', `/connections/${id}:reconnect`);
    const { url } = await getConnection(service, id);
    await submitIn(openVisitor(), url, 'API_KEY', { api_key: 'another-secret-key' });
    await whenAll(service, event, 'SUCCEEDED');
    expect(only(sink.received(`${base}/x`)).headers.authorization).toBe('Bearer another-secret-key');
  });

  it('was never completed', async () => {
    const id = await newConnection(service, await addApp(service, sink.url));
    const { delivery } = await send(`connection://${id}/x`, { retry_schedule: [] }, {}, 'FAILED');
    expect(delivery).toMatchObject({
      reason: 'CONNECTION_FAILED',
      last_error_message: expect.stringContaining('It is PENDING.'),
    });
  });

  it('was deleted', async () => {
    const id = await connected();
    const trigger = await makeTrigger(service, [{ url: `connection://${id}/x`, retry_schedule: [] }]);
    await service.api('DELETE', `/connections/${id}`);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({
      reason: 'CONNECTION_DELETED',
      last_error_message: expect.stringContaining('Choose another one for this destination.'),
    });
    // Its other settings can still be changed.
    await patchDestination(service, trigger.trigger_id, only(trigger.destinations).destination_id, { name: 'Old' });
  });
});

it('the diagnosis names a connection that is not ACTIVE, and the host of one that is', async () => {
  const id = await connected('/bot-secret-path');
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: `connection://${id}/x/{{ event_id }}` }]);
  const path = `/triggers/${trigger_id}/destinations/${only(destinations).destination_id}:doctor`;
  const steps = async () => (await service.api<Reply<'destinationDoctor'>>('POST', path)).body.steps;
  const found = await steps();
  expect(found[0]).toMatchObject({
    step: 'ADDRESS',
    ok: true,
    detail: `The connection is ACTIVE. Requests are sent to ${sink.url}.`,
  });
  expect(found.at(-1)).toMatchObject({ step: 'ANSWER', ok: true });
  expect(JSON.stringify(found)).not.toContain('bot-secret-path');
  await service.api('POST', '/connections:bulk', { action: 'DISCONNECT', connection_ids: [id] });
  expect(await steps()).toMatchObject([
    { step: 'ADDRESS', ok: false, detail: expect.stringContaining('It is FAILED.') },
  ]);
});

it('the example of docs/reference/deliveries.md works', async () => {
  const page = readFileSync('docs/reference/deliveries.md', 'utf8');
  const [, example = ''] = /## Deliver to a connected app[\s\S]*? -d '\n(\{[\s\S]*?\n\})'\n/.exec(page) ?? [];
  const base = fresh();
  const id = await connected(base);
  const { url, ...settings } = JSON.parse(example.replace("'$CONNECTION_ID'", id)) as {
    url: string;
    body_template: string;
  };
  await send(url, settings, { text: 'a "new" <order>' });
  expect(JSON.parse(only(sink.received(`${base}/api/chat.postMessage`)).body)).toEqual({
    channel: 'C012AB3CD',
    text: 'a "new" &lt;order&gt;',
  });
});

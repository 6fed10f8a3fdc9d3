/** Functions that turn events into the requests of a destination: what is sent, recorded, retried and replayed. */
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { type HostedFunction, makeFunction, saidIn } from '../../functions/test/functions-support.ts';
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
const service = serviceForAll({
  env: { SLUICE_SMTP_HOST: 'localhost', SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>' },
  retryScheduleSeconds: [],
});

let path = '';
let count = 0;
beforeEach(() => {
  path = `/transforms-${++count}`;
});

/** A function whose handler has this body; `event` is the event with its request. */
const transforming = (code: string, name = 'Shape') =>
  makeFunction(
    service,
    `export default async (call: { body: string }) => { const event = JSON.parse(call.body); ${code} };`,
    {
      name,
    },
  );
const deploy = async (fn: HostedFunction, code: string) => {
  const files = { 'index.ts': `export default async (call) => { const event = JSON.parse(call.body); ${code} };` };
  const { status } = await service.api('POST', `/functions/${fn.function_id}/versions`, { files });
  expect(status).toBe(200);
};
async function transformed(fn: HostedFunction, more: Partial<Body<'destinationCreate'>> = {}) {
  const { trigger_id } = await makeTrigger(service);
  const transform = { function_id: fn.function_id };
  const destination = await addDestination(service, trigger_id, { url: sink.url + path, transform, ...more });
  return { trigger_id, destination };
}
const runOf = async (fn: HostedFunction, run_id: string | null | undefined) => {
  const path = `/functions/${fn.function_id}/runs/${run_id}`;
  await expect.poll(async () => (await service.api('GET', path)).status).toBe(200);
  return (await service.api<Reply<'runGet'>>('GET', path)).body;
};
const replay = (event: { trigger_id: string; event_id: string }, body: object = {}) =>
  service.api('POST', `/triggers/${event.trigger_id}/events/${event.event_id}:replay`, body);

describe('a transformed request', () => {
  it('has the method, path, headers and body of the function, and a signature over the new body', async () => {
    const fn = await transforming(`
      console.log('for', event.event_id);
      return {
        method: 'PUT',
        path: event.request.path + '/customers/' + event.data.id + '?type=' + event.type,
        headers: { 'X-Tenant': 'acme', 'x-own': null, Authorization: 'Bearer made-by-code' },
        body: { id: event.data.id, was: event.request.method },
      };`);
    const { trigger_id, destination } = await transformed(fn, { headers: { 'x-own': 'one', 'x-kept': 'two' } });
    expect(destination.transform).toEqual({ function_id: fn.function_id, version: null });
    const event = await makeEvent(service, trigger_id, { id: 7 });
    const done = await whenAll(service, event, 'SUCCEEDED');
    const sent = only(sink.received(`${path}/customers/7`));
    expect(sent).toMatchObject({ method: 'PUT', path: `${path}/customers/7?type=schedule.elapsed` });
    expect(sent.headers).toMatchObject({
      'x-tenant': 'acme',
      'x-kept': 'two',
      authorization: 'Bearer made-by-code',
      'content-type': 'application/json',
    });
    expect(sent.headers).not.toHaveProperty('x-own');
    const headers = sent.headers as Record<string, string>;
    expect(new Webhook(destination.signing_secret).verify(sent.body, headers)).toEqual({ id: 7, was: 'POST' });

    const attempt = only(await attemptsOf(service, event));
    expect(attempt.transform).toEqual({
      function_id: fn.function_id,
      function_name: 'Shape',
      version: 1,
      run_id: expect.any(String),
    });
    expect(attempt.request).toMatchObject({
      method: 'PUT',
      url: `${sink.url}${path}/customers/7?type=schedule.elapsed`,
      body: '{"id":7,"was":"POST"}',
    });
    expect(attempt.request.headers['authorization']).not.toContain('made-by-code');
    expect(attempt.request.headers['x-tenant']).toBe('acme');
    const run = await runOf(fn, attempt.transform?.run_id);
    const { delivery_id } = only(done.deliveries);
    expect(run).toMatchObject({
      caller: 'TRANSFORM',
      cause: { trigger_id, event_id: event.event_id, delivery_id, attempt: 1 },
    });
    expect(await saidIn(service, run)).toEqual([['info', `for ${event.event_id}`]]);
  });

  it('stays as it is where the function returns nothing for it', async () => {
    const fn = await transforming('return {};');
    const { trigger_id } = await transformed(fn, { body_template: '{"n": {{ payload.n }}}' });
    await whenAll(service, await makeEvent(service, trigger_id, { n: 1 }), 'SUCCEEDED');
    expect(only(sink.received(path))).toMatchObject({ method: 'POST', body: '{"n": 1}' });
  });

  it('gets the rendered body template, and masks of the headers of the destination', async () => {
    const fn = await transforming('return { body: event, headers: event.request.headers };');
    const { trigger_id } = await transformed(fn, {
      body_template: '{"n": {{ payload.n }}}',
      headers: { 'X-Key': 'a-secret-value' },
    });
    await whenAll(service, await makeEvent(service, trigger_id, { n: 2 }), 'SUCCEEDED');
    const { body, headers } = only(sink.received(path));
    expect(JSON.parse(body)).toMatchObject({ data: { n: 2 }, request: { body: '{"n": 2}', path } });
    expect(body).not.toContain('a-secret-value');
    expect(headers['x-key']).toBe('a-secret-value');
  });

  it('may have text, bytes or no body', async () => {
    const fn = await transforming(`return event.data;`);
    const { trigger_id } = await transformed(fn);
    const answers = [
      { body: 'plain', headers: { 'content-type': 'text/plain' } },
      { body: Buffer.from([0, 200, 255]).toString('base64'), is_base64_encoded: true },
      { body: null },
      { method: 'GET' },
      { body: [1, 'two', 12345678901] },
    ];
    for (const answer of answers) await whenAll(service, await makeEvent(service, trigger_id, answer), 'SUCCEEDED');
    const sent = sink.received(path);
    expect(sent.map(({ method, headers }) => [method, headers['content-type'], headers['content-length']])).toEqual([
      ['POST', 'text/plain', '5'],
      ['POST', 'application/octet-stream', '3'],
      ['POST', 'application/json', '0'],
      ['GET', 'application/json', undefined],
      ['POST', 'application/json', '21'],
    ]);
  });

  it('is made for a function as a destination too', async () => {
    const echo = await makeFunction(service, 'export default async (call) => call.method + call.path + call.body;');
    const fn = await transforming(`return { method: 'PUT', path: '/to', body: { n: event.data.n } };`);
    const { trigger_id } = await transformed(fn, { url: echo.url });
    const done = await whenAll(service, await makeEvent(service, trigger_id, { n: 3 }), 'SUCCEEDED');
    expect(only(done.deliveries).last_response_body).toBe('"PUT/to{\\"n\\":3}"');
  });

  it('is made by a Python function', async () => {
    const code = [
      'import json',
      'def handler(call, context):',
      '    event = json.loads(call["body"])',
      '    return {"path": event["request"]["path"] + "/py", "body": {"n": event["data"]["n"] + 1}}',
    ].join('\n');
    const fn = await makeFunction(service, { 'main.py': code }, { runtime: 'python3.12' });
    const { trigger_id } = await transformed(fn);
    await whenAll(service, await makeEvent(service, trigger_id, { n: 4 }), 'SUCCEEDED');
    expect(only(sink.received(`${path}/py`)).body).toBe('{"n":5}');
  });
});

describe('the example of docs/reference/deliveries.md', () => {
  it('updates customers and skips drafts', async () => {
    const page = readFileSync('docs/reference/deliveries.md', 'utf8');
    const code = page.slice(page.indexOf('## Transform events')).match(/```ts\n(.+?)```/s)?.[1] ?? '';
    const { trigger_id } = await transformed(await makeFunction(service, code));
    const paid = { state: 'paid', customer: 'cust_7', total: 12.5 };
    await whenAll(service, await makeEvent(service, trigger_id, { state: 'draft' }), 'SKIPPED');
    await whenAll(service, await makeEvent(service, trigger_id, paid), 'SUCCEEDED');
    const sent = only(sink.received(`${path}/customers/cust_7`));
    expect(sent).toMatchObject({ method: 'PUT', body: '{"total":12.5}', headers: { 'x-event': 'schedule.elapsed' } });
  });
});

describe('null', () => {
  it('ends the delivery as skipped, with the run linked, and can be filtered', async () => {
    const fn = await transforming('return event.data.skip ? null : {};');
    const { trigger_id } = await transformed(fn);
    const event = await makeEvent(service, trigger_id, { skip: true });
    const { last_run_id, ...delivery } = only((await whenAll(service, event, 'SKIPPED')).deliveries);
    expect(delivery).toMatchObject({ reason: 'TRANSFORM_SKIPPED', attempts: 0, last_function_id: fn.function_id });
    expect(await runOf(fn, last_run_id)).toMatchObject({ caller: 'TRANSFORM', response: { body: null } });
    expect(await attemptsOf(service, event)).toEqual([]);
    expect(sink.received(path)).toEqual([]);
    await whenAll(service, await makeEvent(service, trigger_id, { skip: false }), 'SUCCEEDED');
    const found = await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events?status=SKIPPED`);
    expect(found.body.events.map(({ event_id }) => event_id)).toEqual([event.event_id]);
    const reasoned = await service.api<Reply<'eventList'>>(
      'GET',
      `/triggers/${trigger_id}/events?reason=TRANSFORM_SKIPPED`,
    );
    expect(reasoned.body.events.map(({ event_id }) => event_id)).toEqual([event.event_id]);
    for (const query of ['reason=FILTERED', 'reason=TRANSFORM_SKIPPED&status=SUCCEEDED'])
      expect((await service.api('GET', `/triggers/${trigger_id}/events?${query}`)).body).toMatchObject({ events: [] });
    const wrong = await service.api<{ message: string }>('GET', '/events?reason=CIRCUIT_OPEN');
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('reason: ')]);
  });
});

describe('a failure', () => {
  it.each([
    ['throws', `throw new TypeError('no such customer');`, 'TypeError: no such customer'],
    ['loops', 'for (;;);', 'took longer than 1 s'],
    ['is slow', 'await new Promise((done) => setTimeout(done, 60_000));', 'took longer than 1 s'],
    ['returns text', `return 'hello';`, 'expected an object or null, got text'],
    ['returns no JSON', `return { status: 200, body: 'hello' };`, 'expected JSON'],
    ['returns a status', `return { status: 418, body: {} };`, 'The function returned the status 418.'],
    ['returns much', `return { body: 'x'.repeat(3_000_000) };`, /more than 2097152 bytes|longer than 1 s/],
    ['misspells', `return { headres: {} };`, 'headres: expected one of method, path'],
    ['leaves the URL', `return { path: '/elsewhere' };`, 'or a path below it'],
    ['sets a signature', `return { headers: { 'webhook-signature': 'v1,x' } };`, 'set by the service'],
  ])('of a function that %s is an attempt with its run, and nothing is sent', async (_, code, message) => {
    const fn = await transforming(code);
    const { trigger_id } = await transformed(fn);
    const event = await makeEvent(service, trigger_id, {});
    const done = await whenAll(service, event, 'FAILED');
    expect(only(done.deliveries)).toMatchObject({ reason: 'TRANSFORM_ERROR', attempts: 1 });
    const attempt = only(await attemptsOf(service, event));
    expect(attempt).toMatchObject({ reason: 'TRANSFORM_ERROR', response: null, transform: { version: 1 } });
    expect(attempt.error_message).toMatch(message);
    expect(await runOf(fn, attempt.transform?.run_id)).toMatchObject({ caller: 'TRANSFORM' });
    expect(sink.received(path)).toEqual([]);
  });

  it('is retried, and a fix that is deployed meanwhile delivers', async () => {
    const fn = await transforming(`return 'wrong';`);
    // More retries than are made until the fix is deployed.
    const { trigger_id } = await transformed(fn, { retry_schedule: Array(20).fill(1) });
    const event = await makeEvent(service, trigger_id, { n: 1 });
    await whenAll(service, event, 'RETRYING');
    await deploy(fn, 'return { body: { fixed: event.data.n } };');
    await whenAll(service, event, 'SUCCEEDED');
    const attempts = await attemptsOf(service, event);
    expect([attempts.at(0)?.transform?.version, attempts.at(-1)?.transform?.version]).toEqual([1, 2]);
    expect(only(sink.received(path)).body).toBe('{"fixed":1}');
  });

  it('does not count against the receiver', async () => {
    const fn = await transforming(`throw new Error('broken');`);
    const { trigger_id, destination } = await transformed(fn);
    for (let n = 0; n < 7; n++) await whenAll(service, await makeEvent(service, trigger_id, { n }), 'FAILED');
    const at = `/triggers/${trigger_id}/destinations/${destination.destination_id}`;
    const { body } = await service.api<Reply<'destinationGet'>>('GET', at);
    expect(body.destination).toMatchObject({ failing_since: null, queue: { held: 0, health: 'HEALTHY' } });
  });

  it('of a deleted function names it', async () => {
    const fn = await transforming('return {};');
    const { trigger_id, destination } = await transformed(fn);
    const uses = await service.api<Reply<'functionUses'>>('GET', `/functions/${fn.function_id}/uses`);
    const { destination_id, name } = destination;
    expect(uses.body.destinations).toMatchObject([{ destination_id, name, transforms: true }]);
    await service.api('DELETE', `/functions/${fn.function_id}`);
    const event = await makeEvent(service, trigger_id, {});
    await whenAll(service, event, 'FAILED');
    expect(only(await attemptsOf(service, event))).toMatchObject({
      error_message: 'The function was deleted.',
      transform: { function_id: fn.function_id, function_name: null, version: null, run_id: null },
    });
    await patchDestination(service, trigger_id, destination_id, { transform: null });
    await replay(event);
    await whenAll(service, event, 'SUCCEEDED');
    expect((await attemptsOf(service, event)).at(-1)?.transform).toBeNull();
  });
});

describe('versions', () => {
  it('are live or chosen, and a replay uses that of now or of then', async () => {
    const fn = await transforming('return { body: { v: 1 } };');
    const { trigger_id, destination } = await transformed(fn);
    const event = await makeEvent(service, trigger_id, {});
    await whenAll(service, event, 'SUCCEEDED');
    await deploy(fn, 'return { body: { v: 2 } };');
    const bodies = () => sink.received(path).map(({ body }) => JSON.parse(body).v);
    await replay(event, { transform: 'THEN' });
    await expect.poll(bodies).toEqual([1, 1]);
    await whenAll(service, event, 'SUCCEEDED');
    await replay(event);
    await expect.poll(bodies).toEqual([1, 1, 2]);
    await whenAll(service, event, 'SUCCEEDED');
    await patchDestination(service, trigger_id, destination.destination_id, {
      transform: { function_id: fn.function_id, version: 1 },
    });
    await replay(event, { transform: 'NOW' });
    await expect.poll(bodies).toEqual([1, 1, 2, 1]);
    await whenAll(service, event, 'SUCCEEDED');
    await patchDestination(service, trigger_id, destination.destination_id, { transform: null });
    await replay(event, { transform: 'THEN' });
    await expect.poll(bodies).toEqual([1, 1, 2, 1, 1]);
    const versions = async () => (await attemptsOf(service, event)).map(({ transform }) => transform?.version);
    await expect.poll(versions).toEqual([1, 1, 2, 1, 1]);
  });

  it('are those of then in a bulk replay and its retries, and a dry run shows the request', async () => {
    const fn = await transforming('return { body: { v: 1 } };');
    const { trigger_id, destination } = await transformed(fn);
    const event = await makeEvent(service, trigger_id, {});
    await whenAll(service, event, 'SUCCEEDED');
    await deploy(fn, 'return { body: { v: 2 } };');
    const ask = (body: Body<'replayCreate'>) => service.api<Reply<'replayCreate'>>('POST', '/events:replay', body);
    const wish = { filter: { trigger_id }, transform: 'THEN' as const };
    const next = async (body: Body<'replayCreate'>) =>
      only((await ask({ ...body, dry_run: true })).body.dry_run?.items ?? []).next?.body;
    expect(await next(wish)).toBe('{"v":1}');
    expect(await next({ filter: { trigger_id } })).toBe('{"v":2}');
    await patchDestination(service, trigger_id, destination.destination_id, { retry_schedule: [1] });
    // The attempt of the replay fails, and its retry succeeds.
    sink.answer(path, (response) => response.writeHead(sink.received(path).length === 2 ? 500 : 200).end());
    expect((await ask(wish)).body.replay).toMatchObject({ transform: 'THEN' });
    await expect.poll(() => sink.received(path).length).toBe(3);
    await whenAll(service, event, 'SUCCEEDED');
    expect(sink.received(path).map(({ body }) => body)).toEqual(['{"v":1}', '{"v":1}', '{"v":1}']);
  });
});

describe('the setting', () => {
  it('must be a function of the account with that version, and the destination a URL', async () => {
    const fn = await transforming('return {};');
    const { trigger_id, destination } = await transformed(fn);
    const at = `/triggers/${trigger_id}/destinations`;
    const { function_id } = fn;
    const refused = async (method: 'POST' | 'PATCH', to: string, body: object) =>
      (await service.api<{ message: string }>(method, to, body)).body.message;
    const other = '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac';
    const one = `${at}/${destination.destination_id}`;
    expect(await refused('PATCH', one, { transform: { function_id: other } })).toMatch(/^transform\.function_id: /);
    expect(await refused('PATCH', one, { transform: { function_id, version: 2 } })).toMatch(/^transform\.version: /);
    expect(await refused('PATCH', one, { transform: { function_id, version: 0 } })).toMatch(/^transform\.version: /);
    expect(await refused('PATCH', one, { url: 'mailto:ops@example.com' })).toMatch(/^transform: /);
    const mail = { url: 'mailto:ops@example.com', transform: { function_id } };
    expect(await refused('POST', at, mail)).toMatch(/^transform: /);
    const made = { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } };
    const nested = { ...made, destinations: [{ url: sink.url, transform: { function_id: other } }] };
    expect(await refused('POST', '/triggers', nested)).toMatch(/^destinations\.0\.transform\.function_id: /);
    expect((await readEvent(service, await makeEvent(service, trigger_id, {}))).deliveries).toHaveLength(1);
  });

  it('is used by a test request, whose run is a test', async () => {
    const fn = await transforming('return { body: { tried: true } };');
    const { trigger_id, destination } = await transformed(fn);
    const at = `/triggers/${trigger_id}/destinations/${destination.destination_id}:test`;
    const { result } = (await service.api<Reply<'destinationTest'>>('POST', at)).body;
    expect(result).toMatchObject({ ok: true, request: { body: '{"tried":true}' }, transform: { version: 1 } });
    expect(await runOf(fn, result.transform?.run_id)).toMatchObject({ caller: 'TEST', cause: null });
  });
});

/** Almost valid requests: each gets a 400 or 404 with the reason, never a 500 and never another result. */
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import { HELLO, makeFunction } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';

const sink = sinkForAll();
const service = serviceForAll();
const fn = forAll(() => makeFunction(service));
let app: string;
let connection_id: string;
beforeAll(async () => {
  app = await addApp(service, sink.url);
  connection_id = await connect(service, app, { api_key: 'secret-of-the-app' });
});

type Refused = { message: string; type: string; code: number };
const refused = (message: RegExp, code = 400) => ({
  status: code,
  body: { code, message: expect.stringMatching(message) },
});

describe('a number outside the range of its column', () => {
  it.each([2_147_483_648, 9_007_199_254_740_991, 1e300])('is rejected as a version: %s', async (version) => {
    const at = `/functions/${fn.function_id}`;
    for (const [method, path, body] of [
      ['PATCH', at, { version }],
      ['POST', `${at}:invoke`, { version }],
      ['POST', `${at}:copy`, { name: 'a copy', version }],
      ['POST', `${at}/versions`, { files: { 'index.ts': HELLO }, replaces: version }],
    ] as const)
      expect(await service.api<Refused>(method, path, body), `${method} ${path}`).toMatchObject(
        refused(/^(version|replaces): expected/),
      );
  });
});

describe('a time outside the supported range', () => {
  const lists = () => [
    [`/connections/${connection_id}/calls`, 'since'],
    [`/connections/${connection_id}/calls`, 'until'],
    ['/runs', 'since'],
    ['/runs', 'until'],
    ['/events', 'received_after'],
    ['/audit', 'since'],
    ['/audit', 'until'],
  ];
  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
  ])('is refused by every list: %s', async (time) => {
    for (const [at, name] of lists()) {
      const answer = await service.api<Refused>('GET', `${at}?${name}=${encodeURIComponent(time)}`);
      expect(answer, `${at} ${name}`).toMatchObject(refused(new RegExp(`^${name}: expected a time from 1970 to 9999`)));
    }
    const replay = await service.api('POST', '/events:replay', { filter: { received_after: time }, dry_run: true });
    expect(replay).toMatchObject(refused(/^filter\.received_after: expected a time/));
  });

  it('does not include the first and the last time of the range', async () => {
    for (const time of ['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'])
      for (const [at, name] of lists())
        expect((await service.api('GET', `${at}?${name}=${time}`)).status, at).toBe(200);
  });
});

describe('text with a NUL or lone surrogates', () => {
  const LONE = 'x\ud800y';
  const kept = /^[\w.-]+: expected text without lone surrogates$/;

  it('is rejected in every stored field, with the name of the field', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url }]);
    const destination = `/triggers/${trigger.trigger_id}/destinations`;
    const one = `${destination}/${only(trigger.destinations).destination_id}`;
    const hook = { source: 'webhook', event_type: 'webhook.received', parameters: { verification: 'none' } };
    const custom = { name: 'App', base_url: sink.url, methods: [{ method: 'API_KEY' }] };
    for (const [method, path, body, field] of [
      ['POST', '/triggers', { ...hook, name: LONE }, 'name'],
      ['POST', '/triggers', { ...hook, description: LONE }, 'description'],
      ['POST', '/triggers', { ...hook, parameters: { verification: LONE } }, 'parameters.verification'],
      ['POST', '/triggers', { ...hook, filter: { a: LONE } }, 'filter.a'],
      ['POST', '/triggers', { ...hook, destinations: [{ url: sink.url, name: LONE }] }, 'destinations.0.name'],
      ['PATCH', `/triggers/${trigger.trigger_id}`, { description: LONE }, 'description'],
      ['POST', destination, { url: sink.url, body_template: `"${LONE}"` }, 'body_template'],
      ['PATCH', one, { name: LONE }, 'name'],
      ['PATCH', one, { url: `${sink.url}/${LONE}` }, 'url'],
      ['POST', '/connections', { app, name: LONE }, 'name'],
      ['POST', '/connections', { app, metadata: { a: [LONE] } }, 'metadata.a.0'],
      ['POST', '/connections', { app, metadata: { [LONE]: 1 } }, 'metadata'],
      ['PATCH', `/connections/${connection_id}`, { name: LONE }, 'name'],
      ['POST', `/connections/${connection_id}:request`, { method: 'POST', path: '/', body: LONE }, 'body'],
      ['PATCH', `/functions/${fn.function_id}`, { name: LONE }, 'name'],
      ['PATCH', `/functions/${fn.function_id}`, { description: LONE }, 'description'],
      ['POST', `/functions/${fn.function_id}:invoke`, { body: LONE }, 'body'],
      ['POST', `/functions/${fn.function_id}:invoke`, { query: { a: LONE } }, 'query.a'],
      ['POST', '/api-keys', { name: LONE }, 'name'],
      ['POST', '/apps', { ...custom, app: 'lone', default_headers: { a: LONE } }, 'default_headers.a'],
      ['POST', '/apps', { ...custom, app: 'lone', name: LONE }, 'name'],
      ['POST', '/events:replay', { filter: { q: LONE }, dry_run: true }, 'filter.q'],
    ] as const) {
      const answer = await service.api<Refused>(method, path, body);
      const label = `${method} ${path} ${field}: ${JSON.stringify(answer.body)}`;
      expect(answer.status, label).toBe(400);
      expect(answer.body.message, label).toMatch(kept);
      expect(answer.body.message.startsWith(`${field}: `), label).toBe(true);
    }
  });

  it('is preserved in a payload', async () => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await service.api<Reply<'eventCreate'>>('POST', `/triggers/${trigger_id}/events`, {
      payload: { a: LONE, [LONE]: '\u0000' },
    });
    expect(answer.body.event.payload).toEqual({ a: LONE, [LONE]: '\u0000' });
  });

  it('with a NUL is rejected in queries to PostgreSQL', async () => {
    for (const filter of [{ source: '\u0000' }, { q: 'a\u0000' }, { source: 'a', q: '\u0000' }])
      expect(await service.api('POST', '/events:replay', { filter, dry_run: true })).toMatchObject(
        refused(/^filter\.(source|q): expected no NUL character$/),
      );
    expect(await service.api('POST', '/connections', { app, metadata: { a: '\u0000' } })).toMatchObject(
      refused(/^metadata\.a: expected no NUL character$/),
    );
    const invoked = await service.api('POST', `/functions/${fn.function_id}:invoke`, { body: 'a\u0000b' });
    expect(invoked).toMatchObject({ status: 200, body: { run: { request: { body: 'a\u0000b' } } } });
  });
});

describe('an empty filter', () => {
  it.each([
    '/connections?app=',
    '/triggers?source=',
    '/triggers?q=',
    '/events?source=',
    '/events?q=',
    '/audit?operation=',
    '/audit?resource_id=',
  ])('is refused: %s', async (path) => {
    const name = /\?(\w+)=/.exec(path)?.[1];
    expect(await service.api('GET', path)).toMatchObject(refused(new RegExp(`^${name}: expected`)));
  });

  it('is rejected in a bulk replay', async () => {
    for (const name of ['source', 'q'])
      expect(await service.api('POST', '/events:replay', { filter: { [name]: '' }, dry_run: true })).toMatchObject(
        refused(new RegExp(`^filter\\.${name}: expected`)),
      );
  });
});

/** Sends the path exactly as written; `fetch` would normalize it first. */
const raw = (method: string, path: string): Promise<{ status: number; body: Refused & Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port: service.port, method, path, headers: { authorization: `Bearer ${service.key}` } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : { text } });
        });
      },
    );
    call.on('error', reject);
    call.end();
  });

describe('a path', () => {
  it.each([
    ['POST', (id: string) => `/api/triggers/${id}/~test`],
    ['POST', (id: string) => `/api/triggers/${id}/%7Etest`],
    ['GET', () => '/api/triggers/~stats'],
    ['GET', () => '/api/connections/~stats'],
    ['POST', () => '/api/events/~replay'],
    ['GET', () => '/api/~connect/session'],
  ])('with an internal name of a verb is no route: %s %s', async (method, pathOf) => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await raw(method, pathOf(trigger_id));
    expect([400, 404]).toContain(answer.status);
    if (answer.status === 404) expect(answer.body.message).toBe('Route not found');
  });

  it('with a trailing slash gets an error that names it', async () => {
    for (const path of ['/api/triggers/', `/api/connections/${connection_id}/`, '/api/events/stats//'])
      expect(await raw('GET', path), path).toMatchObject(
        refused(/^Route not found\. Remove the trailing slash\.$/, 404),
      );
    for (const path of ['/api/', '/api/triggers/a/b/c/d/'])
      expect(await raw('GET', path), path).toMatchObject(refused(/^Route not found$/, 404));
  });

  it('with percent-encoded letters is the same as without', async () => {
    for (const path of [
      '/api/%63onnections',
      '/%61pi/connections',
      '/api/connections%3Astats',
      `/api/connections/${connection_id.replaceAll('-', '%2D')}`,
      `/api/functions/${fn.function_id}/%6Cogs?limit=%31`,
      '/api/events/%73tats',
    ])
      expect((await raw('GET', path)).status, path).toBe(200);
    expect(await raw('GET', '/api/%2563onnections')).toMatchObject(refused(/./));
  });

  it('of an app is forwarded byte for byte, also after an encoded app name', async () => {
    const spelled = app.replace(/[a-z-]/, (char) => `%${char.charCodeAt(0).toString(16)}`);
    const native = '/a%2Db/%63%2F..%2F/~test:copy/?q=%61';
    expect((await raw('GET', `/api/${spelled}${native}`)).status).toBe(200);
    expect(sink.received(native.split('?')[0] ?? '').map(({ path }) => path)).toEqual([native]);
  });
});

/** Limits of API keys: what is accepted, where they apply, and that no key obtains more than it has. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { KEY_LIMITS_MAX_CHARS } from '../../../contract/keys/key-limits.ts';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import {
  bearer,
  callAddress,
  HELLO,
  type HostedFunction,
  makeFunction,
} from '../../functions/test/functions-support.ts';
import { fromNow } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';

type Made = Reply<'apiKeyCreate'>;
type Refused = { message: string; code: number };

const echo = echoForAll();
const service = serviceForAll({ env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1' } });
const make = async (body: Omit<Body<'apiKeyCreate'>, 'name'>): Promise<Made> => {
  const answer = await service.api<Made>('POST', '/api-keys', { name: 'limited', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const ask = (
  key: string,
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
) => service.api<Refused>(method, path, more.body, { key, headers: more.headers ?? {} });

let app = '';
let other = '';
let first = '';
let second = '';
beforeAll(async () => {
  app = await addApp(service, echo.url);
  other = await addApp(service, echo.url);
  first = await connect(service, app, { api_key: 'first' });
  second = await connect(service, app, { api_key: 'second' });
  await connect(service, other, { api_key: 'other' });
});

describe('the example of the docs', () => {
  it('creates a key with its limits', async () => {
    const page = readFileSync('docs/reference/security.md', 'utf8');
    const example = JSON.parse(/-d '(\{[^']*"scopes"[^']*\})'/.exec(page)?.[1] ?? '') as Omit<
      Body<'apiKeyCreate'>,
      'name'
    >;
    const { api_key } = await make(example);
    expect(api_key).toMatchObject({ access: 'LIMITED', scopes: example.scopes, ip_ranges: example.ip_ranges });
    expect(api_key.gateway).toMatchObject(example.gateway ?? []);
  });
});

describe('a key without limits', () => {
  it('has full access, and is shown so', async () => {
    const { api_key } = await make({});
    expect(api_key).toMatchObject({ access: 'FULL', scopes: null, gateway: null, functions: null, ip_ranges: null });
    const { api_keys } = (await service.api<Reply<'apiKeyList'>>('GET', '/api-keys')).body;
    expect(api_keys.find(({ name }) => name === 'First key')).toMatchObject({ access: 'FULL', scopes: null });
  });
});

describe('limits', () => {
  it.each<[unknown, string]>([
    [{ scopes: ['events:delete'] }, 'scopes.0: '],
    [{ scopes: 'events:read' }, 'scopes: '],
    [{ scopes: [] }, 'scopes: expected at least one scope'],
    [{ access: 'LIMITED' }, 'scopes: expected at least one scope with access LIMITED'],
    [{ access: 'FULL', scopes: ['events:read'] }, 'scopes: expected none with access FULL'],
    [{ access: 'SOME' }, 'access: '],
    [{ gateway: [{ app: 'github' }] }, 'gateway: expected null without the scope gateway:call'],
    [{ scopes: ['gateway:call'], gateway: [] }, 'gateway: expected at least one rule'],
    [{ scopes: ['gateway:call'], gateway: [{ app: 'no-such-app' }] }, 'gateway.0.app: expected an app of GET /apps'],
    [{ scopes: ['gateway:call'], gateway: [{ app: 'github', methods: ['TRACE'] }] }, 'gateway.0.methods.0: '],
    [{ scopes: ['gateway:call'], gateway: [{ app: 'github', paths: ['user'] }] }, 'gateway.0.paths.0: expected a path'],
    [
      { scopes: ['gateway:call'], gateway: [{ app: 'github', paths: ['/a/../b'] }] },
      'gateway.0.paths.0: expected a path',
    ],
    [
      { scopes: ['gateway:call'], gateway: [{ app: 'github', paths: ['/a/**/b'] }] },
      'gateway.0.paths.0: expected a path',
    ],
    [{ scopes: ['gateway:call'], gateway: [{ app: 'github', paths: [''] }] }, 'gateway.0.paths.0: expected a path'],
    [
      { scopes: ['gateway:call'], gateway: [{ app: 'github', connection_ids: ['x'] }] },
      'gateway.0.connection_ids.0: expected a UUID',
    ],
    [
      { scopes: ['gateway:call'], gateway: [{ app: 'github', connection_ids: [newId()] }] },
      'gateway.0.connection_ids.0: expected a connection of github',
    ],
    [{ scopes: ['gateway:call'], gateway: [{ app: 'github', path: '/a' }] }, 'gateway.0.path: unknown field'],
    [{ scopes: ['events:read'], functions: [newId()] }, 'functions'],
    [{ scopes: ['functions:read'], functions: [newId()] }, 'functions.0: expected a function of this account'],
    [{ ip_ranges: ['999.0.0.1'] }, 'ip_ranges.0: expected an IP address or range'],
    [{ ip_ranges: ['10.0.0.0/33'] }, 'ip_ranges.0: expected an IP address or range'],
    [{ ip_ranges: ['10.0.0.0/-1'] }, 'ip_ranges.0: expected an IP address or range'],
    [{ ip_ranges: ['2001:db8::/129'] }, 'ip_ranges.0: expected an IP address or range'],
    [{ ip_ranges: ['::ffff:10.0.0.1'] }, 'ip_ranges.0: expected an IPv4 address'],
    [{ ip_ranges: ['everywhere'] }, 'ip_ranges.0: expected an IP address or range'],
    [{ ip_ranges: [] }, 'ip_ranges: expected at least one range'],
  ])('refuses %j', async (body, message) => {
    const answer = await service.api<Refused>('POST', '/api-keys', { name: 'bad', ...(body as object) });
    expect(answer.body.message).toContain(message);
    expect(answer.status).toBe(400);
  });

  it('refuses too many', async () => {
    const ranges = Array.from({ length: 51 }, () => '10.0.0.1');
    const many = await ask(service.key, 'POST', '/api-keys', { body: { name: 'x', ip_ranges: ranges } });
    expect([many.status, many.body.message]).toEqual([400, 'ip_ranges: expected at most 50 ranges']);
    const rule = { app: 'github', paths: [`/${'x'.repeat(299)}`, `/${'y'.repeat(299)}`] };
    const body = { name: 'x', scopes: ['gateway:call'], gateway: Array.from({ length: 50 }, () => rule) };
    const long = await ask(service.key, 'POST', '/api-keys', { body });
    expect(long.status).toBe(400);
    expect(long.body.message).toContain(`expected limits of at most ${KEY_LIMITS_MAX_CHARS} characters`);
  });

  it('refuses connections and functions of another account like missing ones', async () => {
    const { key } = await service.secondAccount();
    const fn = await makeFunction(service, HELLO, {}, key);
    const { body } = await service.api<{ connection_id: string }>('POST', '/connections', { app: 'github' }, { key });
    const gateway = [{ app: 'github', connection_ids: [body.connection_id] }];
    const connection = await ask(service.key, 'POST', '/api-keys', {
      body: { name: 'x', scopes: ['gateway:call'], gateway },
    });
    expect(connection.body.message).toBe('gateway.0.connection_ids.0: expected a connection of github');
    const functions = await ask(service.key, 'POST', '/api-keys', {
      body: { name: 'x', scopes: ['functions:read'], functions: [fn.function_id] },
    });
    expect(functions.body.message).toBe('functions.0: expected a function of this account');
  });

  it('change one by one, at once, and are removed by full access', async () => {
    const { api_key, key } = await make({ scopes: ['triggers:read'], ip_ranges: ['10.0.0.0/8', '127.0.0.1'] });
    const path = `/api-keys/${api_key.key_id}`;
    expect((await ask(key, 'GET', '/triggers')).status).toBe(200);
    expect((await ask(key, 'GET', '/events')).status).toBe(403);
    const widened = await ask(service.key, 'PATCH', path, { body: { scopes: ['events:read', 'events:read'] } });
    expect(widened.body).toMatchObject({
      api_key: { scopes: ['events:read'], ip_ranges: ['10.0.0.0/8', '127.0.0.1'] },
    });
    expect((await ask(key, 'GET', '/events')).status).toBe(200);
    expect((await ask(key, 'GET', '/triggers')).status).toBe(403);
    const full = await ask(service.key, 'PATCH', path, { body: { access: 'FULL', ip_ranges: null } });
    expect(full.body).toMatchObject({ api_key: { access: 'FULL', scopes: null, ip_ranges: null } });
    expect((await ask(key, 'GET', '/triggers')).status).toBe(200);
  });

  it('end an open stream with the next heartbeat when they no longer permit it', async () => {
    const read = ['connections:read', 'triggers:read', 'events:read', 'functions:read', 'settings:read'] as const;
    const { api_key, key } = await make({ scopes: [...read] });
    const open = () => fetch(`${service.url}/api/events:stream`, { headers: bearer(key) });
    const opened = await open();
    expect(opened.status).toBe(200);
    await ask(service.key, 'PATCH', `/api-keys/${api_key.key_id}`, { body: { scopes: ['events:read'] } });
    expect((await open()).status).toBe(403);
    // Resolves only when the service ends the stream.
    expect(await opened.text()).toContain(': still here');
  });
});

describe('a key with IP ranges', () => {
  it('is refused elsewhere, by every kind of endpoint', async () => {
    const { key } = await make({ ip_ranges: ['203.0.113.0/24', '2001:db8::/32'] });
    const fn = await makeFunction(service, HELLO);
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    for (const ip of ['203.0.113.9', '2001:db8::1']) {
      expect((await ask(key, 'GET', '/account', { headers: from(ip) })).status, ip).toBe(200);
      expect((await ask(key, 'GET', `/${app}/x`, { headers: from(ip) })).status, ip).toBe(200);
    }
    for (const ip of ['203.0.114.1', '2001:db9::1', '127.0.0.1']) {
      const api = await ask(key, 'GET', '/account', { headers: from(ip) });
      expect([api.status, api.body.message]).toEqual([403, `This API key may not be used from ${ip}.`]);
      expect((await ask(key, 'GET', `/${app}/x`, { headers: from(ip) })).status).toBe(403);
      expect((await callAddress(service, fn.url, { headers: { ...bearer(key), ...from(ip) } })).status).toBe(403);
    }
  });

  it('manages no keys, although it has full access', async () => {
    const { api_key, key } = await make({ ip_ranges: ['127.0.0.0/8'] });
    const own = `/api-keys/${api_key.key_id}`;
    for (const [method, path, body] of [
      ['POST', '/api-keys', { name: 'anywhere' }],
      ['PATCH', own, { ip_ranges: null }],
      ['POST', `${own}:rotate`, undefined],
      ['DELETE', own, undefined],
    ] as const) {
      const answer = await ask(key, method, path, { body });
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'This API key has limits; managing keys needs one without, or a member.',
      ]);
    }
  });
});

describe('a limited key', () => {
  it('can’t widen itself, nor make another key', async () => {
    const { api_key, key } = await make({ scopes: ['settings:read'] });
    const own = `/api-keys/${api_key.key_id}`;
    for (const [method, path, body] of [
      ['PATCH', own, { access: 'FULL' }],
      ['PATCH', own, { scopes: ['settings:read', 'events:write'] }],
      ['PATCH', own, { expires_at: null }],
      ['POST', '/api-keys', { name: 'full' }],
      ['POST', `${own}:rotate`, {}],
      ['DELETE', own, undefined],
    ] as const)
      expect((await ask(key, method, path, { body })).status, `${method} ${path}`).toBe(403);
    const { api_keys } = (await service.api<Reply<'apiKeyList'>>('GET', '/api-keys')).body;
    expect(api_keys.find(({ key_id }) => key_id === api_key.key_id)?.scopes).toEqual(['settings:read']);
  });

  it('grants no connections to functions, unless it may call all of them', async () => {
    const { key } = await make({ scopes: ['functions:write'] });
    const made = await makeFunction(service, HELLO, {}, key);
    expect(made.gateway_policy).toBe('DENY_ALL');
    const granted = await ask(key, 'PATCH', `/functions/${made.function_id}`, {
      body: { gateway_policy: 'ALLOW_ALL' },
    });
    expect([granted.status, granted.body.message]).toEqual([403, expect.stringContaining('gateway:call')]);
    const { key: calling } = await make({ scopes: ['functions:write', 'gateway:call'] });
    expect((await makeFunction(service, HELLO, {}, calling)).gateway_policy).toBe('ALLOW_ALL');
  });
});

describe('a key that expires', () => {
  it('makes no key that works longer', async () => {
    const { api_key, key } = await make({ expires_at: fromNow(3_600_000) });
    const make2 = (expires_at: string | null) =>
      ask(key, 'POST', '/api-keys', { body: { name: 'longer', expires_at } });
    expect((await make2(fromNow(1_800_000))).status).toBe(200);
    expect((await make2(null)).body.message).toBe(
      `expires_at: expected at most ${api_key.expires_at}, when the API key of this request expires.`,
    );
    expect((await make2(fromNow(7_200_000))).status).toBe(403);
    expect((await ask(key, 'PATCH', `/api-keys/${api_key.key_id}`, { body: { expires_at: null } })).status).toBe(403);
    const endless = await make({});
    expect((await ask(key, 'POST', `/api-keys/${endless.api_key.key_id}:rotate`)).status).toBe(403);
  });
});

describe('an Idempotency-Key', () => {
  it('of a limited key does not return the response of another key', async () => {
    const headers = { 'idempotency-key': 'the-same' };
    const { key } = await make({ scopes: ['gateway:call'], gateway: [{ app: other }] });
    const path = `/connections/${first}:request`;
    const body = { method: 'GET', path: '/private' };
    expect((await ask(service.key, 'POST', path, { body, headers })).status).toBe(200);
    expect((await ask(key, 'POST', path, { body, headers })).status).toBe(403);
  });
});

describe('gateway limits', () => {
  const limited = (gateway: Body<'apiKeyCreate'>['gateway']) =>
    make({ scopes: ['gateway:call'], gateway: gateway ?? null });
  const refusal = async (key: string, method: string, path: string, headers = {}) => {
    const { status, body } = await ask(key, method, path, { headers });
    expect(status, JSON.stringify(body)).toBe(403);
    return body.message;
  };

  it('need the scope', async () => {
    const { key } = await make({ scopes: ['connections:write'] });
    expect(await refusal(key, 'GET', `/${app}/x`)).toBe('This API key lacks the scope gateway:call.');
    const { key: anything } = await limited(null);
    expect((await ask(anything, 'DELETE', `/${app}/x`)).status).toBe(200);
  });

  it('permit named apps, methods and paths', async () => {
    const { key } = await limited([{ app, methods: ['GET'], paths: ['/user/repos', '/repos/*/issues', '/files/**'] }]);
    for (const path of ['/user/repos', '/user/repos?page=2', '/repos/a/issues', '/files/a/b'])
      expect((await ask(key, 'GET', `/${app}${path}`)).status, path).toBe(200);
    expect(await refusal(key, 'GET', `/${other}/user/repos`)).toBe(
      `This API key may not call ${other}: its gateway limits name other apps.`,
    );
    expect(await refusal(key, 'POST', `/${app}/user/repos`)).toContain(`may not send POST to ${app}`);
    for (const path of [
      '/user',
      '/user/repos/',
      '/user/repos/1',
      '/repos/a/b/issues',
      '/repos//issues',
      '/files',
      '/user%2Frepos',
      '/files/%2e%2e/user',
      '/files/..%2fuser',
      '',
    ])
      expect(await refusal(key, 'GET', `/${app}${path}`), path).toContain('this path of');
    expect(await refusal(key, 'GET', `/${app}/user/repos`, { 'x-http-method-override': 'DELETE' })).toContain(
      'x-http-method-override',
    );
  });

  it('permit named connections', async () => {
    const { key } = await limited([{ app, connection_ids: [second] }]);
    const through = (id: string) => ask(key, 'GET', `/${app}/x`, { headers: { 'service-connection': id } });
    expect((await through(second)).status).toBe(200);
    expect((await through(first)).body.message).toContain(`may not use the connection ${first} of ${app}`);
    expect(await refusal(key, 'GET', `/${app}/x`)).toContain('Service-Connection');
  });

  it('apply to requests of the API, too', async () => {
    const { key } = await limited([{ app, connection_ids: [second], methods: ['GET'], paths: ['/a'] }]);
    const send = (id: string, body: unknown) => ask(key, 'POST', `/connections/${id}:request`, { body });
    expect((await send(second, { method: 'GET', path: '/a?b=1' })).status).toBe(200);
    expect((await send(second, { method: 'POST', path: '/a' })).status).toBe(403);
    expect((await send(second, { method: 'GET', path: '/b' })).status).toBe(403);
    expect((await send(first, { method: 'GET', path: '/a' })).status).toBe(403);
    expect((await send(second, { method: 'GET', path: '/a', headers: [['X-HTTP-Method', 'PUT']] })).status).toBe(403);
  });
});

describe('function limits', () => {
  it('permit named functions, by URL and by operation', async () => {
    const [one, two] = [await makeFunction(service, HELLO), await makeFunction(service, HELLO)];
    const { key } = await make({ scopes: ['functions:write', 'functions:invoke'], functions: [one.function_id] });
    const call = async (fn: HostedFunction) => callAddress(service, fn.url, { headers: bearer(key) });
    expect((await call(one)).status).toBe(200);
    const refused = await call(two);
    expect([refused.status, JSON.parse(refused.text).message]).toEqual([
      403,
      expect.stringContaining('other functions'),
    ]);
    for (const [fn, status] of [
      [one, 200],
      [two, 403],
    ] as const) {
      expect((await ask(key, 'POST', `/functions/${fn.function_id}:invoke`, { body: {} })).status).toBe(status);
      expect((await ask(key, 'GET', `/functions/${fn.function_id}/runs`)).status).toBe(status);
      expect((await ask(key, 'PATCH', `/functions/${fn.function_id}`, { body: { description: 'x' } })).status).toBe(
        status,
      );
      expect((await ask(key, 'GET', `/runs?function_id=${fn.function_id}`)).status).toBe(status);
    }
    for (const [method, path, body] of [
      ['GET', '/functions', undefined],
      ['GET', '/runs', undefined],
      ['GET', '/functions/search?q=hello', undefined],
      ['POST', '/functions', { name: 'x', runtime: 'nodejs24.x', files: { 'index.ts': HELLO } }],
      ['POST', `/functions/${one.function_id}:copy`, { name: 'copy' }],
    ] as const)
      expect((await ask(key, method, path, { body })).status, path).toBe(403);
  });

  it('need the scope to call a URL; an open function needs none', async () => {
    const fn = await makeFunction(service, HELLO);
    const { key } = await make({ scopes: ['functions:write'] });
    const refused = await callAddress(service, fn.url, { headers: bearer(key) });
    expect([refused.status, JSON.parse(refused.text).message]).toEqual([
      403,
      'This API key lacks the scope functions:invoke.',
    ]);
    await ask(service.key, 'PATCH', `/functions/${fn.function_id}`, {
      body: { visibility: 'PUBLIC', invoke_access: 'ANYONE' },
    });
    expect((await callAddress(service, fn.url, { headers: bearer(key) })).status).toBe(200);
  });
});

describe('the last use', () => {
  it('has its IP address', async () => {
    const { api_key, key } = await make({});
    await ask(key, 'GET', '/account', { headers: { 'x-forwarded-for': '198.51.100.7' } });
    const found = async () => {
      const { api_keys } = (await service.api<Reply<'apiKeyList'>>('GET', '/api-keys')).body;
      return api_keys.find(({ key_id }) => key_id === api_key.key_id)?.last_used_ip;
    };
    await expect.poll(found).toBe('198.51.100.7');
  });
});

/** What a key was used for, the limits that are proposed from it, and the test of limits on past use. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { bearer, callAddress, HELLO, makeFunction } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';

type Usage = Reply<'apiKeyUsage'>;
type Test = Reply<'apiKeyTest'>;

const echo = echoForAll();
const service = serviceForAll({ env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1' } });
let app = '';
let connection_id = '';
beforeAll(async () => {
  app = await addApp(service, echo.url);
  connection_id = await connect(service, app, { api_key: 'k' });
});

const make = async (more: Omit<Body<'apiKeyCreate'>, 'name'> = {}) => {
  const { body } = await service.api<Reply<'apiKeyCreate'>>('POST', '/api-keys', { name: 'measured', ...more });
  const { key_id } = body.api_key;
  return {
    key_id,
    key: body.key,
    ask: (method: string, path: string, sent?: unknown, ip = '203.0.113.5') =>
      service.api(method, path, sent, { key: body.key, headers: { 'x-forwarded-for': ip } }),
    usage: async () => (await service.api<Usage>('GET', `/api-keys/${key_id}/usage`)).body,
    test: async (limits: unknown) => {
      const query = encodeURIComponent(JSON.stringify(limits));
      return (await service.api<Test>('GET', `/api-keys/${key_id}/limits:test?limits=${query}`)).body;
    },
  };
};
type Measured = Awaited<ReturnType<typeof make>>;
/** Gateway calls are stored within a second. */
const settled = ({ usage }: Measured, calls: number) =>
  expect
    .poll(async () => (await usage()).calls)
    .toBe(calls)
    .then(usage);

describe('the usage of a key', () => {
  it('is empty before its first use', async () => {
    const { usage, test } = await make();
    expect(await usage()).toMatchObject({ calls: 0, gateway: [], operations: [], addresses: [], proposal: null });
    expect((await usage()).reason).toBe('It was not used in this time.');
    expect(await test({ scopes: ['events:read'] })).toMatchObject({ calls: 0, refused: 0, untested: 0, examples: [] });
  });

  it('has calls of apps, and proposes exactly these', async () => {
    const key = await make();
    for (let i = 0; i < 3; i++) expect((await key.ask('GET', `/${app}/user/repos?page=${i}`)).status).toBe(200);
    const usage = await settled(key, 3);
    expect(usage.gateway).toEqual([{ app, connection_id, method: 'GET', path: '/user/repos', calls: 3 }]);
    expect(usage.addresses).toEqual([{ ip: '203.0.113.5', calls: 3 }]);
    expect(usage.proposal).toEqual({
      scopes: ['gateway:call'],
      gateway: [{ app, connection_ids: null, methods: ['GET'], paths: ['/user/repos'] }],
      functions: null,
      ip_ranges: null,
    });
    expect(await key.test(usage.proposal)).toMatchObject({ calls: 3, refused: 0, untested: 0 });
    const saved = await service.api('PATCH', `/api-keys/${key.key_id}`, usage.proposal);
    expect(saved.body).toMatchObject({ api_key: { access: 'LIMITED', scopes: ['gateway:call'] } });
    expect((await key.ask('GET', `/${app}/user/repos`)).status).toBe(200);
    expect((await key.ask('DELETE', `/${app}/user/repos`)).status).toBe(403);
    expect((await key.ask('GET', '/events')).status).toBe(403);
  });

  it('has operations and functions, without refused ones', async () => {
    const fn = await makeFunction(service, HELLO);
    const key = await make({ scopes: ['triggers:write', 'functions:invoke'], functions: [fn.function_id] });
    await key.ask('GET', '/triggers');
    await key.ask('POST', '/triggers', {}, '198.51.100.1');
    await key.ask('POST', `/functions/${fn.function_id}:invoke`, {});
    await callAddress(service, fn.url, { headers: bearer(key.key) });
    expect((await key.ask('GET', '/events')).status).toBe(403);
    const usage = await settled(key, 4);
    expect(usage.operations).toHaveLength(3);
    expect(usage.operations).toContainEqual({ operation: 'functionInvoke', function_id: fn.function_id, calls: 1 });
    expect(usage.functions).toEqual([{ function_id: fn.function_id, calls: 1 }]);
    expect(usage.proposal).toMatchObject({
      scopes: ['triggers:write', 'functions:invoke'],
      gateway: null,
      functions: [fn.function_id],
    });
    expect(await key.test(usage.proposal)).toMatchObject({ calls: 4, refused: 0 });
    const narrow = await key.test({ scopes: ['triggers:read'] });
    expect(narrow).toMatchObject({ calls: 4, refused: 3, untested: 0 });
    expect(narrow.examples).toContainEqual({
      what: 'Create a trigger',
      calls: 1,
      reason: 'This API key lacks the scope triggers:write.',
    });
    const elsewhere = await key.test({
      scopes: ['triggers:write', 'functions:invoke'],
      ip_ranges: ['203.0.113.0/24', '127.0.0.1'],
    });
    expect(elsewhere).toMatchObject({ refused: 0, refused_addresses: [{ ip: '198.51.100.1', calls: 1 }] });
  });

  it('has no proposal for a key that manages keys', async () => {
    const key = await make();
    await key.ask('POST', '/api-keys', { name: 'made' });
    const usage = await settled(key, 1);
    expect(usage).toMatchObject({
      proposal: null,
      reason: 'It was used for “Create an API key”, which needs full access.',
    });
  });

  it('names the key in the calls log and in runs', async () => {
    const key = await make();
    const fn = await makeFunction(service, HELLO);
    await key.ask('GET', `/${app}/named`);
    await service.api('GET', `/${app}/by-another-key`);
    await key.ask('POST', `/functions/${fn.function_id}:invoke`, {});
    await callAddress(service, fn.url, { headers: bearer(key.key) });
    await service.api('POST', `/functions/${fn.function_id}:invoke`, {});
    const { key_id } = key;
    const named = { key_id, key_name: 'measured' };
    const calls = () => service.api('GET', `/connections/${connection_id}/calls?key_id=${key_id}`);
    await expect.poll(async () => (await calls()).body).toMatchObject({ calls: [{ path: '/named', ...named }] });
    const runs = await service.api<Reply<'runList'>>('GET', `/runs?key_id=${key_id}`);
    expect(runs.body.runs.map(({ caller, key_name }) => [caller, key_name])).toEqual([
      ['KEY', 'measured'],
      ['API', 'measured'],
    ]);
    const { function_id, run_id } = runs.body.runs[0] ?? {};
    expect((await service.api('GET', `/functions/${function_id}/runs/${run_id}`)).body).toMatchObject(named);
    expect((await service.api('GET', `/runs/stats?key_id=${key_id}`)).body).toMatchObject({ runs: 2 });
  });

  it('is deleted with the key', async () => {
    const key = await make();
    await key.ask('GET', '/account');
    await settled(key, 1);
    await service.api('DELETE', `/api-keys/${key.key_id}`);
    expect((await service.api('GET', `/api-keys/${key.key_id}/usage`)).status).toBe(404);
    const uses = service.services.db.selectFrom('api_key_uses').select('operation').where('key_id', '=', key.key_id);
    expect(await uses.execute()).toEqual([]);
  });

  it('of another account is not found', async () => {
    const { key } = await service.secondAccount();
    const { key_id } = await make();
    for (const path of [
      `/api-keys/${key_id}/usage`,
      `/api-keys/${key_id}/limits:test?limits=%7B%7D`,
      `/api-keys/${newId()}/usage`,
    ])
      expect((await service.api('GET', path, undefined, { key })).status, path).toBe(404);
  });
});

describe('a test of limits', () => {
  it.each([
    ['?limits=', 'limits: expected JSON'],
    ['?limits=7', 'limits: '],
    ['?limits={"scopes":["x"]}', 'limits.scopes.0: '],
    ['?limits={"name":"x"}', 'limits.name: unknown field'],
    ['?limits={"gateway":[{"app":"github"}]}', 'gateway: expected null without the scope gateway:call'],
  ])('refuses %s', async (query, message) => {
    const { key_id } = await make();
    const answer = await service.api('GET', `/api-keys/${key_id}/limits:test${query}`);
    expect(answer.body['message']).toContain(message);
    expect(answer.status).toBe(400);
  });

  it('refuses more than fits into a URL', async () => {
    const { key_id } = await make();
    const answer = await service.api('GET', `/api-keys/${key_id}/limits:test?limits="${'x'.repeat(16_000)}"`);
    expect([answer.status, answer.body['message']]).toEqual([400, 'limits: expected at most 16000 characters of JSON']);
  });

  it('of no limits refuses nothing', async () => {
    const { key_id } = await make();
    expect((await service.api('GET', `/api-keys/${key_id}/limits:test`)).body).toMatchObject({ refused: 0 });
  });
});

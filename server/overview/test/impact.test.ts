/** What breaks when something is removed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { HELLO, invoke, makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { LONG_MS } from '../../search/test/search-api-support.ts';
import { type Service, startService } from '../../test/service.ts';

type Impact = Reply<'impactGet'>['impact'];

const target = createServer((_req, res) => res.end('ok'));
let service: Service;
let foreign: string;
let host: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService({ searchBudgetMs: LONG_MS });
  foreign = (await service.secondAccount()).key;
});
afterAll(async () => {
  await service.stop();
  target.close();
});

const ask = (query: Record<string, string>, key = service.key) =>
  service.api<{ impact: Impact; message?: string }>('GET', `/impact?${new URLSearchParams(query)}`, undefined, { key });
const impact = async (query: Record<string, string>) => {
  const { status, body } = await ask(query);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.impact;
};
const lines = ({ code }: Impact) => code.map(({ name, path, line, text }) => `${name} ${path}:${line} ${text.trim()}`);
const causes = ({ functions }: Impact) => functions.map(({ name, causes }) => `${name}: ${causes.join()}`).sort();
const schedule = async (url: string, name: string, connection_id?: string) =>
  (
    await service.api<{ trigger: { trigger_id: string; destinations: { destination_id: string }[] } }>(
      'POST',
      '/triggers',
      {
        source: 'schedule',
        event_type: 'schedule.elapsed',
        name,
        parameters: { cron_expression: '0 0 1 1 *' },
        destinations: [{ url, method: 'POST', name: `to ${name}` }],
        ...(connection_id ? { connection_id } : {}),
      },
    )
  ).body.trigger;

it('of a host: its lines, functions with their runs, and what delivers to it or to them', async () => {
  const fn = await makeFunction(
    service,
    `const x = 1;\nexport default { fetch: () => new Response("") };\nexport const call = () => fetch("https://api.billing.test/v1");`,
    { name: 'Caller' },
  );
  await makeFunction(
    service,
    `export const x = () => fetch("https://api.billing.test/");\n${HELLO}`,
    { name: 'Theirs' },
    foreign,
  );
  await invoke(service, fn);
  const inFunction = await schedule(fn.url, 'into the function');
  await expect
    .poll(async () => lines(await impact({ kind: 'HOST', id: 'API.billing.test' })), PATIENTLY)
    .toEqual(['Caller index.ts:3 export const call = () => fetch("https://api.billing.test/v1");']);
  const found = await impact({ kind: 'HOST', id: 'API.billing.test' });
  expect(found).toMatchObject({
    kind: 'HOST',
    name: 'api.billing.test',
    line_count: 1,
    functions: [{ function_id: fn.function_id, causes: ['CODE'], runs: 1 }],
    triggers: [{ trigger_id: inFunction.trigger_id, source: 'schedule', status: 'ENABLED' }],
    destinations: [{ trigger_name: 'into the function', name: 'to into the function' }],
    gateway: { calls: 0, last_at: null },
    truncated: false,
  });
  const direct = await schedule(`http://${host}/hook`, 'direct');
  expect(await impact({ kind: 'HOST', id: host })).toMatchObject({
    code: [],
    functions: [],
    triggers: [{ trigger_id: direct.trigger_id }],
    destinations: [{ trigger_id: direct.trigger_id, name: 'to direct' }],
  });
});

it('of a connection and its app: code with the ID or the app, grants, limits, triggers and calls', async () => {
  const app = await addApp(service, `http://${host}`);
  const connection_id = await connect(service, app, { api_key: 'one' });
  const { function_id } = await makeFunction(
    service,
    `export const id = "${connection_id}";\nexport const app = "/${app}/x";\n// my${app}\n${HELLO}`,
    { name: 'Names it' },
  );
  await service.api('PATCH', `/functions/${function_id}`, {
    gateway_policy: 'ALLOW_LIST',
    gateway_grants: [{ app, connection_id }],
  });
  const trigger = await schedule(`http://${host}/`, 'with it', connection_id);
  await service.api('GET', `/${app}/x`);
  await expect
    .poll(async () => (await impact({ kind: 'CONNECTION', id: connection_id })).gateway.calls, PATIENTLY)
    .toBe(1);
  const found = await impact({ kind: 'CONNECTION', id: connection_id });
  expect(lines(found)).toEqual([`Names it index.ts:1 export const id = "${connection_id}";`]);
  expect(causes(found)).toEqual(['Names it: GRANT,CODE']);
  expect(found).toMatchObject({
    api_keys: [{ calls: 1 }],
    triggers: [{ trigger_id: trigger.trigger_id }],
    destinations: [{ name: 'to with it' }],
    gateway: { calls: 1, last_at: expect.stringMatching(/^\d{4}-/) },
  });
  const ofApp = await impact({ kind: 'APP', id: app });
  expect(lines(ofApp)).toEqual([`Names it index.ts:2 export const app = "/${app}/x";`]);
  expect(ofApp.gateway.calls).toBe(1);
  expect((await impact({ kind: 'HOST', id: host })).gateway.calls).toBeGreaterThanOrEqual(1);
  await service.api('DELETE', `/triggers/${trigger.trigger_id}`);
  expect((await impact({ kind: 'CONNECTION', id: connection_id })).triggers).toEqual([]);
  await service.api('DELETE', `/connections/${connection_id}`);
  expect((await ask({ kind: 'CONNECTION', id: connection_id })).status).toBe(404);
});

it('of an API key: functions that hold it in a variable or in code, and its calls', async () => {
  const made = await service.api<{ api_key: { key_id: string; prefix: string }; key: string }>('POST', '/api-keys', {
    name: 'Of a function',
  });
  const { api_key, key } = made.body;
  const holder = await makeFunction(service, HELLO, { name: 'Holder' });
  await service.api('POST', `/functions/${holder.function_id}/env`, {
    env: [{ key: 'TOKEN', value: key, type: 'SENSITIVE' }],
  });
  await makeFunction(service, `const key = "${api_key.prefix}…";\n${HELLO}`, { name: 'Typed' });
  const app = await addApp(service, `http://${host}`);
  await connect(service, app, { api_key: 'one' });
  await service.api('GET', `/${app}/x`, undefined, { key });
  await expect
    .poll(async () => (await impact({ kind: 'API_KEY', id: api_key.key_id })).gateway.calls, PATIENTLY)
    .toBe(1);
  const found = await impact({ kind: 'API_KEY', id: api_key.key_id });
  expect(causes(found)).toEqual(['Holder: VARIABLE', 'Typed: CODE']);
  expect(JSON.stringify(found)).not.toContain(key);
});

it('of an environment variable and of a function', async () => {
  const fn = await makeFunction(service, `const rate = process.env.TAX_RATE;\nconst TAX_RATES = 1;\n${HELLO}`, {
    name: 'Taxes',
  });
  const label = new URL(fn.url).host.split('.')[0];
  await makeFunction(service, `export const url = "${fn.url}/x";\n${HELLO}`, { name: 'Calls taxes' });
  const trigger = await schedule(fn.url, 'to taxes');
  const found = await impact({ kind: 'ENVIRONMENT', id: 'TAX_RATE', function_id: fn.function_id });
  expect(lines(found)).toEqual(['Taxes index.ts:1 const rate = process.env.TAX_RATE;']);
  expect(causes(found)).toEqual(['Taxes: CODE']);
  expect(found.triggers).toMatchObject([{ trigger_id: trigger.trigger_id }]);
  const ofFunction = await impact({ kind: 'FUNCTION', id: fn.function_id });
  expect(lines(ofFunction)).toEqual([
    expect.stringContaining(`Calls taxes index.ts:1 export const url = "http://${label}`),
  ]);
  expect(causes(ofFunction)).toEqual(['Calls taxes: CODE', 'Taxes: REMOVED']);
  const unread = await impact({ kind: 'ENVIRONMENT', id: 'NOT_READ', function_id: fn.function_id });
  expect(unread).toMatchObject({ code: [], line_count: 0, functions: [], triggers: [], truncated: false });
});

it('rejects what the account does not have, and names the wrong field', async () => {
  const { function_id } = await makeFunction(service);
  const refusal = async (query: Record<string, string>, key?: string) => {
    const { status, body } = await ask(query, key);
    return `${status} ${body.message}`;
  };
  for (const kind of ['API_KEY', 'CONNECTION', 'FUNCTION', 'APP']) {
    expect(await refusal({ kind, id: newId() })).toMatch(/^404 /);
    expect(await refusal({ kind, id: 'nothing here' })).toMatch(/^404 /);
  }
  expect(await refusal({ kind: 'FUNCTION', id: function_id }, foreign)).toMatch(/^404 /);
  expect(await refusal({ kind: 'ENVIRONMENT', id: 'A', function_id }, foreign)).toMatch(/^404 /);
  expect(await refusal({ kind: 'ENVIRONMENT', id: 'A' })).toMatch(/^400 function_id: /);
  expect(await refusal({ kind: 'ENVIRONMENT', id: 'A B', function_id })).toMatch(/^400 id: /);
  expect(await refusal({ kind: 'HOST', id: 'a host', function_id })).toMatch(/^400 function_id: /);
  expect(await refusal({ kind: 'HOST', id: 'https://a.test' })).toMatch(/^400 id: /);
  expect(await refusal({ kind: 'TABLE', id: 'x' })).toMatch(/^400 kind: /);
  expect(await refusal({ kind: 'HOST' })).toMatch(/^400 id: /);
});

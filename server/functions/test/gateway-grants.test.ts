/** Grants of connections to functions: what the token of a run reaches. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { newId } from '../../lib/ids.ts';
import { echoForAll, forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, invoke, makeFunction } from './functions-support.ts';

const echo = echoForAll();
const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
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

/** Calls the app, and optionally the connection, that its request names. */
const CODE = `export default { async fetch(request, env) {
  const { app, named } = await request.json();
  const headers = { authorization: 'Bearer ' + env.GATEWAY_TOKEN, ...(named ? { 'service-connection': named } : {}) };
  const answer = await fetch(env.GATEWAY_URL + '/' + app + '/x', { headers });
  return Response.json([answer.status, (await answer.json()).message]);
} };`;
const make = (more: Partial<Body<'functionCreate'>> = {}, key = service.key) => makeFunction(service, CODE, more, key);
const call = async (fn: HostedFunction, called: string, named?: string) => {
  const run = await invoke(service, fn, { body: JSON.stringify({ app: called, named }) });
  return run.response?.body as [status: number, message: string | undefined];
};
const change = (fn: HostedFunction, body: unknown) =>
  service.api<{ function: HostedFunction; message: string }>('PATCH', `/functions/${fn.function_id}`, body);

describe('a function', () => {
  it('may use every connection at first', async () => {
    const fn = await make();
    expect(fn).toMatchObject({ gateway_policy: 'ALLOW_ALL', gateway_grants: [] });
    expect((await call(fn, app))[0]).toBe(200);
    expect((await call(fn, other))[0]).toBe(200);
  });

  it('reaches granted apps and connections only, from the next run', async () => {
    const fn = await make({ gateway_policy: 'ALLOW_LIST', gateway_grants: [{ app }] });
    expect(fn.gateway_grants).toEqual([{ app, connection_id: null }]);
    expect((await call(fn, app, second))[0]).toBe(200);
    expect(await call(fn, other)).toEqual([
      403,
      `The function "Function" is not granted ${other}. Grant it on the function’s page: Settings, Connections.`,
    ]);
    await change(fn, { gateway_grants: [{ app, connection_id: second }] });
    expect((await call(fn, app, second))[0]).toBe(200);
    expect(await call(fn, app, first)).toEqual([
      403,
      expect.stringContaining(`not granted the connection ${first} of ${app}`),
    ]);
    expect((await call(fn, app))[0]).toBe(403);
    await change(fn, { gateway_policy: 'DENY_ALL' });
    expect((await call(fn, app, second))[0]).toBe(403);
    await change(fn, { gateway_policy: 'ALLOW_ALL' });
    expect((await call(fn, other))[0]).toBe(200);
  });

  it('shows other accounts no connections', async () => {
    const more = {
      visibility: 'PUBLIC',
      gateway_policy: 'ALLOW_LIST',
      gateway_grants: [{ app, connection_id: first }],
    } as const;
    const fn = await make({ ...more, gateway_grants: [...more.gateway_grants] });
    const seen = await service.api<{ function: HostedFunction }>(
      'GET',
      `/functions/${fn.function_id}`,
      undefined,
      stranger,
    );
    expect(seen.body.function).toMatchObject({ gateway_policy: 'ALLOW_LIST', gateway_grants: [] });
  });

  it.each<[(ids: { app: string; first: string; other: string }) => unknown, string]>([
    [() => ({ gateway_policy: 'SOME' }), 'gateway_policy: '],
    [() => ({ gateway_policy: 'ALLOW_LIST' }), 'gateway_grants: expected at least one grant'],
    [() => ({ gateway_grants: [{ app: 'no-such-app' }] }), 'gateway_grants.0.app: expected an app of GET /apps'],
    [
      ({ app }) => ({ gateway_grants: [{ app, connection_id: 'x' }] }),
      'gateway_grants.0.connection_id: expected a UUID',
    ],
    [
      ({ app }) => ({ gateway_grants: [{ app, connection_id: newId() }] }),
      'gateway_grants.0.connection_id: expected a connection of',
    ],
    [
      ({ other, first }) => ({ gateway_grants: [{ app: other, connection_id: first }] }),
      'gateway_grants.0.connection_id: expected a connection of',
    ],
    [
      ({ app }) => ({ gateway_grants: Array.from({ length: 101 }, () => ({ app })) }),
      'gateway_grants: expected at most 100 grants',
    ],
    [({ app }) => ({ gateway_grants: [{ app, method: 'GET' }] }), 'gateway_grants.0.method: unknown field'],
  ])('refuses bad grants: %s', async (bodyOf, message) => {
    const answer = await change(await make(), bodyOf({ app, first, other }));
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a copy', () => {
  const copy = async (fn: HostedFunction, key = service.key) => {
    const answer = await service.api<Reply<'functionCopy'>>(
      'POST',
      `/functions/${fn.function_id}:copy`,
      { name: 'Copy' },
      { key },
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };

  it('of another account’s function starts with none, and names the apps that it calls', async () => {
    const code = `export default { fetch: (_, env) => fetch(\`\${env.GATEWAY_URL}/slack/api/chat.postMessage\`) };`;
    const shared = await makeFunction(service, code, { visibility: 'PUBLIC' }, stranger.key);
    const made = await copy(shared);
    expect(made.apps).toEqual(['slack']);
    expect(made.function).toMatchObject({ gateway_policy: 'DENY_ALL', gateway_grants: [] });
    const callsAnything = await copy(await make({ visibility: 'PUBLIC' }, stranger.key));
    expect((await call(callsAnything.function, app))[0]).toBe(403);
    await change(callsAnything.function, { gateway_policy: 'ALLOW_LIST', gateway_grants: [{ app }] });
    expect((await call(callsAnything.function, app))[0]).toBe(200);
  });

  it('of an own function keeps its grants', async () => {
    const fn = await make({ gateway_policy: 'ALLOW_LIST', gateway_grants: [{ app, connection_id: first }] });
    expect((await copy(fn)).function).toMatchObject({
      gateway_policy: 'ALLOW_LIST',
      gateway_grants: [{ app, connection_id: first }],
    });
  });
});

/** Every operation of the contract, called generically: without a key, with ids that do not exist, with junk. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/operations.ts';
import { type Operation, operationNames, pathOf, routes } from '../../contract/routes.ts';
import { newId } from '../lib/ids.ts';
import { signIn } from './browser.ts';
import { forAll, serviceForAll } from './shared-set-up.ts';

const service = serviceForAll();
const owner = forAll(() => signIn(service));

const onApi = operationNames.filter((name) => routes[name].on === 'api');
const keyed = onApi.filter((name) => routes[name].auth === 'account');
const withIds = keyed.filter((name) => routes[name].path.includes('_id}'));
const withBody = keyed.filter((name) => operations[name].body !== null);

/**
 * By API key, which has the rights of an admin; owner operations with the owner's session, which has a lower rate
 * limit.
 */
const ask = (name: Operation, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  routes[name].role === 'OWNER'
    ? owner.call(routes[name].method, path, body, headers)
    : service.api(routes[name].method, path, body, { headers });

/** Parameters that do not exist in the account. */
function strangeParams(name: Operation): Record<string, string> {
  const known: Record<string, string> = { version: '1', key: 'KEY', app: 'no-such-app', method: 'OAUTH2' };
  const names = [...routes[name].path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(names.map((each) => [each, known[each] ?? newId()]));
}

const isError = (body: unknown, code: number) =>
  expect(body).toMatchObject({ code, type: expect.any(String), message: expect.stringMatching(/.{5}/) });

describe.each(keyed)('%s', (name) => {
  const { method } = routes[name];

  it('returns 401 without a key and with a wrong one', async () => {
    for (const key of [null, 'slc_wrong']) {
      const answer = await service.api(method, pathOf(name, strangeParams(name)), undefined, { key });
      expect(answer.status).toBe(401);
      isError(answer.body, 401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-request-id')).toMatch(/.{8}/);
    }
  });

  it('returns 405 with Allow for another method', async () => {
    const answer = await service.api('OPTIONS', pathOf(name, strangeParams(name)));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain(method);
  });
});

describe.each(withIds)('%s', (name) => {
  const body = validBody(name);

  it('returns 404 for a missing resource', async () => {
    const answer = await ask(name, pathOf(name, strangeParams(name)), body);
    expect(answer.status).toBe(404);
    isError(answer.body, 404);
  });

  it('returns 404, not 500, for a malformed id', async () => {
    const params = Object.fromEntries(
      Object.keys(strangeParams(name)).map((each) => [each, each === 'version' ? '1' : 'not-an-id']),
    );
    const answer = await ask(name, pathOf(name, params), body);
    expect(answer.status).toBe(404);
  });
});

describe.each(withBody)('%s', (name) => {
  const path = pathOf(name, strangeParams(name));
  const send = (body: unknown, headers?: Record<string, string>) => ask(name, path, body, headers);

  it('rejects bodies that are not JSON, not an object, unknown, too deep or of another type', async () => {
    expect((await send('{"a":')).status).toBe(400);
    expect((await send('[]')).status).toBe(400);
    expect((await send('7')).status).toBe(400);
    const unknown = await send({ no_such_field: 1 });
    expect(unknown.status).toBe(400);
    expect(String(unknown.body['message'])).toContain('no_such_field');
    expect((await send(`${'['.repeat(10_000)}`)).status).toBe(400);
    expect((await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });
});

/** A valid body, for operations that look up ids after the body is checked. */
function validBody(name: Operation): unknown {
  const bodies: Partial<Record<Operation, unknown>> = {
    destinationCreate: { url: 'https://example.com/' },
    eventCreate: { payload: {} },
    versionCreate: { files: { 'index.ts': 'export default { fetch: () => new Response("") }' } },
    shadowCreate: { version: 1 },
    gradualPut: { version: 1, percent: 10 },
    functionCopy: { name: 'a copy' },
    envCreate: { env: [{ key: 'A', value: 'b' }] },
    envPut: { value: 'b' },
    connectionUpdate: { name: 'x' },
    connectionReplace: { connection_id: newId() },
    connectionRequest: { method: 'GET', path: '/' },
    savedRequestCreate: { name: 'b', method: 'GET', path: '/', body_kind: 'none' },
    savedRequestUpdate: { name: 'c' },
    connectionToolCall: { tool: 'echo' },
  };
  return operations[name].body === null ? undefined : (bodies[name] ?? {});
}

import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, invoke, makeFunction } from './functions-support.ts';

const service = serviceForAll();

const SHOW = 'export default { fetch: (_, { GATEWAY_URL, GATEWAY_TOKEN, ...env }) => Response.json(env) };';
const path = (fn: HostedFunction, key = '') => `/functions/${fn.function_id}/env${key && `/${key}`}`;
const list = async (fn: HostedFunction) => (await service.api<Reply<'envList'>>('GET', path(fn))).body.env;
const shown = async (fn: HostedFunction) => (await invoke(service, fn)).response?.body as Record<string, string>;

it('shows PLAIN values and hides SENSITIVE ones, which is the default', async () => {
  const fn = await makeFunction(service, SHOW);
  const env = [
    { key: 'PLAIN_ONE', value: 'seen', type: 'PLAIN' },
    { key: 'SECRET_ONE', value: 'hidden' },
  ];
  const answer = await service.api('POST', path(fn), { env });
  expect([answer.status, answer.body]).toEqual([200, {}]);
  expect(await list(fn)).toEqual([
    { key: 'PLAIN_ONE', type: 'PLAIN', value: 'seen', created_at: expect.any(String), updated_at: expect.any(String) },
    {
      key: 'SECRET_ONE',
      type: 'SENSITIVE',
      value: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  const stored = await service.services.db.selectFrom('env_variables').selectAll().execute();
  expect(JSON.stringify(stored)).not.toMatch(/seen|hidden/);
});

it('adds all variables or none, and names the keys that already exist', async () => {
  const fn = await makeFunction(service, SHOW);
  await service.api('POST', path(fn), {
    env: [
      { key: 'A', value: '1' },
      { key: 'B', value: '2' },
    ],
  });
  const again = await service.api('POST', path(fn), {
    env: [
      { key: 'B', value: 'x' },
      { key: 'C', value: '3' },
      { key: 'A', value: 'y' },
    ],
  });
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ type: 'Conflict', message: expect.stringMatching(/B, A/) });
  expect((await list(fn)).map(({ key }) => key)).toEqual(['A', 'B']);
  expect(await shown(fn)).toEqual({ A: '1', B: '2' });
});

it('accepts one of two concurrent additions', async () => {
  const fn = await makeFunction(service, SHOW);
  const add = () => service.api('POST', path(fn), { env: [{ key: 'RACE', value: '1' }] });
  expect((await Promise.all([add(), add(), add()])).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

it('sets a value, new or existing, and keeps its type', async () => {
  const fn = await makeFunction(service, SHOW);
  const put = (key: string, body: unknown) => service.api('PUT', path(fn, key), body);
  expect((await put('NEW', { value: '1' })).body).toEqual({});
  await put('OPEN', { value: '1', type: 'PLAIN' });
  await put('OPEN', { value: '2' });
  expect((await list(fn)).map(({ key, type, value }) => [key, type, value])).toEqual([
    ['NEW', 'SENSITIVE', null],
    ['OPEN', 'PLAIN', '2'],
  ]);
  await put('OPEN', { value: '3', type: 'SENSITIVE' });
  expect((await list(fn))[1]).toMatchObject({ type: 'SENSITIVE', value: null });
});

it('is visible to the next run after any change', async () => {
  const fn = await makeFunction(service, SHOW);
  expect(await shown(fn)).toEqual({});
  await service.api('PUT', path(fn, 'GREETING'), { value: 'hello' });
  expect(await shown(fn)).toEqual({ GREETING: 'hello' });
  await service.api('PUT', path(fn, 'GREETING'), { value: 'good bye' });
  expect(await shown(fn)).toEqual({ GREETING: 'good bye' });
  expect((await service.api('DELETE', path(fn, 'GREETING'))).status).toBe(200);
  expect(await shown(fn)).toEqual({});
  expect((await service.api('DELETE', path(fn, 'GREETING'))).status).toBe(404);
});

it('treats keys with a special meaning in JavaScript as plain keys', async () => {
  const fn = await makeFunction(service, SHOW);
  await service.api('PUT', path(fn, 'PATH'), { value: '/nowhere' });
  await service.api('PUT', path(fn, '__proto__'), { value: 'mine' });
  const env = await shown(fn);
  expect(env['PATH']).toBe('/nowhere');
  expect(Object.hasOwn(env, '__proto__')).toBe(true);
});

it('rejects the removal of an invalid key', async () => {
  const fn = await makeFunction(service, SHOW);
  const answer = await service.api('DELETE', `${path(fn)}/a%00b`);
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringMatching(/^key: expected a letter/)]);
});

it.each([
  ['no variables', { env: [] }, /^env: /],
  ['a key with a dash', { env: [{ key: 'A-B', value: '' }] }, /^env\.0\.key: expected a letter/],
  [
    'a key twice',
    {
      env: [
        { key: 'A', value: '' },
        { key: 'A', value: '' },
      ],
    },
    /^env\.1\.key: .*twice/,
  ],
  ['a number', { env: [{ key: 'A', value: 1 }] }, /^env\.0\.value: /],
  ['a NUL', { env: [{ key: 'A', value: '\0' }] }, /NUL/],
  ['half a character', { env: [{ key: 'A', value: '\ud800' }] }, /lone surrogates/],
  ['a key that is too long', { env: [{ key: 'A'.repeat(129), value: '' }] }, /at most 128 characters/],
  ['a value that is too long', { env: [{ key: 'A', value: 'x'.repeat(32_769) }] }, /32768/],
  ['another type', { env: [{ key: 'A', value: '', type: 'SECRET' }] }, /^env\.0\.type: /],
  ['an unknown field', { env: [{ key: 'A', value: '', note: '' }] }, /^env\.0\.note: unknown field/],
])('rejects %s', async (_, body, message) => {
  const fn = await makeFunction(service, SHOW);
  const answer = await service.api('POST', path(fn), body);
  expect(answer.status).toBe(400);
  expect(answer.body['message']).toMatch(message);
  expect(await list(fn)).toEqual([]);
});

/** The URL of a deleted or renamed function is reserved for its account for 90 days. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { sweep } from '../../maintenance/sweep.ts';
import { type Service, startService } from '../../test/service.ts';
import { bearer, callAddress, HELLO, invoke, makeFunction } from './functions-support.ts';

let service: Service;
let otherKey: string;
beforeAll(async () => {
  service = await startService();
  otherKey = (await service.secondAccount()).key;
});
afterAll(async () => {
  await service.stop();
  vi.resetModules();
});

const labelOf = ({ url }: { url: string }) => new URL(url).hostname.split('.')[0];
const remove = async (function_id: string) =>
  expect((await service.api('DELETE', `/functions/${function_id}`)).status).toBe(200);
const rename = async (function_id: string, name: string) =>
  (await service.api<Reply<'functionUpdate'>>('PATCH', `/functions/${function_id}`, { name })).body.function;
const theirs = (name: string) =>
  makeFunction(service, HELLO, { name, visibility: 'PUBLIC', invoke_access: 'ANYONE' }, otherKey);

it('no other account can use the URL of a deleted function, and its account can reuse it', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'Webhook sink' });
  expect(labelOf(fn)).toBe('webhook-sink');
  await remove(fn.function_id);
  const other = await theirs('Webhook sink');
  expect(labelOf(other)).toMatch(/^webhook-sink-\w+$/);
  expect((await callAddress(service, fn.url)).status).toBe(404);
  const again = await makeFunction(service, HELLO, { name: 'Webhook sink' });
  expect(again.url).toBe(fn.url);
  expect((await callAddress(service, again.url, { headers: bearer(service.key) })).text).toBe('hello');
  expect((await invoke(service, again)).status).toBe('OK');
});

it('the same applies to a renamed function', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'Before' });
  expect(labelOf(await rename(fn.function_id, 'After'))).toBe('after');
  expect(labelOf(await theirs('Before'))).toMatch(/^before-\w+$/);
  expect(labelOf(await rename(fn.function_id, 'Before'))).toBe('before');
  expect(labelOf(await theirs('After'))).toMatch(/^after-\w+$/);
});

it('after 90 days the URL is free', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'Long gone' });
  await remove(fn.function_id);
  const { db } = service.services;
  const reserved = () => db.selectFrom('reserved_labels').select('label').where('label', '=', 'long-gone').execute();
  const age = (days: number) =>
    db
      .updateTable('reserved_labels')
      .set({ released_at: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where('label', '=', 'long-gone')
      .execute();
  await age(89);
  await sweep(service.services);
  expect(await reserved()).toHaveLength(1);
  expect(labelOf(await theirs('Long gone'))).not.toBe('long-gone');
  await age(91);
  await sweep(service.services);
  expect(await reserved()).toEqual([]);
  expect(labelOf(await theirs('Long gone'))).toBe('long-gone');
});

it('a clock that is weeks ahead releases nothing', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'Ahead' });
  await remove(fn.function_id);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120 * 86_400_000 });
  await sweep(service.services).finally(() => vi.useRealTimers());
  const { db } = service.services;
  const kept = await db.selectFrom('reserved_labels').select('label').where('label', '=', 'ahead').execute();
  expect(kept).toHaveLength(1);
});

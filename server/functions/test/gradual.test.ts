/** Gradual deploys, with real calls and a real error rate. */
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { watch } from '../../conditions/test/conditions-support.ts';
import { startService } from '../../test/service.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { callAddress, type HostedFunction, makeFunction, PATIENTLY } from './functions-support.ts';
import { publish } from './shadows-support.ts';

const sink = sinkForAll();
// Conditions of an account that changed are evaluated within a second.
const service = serviceForAll({ conditions: { everyMs: 3_600_000, holdMs: 0 } });
const code = (version: number) => `export default { fetch: () => new Response('v${version}') };`;
const BROKEN = "export default { fetch: () => { throw new Error('broken'); } };";

const made = (source = code(1)) => makeFunction(service, source, { invoke_access: 'ANYONE', visibility: 'UNLISTED' });
const pathOf = ({ function_id }: HostedFunction) => `/functions/${function_id}/gradual`;
const serve = (fn: HostedFunction, body: object) =>
  service.api<Reply<'gradualPut'> & { message: string }>('PUT', pathOf(fn), body);
const read = async (fn: HostedFunction) => (await service.api<Reply<'gradualGet'>>('GET', pathOf(fn))).body.gradual;

/** How often each response was returned. */
async function responses(fn: HostedFunction, calls: number, port = service.port): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < calls; n++) {
    const { text } = await callAddress({ ...service, port }, fn.url.replace(`:${service.port}`, `:${port}`));
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

it('serves a version to a share of the calls, after a restart as well, until it is ended', async () => {
  const fn = await made();
  const version = await publish(service, fn, code(2));
  const begun = await serve(fn, { version, percent: 50 });
  expect(begun.body.gradual).toMatchObject({
    version: 2,
    live_version: 1,
    status: 'RUNNING',
    percent: 50,
    window_minutes: 10,
    min_calls: 20,
    max_failed_percent: 5,
  });
  const first = await responses(fn, 60);
  expect(Object.keys(first).sort()).toEqual(['v1', 'v2']);
  expect(first['v2']).toBeGreaterThan(5);
  await service.restart();
  expect(Object.keys(await responses(fn, 60)).sort()).toEqual(['v1', 'v2']);
  await expect.poll(async () => (await read(fn))?.calls.version.calls, PATIENTLY).toBeGreaterThan(10);

  const { started_at } = (await read(fn)) ?? {};
  const more = await serve(fn, { version, percent: 99 });
  expect(more.body.gradual).toMatchObject({ percent: 99, started_at });
  expect((await responses(fn, 30))['v2']).toBeGreaterThan(20);

  expect((await service.api('DELETE', pathOf(fn))).status).toBe(200);
  expect((await service.api('DELETE', pathOf(fn))).status).toBe(404);
  expect(await responses(fn, 20)).toEqual({ v1: 20 });
  expect(await read(fn)).toBeNull();
});

it('rolls a version back that fails more often than the live one', async () => {
  const fn = await made();
  const version = await publish(service, fn, BROKEN);
  const watched = await watch(service, sink, 'function.rolled_back');
  await serve(fn, { version, percent: 50, min_calls: 5 });
  await expect
    .poll(async () => {
      await responses(fn, 10);
      return (await read(fn))?.status;
    }, PATIENTLY)
    .toBe('ROLLED_BACK');
  const ended = await read(fn);
  expect(ended?.reason).toMatch(/^(\d+) of \1 calls of version 2 failed, and 0 of \d+ of version 1\.$/);
  expect(ended?.ended_at).not.toBeNull();
  expect(await responses(fn, 20)).toEqual({ v1: 20 });
  const { entries } = (await service.api<Reply<'auditList'>>('GET', '/audit')).body;
  expect(entries[0]).toMatchObject({
    actor_type: 'SYSTEM',
    actor_name: 'Automatic roll-back',
    operation: 'gradualDelete',
    resource_id: fn.function_id,
  });
  const [event] = await watched.whenReceived(1, fn.function_id);
  expect(event).toMatchObject({
    severity: 'error',
    title: 'Version 2 of function “Function” was rolled back',
    last_error: ended?.reason,
    details: { version: 2, live_version: 1 },
  });
});

it('applies on every node', async () => {
  const env = { DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir };
  const other = await startService({ env });
  onTestFinished(() => other.stop());
  const fn = await made();
  const version = await publish(service, fn, BROKEN);
  expect(await responses(fn, 10, other.port)).toEqual({ v1: 10 });
  await serve(fn, { version, percent: 50, min_calls: 10 });
  await expect.poll(async () => Object.keys(await responses(fn, 10, other.port)).length, PATIENTLY).toBe(2);
  // Only the calls of the other node fail.
  await expect
    .poll(async () => {
      await responses(fn, 10, other.port);
      return (await read(fn))?.status;
    }, PATIENTLY)
    .toBe('ROLLED_BACK');
  await expect.poll(() => responses(fn, 10, other.port), PATIENTLY).toEqual({ v1: 10 });
  expect(await responses(fn, 10)).toEqual({ v1: 10 });
});

it('keeps a version that fails as often as the live one', async () => {
  const fn = await made(BROKEN);
  const version = await publish(service, fn, `${BROKEN}\n// again`);
  // With calls of one version only, there is nothing to compare it with yet.
  await serve(fn, { version, percent: 50, min_calls: 1000 });
  await responses(fn, 40);
  const failed = async () => {
    const { calls } = (await read(fn)) ?? {};
    return Math.min(calls?.version.failed ?? 0, calls?.live.failed ?? 0);
  };
  await expect.poll(failed, PATIENTLY).toBeGreaterThan(5);
  await serve(fn, { version, percent: 50, min_calls: 1 });
  const { db } = service.services;
  const checkedAt = async () =>
    (await db.selectFrom('gradual_deploys').select('check_at').where('function_id', '=', fn.function_id).execute())[0]
      ?.check_at;
  const before = await checkedAt();
  await expect.poll(checkedAt, PATIENTLY).not.toBe(before);
  const between = await checkedAt();
  await expect.poll(checkedAt, PATIENTLY).not.toBe(between);
  expect(await read(fn)).toMatchObject({ status: 'RUNNING' });
});

it('ends with a deploy', async () => {
  const fn = await made();
  const version = await publish(service, fn, code(2));
  await serve(fn, { version, percent: 10 });
  await service.api('PATCH', `/functions/${fn.function_id}`, { version });
  expect(await read(fn)).toBeNull();
  expect(await responses(fn, 10)).toEqual({ v2: 10 });
  await service.api('PATCH', `/functions/${fn.function_id}`, { version: 1 });
  await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': code(3) } });
  expect(await responses(fn, 10)).toEqual({ v3: 10 });
});

it.each([
  [{ version: 1, percent: 10 }, 'version: expected one that is not live; version 1 is live'],
  [{ version: 9, percent: 10 }, "version: expected one of this function's versions, 1 to 2"],
  [{ version: 2, percent: 0 }, 'percent: expected a whole number from 1 to 99'],
  [{ version: 2, percent: 100 }, 'percent: expected a whole number from 1 to 99'],
  [{ version: 2, percent: 1.5 }, 'percent: expected a whole number from 1 to 99'],
  [{ version: 2 }, expect.stringMatching(/^percent: /)],
  [{ version: 2, percent: 10, min_calls: 0 }, expect.stringMatching(/^min_calls: /)],
])('%j is a 400', async (body, message) => {
  const fn = await made();
  await publish(service, fn, code(2));
  const answer = await serve(fn, body);
  expect([answer.status, answer.body.message]).toEqual([400, message]);
});

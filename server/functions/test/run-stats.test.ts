import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, invoke, makeFunction } from './functions-support.ts';

const service = serviceForAll();
const quick = forAll(() => makeFunction(service, undefined, { name: 'Quick' }));
const slow = forAll(() =>
  makeFunction(
    service,
    `export default { async fetch(request) {
    await new Promise((go) => setTimeout(go, 120));
    if (new URL(request.url).pathname === '/fail') throw new Error('failed');
    return new Response();
  } };`,
  ),
);
beforeAll(async () => {
  for (let i = 0; i < 3; i++) await invoke(service, quick);
  await invoke(service, slow);
  await invoke(service, slow, { path: '/fail' });
});

const stats = async (query: Record<string, string> = {}) => {
  const answer = await service.api<Reply<'runStats'>>('GET', `/runs/stats?${new URLSearchParams(query)}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

it('counts runs by duration', async () => {
  const all = await stats();
  expect(all).toMatchObject({ runs: 5, failed: 1 });
  expect(all.durations[0]).toMatchObject({ from_ms: 0, to_ms: 1 });
  expect(all.durations.at(-1)).toMatchObject({ from_ms: 60_000, to_ms: null });
  expect(all.durations.reduce((sum, { runs }) => sum + runs, 0)).toBe(5);
  expect(all.buckets).toHaveLength(48);
  expect(all.bucket_seconds).toBe(1800);
  expect(all.buckets.reduce((sum, { runs }) => sum + runs, 0)).toBe(5);
  expect(all.buckets.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
  expect((await stats({ range: '1h' })).buckets).toHaveLength(60);
  const of = await stats({ function_id: slow.function_id });
  expect(of).toMatchObject({ runs: 2, failed: 1 });
  expect(of.durations.filter(({ to_ms }) => to_ms !== null && to_ms <= 100).every(({ runs }) => runs === 0)).toBe(true);
  expect(of.p50_ms).toBeGreaterThanOrEqual(119);
  expect(await stats({ function_id: slow.function_id, status: 'OK' })).toMatchObject({ runs: 1, failed: 0 });
  expect(await stats({ function_id: slow.function_id, version: '2' })).toMatchObject({ runs: 0, p99_ms: null });
  const { key } = await service.secondAccount();
  const foreign = await service.api('GET', `/runs/stats?function_id=${slow.function_id}`, undefined, { key });
  expect(foreign.status).toBe(404);
});

it('lists runs between two durations', async () => {
  const list = async (query = '') =>
    (await service.api<Reply<'runListAll'>>('GET', `/runs?${query}`)).body.runs.map(({ run_id, duration_ms }) => ({
      run_id,
      ms: duration_ms ?? 0,
    }));
  const all = await list();
  const edge = Math.ceil(all.map(({ ms }) => ms).toSorted((a, b) => a - b)[2] ?? 0);
  const longer = all.filter(({ ms }) => ms >= edge);
  expect(longer.length).toBeGreaterThan(0);
  expect(longer.length).toBeLessThan(all.length);
  expect(await list(`min_duration=${edge}`)).toEqual(longer);
  expect(await list(`max_duration=${edge}`)).toEqual(all.filter(({ ms }) => ms < edge));
  expect((await service.api('GET', '/runs?min_duration=-1')).status).toBe(400);
});

it('reports the hourly runs and failures of every function', async () => {
  const { body } = await service.api<Reply<'functionStats'>>('GET', '/functions/stats');
  const of = (fn: HostedFunction) => body.functions.find(({ function_id }) => function_id === fn.function_id);
  expect(of(quick)).toMatchObject({ runs: 3, failed: 0 });
  expect(of(slow)).toMatchObject({ runs: 2, failed: 1 });
  expect(of(slow)?.buckets).toHaveLength(24);
  expect(of(slow)?.failures.reduce((sum, each) => sum + each, 0)).toBe(1);
  const { key } = await service.secondAccount();
  const other = await service.api<Reply<'functionStats'>>('GET', '/functions/stats', undefined, { key });
  expect(other.body.functions).toEqual([]);
});

import { expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { startApp } from '../../connections/test/custom-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, invoke, makeFunction, type Run } from './functions-support.ts';

type Bisect = Reply<'runBisect'>['bisect'];
let asked = 0;
const upstream = forAll(() =>
  startApp((_, res) => {
    asked += 1;
    res.end('reached');
  }),
);
const service = serviceForAll();

/** A function with `count` versions that throw for an empty list from version `broken` on. */
async function made(count: number, broken: number): Promise<HostedFunction> {
  const code = (version: number) => `export default { async fetch(request) {
    const { items } = await request.json();
    if (${version} >= ${broken} && items.length === 0) throw new RangeError('empty in ${version}');
    if (${version} === 2 && items.length === 0) throw new TypeError('another way to fail');
    return Response.json({ version: ${version}, key: request.headers.get('x-api-key') });
  } };`;
  const fn = await makeFunction(service, code(1));
  for (let version = 2; version <= count; version++)
    await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': code(version) } });
  return fn;
}

async function bisect(run: Run, body: Body<'runBisect'> = undefined): Promise<Bisect> {
  const path = `/functions/${run.function_id}/runs/${run.run_id}:bisect`;
  const answer = await service.api<{ bisect: Bisect }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.bisect;
}

it('finds the first version with the same failure, in few runs', async () => {
  const fn = await made(13, 9);
  const run = await invoke(service, fn, { body: '{"items":[]}' });
  const found = await bisect(run);
  expect(found).toMatchObject({ status: 'FOUND', passing: 8, failing: 9, remaining: 0 });
  expect(found.steps.length).toBeLessThanOrEqual(6);
  expect(found.steps[0]).toMatchObject({ version: 13, outcome: 'SAME' });
  expect(found.steps[1]).toMatchObject({ version: 1, outcome: 'PASSES', response_status: 200 });
  for (const step of found.steps) {
    const { body } = await service.api<Run>('GET', `/functions/${fn.function_id}/runs/${step.run_id}`);
    expect(body).toMatchObject({ version: step.version, status: step.status, request: { body: '{"items":[]}' } });
  }
});

it('continues from an earlier result', async () => {
  const fn = await made(6, 4);
  const run = await invoke(service, fn, { body: '{"items":[]}' });
  const seen: Bisect['steps'] = [];
  let state = await bisect(run, { egress: 'NONE', max_steps: 1 });
  seen.push(...state.steps);
  while (state.status === 'UNFINISHED') {
    expect(state.steps).toHaveLength(1);
    const { passing, failing } = state;
    state = await bisect(run, {
      egress: 'NONE',
      max_steps: 1,
      ...(passing === null ? {} : { passing }),
      ...(failing === null ? {} : { failing }),
    });
    seen.push(...state.steps);
  }
  expect(state).toMatchObject({ status: 'FOUND', passing: 3, failing: 4 });
  expect(new Set(seen.map(({ version }) => version)).size).toBe(seen.length);
});

it('distinguishes a different failure from the one searched for', async () => {
  const fn = await made(4, 3);
  const run = await invoke(service, fn, { body: '{"items":[]}' });
  const found = await bisect(run, { egress: 'NONE', from: 2 });
  expect(found).toMatchObject({ status: 'FOUND', passing: 2, failing: 3 });
  expect(found.steps.find(({ version }) => version === 2)).toMatchObject({ outcome: 'OTHER', status: 'ERROR' });
});

it('reports when every version fails, and when the failure does not recur', async () => {
  const always = await made(3, 1);
  const run = await invoke(service, always, { body: '{"items":[]}' });
  expect(await bisect(run)).toMatchObject({ status: 'ALWAYS', passing: null, failing: 1 });
  const once = await makeFunction(
    service,
    `let calls = 0;
    export default { fetch() { if (calls++ === 0 && !Deno.env.get('LATER')) throw new Error('once'); return new Response(); } };`,
  );
  const failed = await invoke(service, once);
  await service.api('POST', `/functions/${once.function_id}/env`, { env: [{ key: 'LATER', value: 'yes' }] });
  expect(failed.status).toBe('ERROR');
  expect(await bisect(failed)).toMatchObject({ status: 'NOT_REPRODUCED', passing: null, failing: null });
});

it('has no network and no gateway unless the function’s policy is requested', async () => {
  const { port } = new URL(upstream.url);
  const fn = await makeFunction(
    service,
    `export default { async fetch() {
      const { GATEWAY_URL, GATEWAY_TOKEN } = process.env;
      const gateway = await fetch(GATEWAY_URL + '/account', { headers: { authorization: 'Bearer ' + GATEWAY_TOKEN } })
        .then((answer) => answer.status, () => 'nothing');
      const out = await fetch('http://127.0.0.1:${port}/').then((answer) => answer.text(), () => 'nothing');
      console.log('gateway', gateway, 'address', out);
      throw new Error('always');
    } };`,
  );
  const run = await invoke(service, fn);
  const said = async (run_id: string) => {
    const path = `/functions/${fn.function_id}/runs/${run_id}/logs?filter_pattern=gateway`;
    return (await service.api<Reply<'runLogList'>>('GET', path)).body.events[0]?.message;
  };
  const before = asked;
  const alone = await bisect(run);
  expect(await said(alone.steps[0]?.run_id ?? '')).toBe('gateway 401 address nothing');
  expect(asked).toBe(before);
  const free = await bisect(run, { egress: 'POLICY' });
  expect(await said(free.steps[0]?.run_id ?? '')).toBe(await said(run.run_id));
});

it('rejects a run that did not fail, and versions that form no range', async () => {
  const fn = await made(2, 2);
  const fine = await invoke(service, fn, { body: '{"items":[1]}' });
  const bad = await invoke(service, fn, { body: '{"items":[]}' });
  const ask = (run: Run, body?: object) =>
    service.api<{ message: string }>('POST', `/functions/${fn.function_id}/runs/${run.run_id}:bisect`, body);
  expect(await ask(fine)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^run_id: /) } });
  expect(await ask(bad, { from: 3 })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^from: /) },
  });
  expect(await ask(bad, { passing: 2 })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^passing: /) },
  });
});

/** Filters of runs: by function, outcome, version, caller and text, in lists and statistics. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { newId } from '../../lib/ids.ts';
import { signIn } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, type HostedFunction, invoke, makeFunction } from './functions-support.ts';

const CODE = `export default { async fetch(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/fail') throw new Error('no such customer');
  console.log('looked at', await request.text());
  return Response.json({ greeting: 'grüß "Gott"' });
} };`;

const service = serviceForAll();
const orders = forAll(() => makeFunction(service, CODE, { name: 'Orders' }));
const other = forAll(() => makeFunction(service, undefined, { name: 'Other' }));
const open = forAll(() =>
  makeFunction(service, undefined, { name: 'Open', visibility: 'PUBLIC', invoke_access: 'ANYONE' }),
);

const list = async (query: Record<string, string>, path = '/runs') => {
  const { status, body } = await service.api<Reply<'runListAll'>>('GET', `${path}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.runs;
};
const ids = async (query: Record<string, string>, path?: string) =>
  (await list(query, path)).map(({ run_id }) => run_id);
const stats = async (query: Record<string, string>) =>
  (await service.api<Reply<'runStats'>>('GET', `/runs/stats?${new URLSearchParams(query)}`)).body;
const atUrl = async (fn: HostedFunction, headers: Record<string, string>) =>
  String((await callAddress(service, fn.url, { headers })).headers['x-function-run-id']);

it('by function', async () => {
  const { run_id } = await invoke(service, other);
  await invoke(service, orders);
  expect(await ids({ function_id: other.function_id })).toEqual([run_id]);
  const strange = await service.api('GET', `/runs?function_id=${newId()}`);
  expect([strange.status, strange.body['message']]).toEqual([404, 'Function not found']);
  const { key } = await service.secondAccount();
  const foreign = await service.api('GET', `/runs?function_id=${other.function_id}`, undefined, { key });
  expect(foreign.status).toBe(404);
});

it('by failure of any kind', async () => {
  const failed = await invoke(service, orders, { path: '/fail' });
  expect(failed.status).toBe('ERROR');
  const mine = { function_id: orders.function_id, status: 'FAILED' };
  expect(await ids(mine)).toEqual([failed.run_id]);
  expect(await ids({ status: 'FAILED' }, `/functions/${orders.function_id}/runs`)).toEqual([failed.run_id]);
  expect(await stats(mine)).toMatchObject({ runs: 1, failed: 1 });
  const wrong = await service.api('GET', '/runs?status=BROKEN');
  expect([wrong.status, wrong.body['message']]).toEqual([400, expect.stringMatching(/^status: .*FAILED/)]);
});

it('by caller', async () => {
  const fn = await makeFunction(service, undefined, { name: 'Called' });
  const byKey = await atUrl(fn, bearer(service.key));
  const byApi = (await invoke(service, fn)).run_id;
  const owner = await signIn(service);
  const byPerson = await owner.call<{ run: { run_id: string } }>('POST', `/functions/${fn.function_id}:invoke`, {});
  const byAnyone = await atUrl(open, {});
  const trigger = await makeTrigger(service, [{ url: fn.url }]);
  await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
  const { destination_id } = only(trigger.destinations);
  await service.api('POST', `/triggers/${trigger.trigger_id}/destinations/${destination_id}:test`, {});

  const of = (caller: string) => list({ caller, function_id: fn.function_id });
  expect((await of('KEY')).map(({ run_id }) => run_id)).toEqual([byKey]);
  expect((await of('API')).map(({ run_id }) => run_id)).toEqual([byApi]);
  expect((await of('CONSOLE')).map(({ run_id }) => run_id)).toEqual([byPerson.body.run.run_id]);
  expect(await of('EVENT')).toMatchObject([{ caller: 'EVENT', cause: { trigger_id: trigger.trigger_id } }]);
  expect(await of('TEST')).toMatchObject([{ caller: 'TEST', cause: null }]);
  expect(await ids({ caller: 'ANYONE' })).toEqual([byAnyone]);
  expect(await stats({ caller: 'EVENT', function_id: fn.function_id })).toMatchObject({ runs: 1 });
  const run = await service.api('GET', `/functions/${fn.function_id}/runs/${byKey}`);
  expect(run.body).toMatchObject({ caller: 'KEY' });
});

describe('by text', () => {
  it('in the path, the request, the response, the error and the log', async () => {
    const fn = await makeFunction(service, CODE, { name: 'Texts' });
    const { function_id } = fn;
    const ok = await invoke(service, fn, {
      path: '/invoices/4711',
      headers: { 'x-tag': 'Blue_1' },
      body: '{"id":"cus_9"}',
    });
    const failed = await invoke(service, fn, { path: '/fail' });
    const found = (q: string, more = {}) => ids({ q, function_id, ...more });
    for (const q of ['INVOICES/47', 'blue_1', '{"id":"cus_9"}', 'grüß', 'grüß "Gott"', 'looked at'])
      expect(await found(q), q).toEqual([ok.run_id]);
    expect(await found('no such customer')).toEqual([failed.run_id]);
    expect(await found('no such customer', { status: 'OK' })).toEqual([]);
    for (const q of ['blue%1', 'blueX1', 'nowhere']) expect(await found(q), q).toEqual([]);
    expect(await stats({ q: 'looked at', function_id })).toMatchObject({ runs: 1, failed: 0 });
    const { since, searched_since } = await stats({ q: 'nowhere', function_id });
    expect(searched_since).toBe(since);
    const long = await service.api('GET', `/runs?q=${'x'.repeat(201)}`);
    expect([long.status, long.body['message']]).toEqual([400, 'q: expected at most 200 characters']);
  });

  it('finds few among many, page by page, each once', async () => {
    const fn = await makeFunction(service, undefined, { name: 'Many' });
    const wanted: string[] = [];
    for (let at = 0; at < 30; at++) {
      const { run_id } = await invoke(service, fn, { path: at % 10 === 0 ? '/rare' : '/usual' });
      if (at % 10 === 0) wanted.unshift(run_id);
    }
    const seen: string[] = [];
    let token: string | null = null;
    do {
      const page: Reply<'runListAll'> = (
        await service.api<Reply<'runListAll'>>('GET', `/runs?q=%2Frare&limit=1${token ? `&next_token=${token}` : ''}`)
      ).body;
      seen.push(...page.runs.map(({ run_id }) => run_id));
      token = page.next_token;
    } while (token);
    expect(seen).toEqual(wanted);
  });
});

/** Filters of what code defines and uses: symbol, imports, host, env. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { READER } from '../../functions/facts/code-reader.ts';
import { unreadCode } from '../../functions/store/code-facts.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { LONG_MS } from './search-api-support.ts';

type Found = Reply<'functionSearch'> & { message: string };

const ENTRY = 'export default { fetch: () => new Response("") };\n';
const LOCK = (version: string) =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/stripe': { version, resolved: '', integrity: '' } } });

const service = serviceForAll({ searchBudgetMs: LONG_MS });
const stranger = forAll(() => service.secondAccount());
const search = async (query: Record<string, string>, key = service.key) =>
  service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, { key });
const names = async (q: string, more: Record<string, string> = {}, key = service.key) => {
  const { status, body } = await search({ q, ...more }, key);
  expect([status, body.truncated], JSON.stringify(body)).toEqual([200, false]);
  return body.functions.map(({ name }) => name).sort();
};
const lines = async (q: string, more: Record<string, string> = {}) =>
  (await search({ q, ...more })).body.functions.flatMap(({ hits }) => hits.map(({ path, line }) => `${path}:${line}`));

/** A deploy does not wait long for its code to be read. */
const allIsRead = () =>
  vi.waitFor(async () => expect(await unreadCode(service.services.db, READER, 1)).toEqual([]), PATIENTLY);

let orders: string;
beforeAll(async () => {
  const made = await makeFunction(
    service,
    {
      'index.ts': `${ENTRY}export async function fetchOrders() {\n  return fetch("https://api.stripe.com/v1");\n}\n`,
      'lib/order.ts': 'export class Order {\n  total() { return process.env.TAX_RATE; }\n}\n',
      'lib/pay.ts': '// fetchOrders\nimport Stripe from "stripe";\nimport { readFile } from "fs/promises";\n',
      'package-lock.json': LOCK('13.2.0'),
    },
    { name: 'Orders' },
  );
  orders = made.function_id;
  await makeFunction(
    service,
    {
      'index.ts': `${ENTRY}const text = "fetchOrders";\n`,
      'pay.ts': 'import Stripe from "stripe";\n',
      'package-lock.json': LOCK('14.0.1'),
      'task.py': 'import os\ndef fetch_orders():\n  return os.environ["TAX_RATE"]\n',
    },
    { name: 'Newer' },
  );
  await makeFunction(
    service,
    { 'index.ts': `${ENTRY}export function fetchOrders() {}\n` },
    { name: 'Their public', visibility: 'PUBLIC' },
    stranger.key,
  );
  await makeFunction(
    service,
    { 'index.ts': `${ENTRY}export function fetchOrders() {}\n` },
    { name: 'Their private' },
    stranger.key,
  );
  await allIsRead();
});

describe('a filter of definitions', () => {
  it.each([
    ['symbol:fetchOrders', ['index.ts:2']],
    ['symbol:FETCHORDERS', ['index.ts:2']],
    ['symbol:fetch*ders', ['index.ts:2', 'task.py:2']],
    ['symbol:class:*', ['lib/order.ts:1']],
    ['symbol:method:total', ['lib/order.ts:2']],
    ['symbol:total path:lib/', ['lib/order.ts:2']],
    ['symbol:total path:index', []],
    ['symbol:order symbol:total', ['lib/order.ts:1', 'lib/order.ts:2']],
    ['symbol:fetchOrders OR symbol:fetch_orders', ['index.ts:2', 'task.py:2']],
    ['symbol:fetch*ders -lang:python', ['index.ts:2']],
    ['symbol:%', []],
    ['symbol:fetch_rders', []],
  ])('%s', async (q, found) => expect((await lines(q)).sort()).toEqual(found));

  it('applies beside a text, and beside words', async () => {
    expect(await lines('"class" symbol:total')).toEqual(['lib/order.ts:1', 'lib/order.ts:2']);
    const { body } = await search({ q: 'orders symbol:total' });
    expect(body).toMatchObject({ mode: 'ranked', count: 1 });
  });

  it('finds those of older versions in history', async () => {
    const made = await makeFunction(service, { 'index.ts': `${ENTRY}function oldName() {}\n` }, { name: 'Renamed' });
    const files = { 'index.ts': `${ENTRY}function newName() {}\n` };
    await service.api('POST', `/functions/${made.function_id}/versions`, { files });
    await allIsRead();
    expect(await names('symbol:oldName')).toEqual([]);
    expect(await names('symbol:newName')).toEqual(['Renamed']);
    const { body } = await search({ q: 'symbol:oldName', history: 'true' });
    expect(body.functions).toMatchObject([{ name: 'Renamed', first_version: 1, last_version: 1 }]);
    expect(await names('symbol:oldName', { function_id: made.function_id, version: '1' })).toEqual(['Renamed']);
  });
});

describe('a filter of uses', () => {
  it.each([
    ['imports:stripe', ['Newer', 'Orders']],
    ['imports:stripe@<14', ['Orders']],
    ['imports:stripe@^14', ['Newer']],
    ['imports:"stripe@>=13 <14"', ['Orders']],
    ['imports:stripe -imports:stripe@14', ['Orders']],
    ['imports:node:fs', ['Orders']],
    ['host:api.stripe.com', ['Orders']],
    ['host:*.stripe.com', ['Orders']],
    ['env:tax_rate', ['Newer', 'Orders']],
    ['env:TAX_* NOT symbol:fetchOrders', ['Newer']],
    ['(host:none.example OR imports:stripe) env:tax_rate', ['Newer', 'Orders']],
    ['imports:stripe -imports:stripe', []],
  ])('%s', async (q, found) => expect(await names(q)).toEqual(found));

  it('has the lines of its places', async () => expect(await lines('imports:stripe@13')).toEqual(['lib/pay.ts:2']));
});

describe('the facets of a result', () => {
  it('count the functions by what their live code defines and uses', async () => {
    const { body } = await search({ q: 'imports:stripe' });
    expect(body.facets).toEqual({
      symbol: expect.arrayContaining([
        { value: 'function', count: 2 },
        { value: 'class', count: 1 },
      ]),
      imports: [
        { value: 'stripe', count: 2 },
        { value: 'node:fs', count: 1 },
        { value: 'os', count: 1 },
      ],
      host: [{ value: 'api.stripe.com', count: 1 }],
      env: [{ value: 'TAX_RATE', count: 2 }],
    });
    const none = { symbol: [], imports: [], host: [], env: [] };
    expect((await search({ q: 'imports:nothing' })).body.facets).toEqual(none);
  });

  it('are those of the code that is live now', async () => {
    const made = await makeFunction(
      service,
      { 'index.ts': `${ENTRY}// egret\nprocess.env.EGRET_ONE;\n` },
      { name: 'Egret' },
    );
    const env = async () => (await search({ q: '"egret"' })).body.facets?.env;
    await expect.poll(env).toEqual([{ value: 'EGRET_ONE', count: 1 }]);
    const files = { 'index.ts': `${ENTRY}// egret\nprocess.env.EGRET_TWO;\n` };
    await service.api('POST', `/functions/${made.function_id}/versions`, { files });
    await expect.poll(env).toEqual([{ value: 'EGRET_TWO', count: 1 }]);
  });
});

describe('access', () => {
  it('is that of every search', async () => {
    expect(await names('symbol:fetchOrders', { owner: 'ALL' })).toEqual(['Their public']);
    expect(await names('symbol:fetchOrders', {}, stranger.key)).toEqual(['Their private', 'Their public']);
    expect(await names('symbol:order', {}, stranger.key)).toEqual([]);
  });
});

describe('code that was not read yet', () => {
  it('makes a result truncated, until the worker has read it', async () => {
    await service.services.db.deleteFrom('code_documents').execute();
    expect((await search({ q: 'symbol:fetchOrders' })).body).toMatchObject({ count: 0, truncated: true });
    service.services.nudge('codeReader');
    await expect.poll(async () => (await search({ q: 'symbol:fetchOrders' })).body.truncated).toBe(false);
    expect(await names('symbol:fetchOrders')).toEqual(['Orders']);
  });

  it('makes a result of all public functions truncated, as each changed function is checked', async () => {
    const { db } = service.services;
    expect(await names('symbol:fetchOrders', { owner: 'ALL' })).toEqual(['Their public']);
    const files = { 'index.ts': `${ENTRY}export class Heron {}\n` };
    const { function_id } = await makeFunction(service, files, { name: 'Late', visibility: 'PUBLIC' });
    await allIsRead();
    const its = db.selectFrom('function_versions').select('code_sha256').where('function_id', '=', function_id);
    await db.deleteFrom('code_documents').where('code_sha256', 'in', its).execute();
    const late = { q: 'symbol:Heron', owner: 'ALL' };
    expect((await search(late)).body).toMatchObject({ count: 0, truncated: true });
    service.services.nudge('codeReader');
    await expect.poll(async () => (await search(late)).body.truncated).toBe(false);
    expect(await names('symbol:Heron', { owner: 'ALL' })).toEqual(['Late']);
  });

  it('is read again by a newer reader', async () => {
    await service.services.db.updateTable('code_documents').set({ reader: 0 }).execute();
    service.services.nudge('codeReader');
    const old = async () =>
      (await service.services.db.selectFrom('code_documents').select('reader').where('reader', '=', 0).execute())
        .length;
    await expect.poll(old).toBe(0);
    expect(await names('symbol:fetchOrders')).toEqual(['Orders']);
  });
});

describe('bad input', () => {
  it.each([
    ['symbol:klass:Order', 'q: there is no kind of symbol klass: expected one of function, class, method'],
    ['symbol:class:', 'q: expected a name after symbol:class:, or * for each'],
    ['imports:stripe@latest', 'q: expected versions after the @, such as imports:stripe@<14'],
    ['"x" package:stripe', 'q: there is no filter package: (did you mean imports:?)'],
    ['NOT symbol:a', 'q: expected something to search for beside what is excluded'],
  ])('%s', async (q, message) => {
    const { status, body } = await search({ q });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is code that no parser understands: it is published where the build takes it, and has no symbols', async () => {
    await makeFunction(
      service,
      { 'index.ts': ENTRY, 'broken.ts': 'function lost( {', 'b.py': 'def kept(:' },
      { name: 'Broken' },
    );
    await allIsRead();
    expect(await names('symbol:lost')).toEqual([]);
    expect(await names('symbol:kept')).toEqual(['Broken']);
  });
});

it('is removed with its code', async () => {
  const { db } = service.services;
  const { code_sha256 } = await db
    .selectFrom('function_versions')
    .select('code_sha256')
    .where('function_id', '=', orders)
    .executeTakeFirstOrThrow();
  const read = () => db.selectFrom('code_documents').select('code_id').where('code_sha256', '=', code_sha256).execute();
  const facts = () => db.selectFrom('code_facts').select('name').where('name', '=', 'Order').execute();
  expect([await read(), await facts()]).toEqual([[expect.anything()], [{ name: 'Order' }]]);
  await db.deleteFrom('blobs').where('sha256', '=', code_sha256).execute();
  expect([await read(), await facts()]).toEqual([[], []]);
});

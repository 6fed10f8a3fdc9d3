/** Copies of a function are one result, and results can be sorted. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type HostedFunction, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { LONG_MS } from './search-api-support.ts';

type Found = Reply<'functionSearch'> & { message: string };
type Caller = { key: string };

const service = serviceForAll({ searchBudgetMs: LONG_MS });
const stranger = forAll(() => service.secondAccount());

const code = (text: string) => ({ 'index.ts': `export default { fetch: () => new Response("${text}") };\n` });
const ask = (query: Record<string, string>, { key }: Caller = service) =>
  service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, { key });
const search = async (query: Record<string, string>, caller?: Caller) => {
  const once = () => ask({ copies: 'fold', ...query }, caller);
  let { status, body } = await once();
  // On a machine that is busy with other tests, time may be up early.
  for (let again = 0; again < 20 && body.truncated && !query['limit']; again++) ({ status, body } = await once());
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const groups = async (query: Record<string, string>, caller?: Caller) =>
  (await search(query, caller)).functions.map(({ name, copies }) => [
    name,
    ...(copies?.functions.map((each) => each.name) ?? []),
  ]);
const make = (name: string, files: Record<string, string>, more: Partial<HostedFunction> = {}, key = service.key) =>
  makeFunction(service, files, { name, ...more }, key);
const star = ({ function_id }: HostedFunction, { key }: Caller) =>
  service.api('PUT', `/functions/${function_id}/star`, undefined, { key });
const change = ({ function_id }: HostedFunction, body: unknown) =>
  service.api('PATCH', `/functions/${function_id}`, body);

describe('copies', () => {
  it('are listed with the oldest, in every mode, and alone by default', async () => {
    const files = code('badger');
    await make('badger original', files);
    await make('badger copy', files);
    await make('badger formatted', {
      'index.ts': '// badger, formatted\nexport default {\n  fetch: () => new Response("badger")\n};\n',
      'README.md': 'A badger',
    });
    await make('badger other', code('badger 2'));
    const alike = ['badger original', 'badger copy', 'badger formatted'];
    for (const q of ['"badger"', '/badge[r]/', '"badger" lang:ts', '"badger" -"otter"', 'badger', 'badger path:index'])
      expect(new Set(await groups({ q })), q).toEqual(new Set([alike, ['badger other']]));
    expect((await ask({ q: '"badger"' })).body.functions.map(({ copies }) => copies)).toEqual(Array(4).fill(undefined));
    const [group] = (await search({ q: '"new Response(\\"badger\\")"' })).functions;
    expect(group).toMatchObject({ hit_count: 1, copies: { count: 2, has_more: false } });
    expect(group?.copies?.functions[0]).toEqual({
      function_id: expect.any(String),
      name: 'badger copy',
      account_id: group?.account_id,
      account_name: group?.account_name,
      version: 1,
    });
  });

  it('are those that match: a copy without the text is not listed', async () => {
    const text = 'export default { fetch: () => new Response("heron") };\n';
    await make('heron plain', { 'index.ts': text });
    await make('heron said', { 'index.ts': `// standing\n${text}` });
    await make('heron twice', { 'index.ts': `/* standing */\n${text}` });
    expect(await groups({ q: '"standing"' })).toEqual([['heron said', 'heron twice']]);
    expect(await groups({ q: '"heron" name:twice' })).toEqual([['heron twice']]);
    expect(await groups({ q: 'said' })).toEqual([['heron said']]);
  });

  it('keep their original when it is formatted or deployed again', async () => {
    const original = await make('lynx original', code('lynx'));
    await make('lynx copy', code('lynx'));
    const files = { 'index.ts': `// again\n${code('lynx')['index.ts']}` };
    await service.api('POST', `/functions/${original.function_id}/versions`, { files });
    expect(await groups({ q: '"lynx"' })).toEqual([['lynx original', 'lynx copy']]);
    await service.api('POST', `/functions/${original.function_id}/versions`, { files: code('lynx 2') });
    expect(await groups({ q: '"lynx"' })).toEqual([['lynx original'], ['lynx copy']]);
  });

  it('have the place of the best of them, and are one for the limit', async () => {
    await make('newt original', code('newt'));
    const copy = await make('newt copy', code('newt'));
    await make('newt other', code('newt 2'));
    await star(copy, service);
    const all = [['newt original', 'newt copy'], ['newt other']];
    expect(await groups({ q: '"newt"' })).toEqual(all);
    const two = await search({ q: '"newt"', limit: '2' });
    expect(two).toMatchObject({ count: 2, truncated: false });
    expect(await groups({ q: '"newt"', limit: '1' })).toEqual(all.slice(0, 1));
    expect((await search({ q: '"newt"', limit: '1' })).truncated).toBe(true);
  });

  it('are listed up to fifty', async () => {
    const made: HostedFunction[] = [];
    for (let n = 0; n < 53; n++) made.push(await make(`stoat ${n}`, code('stoat')));
    const [group] = (await search({ q: '"stoat"', limit: '1' })).functions;
    expect(group).toMatchObject({ name: 'stoat 0', copies: { count: 50, has_more: true } });
    await change(made[52] as HostedFunction, { visibility: 'PUBLIC' });
    const { functions } = await search({ q: '"stoat"', owner: 'ALL' }, stranger);
    expect(functions.map(({ name, copies }) => [name, copies])).toEqual([['stoat 52', undefined]]);
  });

  it('of other accounts are counted only while they are public', async () => {
    const files = code('walrus');
    await make('walrus hidden', files, { visibility: 'PRIVATE' });
    await make('walrus original', files, { visibility: 'PUBLIC' });
    const copy = await make('walrus copy', files, { visibility: 'PUBLIC' });
    await make('walrus unlisted', files, { visibility: 'UNLISTED' });
    await make('walrus theirs', files, { visibility: 'PRIVATE' }, stranger.key);
    const query = { q: '"walrus"', owner: 'ALL' };
    for (let flip = 0; flip < 5; flip++) {
      expect(await groups(query, stranger)).toEqual([['walrus original', 'walrus copy']]);
      await change(copy, { visibility: 'PRIVATE' });
      expect(await groups(query, stranger)).toEqual([['walrus original']]);
      expect((await search(query, stranger)).functions[0]).not.toHaveProperty('copies');
      await change(copy, { visibility: 'PUBLIC' });
    }
  });

  it('are streamed as they are returned', async () => {
    await make('marten original', code('marten'));
    await make('marten copy', code('marten'));
    const query = { q: '"marten"', copies: 'fold' };
    const response = await fetch(`${service.url}/api/functions/search?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' },
    });
    const done = /event: done\ndata: (.*)\n/.exec(await response.text())?.[1] ?? '{}';
    const { functions }: Found = JSON.parse(done);
    expect(functions.map(({ name, copies }) => [name, copies?.count])).toEqual([['marten original', 1]]);
  });
});

describe('sort', () => {
  it('orders by stars, by own runs and by the last deploy, in code and in names', async () => {
    const own = await service.secondAccount();
    const made: HostedFunction[] = [];
    for (const name of ['one', 'two', 'three'])
      made.push(await make(`egret ${name}`, code(`egret ${name}`), {}, own.key));
    const [one, two] = made as [HostedFunction, HostedFunction];
    await star(one, own);
    const files = code('egret two again');
    await service.api('POST', `/functions/${two.function_id}/versions`, { files }, { key: own.key });
    for (const q of ['"egret"', '/egre[t]/', '"egret" OR "heron"', 'egret']) {
      const sorted = async (sort: string) => (await groups({ q, sort }, own)).map(([name]) => name);
      expect(await sorted('deployed'), q).toEqual(['egret two', 'egret three', 'egret one']);
      expect((await sorted('stars'))[0], q).toBe('egret one');
      expect(await sorted('relevance'), q).toHaveLength(3);
      expect(await sorted('runs'), q).toHaveLength(3);
    }
    await star(two, own);
    await star(two, stranger);
    expect((await groups({ q: '"egret"', sort: 'stars', limit: '1' }, own))[0]).toEqual(['egret two']);
  });

  it('counts runs of own functions only', async () => {
    await invoke(service, await make('ibis', code('ibis')));
    expect((await ask({ q: '"ibis"', sort: 'runs' })).status).toBe(200);
    const { status, body } = await ask({ q: '"ibis"', sort: 'runs', owner: 'ALL' });
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^sort: expected relevance, stars or deployed/),
    ]);
  });
});

it.each([
  [{ copies: 'none' }, /^copies: /],
  [{ sort: 'name' }, /^sort: /],
  [{ copies: 'fold', history: 'true' }, /^copies: expected all with history/],
  [{ copies: 'fold', function_id: '019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13' }, /^copies: expected all with/],
])('%j is a 400', async (query, message) => {
  const { status, body } = await ask({ q: '"x"', ...query });
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type HostedFunction, makeFunction } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Found = Reply<'functionSearch'> & { message: string };

const code = (...lines: string[]) => ({
  'index.ts': [...lines, 'export default { fetch: () => new Response("") };', ''].join('\n'),
});
const search = async (query: Record<string, string>, key = service.key) =>
  service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, { key });
const names = async (query: Record<string, string>, key?: string) =>
  (await search(query, key)).body.functions.map((fn) => fn.name);

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
beforeAll(async () => {
  await makeFunction(
    service,
    code('// before', 'const needle = fetchOrders("a.b");', '// after', 'const Needle2 = 1; // needle'),
    {
      name: 'Order sync',
      description: 'Copies invoices to the ledger',
    },
  );
  await makeFunction(service, code('const other = "a_b"; // \u00c4RGER'), {
    name: 'Invoice mailer',
    description: 'Sends orders',
  });
  await makeFunction(
    service,
    code('const needle = "theirs";'),
    { name: 'Their public', visibility: 'PUBLIC' },
    stranger.key,
  );
  await makeFunction(service, code('const needle = "secret";'), { name: 'Their private' }, stranger.key);
});

describe('a literal', () => {
  it('finds lines with their position and context', async () => {
    const { body } = await search({ q: '"fetchOrders(\\"a.b\\")"', context: '1' });
    expect(body).toMatchObject({ query: 'fetchOrders("a.b")', mode: 'literal', count: 1, truncated: false });
    expect(body.functions[0]).toMatchObject({
      name: 'Order sync',
      version: 1,
      network_policy: 'ALLOW_ALL',
      hit_count: 1,
    });
    expect(body.functions[0]?.hits).toEqual([
      {
        path: 'index.ts',
        line: 2,
        text: 'const needle = fetchOrders("a.b");',
        before: ['// before'],
        after: ['// after'],
      },
    ]);
  });

  it('matches case automatically, always or never', async () => {
    const count = async (q: string, mode: string) =>
      (await search({ q, case: mode })).body.functions[0]?.hit_count ?? 0;
    expect(await count('"needle2"', 'auto')).toBe(1);
    expect(await count('"Needle2"', 'auto')).toBe(1);
    expect(await count('"NEEDLE2"', 'auto')).toBe(0);
    expect(await count('"NEEDLE2"', 'no')).toBe(1);
    expect(await count('"needle2"', 'yes')).toBe(0);
    expect(await count('"ärger"', 'auto')).toBe(1);
  });

  it('is literal, not a pattern', async () => {
    expect(await names({ q: '"a.b"' })).toEqual(['Order sync']);
    expect(await names({ q: '"nowhere to be found"' })).toEqual([]);
  });
});

describe('a regex', () => {
  it('finds lines by RE2 syntax', async () => {
    const { body } = await search({ q: '/^const (needle|other) = .*a[._]b/' });
    expect(body.mode).toBe('regex');
    expect(body.functions.map((fn) => fn.name).sort()).toEqual(['Invoice mailer', 'Order sync']);
    expect(await names({ q: '/\\u00c4RGER$/' })).toEqual(['Invoice mailer']);
    expect(await names({ q: '/needle\\W/' })).toEqual(['Order sync']);
  });

  it.each([
    ['/a(b/', /^q: missing closing \).*at character 3/],
    ['  /x(?=y)/', /^q: look-ahead and look-behind.*at character 5/],
    ['/(a)\\1/', /^q: back-references.*at character 5/],
    ['//', /^q: expected something/],
  ])('%s is rejected', async (q, message) => {
    const { status, body } = await search({ q });
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  it('that would hang a backtracking engine gets a response', async () => {
    await makeFunction(service, code(`const long = "${'a'.repeat(50_000)}!";`), { name: 'Long line' });
    expect((await search({ q: '/(a+)+(b|c)$/' })).body.functions).toEqual([]);
  });
});

describe('bare text', () => {
  it('ranks names before descriptions', async () => {
    expect(await names({ q: 'orders' })).toEqual(['Invoice mailer']);
    expect(await names({ q: 'order' })).toEqual(['Order sync', 'Invoice mailer']);
    expect(await names({ q: 'invoi' })).toEqual(['Invoice mailer', 'Order sync']);
    expect(await names({ q: 'order sync' })).toEqual(['Order sync']);
    const { body } = await search({ q: '  "unclosed', context: '10' });
    expect(body).toMatchObject({ mode: 'ranked', query: '"unclosed', count: 0, functions: [] });
  });

  it.each(["'", '!', '&|', ':*', '\\', '%', '<->', 'a & b', "'; drop table functions; --"])('accepts %s', async (q) => {
    expect((await search({ q })).status).toBe(200);
  });

  it('has no hits, and sets truncated when there are more', async () => {
    const { body } = await search({ q: 'order', limit: '1' });
    expect(body).toMatchObject({ count: 1, truncated: true, functions: [{ hit_count: 0, hits: [] }] });
  });
});

describe('ownership', () => {
  it('covers functions of the caller, or with owner ALL public ones of every account', async () => {
    expect(await names({ q: '"needle"' })).toEqual(['Order sync']);
    expect(await names({ q: '"needle"', owner: 'ALL' })).toEqual(['Their public']);
    expect(await names({ q: 'their', owner: 'ALL', visibility: 'PUBLIC' })).toEqual(['Their public']);
    expect(await names({ q: '"needle"', visibility: 'PUBLIC' })).toEqual([]);
    expect((await names({ q: '"needle"' }, stranger.key)).sort()).toEqual(['Their private', 'Their public']);
    for (const q of ['"needle"', 'their']) {
      const refused = await search({ q, owner: 'ALL', visibility: 'PRIVATE' });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/^visibility: /);
    }
  });

  it('shows the owner, and can be limited to owners by the beginning of their name', async () => {
    const { body } = await search({ q: '"theirs"', owner: 'ALL' });
    expect(body.functions).toMatchObject([{ name: 'Their public', account_name: 'Another account' }]);
    for (const text of ['"needle"', '/needle/', 'their', '']) {
      const q = (owner: string) => `owner:${owner} ${text}`;
      expect(await names({ q: q('another'), owner: 'ALL' }), text).toEqual(['Their public']);
      expect(await names({ q: q('"ANOTHER ACC"'), owner: 'ALL' }), text).toEqual(['Their public']);
      expect(await names({ q: q('other'), owner: 'ALL' }), text).toEqual([]);
      expect(await names({ q: q('another'), owner: 'SELF' }), text).toEqual([]);
    }
  });

  it.each([
    ['ΟΔΟΣ', 'ΟΔΟΣ'],
    ['İst', 'İST'],
    ['Émile', 'e\u0301mile'],
    ['100%_', '100%_'],
  ])('finds the owner %s in any case and Unicode form', async (name, typed) => {
    const { account_id, key } = await service.secondAccount();
    await service.services.db.updateTable('accounts').set({ name }).where('account_id', '=', account_id).execute();
    await makeFunction(service, code('// of an owner'), { name, visibility: 'PUBLIC' }, key);
    expect(await names({ q: `owner:${typed} "of an owner"`, owner: 'ALL' })).toEqual([name]);
  });

  it('reflects the live version and the visibility immediately', async () => {
    const fn: HostedFunction = await makeFunction(service, code('// first'), { name: 'Moving', visibility: 'PUBLIC' });
    await service.api('POST', `/functions/${fn.function_id}/versions`, { files: code('// second') });
    expect(await names({ q: '"// first"' })).toEqual([]);
    expect(await names({ q: '"// second"', owner: 'ALL' }, stranger.key)).toEqual(['Moving']);
    await service.api('PATCH', `/functions/${fn.function_id}`, { version: 1 });
    expect(await names({ q: '"// first"' })).toEqual(['Moving']);
    await service.api('PATCH', `/functions/${fn.function_id}`, { visibility: 'PRIVATE' });
    expect(await names({ q: '"// first"', owner: 'ALL' }, stranger.key)).toEqual([]);
    await service.api('DELETE', `/functions/${fn.function_id}`);
    expect(await names({ q: '"// first"' })).toEqual([]);
  });
});

it('stops at the limit and puts starred functions first', async () => {
  const { key } = await service.secondAccount();
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push(await makeFunction(service, code('// common'), { name }, key));
  await service.api('PUT', `/functions/${made[1]?.function_id}/star`, undefined, { key });
  const two = await search({ q: '"common"', limit: '2' }, key);
  expect(two.body).toMatchObject({ count: 2, truncated: true });
  expect(two.body.functions.map((fn) => fn.name)).toEqual(['b', 'c']);
  expect((await search({ q: '"common"', limit: '3' }, key)).body.truncated).toBe(false);
});

it.each([
  ['nothing', { q: '' }, /^q: /],
  ['spaces', { q: '   ' }, /^q: /],
  ['an empty literal', { q: '""' }, /^q: /],
  ['1,001 characters', { q: 'x'.repeat(1001) }, /^q: /],
  ['too wide a context', { q: 'x', context: '11' }, /^context: /],
  ['a negative limit', { q: 'x', limit: '-1' }, /^limit: /],
  ['an unknown case', { q: 'x', case: 'maybe' }, /^case: /],
  ['an unknown owner', { q: 'x', owner: 'ME' }, /^owner: /],
])('refuses %s', async (_, query: Record<string, string>, message) => {
  const { status, body } = await search(query);
  expect(status).toBe(400);
  expect(body.message).toMatch(message);
});

/** Queries of several terms, and matches of several lines. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
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

describe('several terms', () => {
  it('finds the functions whose files have them, with the lines of those that are asked for', async () => {
    const { body } = await search({ q: 'needle ("fetchOrders" OR "nowhere") -"theirs"' });
    expect(body).toMatchObject({ mode: 'boolean', count: 1, truncated: false });
    expect(body.functions[0]).toMatchObject({ name: 'Order sync', hit_count: 2 });
    expect(body.functions[0]?.hits.map(({ line }) => line)).toEqual([2, 4]);
  });

  it('finds functions without hits by filters and what is excluded', async () => {
    const { body } = await search({ q: 'lang:ts NOT "needle"' });
    expect(body.functions.map(({ name, hits }) => [name, hits])).toEqual([['Invoice mailer', []]]);
  });

  it.each([
    ['"const" OR owner:nowhere', 2],
    ['"const" AND owner:nowhere', 0],
    ['"const" AND owner:__proto__', 0],
    ['"const" OR ("x" owner:constructor)', 2],
    ['"const" AND name:invoice', 1],
    ['"const" -name:invoice', 1],
    ['"const" lang:python', 0],
    ['"const" version:1', 2],
    ['"const" version:>1', 0],
    ['"const" runs:0', 2],
    ['"const" deployed:>2020-01-01', 2],
    ['"const" deployed:<2020-01-01', 0],
    ['"const" visibility:private', 2],
    ['"const" path:*.ts', 2],
    ['"const" -path:index', 0],
    ['/const/ path:/^index/ name:order', 1],
    ['invoice -name:mailer', 1],
    ['invoice lang:ts', 2],
    ['invoice -lang:ts', 0],
  ])('%s: %i', async (q, count) => {
    expect((await search({ q })).body).toMatchObject({ count });
  });

  it('names the owner in a group, and never finds what is private', async () => {
    const [account] = (await service.api<Found>('GET', '/functions/search?q=their&owner=ALL')).body.functions;
    const owner = account?.account_name ?? '';
    expect(await names({ q: `"needle" (owner:"${owner}" OR "nowhere")`, owner: 'ALL' })).toEqual(['Their public']);
    expect(await names({ q: '"needle" NOT "const needle = \\"theirs\\""', owner: 'ALL' })).toEqual([]);
  });

  it('decides on case for each term', async () => {
    expect(await names({ q: '"NEEDLE" "fetchorders"' })).toEqual([]);
    expect(await names({ q: '"Needle2" "fetchorders"' })).toEqual(['Order sync']);
    expect(await names({ q: '"NEEDLE" "fetchorders"', case: 'no' })).toEqual(['Order sync']);
  });

  it('searches each version of a function', async () => {
    const { function_id } = await makeFunction(service, code('// one marmot'), { name: 'Versions' });
    await service.api('POST', `/functions/${function_id}/versions`, { files: code('// two badgers', '// one marmot') });
    await service.api('POST', `/functions/${function_id}/versions`, { files: code('// two badgers') });
    expect(await names({ q: '"marmot" "badgers"' })).toEqual([]);
    const { body } = await search({ q: '"marmot" "badgers"', history: 'true' });
    expect(body.functions[0]).toMatchObject({ name: 'Versions', first_version: 2, last_version: 2, hit_count: 2 });
    expect(await names({ q: '"marmot" -"badgers"', history: 'true' })).toEqual(['Versions']);
    expect(await names({ q: '"marmot" version:>2', history: 'true' })).toEqual([]);
  });
});

describe('several lines', () => {
  it.each([
    ['"// before\nconst needle"', 1, 2],
    ['/before\\nconst/', 1, 2],
    ['/(?s)before.*after/', 1, 3],
  ])('%j', async (q, line, end_line) => {
    const { body } = await search({ q });
    expect(body.functions.map(({ name }) => name)).toEqual(['Order sync']);
    expect(body.functions[0]?.hits).toMatchObject([{ path: 'index.ts', line, end_line, text: '// before' }]);
  });

  it('are found only where one follows the other', async () => {
    expect(await names({ q: '"// after\nconst other"' })).toEqual([]);
    expect(await names({ q: '/before\\nconst other/' })).toEqual([]);
  });
});

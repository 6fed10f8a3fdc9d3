/** A search within one function: all its hits, in the live version or in another. */
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Found = Reply<'functionSearch'> & { message: string };

const MAIN = 'export default { fetch: () => new Response("") };\n';
const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
const ids = { many: '', theirs: '', hidden: '' };

const search = async (query: Record<string, string>, key = service.key) =>
  service.api<Found>('GET', `/functions/search?${new URLSearchParams(query)}`, undefined, { key });

beforeAll(async () => {
  const needles = Array.from({ length: 70 }, () => '// needle').join('\n');
  const made = await makeFunction(
    service,
    { 'index.ts': `${MAIN}${needles}\n`, 'b.ts': '// needle\n' },
    { name: 'Many' },
  );
  ids.many = made.function_id;
  await service.api('POST', `/functions/${ids.many}/versions`, {
    files: { 'index.ts': `${MAIN}// Needle\n// needle\n` },
  });
  await makeFunction(service, { 'index.ts': `${MAIN}// needle\n` }, { name: 'Another' });
  const theirs = await makeFunction(
    service,
    { 'index.ts': `${MAIN}// needle\n` },
    { name: 'Their public', visibility: 'PUBLIC' },
    stranger.key,
  );
  ids.theirs = theirs.function_id;
  const hidden = await makeFunction(service, { 'index.ts': `${MAIN}// needle\n` }, { name: 'Theirs' }, stranger.key);
  ids.hidden = hidden.function_id;
});

it('returns the hits of this function only, in the live version', async () => {
  const { body } = await search({ q: '"needle"', function_id: ids.many });
  expect(body).toMatchObject({ count: 1, truncated: false });
  expect(body.functions[0]).toMatchObject({ function_id: ids.many, version: 2, hit_count: 2 });
  expect(body.functions[0]?.hits.map(({ line }) => line)).toEqual([2, 3]);
});

it('returns more hits than a search of all functions, and equal lines each', async () => {
  const { body } = await search({ q: '/needle\\b/', function_id: ids.many, version: '1' });
  const [found] = body.functions;
  expect(found).toMatchObject({ version: 2, hit_count: 71, first_version: 1, last_version: 1 });
  expect(found?.hits).toHaveLength(71);
  expect(new Set(found?.hits.map(({ path }) => path))).toEqual(new Set(['index.ts', 'b.ts']));
});

it('reads a query of several terms in the asked version', async () => {
  const q = '"needle" NOT "Needle"';
  expect((await search({ q, function_id: ids.many })).body).toMatchObject({ mode: 'boolean', count: 0 });
  const { body } = await search({ q, function_id: ids.many, version: '1', case: 'yes' });
  expect(body.functions[0]).toMatchObject({ hit_count: 71, first_version: 1, last_version: 1 });
  expect(body.functions[0]?.hits).toHaveLength(71);
});

it('finds nothing in a version that does not exist, or in a function that the caller cannot read', async () => {
  expect((await search({ q: '"needle"', function_id: ids.many, version: '9' })).body.count).toBe(0);
  for (const owner of ['SELF', 'ALL'])
    expect((await search({ q: '"needle"', function_id: ids.hidden, owner })).body.functions).toEqual([]);
  expect((await search({ q: '"needle"', function_id: ids.theirs, owner: 'ALL' })).body.count).toBe(1);
  await service.api('PATCH', `/functions/${ids.theirs}`, { visibility: 'PRIVATE' }, { key: stranger.key });
  for (const version of [{}, { version: '1' }])
    expect((await search({ q: '"needle"', function_id: ids.theirs, owner: 'ALL', ...version })).body.count).toBe(0);
});

it('rejects parameters that do not fit together, and names them', async () => {
  const rejects = async (query: Record<string, string>, message: RegExp) => {
    const { status, body } = await search(query);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  };
  await rejects({ q: '"a"', function_id: 'x' }, /^function_id: /);
  await rejects({ q: 'words', function_id: ids.many }, /^function_id: expected a code search/);
  await rejects({ q: '"a"', version: '1' }, /^version: expected function_id/);
  await rejects({ q: '"a"', function_id: ids.many, version: '0' }, /^version: /);
  await rejects({ q: '"a"', function_id: ids.many, version: '1', history: 'true' }, /^version: expected no version/);
});

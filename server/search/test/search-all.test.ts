/** Searches of all functions: pages, streams, and exports of their hits. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SEARCHES_OF_ALL_AT_ONCE } from '../../../contract/limits.ts';
import { operations, type Reply } from '../../../contract/operations.ts';
import { ExportedHit } from '../../../contract/search/search-all.ts';
import { makeFunction, PATIENTLY } from '../../functions/test/functions-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { copyFunction } from './search-api-support.ts';

type Page = Reply<'functionSearchAll'>;

const HANDLER = 'export default { fetch: () => new Response("") };\n';
const MANY = 260;
const HITS = 3;
/** Takes RE2 long in every line, and matches nothing. */
const HARD = '/([a-z]+)*[^\\x00-\\x7f]{3}$/';

const service = serviceForAll();
/** Has many lines that take an expression long. */
let hard: string;
let other: { account_id: string; key: string };
beforeAll(async () => {
  other = await service.secondAccount();
  const files = { 'index.ts': HANDLER, 'lib/hits.ts': 'one needle\n=needle two\nnothing\n"needle", three\n' };
  const { function_id } = await makeFunction(service, files, { name: 'Many' });
  await copyFunction(service, function_id, MANY - 1, 'many');
  await makeFunction(service, { 'index.ts': HANDLER }, { name: 'None' });
  const slow = { 'index.ts': HANDLER, 'slow.txt': `${'a'.repeat(300)}\n`.repeat(3000) };
  hard = (await makeFunction(service, slow, { name: 'Slow' }, other.key)).function_id;
  await copyFunction(service, hard, 2_000, 'slow');
});

const urlOf = (kind: 'all' | 'export', query: Record<string, string>) =>
  `/functions/search:${kind}?${new URLSearchParams(query)}`;
const page = async (query: Record<string, string>, key = service.key) =>
  (await service.api<Page>('GET', urlOf('all', query), undefined, { key })).body;
const fetched = (
  kind: 'all' | 'export',
  query: Record<string, string>,
  { key = service.key, ...more }: RequestInit & { key?: string } = {},
) =>
  fetch(`${service.url}/api${urlOf(kind, query)}`, {
    ...more,
    headers: { authorization: `Bearer ${key}`, ...(kind === 'all' ? { accept: 'text/event-stream' } : {}) },
  });

/** All pages of a query. */
async function pages(query: Record<string, string>): Promise<Page[]> {
  const all = [await page(query)];
  for (let last = all[0]; last?.next_token; last = all.at(-1))
    all.push(await page({ ...query, next_token: last.next_token }));
  return all;
}
const idsOf = (all: Page[]) => all.flatMap(({ functions }) => functions.map(({ function_id }) => function_id));

async function* messagesOf(response: Response): AsyncGenerator<{ event: string; data: Page }> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (rest + chunk).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const event = /^event: (.*)$/m.exec(message)?.[1];
      if (event) yield { event, data: JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? 'null') };
    }
  }
}

describe('pages', () => {
  it.each(['"needle"', '/need[l]e/', '"needle" -"absent"'])(
    '%s: each function is on one page, by id, and the last page has the exact total',
    async (q) => {
      const all = await pages({ q, limit: '100' });
      expect(all.map(({ count }) => count)).toEqual([100, 100, MANY - 200]);
      const ids = idsOf(all);
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(all.map(({ total }) => total)).toEqual([null, null, MANY]);
      expect(all.at(-1)).toMatchObject({
        scope_count: MANY + 1,
        searched_count: MANY + 1,
        found_count: MANY,
        hit_count: MANY * HITS,
        incomplete_count: 0,
        next_token: null,
      });
      expect(operations.functionSearchAll.reply.parse(all[0])).toEqual(all[0]);
      expect(all[0]?.functions[0]).toMatchObject({ name: 'Many', hit_count: HITS });
    },
  );

  it('a function that is deployed, hidden or created between two pages is right on its page', async () => {
    const first = await page({ q: '"needle"', limit: '10' });
    const token = first.next_token ?? '';
    const rest = (await page({ q: '"needle"', limit: '1000', next_token: token })).functions;
    const [changed, deleted] = rest;
    await service.api('POST', `/functions/${changed?.function_id}/versions`, {
      files: { 'index.ts': `${HANDLER}// needle` },
    });
    await service.api('DELETE', `/functions/${deleted?.function_id}`);
    const again = await page({ q: '"needle"', limit: '1000', next_token: token });
    expect(again.functions[0]).toMatchObject({ function_id: changed?.function_id, version: 2, hit_count: 1 });
    expect(again.functions.map(({ function_id }) => function_id)).toEqual(
      rest.filter((each) => each !== deleted).map(({ function_id }) => function_id),
    );
    expect(again.total).toBe(MANY - 1);
    await service.api('PATCH', `/functions/${again.functions[1]?.function_id}`, { visibility: 'PUBLIC' });
    const shared = await page({ q: '"needle"', owner: 'ALL' }, other.key);
    expect([idsOf([shared]), shared.total]).toEqual([[again.functions[1]?.function_id], 1]);
    await service.api('PATCH', `/functions/${again.functions[1]?.function_id}`, { visibility: 'PRIVATE' });
    expect(await page({ q: '"needle"', owner: 'ALL' }, other.key)).toMatchObject({
      count: 0,
      total: 0,
      scope_count: 0,
    });
  });

  it('finds every version that had a text', async () => {
    const { function_id } = await makeFunction(service, { 'index.ts': `${HANDLER}// key-of-old` }, { name: 'Old' });
    await service.api('POST', `/functions/${function_id}/versions`, { files: { 'index.ts': HANDLER } });
    expect(await page({ q: '"key-of-old"' })).toMatchObject({ total: 0 });
    expect(await page({ q: '"key-of-old"', history: 'true' })).toMatchObject({
      total: 1,
      functions: [{ function_id, first_version: 1, last_version: 1, hits: [{ first_version: 1, last_version: 1 }] }],
    });
    await service.api('DELETE', `/functions/${function_id}`);
  });

  it('ends when time is up, and continues there until all is searched', async () => {
    const first = await page({ q: HARD, max_seconds: '1' }, other.key);
    expect(first).toMatchObject({ count: 0, total: null, next_token: expect.any(String), scope_count: 2_001 });
    expect(first.searched_count).toBeLessThan(2_001);
    const query = { q: HARD, max_seconds: '1', next_token: first.next_token ?? '' };
    const next = async () => (await page(query, other.key)).searched_count;
    await expect.poll(next, PATIENTLY).toBeGreaterThan(first.searched_count);
  });
});

describe('bad input', () => {
  it('rejects a token that is not of this search, and names it', async () => {
    const { next_token } = await page({ q: '"needle"', limit: '10' });
    const token = next_token ?? '';
    const flipped = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const [query, key] of [
      [{ q: '"needle"', next_token: flipped }, service.key],
      [{ q: '"needle"', next_token: 'x' }, service.key],
      [{ q: '"other"', next_token: token }, service.key],
      [{ q: '"needle"', owner: 'ALL', next_token: token }, service.key],
      [{ q: '"needle"', next_token: token }, other.key],
    ] as const) {
      const { status, body } = await service.api<Error>('GET', urlOf('all', query), undefined, { key });
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^next_token: /)]);
    }
    const more = await page({ q: '"needle"', limit: '20', max_seconds: '5', next_token: token });
    expect(more.count).toBe(20);
  });

  it('rejects other mistakes, and names the parameter', async () => {
    for (const [query, message] of [
      [{ q: 'needle' }, /^q: expected a code search/],
      [{ q: 'runtime:nodejs24' }, /^q: expected a code search/],
      [{ q: '""' }, /^q: /],
      [{ q: '/a(b/' }, /^q: missing closing \).*at character 3/],
      [{ q: '"x"', max_seconds: '61' }, /^max_seconds: expected a whole number from 1 to 60/],
      [{ q: '"x"', max_seconds: '0' }, /^max_seconds: /],
      [{ q: '"x"', owner: 'ALL', visibility: 'PRIVATE' }, /^visibility: /],
      [{ q: '"x"', function_id: hard }, /function_id/],
    ] as const) {
      const { status, body } = await service.api<Error>('GET', urlOf('all', query));
      expect([status, body.message], JSON.stringify(query)).toEqual([400, expect.stringMatching(message)]);
      const streamed = await fetched('all', query);
      expect([streamed.status, streamed.headers.get('content-type')]).toEqual([400, 'application/json']);
    }
    for (const [query, message] of [
      [{ q: 'needle' }, /^q: expected a code search/],
      [{ q: '/a(b/' }, /^q: missing/],
      [{ q: '"x"', format: 'xml' }, /^format: /],
      [{ q: '"x"', limit: '5' }, /limit/],
      [{ q: '"x"', next_token: 'x' }, /next_token/],
    ] as const) {
      const { status, body } = await service.api<Error>('GET', urlOf('export', query));
      expect([status, body.message], JSON.stringify(query)).toEqual([400, expect.stringMatching(message)]);
    }
  });
});

describe('as a stream', () => {
  it('each event has what is new, the last one the whole page', async () => {
    const query = { q: '"needle"', limit: '1000' };
    const all: { event: string; data: Page }[] = [];
    for await (const message of messagesOf(await fetched('all', query))) all.push(message);
    const done = all.pop();
    expect(done).toEqual({ event: 'done', data: await page(query) });
    expect(all.map(({ event }) => event)).toEqual(all.map(() => 'results'));
    const ids = idsOf(all.map(({ data }) => data));
    expect(idsOf(done ? [done.data] : []).slice(0, ids.length)).toEqual(ids);
  });

  it('stops when the caller leaves, and continues from the last event; an account has a limited number', async () => {
    const left = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: SEARCHES_OF_ALL_AT_ONCE }, () =>
        fetched('all', { q: HARD }, { key: other.key, signal: left.signal }),
      ),
    );
    const [first] = streams.map((each) => messagesOf(each));
    const { value } = (await first?.next()) ?? {};
    expect(value).toMatchObject({ event: 'results', data: { total: null, next_token: expect.any(String) } });
    const refused = await fetched('all', { q: HARD }, { key: other.key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await page({ q: '"needle"', limit: '1' })).toMatchObject({ count: 1 });
    left.abort();
    await expect.poll(() => service.services.search.going(), PATIENTLY).toBe(0);
    const query = { q: HARD, max_seconds: '1', next_token: value?.data.next_token ?? '' };
    await expect
      .poll(async () => (await page(query, other.key)).searched_count, PATIENTLY)
      .toBeGreaterThan(value?.data.searched_count ?? 0);
  });
});

describe('exports', () => {
  it('NDJSON has a line per hit of every function', async () => {
    const [whole] = await pages({ q: '"needle"', limit: '1000' });
    const response = await fetched('export', { q: '"needle"' });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="search-\d{12}\.ndjson"$/);
    const rows = (await response.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => ExportedHit.parse(JSON.parse(line)));
    const expected = whole?.functions.flatMap(({ function_id, hits }) =>
      hits.map(({ path, line, text }) => ({ function_id, path, line, text })),
    );
    expect(rows.map(({ function_id, path, line, text }) => ({ function_id, path, line, text }))).toEqual(expected);
    expect(rows[0]).toMatchObject({ name: 'Many', account_id: service.account_id, version: expect.any(Number) });
  });

  it('CSV has the same lines, quoted, without formulas', async () => {
    const lines = (await (await fetched('export', { q: '"needle"', format: 'csv' })).text()).split('\r\n');
    expect(lines.shift()).toBe(
      'function_id,name,account_id,account_name,version,path,line,end_line,text,first_version,last_version,hit_count',
    );
    expect(lines.pop()).toBe('');
    expect(lines.some((line) => line.includes(`lib/hits.ts,2,,'=needle two,,,3`))).toBe(true);
    expect(lines.some((line) => line.includes('lib/hits.ts,4,,"""needle"", three",,,3'))).toBe(true);
  });

  it('a function without hits has one line', async () => {
    const text = await (await fetched('export', { q: 'lang:ts NOT "needle"' })).text();
    const rows = text
      .split('\n')
      .slice(0, -1)
      .map((line) => ExportedHit.parse(JSON.parse(line)));
    expect(rows).toMatchObject([{ name: 'None', path: null, line: null, text: null, hit_count: 0 }]);
  });

  it('HEAD has the headers, and nothing of another account is exported', async () => {
    const head = await fetched('export', { q: '"needle"', format: 'csv' }, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await (await fetched('export', { q: '"needle"' }, { key: other.key })).text()).toBe('');
  });

  it('functions that were not searched whole are counted, and their export ends as incomplete', async () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 31 ? 'a' : 'b';
    };
    // RE2 has a separate state for each character. The first part has all trigrams of a match.
    const line = `aac aad abc abd bac bad bbc bbd ${Array.from({ length: 8_000_000 }, random).join('')}`;
    const { function_id } = await makeFunction(service, { 'index.ts': HANDLER, 'line.txt': line }, { name: 'Line' });
    const q = '/a[ab]{800}[cd]$/';
    const all = await page({ q });
    expect(all).toMatchObject({ count: 0, incomplete_count: 1, total: null, next_token: null });
    expect(all.searched_count).toBe(all.scope_count);
    let text = '';
    const read = async () => {
      const response = await fetched('export', { q, format: 'csv' });
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
    };
    await expect(read()).rejects.toThrow();
    expect(text.trim().split('\r\n').at(-1)).toBe('# incomplete: Functions whose code could not be searched whole: 1.');
    await service.api('DELETE', `/functions/${function_id}`);
  });

  it('an export that is cut off is recognisable', async () => {
    const response = await fetched('export', { q: `/needle|${HARD.slice(1, -1)}/` }, { key: other.key });
    const restarted = service.restart();
    await expect(response.text()).rejects.toThrow();
    await restarted;
  });
});

import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { toBundle } from '../functions/versions/bundle.ts';
import { createAnswerCache } from './code-search.ts';
import type { SearchOrder } from './messages.ts';
import { RegexError } from './query/regex.ts';
import {
  blobs,
  closeAll,
  functions,
  ids,
  many,
  openFiles,
  order,
  putBlob,
  regex,
  removeAll,
  start,
} from './test/code-search-support.ts';
import type { Answer } from './threads/searchers.ts';

afterEach(closeAll);
afterAll(removeAll);

describe('the index', () => {
  it('finds code in segments and in memory, and later changes', async () => {
    const all = functions();
    const made = await many(all);
    const search = await start(all);
    expect(await ids(search, '"common-77"')).toEqual([made[77]]);
    expect(search.size()).toMatchObject({ codes: 150, freshBytes: 0 });
    expect(search.size().segments).toBeGreaterThan(0);
    const late = await all.deploy('late', { 'index.ts': 'a late one' });
    expect(await ids(search, 'a late one')).toEqual([late.function_id]);
    expect(search.size().freshBytes).toBeGreaterThan(0);
    await all.deploy('fn 77', { 'index.ts': 'quite another thing' }, { function_id: made[77] ?? '' });
    expect(await ids(search, '"common-77"')).toEqual([]);
    expect(await ids(search, '"common-77"', { history: true })).toEqual([made[77]]);
    expect(await ids(search, 'quite another thing')).toEqual([made[77]]);
  });

  it('stores equal code once, while a function has it', async () => {
    const all = functions();
    const one = await all.deploy('one', { 'index.ts': 'shared by two' });
    const two = await all.deploy('two', { 'index.ts': 'shared by two' });
    const search = await start(all);
    expect((await ids(search, 'shared by two')).sort()).toEqual([one.function_id, two.function_id].sort());
    expect(search.size().codes).toBe(1);
    all.remove(one.function_id);
    expect(await ids(search, 'shared by two')).toEqual([two.function_id]);
    all.remove(two.function_id);
    expect(await ids(search, 'shared by two')).toEqual([]);
    expect(search.size().codes).toBe(0);
  });

  it('rewrites segments without unreferenced code, and indexes it again when it is deployed again', async () => {
    const all = functions();
    const made = await many(all);
    const search = await start(all, { purgeMs: 1 });
    expect(await ids(search, '"common-7"')).toEqual([made[7]]);
    const before = search.size().codeBytes;
    for (const id of made.slice(0, 100)) all.remove(id);
    expect(await ids(search, '"common-7"')).toEqual([]);
    await expect.poll(() => search.size().codes).toBe(50);
    expect(search.size().codeBytes).toBeLessThan(before / 2);
    expect(await ids(search, '"common-107"')).toEqual([made[107]]);
    const again = await all.deploy('again', { 'index.ts': '// function 7\nexport const name = "common-7";\n' });
    expect(await ids(search, '"common-7"')).toEqual([again.function_id]);
    for (const id of [...made.slice(100), again.function_id]) all.remove(id);
    expect(await ids(search, 'common')).toEqual([]);
    await expect
      .poll(() => search.size())
      .toEqual({ codes: 0, segments: 0, codeBytes: 0, indexBytes: 0, freshBytes: 0 });
  });

  it('merges fresh documents into a segment when they are many', async () => {
    const all = functions();
    const search = await start(all);
    const large = (n: number) => ({ 'index.ts': `// ${n}\n${`line ${n} of a large function\n`.repeat(40_000)}` });
    const made: string[] = [];
    for (let n = 0; n < 6; n++) {
      made.push((await all.deploy('large', large(n))).function_id);
      expect(await ids(search, `line ${n} of`)).toEqual([made[n]]);
    }
    await expect.poll(() => search.size().freshBytes).toBeLessThan(4 * 1024 * 1024);
    expect(search.size().segments).toBeGreaterThan(0);
    for (const [n, id] of made.entries()) expect(await ids(search, `line ${n} of`)).toEqual([id]);
  });

  it.skipIf(process.platform !== 'linux')('rebuilds a segment that the disk has lost, whole or in part', async () => {
    const all = functions();
    const made = await many(all);
    const search = await start(all);
    for (const damage of [
      (file: number) => ftruncateSync(file, 100),
      (file: number, length: number) => writeSync(file, Buffer.alloc(length, 'x'), 0, length, 0),
    ]) {
      expect(await ids(search, '"common-77"')).toEqual([made[77]]);
      for (const path of openFiles(all.folder)) {
        const file = openSync(path, 'r+');
        damage(file, fstatSync(file).size);
        closeSync(file);
      }
      // The cached result does not read it.
      const { found, truncated } = await search.search(order('"common-78"'));
      expect({ found, truncated }).toEqual({ found: [], truncated: true });
    }
    expect(await ids(search, '"common-77"')).toEqual([made[77]]);
    expect(await ids(search, 'common-1', { limit: 100 })).toHaveLength(61);
  });

  it('finds everything after its folder was removed, or contained other files', async () => {
    const all = functions();
    const made = await many(all);
    const first = await start(all);
    expect(await ids(first, '"common-7"')).toEqual([made[7]]);
    rmSync(all.folder, { recursive: true });
    const late = await all.deploy('late', { 'index.ts': 'after the loss' });
    expect(await ids(first, 'after the loss')).toEqual([late.function_id]);
    await first.close();
    mkdirSync(all.folder, { recursive: true });
    writeFileSync(join(all.folder, 'segment-1'), 'no segment');
    const second = await start(all);
    expect(await ids(second, '"common-7"')).toEqual([made[7]]);
    await expect.poll(() => readdirSync(all.folder)).not.toContain('segment-1');
  });

  it('sets truncated when code could not be read, and finds it when it is readable again', async () => {
    const all = functions();
    const made = await many(all, 100);
    const lost = await all.deploy('lost', { 'index.ts': 'lost code' });
    await blobs.remove(lost.sha256);
    const search = await start(all);
    const [common, lostCode] = [await search.search(order('"common-50"')), await search.search(order('lost code'))];
    expect(common).toMatchObject({ found: [{ function_id: made[50] }], truncated: true });
    expect(lostCode).toMatchObject({ found: [], truncated: true, isWhole: false });
    // It is read again soon.
    await putBlob(toBundle({ 'index.ts': 'lost code' }));
    await expect.poll(() => search.search(order('lost code'))).toMatchObject({ truncated: false });
    expect(await ids(search, 'lost code')).toEqual([lost.function_id]);
  });
});

describe('the order', () => {
  it('ranks by stars, then runs, then recent changes; a higher limit keeps the first results', async () => {
    const all = functions();
    const code = { 'index.ts': 'the same in all' };
    const plain = await all.deploy('plain', code);
    const newer = await all.deploy('newer', code, { updated_at: '2026-03-01T00:00:00.000000Z' });
    const starred = await all.deploy('starred', code, { star_count: 1 });
    const busy = await all.deploy('busy', code);
    all.counted.set(busy.function_id, 1000);
    const search = await start(all);
    const expected = [starred, busy, newer, plain].map(({ function_id }) => function_id);
    expect(await ids(search, 'the same')).toEqual(expected);
    for (const limit of [1, 2, 3]) {
      const { found, truncated } = await search.search(order('the same', { limit }));
      expect(found.map(({ function_id }) => function_id)).toEqual(expected.slice(0, limit));
      expect(truncated).toBe(true);
    }
  });
});

describe('a repeated search', () => {
  it.skipIf(process.platform !== 'linux')(
    'is cached until a change could affect it, and then finds the change',
    async () => {
      const all = functions();
      const made = await many(all);
      const search = await start(all);
      const first = await search.search(order('common-1'));
      expect(await search.search(order('common-1'))).toEqual(first);
      for (const file of openFiles(all.folder)) truncateSync(file);
      expect(await search.search(order('common-1'))).toEqual(first);
      const late = await all.deploy('late', { 'index.ts': 'common-1 as well' });
      all.remove(made[100] ?? '');
      const expected = first.found.map(({ function_id }) => function_id).filter((id) => id !== made[100]);
      // The first search finds the files damaged, the next one finds everything again.
      await search.search(order('common-1'));
      expect((await ids(search, 'common-1')).sort()).toEqual([...expected, late.function_id].sort());
    },
  );

  it('sees changes made on another node while it was in progress', async () => {
    const all = functions();
    const made = await many(all, 3);
    const search = await start(all);
    expect(await ids(search, 'common')).toHaveLength(3);
    let isAsked = Promise.withResolvers<void>();
    let mayContinue = Promise.withResolvers<void>();
    const { changes } = all.source;
    all.source.changes = async (since) => {
      isAsked.resolve();
      await mayContinue.promise;
      return changes(since);
    };
    const going = ids(search, 'common-');
    await isAsked.promise;
    all.remove(made[0] ?? '');
    const late = await all.deploy('late', { 'index.ts': 'common-late' });
    mayContinue.resolve();
    expect((await going).sort()).toEqual([...made.slice(1), late.function_id].sort());
    isAsked = Promise.withResolvers();
    mayContinue = Promise.withResolvers();
    const broken = search.search(order('a(b', regex('a(b')));
    mayContinue.resolve();
    await expect(broken).rejects.toThrow(RegexError);
  });
});

const asked = (query: string, limit = 25): SearchOrder => ({
  scope: { account_id: 'me', owner: 'ALL' },
  paths: [],
  runtime: undefined,
  limit,
  code: { mode: 'literal', query, caseSensitive: true },
  context: 0,
  history: false,
});
const answer = (text: string, isWhole = true): Answer => ({
  found: [
    {
      function_id: text.slice(0, 5),
      version: 1,
      place: 0,
      hit_count: 1,
      hits: JSON.stringify([{ path: 'index.ts', line: 1, text, before: [], after: [] }]),
    },
  ],
  truncated: !isWhole,
  isWhole,
});

it('finds a result by the whole query, until something changes', () => {
  const answers = createAnswerCache();
  answers.put(asked('one'), answer('one'));
  expect(answers.get(asked('one'))).toEqual(answer('one'));
  expect(answers.get(asked('one', 26))).toBeUndefined();
  expect(answers.get({ ...asked('one'), scope: { account_id: 'another', owner: 'ALL' } })).toBeUndefined();
  answers.clear();
  expect(answers.get(asked('one'))).toBeUndefined();
});

it('stores no incomplete result, so that the next search may find more', () => {
  const answers = createAnswerCache();
  answers.put(asked('one'), answer('one', false));
  expect(answers.get(asked('one'))).toBeUndefined();
});

it('has a size limit, and evicts the least recently used first', () => {
  const answers = createAnswerCache(4000);
  const text = 'x'.repeat(1000);
  answers.put(asked('one'), answer(text));
  answers.put(asked('two'), answer(text));
  answers.get(asked('one'));
  answers.put(asked('three'), answer(text));
  expect(['one', 'two', 'three'].map((query) => answers.get(asked(query)) !== undefined)).toEqual([true, false, true]);
  for (let n = 0; n < 20; n++) answers.put(asked('three'), answer(text));
  expect(answers.get(asked('one'))).toBeDefined();
  answers.put(asked('four'), answer('x'.repeat(5000)));
  expect(answers.get(asked('four'))).toBeUndefined();
});

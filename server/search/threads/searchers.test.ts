import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Order, type SearchOrder, sharedClockMs } from '../messages.ts';
import { RegexError } from '../query/regex.ts';
import { closeAll, functions, order, regex, removeAll, start } from '../test/code-search-support.ts';
import { entryOf, freshCode } from '../test/entries-support.ts';
import { createSearchers } from './searchers.ts';

afterEach(closeAll);
afterAll(removeAll);

/** Threads that have this many functions, each with one of these documents. */
async function threadsWith(count: number, codeOf: (code: number) => SharedArrayBuffer) {
  const nothing = { segments: [], fresh: [], dropped: [], gone: [] };
  const searchers = createSearchers({ warn() {}, error() {} }, { codes: () => nothing, onDamaged() {} });
  searchers.start();
  const codes = Array.from({ length: count }, (_, code) => code);
  await searchers.sendCodes({ ...nothing, fresh: codes.map((code) => [code, codeOf(code)]) });
  const entries = codes.map((code) => entryOf(code, { function_id: `fn ${code}` }));
  searchers.sendEntries(entries, []);
  const ask = (query: SearchOrder & { cpuMs?: number }, ms = 20_000) =>
    searchers.search({ ...query, untilMs: sharedClockMs() + ms } as Order);
  return { searchers, entries, ask };
}
const sharedCode = (text: string) => freshCode(0, text)[1];

describe('threads', () => {
  it('share a search that takes the first of them long, and start over after a change', async () => {
    const [common, rare] = [sharedCode('a line like any other\n'.repeat(200)), sharedCode('a needle')];
    const { searchers, entries, ask } = await threadsWith(6000, (code) => (code % 1000 === 999 ? rare : common));
    const needles = async (change: () => void) => {
      const answer = ask(order('needle'));
      change();
      const { found, isWhole } = await answer;
      return [isWhole, ...found.map(({ function_id }) => function_id)];
    };
    const all = [1999, 2999, 3999, 4999, 5999, 999].map((code) => `fn ${code}`);
    for (let times = 0; times < 5; times++) expect(await needles(() => {})).toEqual([true, ...all]);
    // It moves to the front and back: the places change for all threads except the one that searches.
    for (let times = 0; times < 6; times++) {
      const moved = Object.assign({}, entries[999], { score: (times + 1) % 2 });
      const found = await needles(() => searchers.sendEntries([moved], []));
      expect(new Set(found)).toEqual(new Set([true, ...all]));
    }
    searchers.sendEntries([], ['fn 999']);
    expect(await needles(() => {})).toEqual([true, ...all.slice(0, -1)]);
    await searchers.close();
  });

  it('find the same functions while others are replaced, hidden and deleted, and the memory is used again', async () => {
    const [common, rare] = [sharedCode('a line like any other\n'), sharedCode('a needle')];
    const COUNT = 18_000;
    const { searchers, entries, ask } = await threadsWith(COUNT, (code) => (code % 300 === 299 ? rare : common));
    const needles = entries.filter(({ code }) => code % 300 === 299);
    const others = entries.filter(({ code }) => code % 300 !== 299);
    searchers.sendEntries(
      needles.map((entry) => ({ ...entry, name: `Needle ${entry.code}` })),
      [],
    );
    const scope = { account_id: 'me', owner: 'ALL' } as const;
    const window = { ids: entries.map(({ function_id }) => function_id), hits: 1 };
    const queries = [
      order('needle', { scope }),
      order('', { scope, ...regex('n[e]+dle$') }),
      order('needle', { scope, history: true } as Partial<SearchOrder>),
      order('needle', { scope, isFolded: true }),
      { ...order('needle', { scope }), window },
      { scope, paths: [], runtime: undefined, limit: 100, words: 'needle' },
    ];
    const expected = needles.map(({ function_id }) => function_id).sort();
    for (let round = 0; round < 12; round++) {
      const going = queries.map((query) => ask(query as SearchOrder));
      for (let times = 0; times < 5; times++) {
        const some = Array.from({ length: 300 }, (_, at) => others[(round * 1500 + times * 300 + at) % others.length]);
        const visibility = round % 3 === 0 ? 'PRIVATE' : 'PUBLIC';
        const changed = some.flatMap((entry) =>
          entry ? { ...entry, visibility, description: 'x'.repeat((round * 37) % 90) } : [],
        );
        searchers.sendEntries(changed as typeof entries, [`fn ${times}`]);
        await new Promise(setImmediate);
      }
      for (const [at, { found, isWhole }] of (await Promise.all(going)).entries()) {
        const listed = found.flatMap(({ function_id, copies }) => [
          function_id,
          ...(copies?.functions.map((each) => each.function_id) ?? []),
        ]);
        // Of copies, only some are listed.
        const all = at === 3 ? expected.filter((id) => listed.includes(id)) : expected;
        expect([isWhole, listed.sort()], `query ${at} in round ${round}`).toEqual([true, all]);
        expect(listed.length).toBeGreaterThan(50);
      }
    }
    const replaceMany = async () => {
      for (let times = 0; times < 8; times++) searchers.sendEntries(others.slice(0, 500), []);
      await Promise.all(queries.map((query) => ask(query as SearchOrder)));
    };
    for (let round = 0; round < 4; round++) await replaceMany();
    const size = searchers.table.bytes;
    for (let round = 0; round < 12; round++) await replaceMany();
    expect(searchers.table.bytes).toBe(size);
    await searchers.close();
  });
});

describe('time', () => {
  it('ends a search with the hits so far, and other searches are not affected', async () => {
    const shared = sharedCode(`quick\n${`${'a'.repeat(300)}\n`.repeat(50_000)}`);
    const { searchers, ask } = await threadsWith(20, () => shared);
    const hostile = ask(order('', regex('([a-z]+)*[^a]{20}$')), 5);
    const quick = ask(order('quick', { limit: 3 }));
    expect(await hostile).toMatchObject({ found: [], truncated: true, isWhole: false });
    expect((await quick).found.map(({ function_id }) => function_id)).toEqual(['fn 0', 'fn 1', 'fn 10']);
    await expect(ask(order('', regex('a(')))).rejects.toThrow(RegexError);
    await searchers.close();
  });
});

describe('the budget', () => {
  const LINES = `${'ab '.repeat(100)}\n`.repeat(40);
  /** Takes RE2 long in every line; found in one of them. */
  const hard = (more: string) => regex(`(\\w+\\s*)+[^\\x00-\\x7f]{5}${more}`);

  it('is CPU time of each search: many at once search as much as one alone', async () => {
    const code = sharedCode(`${LINES}ab 日本語日本語\n`);
    const { searchers, ask } = await threadsWith(3000, () => code);
    const within = (cpuMs: number, n: number) =>
      ask({ ...order('', { ...hard(`|x${n}`), limit: 3000 }), cpuMs }, 600_000);
    // Compiled by V8, and measured.
    await within(300, 0);
    const alone = (await within(200, 1)).found.length;
    const together = await Promise.all(Array.from({ length: 5 }, (_, n) => within(200, 2 + n)));
    expect(alone).toBeGreaterThan(20);
    for (const { found, isWhole, reached } of together) {
      expect(isWhole).toBe(false);
      expect(found.length).toBeGreaterThan(alone / 4);
      expect(reached).toBeLessThan(3000);
    }
    await searchers.close();
  });

  it('is given again to the same search, which continues where it ended, until something changes', async () => {
    const all = functions();
    for (let n = 0; n < 60; n++)
      await all.deploy(`fn ${n}`, { 'index.ts': `// ${n}\n${LINES}${n % 2 ? 'ab 日本語日本語' : ''}\n` });
    const patient = await start(all);
    const whole = await patient.search(order('', hard('')));
    expect([whole.truncated, whole.found.length]).toEqual([false, 30]);
    const search = await start({ ...all, folder: `${all.folder}-2` }, { budgetMs: 15, longestMs: 60_000 });
    await search.search(order('none such'));
    let last = await search.search(order('', hard('')));
    expect(last.truncated).toBe(true);
    let times = 1;
    for (; last.truncated && times < 500; times++) {
      const next = await search.search(order('', hard('')));
      // What was found stays, in the same order.
      const known = last.found.filter(({ place }) => place <= (last.reached ?? -1));
      expect(next.found.slice(0, known.length)).toEqual(known);
      last = next;
    }
    expect(last).toMatchObject({ truncated: false, isWhole: true });
    expect(last.found.map(({ function_id }) => function_id)).toEqual(whole.found.map(({ function_id }) => function_id));
    expect(times).toBeGreaterThan(1);
    // With a smaller limit it ends as soon as there is one more.
    const few = { ...hard('|x'), limit: 3 };
    let first = await search.search(order('', few));
    for (times = 0; first.found.length < 3 && times < 500; times++) first = await search.search(order('', few));
    expect(first.found.map(({ function_id }) => function_id)).toEqual(
      whole.found.slice(0, 3).map(({ function_id }) => function_id),
    );
    // After a change it starts over, as the new function may be better than those found.
    await search.search(order('', hard('|x')));
    const { function_id } = await all.deploy('late', { 'index.ts': `${LINES}ab 日本語日本語\n` }, { star_count: 9 });
    let later = await search.search(order('', hard('|x')));
    for (times = 0; later.found.length === 0 && times < 500; times++)
      later = await search.search(order('', hard('|x')));
    expect(later.found[0]?.function_id).toBe(function_id);
  });
});

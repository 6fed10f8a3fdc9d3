/**
 * Code search against ripgrep: the same files, lines and counts, for hundreds of queries over real code and over texts
 * in five languages. Boolean queries are evaluated over ripgrep's lines of each term by boolean-reference.ts.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import { type Asked, reference, termsOf, typedOf } from './boolean-reference.ts';
import {
  askWhole,
  type Corpus,
  createCorpus,
  inOrder,
  LANGUAGES,
  type Lines,
  ODD,
  type Pattern,
} from './oracle-corpus.ts';

const AT_ONCE = 2;
const SEED = 20_260_101;
const LONG = { timeout: 600_000 };

let corpus: Corpus;
beforeAll(async () => {
  corpus = await createCorpus();
});
afterAll(() => corpus.close());

/** The query for Sluice and that for ripgrep, where classes must be set to ASCII. */
type Query = { q: string; pattern: string; isLiteral: boolean; case: 'auto' | 'yes' | 'no' };

const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const slash = (source: string) => `/${source.replaceAll('/', '\\/')}/`;
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function queries(): Query[] {
  const lines = [...corpus.texts.values()].flatMap((text) => text.split('\n')).filter((line) => line.trim().length > 3);
  const odd = Object.values(ODD).flatMap((text) => text.split('\n').filter((line) => line.length > 0));
  const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...lines) }, fc.constantFrom(...odd));
  const caseMode = fc.constantFrom('auto', 'yes', 'no');
  const piece = fc.tuple(line, fc.nat(), fc.integer({ min: 1, max: 24 })).map(([text, at, length]) => {
    const chars = [...text.slice(0, 4000)];
    const from = at % chars.length;
    return (
      chars
        .slice(from, from + length)
        .join('')
        .replace(/^\s+|\s+$/g, '') || 'x'
    );
  });
  const word = line.map((text) => text.match(/[\p{L}\w$]{2,}/gu)?.at(-1) ?? 'const');
  const literal = fc.oneof(word, piece).map((text) => ({ q: quote(text), pattern: text, isLiteral: true }));
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(word, piece).map((text): [string, string] => [escaped(text), escaped(text)]) },
    fc.constantFrom<[string, string]>(
      ['\\d+', '[0-9]+'],
      ['\\w*', '[0-9A-Za-z_]*'],
      ['\\s+', '[\\t\\f\\r ]+'],
      ['\\W', '[^0-9A-Za-z_]'],
      ['\\b', '(?-u:\\b)'],
      ['.*', '.*'],
      ['.{1,3}', '.{1,3}'],
      ['[a-f]', '[a-f]'],
      ['[^;]*', '[^;]*'],
      ['(?:get|set|is)', '(?:get|set|is)'],
      ['(?i:Return)', '(?i:Return)'],
      ['\\p{Lu}', '\\p{Lu}'],
      ['x{2,}', 'x{2,}'],
      ['日?', '日?'],
    ),
  );
  const end = fc.constantFrom('', '', '^', '$');
  const regex = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), end, fc.boolean())
    .map(([parts, edge, either]) => {
      const join = (side: 0 | 1) => {
        const all = parts.map((each) => each[side]);
        const body = either && all.length > 1 ? `(?:${all.join('|')})` : all.join('');
        return edge === '^' ? `^${body}` : edge === '$' ? `${body}$` : body;
      };
      return { q: slash(join(0)), pattern: join(1), isLiteral: false };
    });
  const query = fc.tuple(fc.oneof({ weight: 2, arbitrary: literal }, { weight: 3, arbitrary: regex }), caseMode);
  const generated = fc
    .sample(query, { numRuns: 330, seed: SEED })
    .map(([each, mode]): Query => ({ ...each, case: mode }) as Query);
  const chosen: Query[] = [
    ['/^$/', '^$', false],
    ['/^\\s*$/', '^[\\t\\f\\r ]*$', false],
    ['/\\r$/', '\\r$', false],
    ['/x*/', 'x*', false],
    ['/;$/', ';$', false],
    ['/^const/', '^const', false],
    ['/[\\x{4e00}-\\x{9fff}]/', '[\\x{4e00}-\\x{9fff}]', false],
    ['/\\u{1F600}/', '\\x{1F600}', false],
    ['" "', ' ', true],
    ['"\u212a"', '\u212a', true],
    ['"ſ"', 'ſ', true],
    ['"ΑΣ"', 'ΑΣ', true],
  ].map(([q, pattern, isLiteral]) => ({ q, pattern, isLiteral, case: 'no' }) as Query);
  const short = generated.filter(({ q }) => q.length <= 300 && !/[\r\ufeff]/.test(q));
  return [...new Map([...short, ...chosen].map((each) => [each.q + each.case, each])).values()];
}

const hasUpper = ({ pattern, isLiteral }: Query): boolean =>
  /\p{Lu}/u.test(isLiteral ? pattern : pattern.replace(/\\p\{\w+\}|\\[A-Z]|\[[^\]]*A-Z[^\]]*\]/g, ''));

const isSensitive = (query: Query) => query.case === 'yes' || (query.case === 'auto' && hasUpper(query));
const patternOf = (query: Query): Pattern => ({ ...query, isSensitive: isSensitive(query) });

/** Checks an answer: the functions, their counts, and the places and texts of their first hits. */
async function check(query: { q: string; case: string }, expected: Lines): Promise<void> {
  const { status, body } = await askWhole(corpus.service, { q: query.q, case: query.case });
  const label = `${query.q} (${query.case})`;
  expect(status, `${label} ${JSON.stringify(body)}`).toBe(200);
  expect(Object.fromEntries(body.functions.map((fn) => [fn.name, fn.hit_count])), label).toEqual(
    Object.fromEntries([...expected].map(([fn, lines]) => [fn, lines.length])),
  );
  for (const fn of body.functions) {
    const lines = (expected.get(fn.name) ?? []).sort(inOrder).slice(0, SEARCH_HITS_PER_FUNCTION);
    expect(
      fn.hits.map(({ path, line }) => `${path}:${line}`),
      label,
    ).toEqual(lines);
    const [hit] = fn.hits;
    const text = hit && corpus.texts.get(`${fn.name}/${hit.path}`)?.split('\n')[hit.line - 1];
    if (hit && hit.text.length < 1000 && !hit.end_line) expect(hit.text, label).toBe(text);
  }
}

/** Checks all, and returns how many have hits. */
async function checkAll(all: { q: string; case: string }[], expected: Lines[]): Promise<number> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    await Promise.all(some.map((query, at) => check(query, expected[from + at] ?? new Map())));
  }
  return expected.filter(({ size }) => size > 0).length;
}

it('finds the same files, lines and counts', LONG, async () => {
  const all = queries();
  expect(all.length).toBeGreaterThan(300);
  expect(await checkAll(all, await corpus.ripgrep(all.map(patternOf)))).toBeGreaterThan(200);
});

it.each(LANGUAGES)('heeds or ignores the case of letters as ripgrep does: %s', LONG, async (language) => {
  const text = [...corpus.texts].find(([path]) => path.endsWith(`names/${language}.ts`))?.[1] ?? '';
  const words = [...new Set(text.match(/\p{L}{2,}/gu))].filter((word) => /[^ -~]/.test(word));
  const asked = fc.record({
    word: fc.constantFrom(...words),
    more: fc.constantFrom(...words),
    change: fc.constantFrom(
      (word: string) => word,
      (word: string) => word.toLowerCase(),
      (word: string) => word.toUpperCase(),
      (word: string) => word.slice(0, 3),
    ),
    form: fc.constantFrom('literal', 'literal', 'either', 'inner'),
    mode: fc.constantFrom<Query['case'][]>('auto', 'no', 'no', 'yes'),
  });
  const all = fc.sample(asked, { numRuns: 40, seed: SEED }).map(({ word, more, change, form, mode }): Query => {
    const first = change(word);
    if (form === 'literal') return { q: quote(first), pattern: first, isLiteral: true, case: mode };
    const pattern = form === 'either' ? `${first}|${change(more)}` : `${first.slice(0, 2)}\\p{L}*${first.slice(-1)}`;
    return { q: slash(pattern), pattern, isLiteral: false, case: mode };
  });
  const unique = [...new Map(all.map((each) => [each.q + each.case, each])).values()];
  expect(await checkAll(unique, await corpus.ripgrep(unique.map(patternOf)))).toBeGreaterThan(20);
});

it('finds the lines on which matches of several lines begin', LONG, async () => {
  const all = acrossLines();
  const expected = await corpus.ripgrep(all.map((each) => ({ ...patternOf(each), isMultiLine: true })));
  expect(await checkAll(all, expected)).toBeGreaterThan(50);
});

/** Literals with newlines, and expressions that cross lines, cut from the corpus. */
function acrossLines(): Query[] {
  const texts = [...corpus.texts.values()].filter((text) => /\S\n.*\S/.test(text) && !text.includes('\r'));
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }))
    .map(([text, at, before, after]) => {
      const newlines = [...text.matchAll(/\n/g)].map(({ index }) => index);
      const newline = newlines[at % newlines.length] ?? 0;
      const from = Math.max(0, newline - before);
      return { head: text.slice(from, newline), tail: text.slice(newline + 1, newline + 1 + after) };
    })
    .filter(({ head, tail }) => /\w{3}.*$/.test(head) && /\w/.test(tail) && !/[\ud800-\udfff]/.test(head + tail));
  const caseMode = fc.constantFrom<Query['case'][]>('auto', 'yes', 'no');
  const form = fc.constantFrom('literal', 'literal', 'newline', 'blanks', 'dot', 'lazy');
  const asked = fc.tuple(piece, caseMode, form).map(([{ head, tail }, mode, kind]): Query => {
    if (kind === 'literal') {
      const text = `${head}\n${tail}`;
      return { q: quote(text), pattern: text, isLiteral: true, case: mode };
    }
    const start = escaped(head.split('\n').at(-1) ?? '');
    const end = escaped(tail.trimStart().split('\n')[0] ?? '');
    const [ours, theirs] = {
      newline: ['\\n\\s*', '\\n[\\t\\n\\f\\r ]*'],
      blanks: ['[ \\n]+', '[ \\n]+'],
      dot: ['(?s:.{0,80})', '(?s:.{0,80})'],
      lazy: ['(?s).*?', '(?s).*?'],
    }[kind] ?? ['', ''];
    return { q: slash(start + ours + end), pattern: start + theirs + end, isLiteral: false, case: mode };
  });
  const all = fc.sample(asked, { numRuns: 120, seed: SEED }).filter(({ q }) => q.length < 300);
  return [...new Map(all.map((each) => [each.q + each.case, each])).values()];
}

it('evaluates boolean queries over the lines of their terms', LONG, async () => {
  const all = booleanQueries();
  const terms = [...new Map(all.flatMap(termsOf).map((term) => [JSON.stringify(term), term])).values()];
  const lines = await corpus.ripgrep(terms.map(({ kind, text }) => patternOf(queryOf(kind, text))));
  const linesOf = new Map(terms.map((term, at) => [JSON.stringify(term), lines[at] ?? new Map<string, string[]>()]));
  const functions = Map.groupBy(corpus.texts.keys(), (path) => path.split('/')[0] ?? '');
  const expected = all.map((asked) => {
    const found: Lines = new Map();
    for (const [fn, paths] of functions) {
      const inFunction = paths.map((path) => path.slice(fn.length + 1)).sort();
      const hits = reference(asked, inFunction, (term) => linesOf.get(JSON.stringify(term))?.get(fn) ?? []);
      if (hits) found.set(fn, hits);
    }
    return found;
  });
  const asked = all.map((each) => ({ q: typedOf(each), case: 'auto' }));
  expect(await checkAll(asked, expected)).toBeGreaterThan(50);
});

const queryOf = (kind: string, text: string): Query =>
  kind === 'regex'
    ? { q: slash(text), pattern: text, isLiteral: false, case: 'auto' }
    : { q: quote(text), pattern: text, isLiteral: true, case: 'auto' };

/** Terms of the corpus, combined. */
function booleanQueries(): Asked[] {
  const code = [...corpus.texts.values()].filter((text) => text.length > 100).join('\n');
  const words = [...new Set(code.match(/\b[A-Za-z]\w{3,12}\b/g))];
  const rare = fc.constantFrom(...words);
  const common = fc.constantFrom('const', 'return', 'export', 'import', 'Error', 'fetch', 'await', 'class');
  const word = fc.oneof({ weight: 2, arbitrary: common }, { weight: 1, arbitrary: rare });
  const { tree } = fc.letrec<{ tree: Asked; term: Asked }>((tie) => ({
    term: fc.oneof(
      { weight: 4, arbitrary: word.map((text): Asked => ({ kind: 'literal', text })) },
      { weight: 2, arbitrary: word.map((text): Asked => ({ kind: 'regex', text: `\\b${text}[^;]*\\(` })) },
      { weight: 1, arbitrary: fc.constantFrom('lib/', '.ts', 'dist', 'index', 'n').map(pathFilter) },
    ),
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('term'),
      fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts): Asked => ({ kind: 'and', parts })),
      fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((parts): Asked => ({ kind: 'or', parts })),
      fc
        .tuple(tie('tree'), tie('tree'))
        .map(([a, b]): Asked => ({ kind: 'and', parts: [a, { kind: 'not', part: b }] })),
    ),
  }));
  const all = fc.sample(tree, { numRuns: 400, seed: SEED }).filter((each) => {
    const terms = termsOf(each);
    return each.kind !== 'filter' && terms.length > 1 && terms.length < 12;
  });
  return [...new Map(all.map((each) => [typedOf(each), each])).values()].slice(0, 120);
}

const pathFilter = (value: string): Asked => ({ kind: 'filter', value });

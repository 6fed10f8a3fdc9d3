import { describe, expect, it } from 'vitest';
import { MOST_DEPTH, MOST_TERMS, type QueryTree, readTree } from './query-tree.ts';
import { readQuery } from './search-query.ts';

/** The tree in words: terms as written, groups in parentheses. */
function said(tree: QueryTree): string {
  if (tree.kind === 'and' || tree.kind === 'or') return `(${tree.parts.map(said).join(` ${tree.kind} `)})`;
  if (tree.kind === 'not') return `not ${said(tree.part)}`;
  if (tree.kind === 'filter') return `${tree.filter.name}:${tree.value}`;
  return tree.kind === 'regex' ? `/${tree.text}/` : `"${tree.text}"`;
}

describe('the tree of', () => {
  it.each([
    ['"import os" "subprocess"', '("import os" and "subprocess")'],
    ['"a" AND "b" OR "c"', '(("a" and "b") or "c")'],
    ['a OR b c', '("a" or ("b" and "c"))'],
    ['(a OR b) c', '(("a" or "b") and "c")'],
    ['"a" -"b" -/c/', '("a" and not "b" and not /c/)'],
    ['"a" NOT (b OR c)', '("a" and not ("b" or "c"))'],
    ['"a" -b', '("a" and not "b")'],
    ['fetch() OR open(x)', '("fetch()" or "open(x)")'],
    ['(fetch() OR open(x))', '("fetch()" or "open(x)")'],
    ['("a" OR "b(c)") "d"', '(("a" or "b(c)") and "d")'],
    ['("a") OR (/b(c)/)', '("a" or /b(c)/)'],
    ['"say \\"hi\\"" "x"', '("say "hi"" and "x")'],
    ['"f("x")" "y"', '("f("x")" and "y")'],
    ['/api\\/v1/ "x"', '(/api/v1/ and "x")'],
    ['"a" OR ("b" path:lib/ -lang:py)', '("a" or ("b" and path:lib/ and not lang:py))'],
    ['"a" owner:"Northwind Supply" b', '("a" and owner:Northwind Supply and "b")'],
    ['path:a OR lang:ts', '(path:a or lang:ts)'],
    ['/api/orders OR "x"', '("/api/orders" or "x")'],
    ['"http://x" y://z', '("http://x" and "y://z")'],
    ['مرحبا OR "שלום"', '("مرحبا" or "שלום")'],
    ['a OR NOT b c', '("a" or (not "b" and "c"))'],
  ])('%s', (typed, expected) => {
    const tree = readTree(typed);
    expect(tree && said(tree)).toBe(expected);
  });
});

describe('no boolean query', () => {
  it.each([
    'order sync',
    '"one literal"',
    '"a OR b"',
    '/a OR b/',
    '"a" + "b"',
    '"a" path:lib/',
    '-path:lib/ "a"',
    'order -sync',
    'npm run -s',
    'OR',
    'AND more',
    'this or that',
    'fetch (url)',
    '"open AND x',
    'NOT',
    'NOT this',
    '/x/ y path:lib/',
  ])('%s', (typed) => expect(readTree(typed, /^(["/]).*\1$/s.test(typed))).toBeUndefined());
});

describe('a mistake in', () => {
  it.each<[string, string, number]>([
    ['"a" OR ("b" AND "c"', 'this ( is not closed', 7],
    ['"a" OR "b" )', 'this ) closes nothing', 11],
    ['"a" OR', 'expected a term after this', 4],
    ['"a" AND OR "b"', 'expected a term before this OR', 8],
    ['a OR "b', 'this quote is not closed', 5],
    ['NOT "a"', 'expected something to search for beside what is excluded', 0],
    ['"a" OR -"b"', 'expected something to search for beside what is excluded', 0],
    ['"a" langg:py "b"', 'there is no filter langg: (did you mean lang:?)', 4],
    ['"a" language:py "b"', 'there is no filter language: (did you mean lang:?)', 4],
    ['"a" OR repo:x', 'there is no filter repo: (did you mean name:?)', 7],
    ['"a" "b" lang:klingon', 'there is no language klingon: expected one of javascript', 13],
    ['"a" "b" runs:many', 'expected a number, such as runs:>100', 13],
    ['"a" "b" deployed:>2026-02-30', 'expected a date, such as deployed:>2026-11-01', 17],
    ['"a" "b" visibility:secret', 'expected visibility:', 19],
    ['"" "a"', 'expected something to search for', 0],
    [`${'('.repeat(MOST_DEPTH + 1)}"a" OR "b"`, `expected at most ${MOST_DEPTH} groups`, MOST_DEPTH],
    [
      Array.from({ length: MOST_TERMS + 1 }, () => 'x').join(' OR '),
      `at most ${MOST_TERMS} terms, this query has`,
      250,
    ],
  ])('%s', (typed, message, at) => {
    expect(() => readTree(typed)).toThrow(expect.objectContaining({ message: expect.stringContaining(message), at }));
  });

  it('a filter beside one literal or words', () => {
    expect(readQuery('"a" runs:many').mistake).toMatchObject({ at: 4 });
    expect(readQuery('order lang:klingon').mistake).toMatchObject({ at: 6 });
  });
});

it('reads ten thousand characters of signs in linear time', () => {
  const many = '(-"'.repeat(3000);
  expect(() => readTree(`a OR ${many}`)).toThrow();
  expect(readTree('"'.repeat(10_000))).toBeUndefined();
});

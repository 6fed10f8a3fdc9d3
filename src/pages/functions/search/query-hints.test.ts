import { describe, expect, test } from 'vitest';
import { fitForAddress, hintOf } from './query-hints.ts';

test('a query that fits into a URL is unchanged, a longer one is cut just above the limit', () => {
  expect(fitForAddress('x'.repeat(10_000))).toHaveLength(10_000);
  expect(fitForAddress('😀'.repeat(1_000))).toHaveLength(2_000);
  expect(encodeURIComponent(fitForAddress('😀'.repeat(10_000)))).toHaveLength(12 * 1_001);
});

describe('hints on a query while it is typed', () => {
  test.each([
    ['order sync', undefined],
    ['"fetch"', undefined],
    ['/a+/ path:.ts', undefined],
    ['path:.ts', undefined],
    ['path:lib/ /a+/', undefined],
    ['/a\\/ path:lib/', undefined],
    ['', undefined],
    ['path:"a" "a"', undefined],
    ['index: rebuilt', undefined],
    ['GET /orders', undefined],
    ['order "fetch("', undefined],
    ['lang:ts "fetch("', undefined],
    ['order -path:lib', undefined],
    ['"a" OR ("b" -"c")', undefined],
    ['see http://example.com', undefined],
    [`"${'😀'.repeat(998)}"`, undefined],
  ])('%s: nothing', (typed, said) => expect(hintOf(typed)).toBe(said));

  test.each([
    ['/api/orders', 5, /after the last slash/],
    ['order langg:ts', 6, /^There is no filter langg: so it is read as a word: did you mean lang:\?/],
    ['order -repo:lib', 6, /no filter -repo: .* did you mean name:/],
    ['\u201cfetch(\u201d', undefined, /curly/],
  ])('%s is read as words, and why', (typed, at, said) =>
    expect(hintOf(typed)).toEqual({ refused: false, at, said: expect.stringMatching(said) }),
  );

  test.each([
    ['"fetch(', 0, /quote is not closed yet: the code is searched as if it were/],
    ['path:lib/ /a+b', 10, /slash is not closed yet/],
    ['"a\\"', 0, /quote is not closed yet/],
    ['"a path:b c', 0, /quote is not closed yet/],
    ['/', 0, /The text after this slash is searched for in the code/],
  ])('%s is searched for as if it were closed, and says so', (typed, at, said) =>
    expect(hintOf(typed)).toEqual({ refused: false, open: true, at, said: expect.stringMatching(said) }),
  );

  test.each([
    ['/a+/ path:lib/', 3, /after this slash is read as filters.* in the expression, write \\\/ here/],
    ['runtime:node "a" owner:"acme"', 15, /after this quote is read as filters.* in the literal, write \\" here/],
  ])('%s could be meant otherwise, and how to say so', (typed, at, said) =>
    expect(hintOf(typed)).toEqual({ refused: false, at, said: expect.stringMatching(said) }),
  );

  test.each([
    ['x'.repeat(10_000), /at most 1,000 characters; this one has 10,000/],
    [fitForAddress('見'.repeat(10_000)), /at most 1,000 characters; this one has more/],
    [fitForAddress('😀'.repeat(10_000)), /at most 1,000 characters; this one has more/],
    ['"a\0b"', /NUL/],
    ['""', /search is empty/],
    ['"a" OR', /expected a term after this/],
    ['"a" OR ("b"', /this \( is not closed/],
    ['"a" runs:many', /expected a number/],
  ])('what is not sent to the service', (typed, said) =>
    expect(hintOf(typed)).toMatchObject({ refused: true, said: expect.stringMatching(said) }),
  );
});

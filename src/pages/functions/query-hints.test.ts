import { describe, expect, test } from 'vitest';
import { hintOf } from './query-hints.ts';

describe('what is said of a query while it is typed', () => {
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
    [`"${'😀'.repeat(998)}"`, undefined],
  ])('%s: nothing', (typed, said) => expect(hintOf(typed)).toBe(said));

  test.each([
    ['"fetch(', 0, /quote is not closed/],
    ['path:lib/ /a+b', 10, /slash is not closed/],
    ['/api/orders', 5, /behind the last slash/],
    ['"a\\"', 2, /escaped by the backslash/],
    ['order "fetch("', 0, /before the first quote.*path:, runtime: and owner:/],
    ['path:lib/ order sync /a+/', 10, /before the first slash/],
    ['lang:ts "fetch("', 0, /^There is no filter lang: so it is read as a word: the filters are/],
    ['order -path:lib', 6, /no filter -path:/],
    ['"a path:b c', undefined, /quote is not closed/],
    ['\u201cfetch(\u201d', undefined, /curly/],
  ])('%s is read as words, and why', (typed, at, said) =>
    expect(hintOf(typed)).toEqual({ refused: false, at, said: expect.stringMatching(said) }),
  );

  test.each([
    ['/a+/ path:lib/', 3, /behind this slash is read as filters.* part of the expression, write \\\/ here/],
    ['runtime:node "a" owner:"acme"', 15, /behind this quote is read as filters.* part of the literal, write \\" here/],
  ])('%s could be meant otherwise, and how to say so', (typed, at, said) =>
    expect(hintOf(typed)).toEqual({ refused: false, at, said: expect.stringMatching(said) }),
  );

  test.each([
    ['x'.repeat(10_000), /at most 1,000 characters; this one has 10,000/],
    ['"a\0b"', /NUL/],
    ['""', /between the signs/],
    ['"a\nb"', /one line/],
  ])('what is not sent to the service', (typed, said) =>
    expect(hintOf(typed)).toMatchObject({ refused: true, said: expect.stringMatching(said) }),
  );
});

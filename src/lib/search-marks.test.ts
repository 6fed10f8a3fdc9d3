import { describe, expect, test } from 'vitest';
import { factMarker, literalMarker, regexMarker, wordMarker } from './search-marks.ts';

describe('marks in a line of a hit', () => {
  test('marks every occurrence of a literal, without interpreting its characters', () => {
    expect(literalMarker('a.b(', true)('a.b( axb( a.b(')).toEqual([
      [0, 4],
      [10, 14],
    ]);
  });

  test('marks words in names and descriptions, short ones only at the start of a word', () => {
    expect(wordMarker('sync Order-')('orderSync, resync; order')).toEqual([
      [0, 5],
      [5, 9],
      [13, 17],
      [19, 24],
    ]);
    expect(wordMarker('s (')('is so')).toEqual([[3, 4]]);
    expect(wordMarker('"…')('is so')).toEqual([]);
  });

  test('marks words with and without accents at their offsets in the line', () => {
    expect(wordMarker('creme STRASSE')('😀 Cr\u00e8me, cre\u0300me; Straße.')).toEqual([
      [3, 8],
      [10, 16],
      [18, 24],
    ]);
    expect(wordMarker('本')('日本語')).toEqual([[1, 2]]);
  });

  test('marks the name that a filter asks for, and not as a part of another', () => {
    expect(factMarker({ name: 'symbol', part: 'fetch*' })('prefetch fetchAll(Fetch)')).toEqual([
      [9, 17],
      [18, 23],
    ]);
    expect(factMarker({ name: 'host', part: '*.stripe.com' })("'https://api.stripe.com/v1'")).toEqual([[9, 23]]);
    expect(factMarker({ name: 'imports', part: 'node:fs' })("from 'fs'; from 'node:fs'")).toHaveLength(2);
    expect(factMarker({ name: 'symbol', part: '*' })('a b')).toEqual([]);
  });

  test('matches case if required', () => {
    expect(literalMarker('Stripe', true)('stripe Stripe')).toEqual([[7, 13]]);
    expect(literalMarker('stripe', false)('stripe Stripe')).toHaveLength(2);
  });

  test('marks a regular expression with RE2', async () => {
    const marker = await regexMarker('fetch\\((\\w+)', false);
    expect(marker('await Fetch(url); fetch(x)')).toEqual([
      [6, 15],
      [18, 25],
    ]);
  });

  test('an expression that backtracks in other engines terminates', async () => {
    expect((await regexMarker('\\uD83D\\uDE00', true))('a 😀')).toEqual([[2, 4]]);
    const marker = await regexMarker('(a+)+$', true);
    expect(marker(`${'a'.repeat(10_000)}!`)).toEqual([]);
  });

  test('empty matches mark nothing', async () => {
    expect((await regexMarker('x*', true))('abc')).toEqual([]);
  });
});

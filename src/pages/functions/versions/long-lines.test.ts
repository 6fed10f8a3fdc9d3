import { expect, test } from 'vitest';
import { cutAround, isExcerpt, seen } from './long-lines.ts';

const shownMarks = (text: string, at: number, length: number) => {
  const { text: shown, marks } = cutAround(text, [[at, at + length]]);
  return marks.map(([start, end]) => shown.slice(start, end));
};

test('a short line is unchanged', () => {
  expect(cutAround('short', [[0, 2]])).toEqual({ text: 'short', marks: [[0, 2]], cut: false });
});

test.each([0, 50, 5_000, 9_990])('a mark at %i of a long line is in sight', (at) => {
  const text = `${'x'.repeat(at)}needle${'y'.repeat(9_990 - at)}`;
  expect(shownMarks(text, at, 6)).toEqual(['needle']);
  expect(cutAround(text, [[at, at + 6]]).text.length).toBeLessThan(310);
  expect(cutAround(text, [[at, at + 6]]).marks[0]?.[0]).toBeLessThan(72);
});

test('no surrogate pair is split', () => {
  for (let shift = 0; shift < 4; shift++) {
    const text = `${'a'.repeat(shift)}${'😀'.repeat(1_000)}漢字${'😀'.repeat(1_000)}`;
    const at = text.indexOf('漢');
    expect(cutAround(text, [[at, at + 2]]).text.isWellFormed()).toBe(true);
    expect(shownMarks(text, at, 2)).toEqual(['漢字']);
  }
});

test('an excerpt of the service is recognized by its ellipsis', () => {
  expect(isExcerpt(`…${'x'.repeat(1000)}`)).toBe(true);
  expect(isExcerpt('x'.repeat(1000))).toBe(false);
  expect(isExcerpt('…')).toBe(false);
});

test('invisible characters and direction marks are made visible', () => {
  expect(seen('a\x01\x1b[0m\tb\x7f\x85\u202elive\r')).toBe('a␁␛[0m\tb␡••live␍');
  expect(seen('שלום 漢字 😀')).toBe('שלום 漢字 😀');
});

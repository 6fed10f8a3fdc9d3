import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWithinEdits } from './vocabulary.ts';

it.each<[string, string, number, boolean]>([
  ['order', 'order', 0, true],
  ['order', 'oder', 1, true],
  ['order', 'odrer', 1, true],
  ['order', 'orrder', 1, true],
  ['order', 'border', 1, true],
  ['order', 'orbit', 1, false],
  ['invoices', 'inovices', 1, true],
  ['abcdefgh', 'badcfegh', 2, false],
])('%s and %s within %i: %s', (left, right, most, expected) => expect(isWithinEdits(left, right, most)).toBe(expected));

/** The number of edits, computed with the whole table. */
function editsOf(left: string, right: string): number {
  const rows = [...Array(left.length + 1)].map((_, i) => [...Array(right.length + 1)].map((_, j) => (i === 0 ? j : i)));
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= left.length; i++) {
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const edits = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same];
      (rows[i] as number[])[j] = Math.min(...edits, isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY);
    }
  }
  return at(left.length, right.length);
}

it('counts edits like the whole table', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, word, fc.nat(4), (left, right, most) => {
      expect(isWithinEdits(left, right, most)).toBe(editsOf(left, right) <= most);
    }),
    { numRuns: 3000 },
  );
});

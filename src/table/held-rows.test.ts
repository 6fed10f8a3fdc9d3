import { expect, test } from 'vitest';
import { holdRows } from './held-rows.ts';

const id = (row: string) => row;

test('nothing is held while the list is not being read', () => {
  expect(holdRows(['c', 'b', 'a'], id, undefined)).toEqual({ shown: ['c', 'b', 'a'], waiting: 0 });
});

test('rows newer than the newest shown row are hidden and counted', () => {
  expect(holdRows(['d', 'c', 'b', 'a'], id, 'b')).toEqual({ shown: ['b', 'a'], waiting: 2 });
});

test('if the newest shown row no longer exists, all rows are shown', () => {
  expect(holdRows(['d', 'c'], id, 'b')).toEqual({ shown: ['d', 'c'], waiting: 0 });
});

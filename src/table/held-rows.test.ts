import { expect, test } from 'vitest';
import { holdRows } from './held-rows.ts';

const id = (row: string) => row;

test('nothing is held while the list is not being read', () => {
  expect(holdRows(['c', 'b', 'a'], id, undefined)).toEqual({ shown: ['c', 'b', 'a'], waiting: 0 });
});

test('what came after the newest row that was let in waits and is counted', () => {
  expect(holdRows(['d', 'c', 'b', 'a'], id, 'b')).toEqual({ shown: ['b', 'a'], waiting: 2 });
});

test('when the row that was held on to is gone, everything is let in', () => {
  expect(holdRows(['d', 'c'], id, 'b')).toEqual({ shown: ['d', 'c'], waiting: 0 });
});

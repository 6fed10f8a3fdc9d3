import { expect, it } from 'vitest';
import { rowSlots } from './row-slots.ts';

const open = () => {
  const slots = rowSlots();
  /** The elements from top to bottom, for the lines from `first` on. */
  return (first: number, count: number, follows = true) =>
    slots(
      Array.from({ length: count }, (_, at) => `line ${first + at}`),
      follows,
    );
};

it('a line that stays keeps its element, with more or fewer lines', () => {
  const show = open();
  expect(show(0, 4)).toEqual([0, 1, 2, 3]);
  expect(show(1, 4)).toEqual([1, 2, 3, 0]);
  expect(show(3, 2)).toEqual([3, 0]);
  expect(show(2, 4)).toEqual([4, 3, 0, 5]);
});

it('no element moves if no line stays', () => {
  const show = open();
  show(0, 4);
  expect(show(1, 4)).toEqual([1, 2, 3, 0]);
  expect(show(5, 4)).toEqual([1, 2, 3, 0]);
  expect(show(207, 4)).toEqual([1, 2, 3, 0]);
  expect(show(300, 5)).toEqual([1, 2, 3, 0, 4]);
  expect(show(400, 3)).toEqual([1, 2, 3]);
});

it('an emptied list starts over', () => {
  const show = open();
  show(500, 4);
  expect(new Set(show(0, 4))).toEqual(new Set([0, 1, 2, 3]));
});

it('a line keeps its element when the live tail starts or stops', () => {
  const show = open();
  show(10, 4);
  expect(show(8, 4, false)).toEqual([4, 5, 0, 1]);
  expect(show(9, 4, false)).toEqual([5, 0, 1, 6]);
  expect(show(11, 4)).toEqual([1, 6, 5, 0]);
});

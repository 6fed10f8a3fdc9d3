import { expect, it } from 'vitest';
import { rowSlots } from './row-slots.ts';

const open = () => {
  const slots = rowSlots();
  /** The elements from top to bottom, with the lines from `first` on. */
  return (first: number, count: number) => {
    const slotOf = slots(first, count);
    return Array.from({ length: count }, (_, at) => slotOf(first + at));
  };
};

it('lets a line that stays keep its element, be there more of them or fewer', () => {
  const show = open();
  expect(show(0, 4)).toEqual([0, 1, 2, 3]);
  expect(show(1, 4)).toEqual([1, 2, 3, 0]);
  expect(show(3, 2)).toEqual([3, 0]);
  expect(show(2, 4)).toEqual([4, 3, 0, 5]);
});

it('moves no element where no line stays', () => {
  const show = open();
  show(0, 4);
  expect(show(1, 4)).toEqual([1, 2, 3, 0]);
  expect(show(5, 4)).toEqual([1, 2, 3, 0]);
  expect(show(207, 4)).toEqual([1, 2, 3, 0]);
  expect(show(300, 5)).toEqual([1, 2, 3, 0, 4]);
  expect(show(400, 3)).toEqual([1, 2, 3]);
});

it('begins anew with a list that was emptied', () => {
  const show = open();
  show(500, 4);
  expect(new Set(show(0, 4))).toEqual(new Set([0, 1, 2, 3]));
});

import { expect, it } from 'vitest';
import { createAccountSlots } from './account-slots.ts';

it('an account has a limited number of slots, each freed once, and another account has its own', () => {
  const slots = createAccountSlots<string>(2, 'open things', 7);
  const free = slots.take('a', 'one');
  slots.take('a', 'two');
  expect(() => slots.take('a', 'three')).toThrow(
    expect.objectContaining({
      status: 429,
      message: expect.stringContaining('2 open things'),
      headers: { 'Retry-After': '7' },
    }),
  );
  slots.take('b', 'four');
  expect(slots.all()).toEqual(['one', 'two', 'four']);
  free();
  free();
  slots.take('a', 'five');
  expect(() => slots.take('a', 'six')).toThrow(/share/);
});

import { expect, it } from 'vitest';
import { createRate, secondsLeft } from './replay-rate.ts';

it('the rate is that of the last ten seconds, and unknown in the first', () => {
  const rate = createRate(1000);
  expect(rate.at(0, 0)).toBeNull();
  expect(rate.at(500, 999)).toBeNull();
  expect(rate.at(500, 1000)).toBe(500);
  for (let second = 2; second <= 20; second++) rate.at(500 + second * 10, second * 1000);
  expect(rate.at(710, 21_000)).toBe(10);
  expect(rate.at(710, 60_000)).toBe(0);
});

it('a slow replay is observed for longer', () => {
  const rate = createRate(0.1);
  for (let second = 0; second <= 100; second++) rate.at(Math.floor(second / 10), second * 1000);
  expect(rate.at(10, 101_000)).toBe(0.1);
});

it('the time left needs a rate', () => {
  expect([secondsLeft(100, 40), secondsLeft(100, 0), secondsLeft(100, null), secondsLeft(0, 5)]).toEqual([
    3,
    null,
    null,
    0,
  ]);
});

import { expect, it } from 'vitest';
import { createPacer, GRACE_MS } from './pacer.ts';

/** Pseudorandom numbers from 0 to 1 (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Start times of requests, as many as the pacer allows in `forMs`; each timer is late by `lateMs()`. */
function starts(rate: { requests: number; ms: number }, forMs: number, lateMs: () => number): number[] {
  let nowMs = 1000;
  const pacer = createPacer(() => nowMs);
  pacer.set('a', { inFlight: 64, rate }, Number.NEGATIVE_INFINITY);
  const times: number[] = [];
  while (nowMs < forMs) {
    pacer.reserve('a', 10);
    const waitMs = pacer.readyIn('a');
    if (waitMs > 0) {
      nowMs += Math.ceil(waitMs) + lateMs();
      continue;
    }
    times.push(nowMs);
    pacer.started('a', false);
  }
  return times;
}

/** The largest number of starts in a window of this length. */
function mostIn(times: readonly number[], windowMs: number): number {
  let first = 0;
  let most = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[first] ?? 0) >= windowMs) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

const RATES = [
  { requests: 1, ms: 1000 },
  { requests: 10, ms: 1000 },
  { requests: 333, ms: 1000 },
  { requests: 1000, ms: 1000 },
  { requests: 100, ms: 60_000 },
  { requests: 5000, ms: 3_600_000 },
];

it.each(RATES)('$requests requests in $ms ms are never exceeded, and used to 95 %', (rate) => {
  const random = randomFrom(rate.requests);
  const forMs = Math.max(20_000, 3 * rate.ms);
  // Most timers are on time; some are as late as on a busy machine.
  const times = starts(rate, forMs, () => (random() < 0.02 ? 100 * random() : 3 * random()));
  expect(mostIn(times, rate.ms)).toBeLessThanOrEqual(rate.requests);
  expect(times.length).toBeGreaterThan(0.95 * rate.requests * Math.floor((forMs - 1000) / rate.ms));
});

it.each(RATES)('$requests requests in $ms ms are never exceeded after interruptions of any length', (rate) => {
  const random = randomFrom(rate.requests + 1);
  const lateMs = () => (random() < 0.05 ? Math.floor(random() * rate.ms) : Math.floor(random() * 30));
  const times = starts(rate, 50 * rate.ms, lateMs);
  expect(mostIn(times, rate.ms)).toBeLessThanOrEqual(rate.requests);
});

it('nothing starts after the reserved time, until more is reserved', () => {
  let nowMs = 0;
  const pacer = createPacer(() => nowMs);
  const rate = { requests: 1, ms: 1000 };
  pacer.set('a', { inFlight: 8, rate }, 0);
  expect(pacer.readyIn('a')).toBe(Number.POSITIVE_INFINITY);
  pacer.reserve('a', 1);
  expect(pacer.readyIn('a')).toBeCloseTo(1040);
  nowMs = 1040 + GRACE_MS + 1;
  expect(pacer.readyIn('a')).toBe(Number.POSITIVE_INFINITY);
  expect(pacer.reserve('a', 1)).toBeLessThanOrEqual(0);
  expect(pacer.readyIn('a')).toBe(0);
});

it('time without waiting deliveries earns nothing', () => {
  let nowMs = 0;
  const pacer = createPacer(() => nowMs);
  pacer.set('a', { inFlight: 8, rate: { requests: 10, ms: 1000 } }, Number.NEGATIVE_INFINITY);
  pacer.reserve('a', 100);
  for (const idleMs of [0, 400, 5000]) {
    nowMs += idleMs;
    pacer.reserve('a', 100);
    expect(pacer.readyIn('a')).toBe(0);
    pacer.started('a', true);
    expect(pacer.readyIn('a')).toBeCloseTo(104);
    // Three deliveries wait, and this process is busy until after the next two intervals.
    nowMs += 250;
    for (const [waitMs, isLast] of [
      [0, false],
      [0, false],
      [62, true],
    ] as const) {
      expect(Math.round(pacer.readyIn('a'))).toBe(waitMs);
      nowMs += waitMs;
      pacer.started('a', isLast);
    }
  }
});

it('a changed rate counts from the last request', () => {
  let nowMs = 0;
  const pacer = createPacer(() => nowMs);
  pacer.set('a', { inFlight: 8, rate: { requests: 1, ms: 3_600_000 } }, Number.NEGATIVE_INFINITY);
  pacer.reserve('a', 1);
  pacer.started('a', true);
  nowMs = 500;
  pacer.set('a', { inFlight: 8, rate: { requests: 1, ms: 1000 } });
  pacer.reserve('a', 1);
  expect(pacer.readyIn('a')).toBeGreaterThan(500);
  expect(pacer.readyIn('a')).toBeLessThan(600);
  expect(pacer.allowedWithin('a', 100)).toBe(0);
  expect(pacer.allowedWithin('a', 2000)).toBe(2);
});

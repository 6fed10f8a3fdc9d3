import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { createOutputShares, OutputPace } from './output-shares.ts';

it('an account has a second’s worth at once, then has to wait as long as it exceeds it', () => {
  let nowMs = 0;
  const shareOf = createOutputShares(1000, () => nowMs);
  expect(shareOf('a').take(1000)).toBe(0);
  expect(shareOf('a').take(500)).toBe(500);
  expect(shareOf('b').take(1000)).toBe(0);
  nowMs = 500;
  expect(shareOf('a').take(0)).toBe(0);
  nowMs = 60_000;
  expect(shareOf('a').take(1000)).toBe(0);
  expect(shareOf('a').take(1)).toBeGreaterThan(0);
});

it('a process beyond its share is not read until the wait is over, or the process has ended', () => {
  vi.useFakeTimers();
  try {
    const stream = new PassThrough();
    const pace = new OutputPace(stream);
    pace.count(1e9);
    expect(stream.isPaused()).toBe(false);
    pace.use({ take: () => 100 });
    pace.count(1);
    expect(stream.isPaused()).toBe(true);
    vi.advanceTimersByTime(100);
    expect(stream.isPaused()).toBe(false);
    pace.count(1);
    pace.close();
    expect(stream.isPaused()).toBe(false);
    pace.count(1);
    expect(stream.isPaused()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

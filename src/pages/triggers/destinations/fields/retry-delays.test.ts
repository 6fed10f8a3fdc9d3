import { expect, test } from 'vitest';
import { readDelays, writeDelays } from './retry-delays.ts';

test('a schedule parses back from its own text', () => {
  for (const seconds of [null, [], [5, 300, 7_200], [90, 86_400], [3_599]])
    expect(readDelays(writeDelays(seconds))).toEqual({ ok: true, seconds });
});

test('delays are separated by commas, dots or lines', () => {
  expect(readDelays(' 5s · 5 MIN,\n2 h, ')).toEqual({ ok: true, seconds: [5, 300, 7_200] });
});

test('an invalid delay is named', () => {
  for (const [text, said] of [
    ['5 s, soon', '“soon”'],
    ['5', '“5”'],
    ['0 s', '1 s to 1 d'],
    ['25 h', '1 s to 1 d'],
    [Array(21).fill('1 s').join(','), 'at most 20'],
  ] as const) {
    const read = readDelays(text);
    expect(read.ok ? '' : read.message).toContain(said);
  }
});

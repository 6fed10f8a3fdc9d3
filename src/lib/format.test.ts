import { describe, expect, it } from 'vitest';
import {
  formatAbsolute,
  formatBytes,
  formatClock,
  formatDuration,
  formatPercent,
  formatRelative,
  formatSpan,
  middleCut,
  plural,
  sentenceCase,
} from './format.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [2150, '2.1 KB'],
  [10 * 1024, '10 KB'],
  [1024 * 1024, '1.0 MB'],
  [5 * 1024 ** 3, '5.0 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [0.42, '0.4 ms'],
  [812, '812 ms'],
  [1204, '1,204 ms'],
  [15_000, '15.0 s'],
  [125_000, '2 min 5 s'],
])('%d ms took %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [5_000, '5 s'],
  [300_000, '5 min'],
  [7_140_000, '1 h 59 min'],
  [36_000_000, '10 h'],
  [3 * 86_400_000 + 4 * 3_600_000, '3 d 4 h'],
  [-5, '0 s'],
])('%d ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

describe('relative times', () => {
  const now = Date.parse('2026-11-21T14:00:00Z');
  it.each([
    ['2026-11-21T13:59:59.500Z', 'just now'],
    ['2026-11-21T13:59:56Z', '4 s ago'],
    ['2026-11-21T13:24:00Z', '36 min ago'],
    ['2026-11-21T12:00:00Z', '2 h ago'],
    ['2026-11-18T12:00:00Z', '3 d ago'],
    ['2026-11-21T16:00:00Z', 'in 2 h'],
  ])('%s is %s', (at, text) => {
    expect(formatRelative(new Date(at), now)).toBe(text);
  });
});

it('writes a time in UTC with its zone, to the millisecond if asked', () => {
  const at = new Date('2026-11-21T14:03:22.118402Z');
  expect(formatAbsolute(at, 'utc')).toBe('2026-11-21 14:03:22 UTC');
  expect(formatClock(at, 'utc', true)).toBe('14:03:22.118');
});

it('writes a local time with its offset, and the same instant', () => {
  const at = new Date('2026-11-21T14:03:22Z');
  const [day, clock, offset] = formatAbsolute(at, 'local').split(' ');
  expect(new Date(`${day}T${clock}${offset}`).getTime()).toBe(at.getTime());
});

it('truncates ids in the middle, except short ones', () => {
  expect(middleCut('019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13')).toBe('019aa6c1…6c13');
  expect(middleCut('short-id')).toBe('short-id');
});

it('writes shares, counts and statuses', () => {
  expect(formatPercent(0.021)).toBe('2.1 %');
  expect(formatPercent(0)).toBe('0 %');
  expect(formatPercent(1)).toBe('100 %');
  expect(plural(1, 'file')).toBe('1 file');
  expect(plural(1204, 'reply', 'replies')).toBe('1,204 replies');
  expect(sentenceCase('REFRESH_REJECTED')).toBe('Refresh rejected');
});

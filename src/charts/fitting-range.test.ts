import { expect, it } from 'vitest';
import { fittingRange } from './fitting-range.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const day = (...filled: number[]) => ({
  since: '2026-11-27T12:00:00.000000Z',
  bucket_seconds: 900,
  buckets: Array.from({ length: 96 }, (_, index) => ({ events: filled.includes(index) ? 3 : 0, p50_ms: null })),
});

it('is the last hour only if it has all data of the last day', () => {
  expect(fittingRange([day(95)], NOW)).toBe('1h');
  expect(fittingRange([day(93, 95), undefined], NOW)).toBe('1h');
  expect(fittingRange([day(40, 95)], NOW)).toBe('24h');
  expect(fittingRange([day(95), day(2)], NOW)).toBe('24h');
  expect(fittingRange([day()], NOW)).toBe('24h');
  expect(fittingRange([undefined], NOW)).toBe('24h');
  expect(fittingRange([{ ...day(95), searched_since: '2026-11-28T11:00:00.000000Z' }], NOW)).toBe('24h');
  expect(fittingRange([{ ...day(95), searched_since: day().since }], NOW)).toBe('1h');
});

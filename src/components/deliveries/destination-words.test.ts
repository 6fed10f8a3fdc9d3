import { expect, it } from 'vitest';
import { disabledWords, queueWords } from './destination-words.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const queue = {
  waiting: 2416,
  at_least: false,
  due: 2416,
  held: 0,
  oldest_waiting_at: '2026-01-01T11:45:30Z',
  oldest_due_at: '2026-01-01T11:45:30Z',
  drain_seconds: 180,
  health: 'BEHIND' as const,
};

it('describes a queue by depth, age and drain time', () => {
  expect(queueWords(queue, NOW)).toBe('2,416 deliveries waiting, oldest 14 min, drains in about 3 min');
  expect(queueWords({ ...queue, waiting: 10_000, at_least: true, held: 9000, drain_seconds: null }, NOW)).toBe(
    '10,000+ deliveries waiting, 9,000 held, oldest 14 min',
  );
  expect(queueWords({ ...queue, waiting: 1, drain_seconds: null }, NOW)).toBe('1 delivery waiting, oldest 14 min');
});

it('says why a destination is disabled', () => {
  expect(disabledWords('GONE')).toBe('Disabled: endpoint returned 410 Gone');
  expect(disabledWords('MANUAL')).toBe('Disabled');
});

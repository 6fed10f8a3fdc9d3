import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../api/entities.ts';
import { currentRound, resultOf } from './delivery-words.ts';

const attempt = (number: number, origin: Attempt['origin'], more: Partial<Attempt> = {}): Attempt => ({
  number,
  origin,
  started_at: '2026-11-21T14:00:00.000000Z',
  duration_ms: 12,
  request: { method: 'POST', url: 'https://erp.example/in', headers: {}, body: '{}' },
  response: null,
  transform: null,
  reason: 'TIMEOUT',
  error_message: null,
  run_id: null,
  function_id: null,
  replay_id: null,
  webhook_id: 'e',
  ...more,
});

describe('attempts', () => {
  test('a replay restarts the schedule; earlier attempts are not on the rail', () => {
    const all = [attempt(1, 'EVENT'), attempt(2, 'RETRY'), attempt(3, 'REPLAY'), attempt(4, 'RETRY')];
    expect(currentRound(all).map(({ number }) => number)).toEqual([3, 4]);
    expect(currentRound(all.slice(0, 2)).map(({ number }) => number)).toEqual([1, 2]);
    expect(currentRound([])).toEqual([]);
  });

  test('a result is the response status, or the reason for its absence', () => {
    const response = { status: 503, headers: {}, body: '', truncated: false };
    expect(resultOf(attempt(1, 'EVENT', { response, reason: 'HTTP_STATUS' }))).toBe('503');
    expect(resultOf(attempt(1, 'EVENT', { reason: 'CONNECTION_REFUSED' }))).toBe('connection refused');
  });
});

import { describe, expect, it } from 'vitest';
import type { MethodOf } from '../auth-methods/method-of.ts';
import type { Tokens } from '../credentials.ts';
import { refreshAt, retryAt } from './refresh-times.ts';

const NOW = Date.parse('2031-01-01T00:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const refreshable = { part: { refresh: () => {} }, subject: {} } as unknown as MethodOf;
const endsFor = { part: { refresh: () => {}, canRefresh: () => false }, subject: {} } as unknown as MethodOf;
const typed = { part: {}, subject: {} } as unknown as MethodOf;

/** Minutes until a token with this lifetime is refreshed. */
function minutesUntil(method: MethodOf, livesMs: number | null, more: Partial<Tokens> = {}): number | null {
  const tokens: Tokens = {
    access_token: 'a',
    refresh_token: null,
    expires_at: livesMs === null ? null : new Date(NOW + livesMs).toISOString(),
    captured: {},
    ...more,
  };
  const at = refreshAt(method, { fields: {}, tokens }, NOW);
  return at === null ? null : (Date.parse(at) - NOW) / MINUTE;
}

describe('a token is refreshed', () => {
  it.each([
    [12 * HOUR, 12 * 60 - 15],
    [HOUR, 45],
    [20 * MINUTE, 10],
    [3 * MINUTE, 1.5],
  ])('with a lifetime of %i ms after %d minutes', (livesMs, minutes) => {
    expect(minutesUntil(refreshable, livesMs)).toBe(minutes);
  });

  it('on use only, if its lifetime is seconds', () => {
    expect(minutesUntil(refreshable, 90_000)).toBe(null);
  });

  it('at least daily if it has a refresh token, with jitter', () => {
    const all = Array.from({ length: 50 }, () => minutesUntil(refreshable, null, { refresh_token: 'r' }) ?? 0);
    expect(Math.max(...all)).toBeLessThanOrEqual(24 * 60);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0.9 * 24 * 60);
    expect(new Set(all).size).toBeGreaterThan(40);
    expect(minutesUntil(refreshable, 90_000, { refresh_token: 'r' })).toBeGreaterThan(20 * 60);
    expect(minutesUntil(refreshable, 30 * 24 * HOUR, { refresh_token: 'r' })).toBeLessThanOrEqual(24 * 60);
    expect(minutesUntil(refreshable, 30 * 24 * HOUR)).toBe(30 * 24 * 60 - 15);
  });

  it('never without a refresh token; the worker then runs at its expiry', () => {
    expect(minutesUntil(endsFor, HOUR)).toBe(60);
    expect(minutesUntil(endsFor, null)).toBe(null);
    expect(minutesUntil(refreshable, null)).toBe(null);
    expect(minutesUntil(typed, HOUR)).toBe(null);
    expect(refreshAt(refreshable, { fields: {}, tokens: null }, NOW)).toBe(null);
  });
});

it('failures are retried after the time since the first failure', () => {
  const minutes = (failingForMs: number) =>
    (Date.parse(retryAt(new Date(NOW - failingForMs).toISOString(), NOW)) - NOW) / MINUTE;
  for (const [failingMs, about] of [
    [0, 1],
    [10 * MINUTE, 10],
    [3 * 24 * HOUR, 60],
  ] as const) {
    expect(minutes(failingMs)).toBeLessThanOrEqual(about);
    expect(minutes(failingMs)).toBeGreaterThanOrEqual(0.9 * about);
  }
});

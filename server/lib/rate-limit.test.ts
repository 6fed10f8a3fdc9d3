import { beforeEach, describe, expect, it } from 'vitest';
import { createRateLimit, rateLimitHeaders } from './rate-limit.ts';

let clockMs = 0;
const now = () => clockMs;
beforeEach(() => {
  clockMs = 1000;
});

describe('a bucket', () => {
  it('allows its burst at once, then refuses until a token is refilled', () => {
    const limit = createRateLimit({ perSecond: 10, burst: 3, now });
    expect([1, 2, 3, 4].map(() => limit.take('a').allowed)).toEqual([true, true, true, false]);
    clockMs += 99;
    expect(limit.take('a').allowed).toBe(false);
    clockMs += 1;
    expect(limit.take('a')).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('never holds more than its burst', () => {
    const limit = createRateLimit({ perSecond: 10, burst: 2, now });
    limit.take('a');
    clockMs += 3_600_000;
    expect(limit.take('a').remaining).toBe(1);
  });

  it('is separate for each key', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1, now });
    expect(limit.take('a').allowed).toBe(true);
    expect(limit.take('a').allowed).toBe(false);
    expect(limit.take('b').allowed).toBe(true);
  });

  it('accepts returned tokens', () => {
    const limit = createRateLimit({ perSecond: 0.001, burst: 1, now });
    for (let i = 0; i < 5; i++) {
      expect(limit.take('a').allowed).toBe(true);
      limit.giveBack('a');
    }
    limit.giveBack('a');
    expect(limit.take('a').allowed).toBe(true);
    expect(limit.take('a').allowed).toBe(false);
  });

  it('stores a limited number of keys, the most recently used', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1, maxKeys: 2, now });
    for (const key of ['a', 'b', 'a', 'c']) limit.take(key);
    expect(limit.take('a').allowed).toBe(false);
    expect(limit.take('b').allowed).toBe(true);
  });
});

describe('the headers', () => {
  it('contain the policy and the remaining tokens', () => {
    const limit = createRateLimit({ perSecond: 10, burst: 10, now });
    expect(rateLimitHeaders(limit, limit.take('a'))).toEqual({
      'RateLimit-Policy': '"default";q=10;w=1',
      RateLimit: '"default";r=9;t=1',
    });
  });

  it('contain the wait in whole seconds, once no token is left', () => {
    const limit = createRateLimit({ perSecond: 0.4, burst: 1, now });
    limit.take('a');
    expect(rateLimitHeaders(limit, limit.take('a'))).toEqual({
      'RateLimit-Policy': '"default";q=1;w=3',
      RateLimit: '"default";r=0;t=3',
      'Retry-After': '3',
    });
  });
});

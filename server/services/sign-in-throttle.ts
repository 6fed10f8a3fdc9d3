/**
 * Failed sign-ins are counted for each email, known or not, and for each address they come from: beyond the limit they
 * are refused before the password is looked at. One that succeeds doesn't count. Kept in this process only.
 */
import { Failure } from '../lib/failure.ts';
import { createRateLimit, type RateLimit } from '../lib/rate-limit.ts';
import type { Db } from '../store/schema.ts';
import type { PublicCtx } from './auth.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES = { email: 10, ip: 30 };

type Throttle = Record<keyof typeof FAILURES, RateLimit>;
const throttles = new WeakMap<Db, Throttle>();

/** Counts an attempt; 429 when there were too many. Call `succeeded` when it turns out to be right. */
export function countSignIn(ctx: PublicCtx, email: string): { succeeded(): void } {
  const throttle = throttles.get(ctx.db) ?? { email: failures(FAILURES.email), ip: failures(FAILURES.ip) };
  throttles.set(ctx.db, throttle);
  const counts: [RateLimit, string][] = [
    [throttle.ip, ctx.ip ?? 'unknown'],
    [throttle.email, email],
  ];
  for (const [limit, key] of counts) {
    const taken = limit.take(key);
    if (taken.allowed) continue;
    throw new Failure(429, 'Too many failed sign-ins; wait as Retry-After says, then try again.', {
      headers: { 'Retry-After': String(Math.ceil(taken.retryAfterSeconds)) },
    });
  }
  return {
    succeeded() {
      for (const [limit, key] of counts) limit.giveBack(key);
    },
  };
}

const failures = (burst: number) => createRateLimit({ perSecond: burst / WINDOW_SECONDS, burst });

/**
 * Failed sign-ins are counted for each email, known or not, and for each address they come from: beyond the limit they
 * are refused before the password is looked at. One that succeeds doesn't count. Kept in this process only.
 */
import { Failure } from '../lib/failure.ts';
import { createRateLimit, type RateLimit } from '../lib/rate-limit.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES = { email: 10, ip: 30 };

export type SignInThrottle = {
  /** Counts an attempt; 429 when there were too many. Call `succeeded` when it turns out to be right. */
  count(email: string, ip: string | null): { succeeded(): void };
};

export function createSignInThrottle(): SignInThrottle {
  const limits = { email: failures(FAILURES.email), ip: failures(FAILURES.ip) };
  return {
    count(email, ip) {
      const counts: [RateLimit, string][] = [
        [limits.ip, ip ?? 'unknown'],
        [limits.email, email],
      ];
      for (const [limit, key] of counts) {
        const taken = limit.take(key);
        if (taken.allowed) continue;
        throw new Failure(429, 'Too many failed sign-ins; wait as long as Retry-After says, then try again.', {
          headers: { 'Retry-After': String(Math.ceil(taken.retryAfterSeconds)) },
        });
      }
      return {
        succeeded() {
          for (const [limit, key] of counts) limit.giveBack(key);
        },
      };
    },
  };
}

const failures = (burst: number) => createRateLimit({ perSecond: burst / WINDOW_SECONDS, burst });

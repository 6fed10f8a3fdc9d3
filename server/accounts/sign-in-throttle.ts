/**
 * Rate limit of failed sign-ins, per email (existing or not) and per IP address. Above the limit a sign-in is rejected
 * before the password is verified. Successful sign-ins don't count. The counts are in this process only.
 */
import { Failure } from '../lib/failure.ts';
import { createRateLimit, type RateLimit } from '../lib/rate-limit.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES = { email: 10, ip: 30 };

export type SignInThrottle = {
  /** Counts an attempt; throws a 429 above the limit. Call `succeeded` if the password is right. */
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
        throw new Failure(429, 'Too many failed sign-ins. Wait for the time in Retry-After, then try again.', {
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

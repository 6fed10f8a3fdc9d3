/**
 * Rate limit of failed sign-ins, for all nodes, per email (existing or not) and per IP address. Above the limit a
 * sign-in is rejected before the password is verified. Successful sign-ins don't count. A browser in which the user has
 * signed in before has a separate limit, so that guesses from elsewhere don't lock its user out.
 */
import { FAILED_SIGN_INS, SIGN_IN_WINDOW_MINUTES } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import * as store from './store/sign-in-limits.ts';

const WINDOW_SECONDS = SIGN_IN_WINDOW_MINUTES * 60;

/** Counts an attempt; throws a 429 above the limit. Call the returned function if the password is right. */
export async function countSignIn(
  { db }: Services,
  email: string,
  from: { ip: string | null; device: string | null },
): Promise<() => Promise<void>> {
  const who = hashToken(email);
  const buckets =
    from.device === null
      ? [bucket('ip', from.ip ?? 'unknown'), bucket('email', who)]
      : [bucket('device', `${from.device}/${who}`)];
  for (const each of buckets) {
    if ((await store.take(db, each)) !== undefined) continue;
    throw new Failure(429, 'Too many failed sign-ins. Wait for the time in Retry-After, then try again.', {
      headers: { 'Retry-After': String(Math.ceil(1 / each.perSecond)) },
    });
  }
  return async () => {
    for (const each of buckets) await store.giveBack(db, each);
  };
}

/** Deletes counts that no longer limit anything, for the sweeper. */
export const sweepSignInLimits = ({ db }: Services): Promise<void> => store.removeFull(db, WINDOW_SECONDS);

const bucket = (kind: keyof typeof FAILED_SIGN_INS, of: string): store.Bucket => ({
  scope: `${kind}:${of}`,
  burst: FAILED_SIGN_INS[kind],
  perSecond: FAILED_SIGN_INS[kind] / WINDOW_SECONDS,
});

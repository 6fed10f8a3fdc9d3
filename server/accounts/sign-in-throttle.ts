/**
 * Rate limit of failed sign-ins, for all nodes, per email (existing or not) and per IP address. Above the limit a
 * sign-in is rejected before the password is verified. Successful sign-ins don't count. A browser in which the user has
 * signed in before has a separate limit, so that guesses from elsewhere don't lock its user out.
 */
import { FAILED_CODES_PER_DAY, FAILED_SIGN_INS, SIGN_IN_WINDOW_MINUTES } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import type { Db } from '../platform/database/schema.ts';
import * as store from './store/sign-in-limits.ts';

const WINDOW_SECONDS = SIGN_IN_WINDOW_MINUTES * 60;
const DAY_SECONDS = 86_400;

/** Where an attempt comes from. `device` is null unless the person has signed in with the browser before. */
type From = { ip: string | null; device: string | null };

/** Counts an attempt; throws a 429 above the limit. Call the returned function if the password is right. */
export async function countSignIn(
  { db }: Pick<Services, 'db'>,
  email: string,
  from: From,
): Promise<() => Promise<void>> {
  const who = hashToken(email);
  const buckets =
    from.device === null
      ? [bucket('ip', from.ip ?? 'unknown'), bucket('email', who)]
      : [bucket('device', `${from.device}/${who}`)];
  return take(db, buckets);
}

/**
 * As `countSignIn`, for a code of an authenticator app. It has six digits, so there is also a limit per day, for all
 * browsers together.
 */
export async function countCode(
  { db }: Pick<Services, 'db'>,
  person_id: string,
  from: From,
): Promise<() => Promise<void>> {
  const succeeded = await countSignIn({ db }, `factor/${person_id}`, from);
  const perSecond = FAILED_CODES_PER_DAY / DAY_SECONDS;
  const oneLess = await take(db, [{ scope: `codes:${person_id}`, burst: FAILED_CODES_PER_DAY, perSecond }]);
  return async () => {
    await succeeded();
    await oneLess();
  };
}

/** Takes one of each bucket, or throws a 429; the returned function gives them back. */
async function take(db: Db, buckets: store.Bucket[]): Promise<() => Promise<void>> {
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
export const sweepSignInLimits = ({ db }: Services): Promise<void> => store.removeFull(db, DAY_SECONDS);

const bucket = (kind: keyof typeof FAILED_SIGN_INS, of: string): store.Bucket => ({
  scope: `${kind}:${of}`,
  burst: FAILED_SIGN_INS[kind],
  perSecond: FAILED_SIGN_INS[kind] / WINDOW_SECONDS,
});

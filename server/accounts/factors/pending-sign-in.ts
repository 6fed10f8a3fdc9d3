/**
 * Sign-in with a second factor has two steps. A right password, or a link for a new one, stores a pending sign-in and
 * sets a cookie that names it, so that only this browser can take the second step, on any node. `POST /session:factor`
 * takes it (second-step.ts) with a code of the authenticator app, a recovery code or a passkey. A pending sign-in ends
 * after ten minutes, five wrong codes or a change of the password.
 *
 * Other ways to sign in do not come here: a passkey alone verifies the person, which are two factors at once, and an
 * identity provider is responsible for its own factors.
 */
import { SECOND_FACTOR_MINUTES } from '../../../contract/limits.ts';
import type { Factor } from '../../../contract/states.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import type { PeopleTable } from '../../platform/database/schema.ts';
import type { PublicCtx } from '../auth.ts';
import * as authenticators from '../store/authenticators.ts';
import * as passkeys from '../store/passkeys.ts';
import * as pendingSignIns from '../store/pending-sign-ins.ts';
import { relyingParty } from './relying-party.ts';

/**
 * The factors that a person can use after the password; none if the person has no second factor. Recovery codes
 * replace a factor and are none: a person whose passkeys can't be used here still needs a recovery code.
 */
export async function usableFactors({ db, settings }: Services, person_id: string): Promise<Factor[]> {
  const app = await authenticators.find(db, person_id);
  const hasApp = app !== undefined && app.confirmed_at !== null;
  const hasPasskey = (await passkeys.list(db, person_id)).length > 0;
  if (!hasApp && !hasPasskey) return [];
  const usable: Factor[] = ['RECOVERY_CODE'];
  if (hasApp) usable.unshift('AUTHENTICATOR');
  if (hasPasskey && !relyingParty(settings.addresses).unavailable) usable.unshift('PASSKEY');
  return usable;
}

/** Throws the 401 that asks for the second factor, if the person has one. */
export async function requireSecondStep(ctx: PublicCtx, person: PeopleTable): Promise<void> {
  const usable = await usableFactors(ctx, person.person_id);
  if (usable.length === 0) return;
  await beginSecondStep(ctx, person, { by_operator: false });
  throw secondStepFailure('Use your second factor to complete the sign-in (POST /session:factor).', usable);
}

/** Stores that the person entered the right password in this browser. */
export async function beginSecondStep(
  { db, signingIn }: PublicCtx,
  { person_id }: PeopleTable,
  { by_operator }: { by_operator: boolean },
): Promise<void> {
  const token = newToken();
  const expires_at = fromNow(SECOND_FACTOR_MINUTES * 60_000);
  await pendingSignIns.insert(db, { token_hash: hashToken(token), person_id, tries: 0, expires_at, by_operator });
  signingIn.set(token);
}

/** A 401 after which the second step can be taken. */
export const secondStepFailure = (message: string, factors: Factor[]): Failure =>
  new Failure(401, message, { headers: { 'WWW-Authenticate': 'Bearer' }, required: 'SECOND_FACTOR', factors });

/** Deletes expired sign-ins and passkey prompts, for the sweeper. */
export async function sweepPendingSignIns({ db }: Services): Promise<void> {
  await pendingSignIns.removeExpired(db, now());
  await passkeys.removeExpiredChallenges(db, now());
}

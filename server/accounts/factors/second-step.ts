/** Completes sign-ins: with a second factor after the password (pending-sign-in.ts), or with a passkey alone. */
import { FAILED_CODES_PER_SIGN_IN } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { PeopleTable, UsersTable } from '../../platform/database/schema.ts';
import type { PublicCtx } from '../auth.ts';
import { BY_OPERATOR, BY_PASSWORD, type Entrance } from '../openid/entrance.ts';
import { describe, enter, knownDevice, markDevice, noteFailed } from '../sessions.ts';
import { countCode, countSignIn } from '../sign-in-throttle.ts';
import * as authenticators from '../store/authenticators.ts';
import * as pendingSignIns from '../store/pending-sign-ins.ts';
import * as people from '../store/people.ts';
import { redeemAppCode } from './authenticator.ts';
import { notePasskeyFailed, verifyPasskey } from './passkey-assertions.ts';
import { secondStepFailure, usableFactors } from './pending-sign-in.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

/** Takes the second step of a sign-in. A wrong factor is a 401; without `required`, no further try is left. */
export async function complete(ctx: PublicCtx, { body }: Input<'sessionFactor'>): Promise<Reply<'sessionFactor'>> {
  const token = ctx.signingIn.get();
  const pending = token && (await pendingSignIns.find(ctx.db, hashToken(token), now()));
  if (!token || !pending) throw startAgain(ctx);
  const { person, user } = await memberOf(ctx, pending.person_id, pending.by_operator);
  const device = knownDevice(ctx, person.email);
  const from = { ip: ctx.ip, device };
  // A signature can't be guessed. Recovery codes are long, and still work after too many guesses of codes in a day.
  const succeeded =
    body.code !== undefined
      ? await countCode(ctx, person.person_id, from)
      : body.passkey
        ? undefined
        : await countSignIn(ctx, `factor/${person.person_id}`, from);
  const tries = await pendingSignIns.countTry(ctx.db, pending.token_hash, FAILED_CODES_PER_SIGN_IN);
  if (tries === undefined) throw startAgain(ctx);
  const used = await verifyFactor(ctx, person, token, body);
  if (used.refusal !== undefined) {
    await noteFailed(ctx, user, used.passkey_id);
    if (tries === FAILED_CODES_PER_SIGN_IN) throw startAgain(ctx);
    throw secondStepFailure(used.refusal, await usableFactors(ctx, person.person_id));
  }
  await succeeded?.();
  // Of two requests at once, with different factors, one opens a session.
  if (!(await pendingSignIns.remove(ctx.db, pending.token_hash))) throw startAgain(ctx);
  return finish(ctx, person, user, { device, entrance: pending.by_operator ? BY_OPERATOR : BY_PASSWORD });
}

type Body = Input<'sessionFactor'>['body'];

async function verifyFactor(
  ctx: PublicCtx,
  { person_id }: PeopleTable,
  boundTo: string,
  { code, recovery_code, passkey }: Body,
): Promise<{ refusal?: string; passkey_id?: string | undefined }> {
  if (passkey) {
    const used = await verifyPasskey(ctx, passkey, { purpose: 'SECOND_FACTOR', boundTo, person_id });
    return 'refusal' in used ? { refusal: used.refusal, passkey_id: used.passkey?.passkey_id } : {};
  }
  if (code !== undefined) {
    if (await redeemAppCode(ctx, person_id, code)) return {};
    return { refusal: 'code: not the current code, or used already; wait for the next one' };
  }
  if (await authenticators.redeemCode(ctx.db, person_id, hashRecoveryCode(recovery_code ?? ''))) return {};
  return { refusal: 'recovery_code: not one of your unused recovery codes' };
}

/** Signs in with a passkey alone: the authenticator verified the person, so it is both factors. */
export async function withPasskey(ctx: PublicCtx, { body }: Input<'sessionPasskey'>): Promise<Reply<'sessionPasskey'>> {
  const boundTo = ctx.signingIn.get();
  if (!boundTo) throw startAgain(ctx);
  const used = await verifyPasskey(ctx, body.passkey, { purpose: 'SIGN_IN', boundTo, person_id: null });
  if ('refusal' in used) {
    await notePasskeyFailed(ctx, used.passkey);
    throw unauthorized(used.refusal);
  }
  const { person, user } = await memberOf(ctx, used.passkey.person_id);
  return finish(ctx, person, user, { device: knownDevice(ctx, person.email), entrance: BY_PASSWORD });
}

async function finish(
  ctx: PublicCtx,
  person: PeopleTable,
  user: UsersTable,
  { device, entrance }: { device: string | null; entrance: Entrance },
): Promise<{ session: Reply<'sessionGet'>['session'] }> {
  ctx.signingIn.set(null);
  const who = await enter(ctx, person, user, entrance);
  if (device === null) markDevice(ctx, person.email);
  return { session: await describe(ctx, who) };
}

/**
 * The person with their last used membership that a password (or an operator's link) enters, or else the last used one,
 * so that `open` says why not. They may have been removed meanwhile.
 */
async function memberOf(
  ctx: PublicCtx,
  person_id: string,
  isByOperator = false,
): Promise<{ person: PeopleTable; user: UsersTable }> {
  const person = await people.find(ctx.db, person_id);
  const memberships = person ? await people.memberships(ctx.db, person_id) : [];
  const user = people.byPasswordOrLink(memberships, isByOperator) ?? memberships[0];
  if (!person || !user) throw startAgain(ctx);
  return { person, user };
}

const unauthorized = (message: string) => new Failure(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });

/** The sign-in has expired, failed too often or was completed. */
function startAgain({ signingIn }: PublicCtx): Failure {
  signingIn.set(null);
  return unauthorized('This sign-in has expired or failed too often: enter your email and password again.');
}

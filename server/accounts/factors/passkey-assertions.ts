/** Uses of passkeys (WebAuthn, authentication): to sign in, as second factor, and to confirm in place of the password. */
import { PASSKEY_MINUTES } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { PasskeyPurpose } from '../../../contract/states.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { PasskeysTable } from '../../platform/database/schema.ts';
import type { PublicCtx } from '../auth.ts';
import { noteFailed, signedIn } from '../sessions.ts';
import * as passkeys from '../store/passkeys.ts';
import * as pendingSignIns from '../store/pending-sign-ins.ts';
import * as people from '../store/people.ts';
import { challengeOf, newChallenge, takeChallenge, userHandleOf } from './passkey-challenges.ts';
import { getRelyingParty } from './relying-party.ts';

export type Assertion = Input<'sessionPasskey'>['body']['passkey'];

/** Begins to use a passkey: what the browser asks the authenticator for. */
export async function request(ctx: PublicCtx, { body }: Input<'passkeyRequest'>): Promise<Reply<'passkeyRequest'>> {
  const party = getRelyingParty(ctx.settings.addresses);
  const { boundTo, person_id } = await askerOf(ctx, body.purpose);
  // Without a person the list is empty: the person chooses among the passkeys that the authenticator has for the host.
  const allowed = person_id === null ? [] : await passkeys.list(ctx.db, person_id);
  return {
    options: {
      challenge: await newChallenge(ctx, { purpose: body.purpose, boundTo, person_id }),
      rpId: party.id,
      timeout: PASSKEY_MINUTES * 60_000,
      userVerification: body.purpose === 'SECOND_FACTOR' ? 'preferred' : 'required',
      allowCredentials: allowed.map(({ credential_id, transports }) => ({
        id: credential_id,
        type: 'public-key',
        transports: JSON.parse(transports) as string[],
      })),
    },
  };
}

/** Which browser or session asks, and the person if they are known before the passkey is used. */
async function askerOf(
  ctx: PublicCtx,
  purpose: PasskeyPurpose,
): Promise<{ boundTo: string; person_id: string | null }> {
  if (purpose === 'CONFIRM') {
    const { session_id, person_id } = signedIn(ctx);
    return { boundTo: session_id, person_id };
  }
  const token = ctx.signingIn.get();
  if (purpose === 'SECOND_FACTOR') {
    const pending = token && (await pendingSignIns.find(ctx.db, hashToken(token), now()));
    if (!token || !pending) throw new Failure(401, 'Enter your email and password first.');
    return { boundTo: token, person_id: pending.person_id };
  }
  const boundTo = token ?? newToken();
  ctx.signingIn.set(boundTo);
  return { boundTo, person_id: null };
}

export type Used = { passkey: PasskeysTable } | { refusal: string; passkey?: PasskeysTable };

/** Verifies the use of a passkey and records it. With `person_id`, only a passkey of this person is accepted. */
export async function verifyPasskey(
  ctx: PublicCtx,
  { id, type, response }: Assertion,
  asked: { purpose: PasskeyPurpose; boundTo: string; person_id: string | null },
): Promise<Used> {
  const party = getRelyingParty(ctx.settings.addresses);
  const challenge = challengeOf(response.clientDataJSON);
  if (!(await takeChallenge(ctx, { ...asked, challenge })))
    return { refusal: 'passkey: the prompt has expired or was answered; try again' };
  const passkey = await passkeys.withCredential(ctx.db, id);
  if (!passkey || (asked.person_id !== null && passkey.person_id !== asked.person_id))
    return { refusal: 'passkey: not known here; it may have been removed' };
  const { userHandle } = response;
  const isOfOther = userHandle != null && userHandle !== '' && userHandle !== userHandleOf(passkey.person_id);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type,
      response: { ...response, userHandle: userHandle ?? undefined } as never,
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: asked.purpose !== 'SECOND_FACTOR',
    // The counter is compared below, in the statement that stores it.
    credential: { id, publicKey: Buffer.from(passkey.public_key, 'base64url'), counter: 0 },
  }).catch(() => undefined);
  if (!verified?.verified || isOfOther) return { refusal: 'passkey: the signature is not valid', passkey };
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  if (await passkeys.markUsed(ctx.db, passkey, { counter: newCounter, synced: credentialBackedUp, at: now() }))
    return { passkey };
  ctx.log.warn({ request_id: ctx.request_id, passkey_id: passkey.passkey_id }, 'passkey counter did not increase');
  return { refusal: 'passkey: its counter did not increase; a copy of it may exist, so remove it', passkey };
}

/** Confirms with a passkey of the signed-in person, in place of the password. */
export async function confirmWithPasskey(ctx: PublicCtx, assertion: Assertion): Promise<void> {
  const { person_id, session_id } = signedIn(ctx);
  const used = await verifyPasskey(ctx, assertion, { purpose: 'CONFIRM', boundTo: session_id, person_id });
  if (!('refusal' in used)) return;
  await notePasskeyFailed(ctx, used.passkey);
  throw badRequest(used.refusal);
}

/** Records a refused passkey in the audit log of its person's account. */
export async function notePasskeyFailed(ctx: PublicCtx, passkey: PasskeysTable | undefined): Promise<void> {
  const [user] = passkey ? await people.memberships(ctx.db, passkey.person_id) : [];
  if (passkey && user) await noteFailed(ctx, user, passkey.passkey_id);
}

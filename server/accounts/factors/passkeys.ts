/** Passkeys of the signed-in person (WebAuthn, level 3, registration): discoverable, with user verification. */

import { PASSKEY_MINUTES, PASSKEYS_PER_PERSON } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, conflict, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { PasskeysTable } from '../../platform/database/schema.ts';
import { actingAs, type PublicCtx } from '../auth.ts';
import { signedIn } from '../sessions.ts';
import * as passkeys from '../store/passkeys.ts';
import * as people from '../store/people.ts';
import { write } from '../write.ts';
import { addFactor, confirmedPerson, describePasskey, removeFactor } from './factors.ts';
import { challengeOf, newChallenge, takeChallenge, userHandleOf } from './passkey-challenges.ts';
import { getRelyingParty } from './relying-party.ts';

/** Signature algorithms: Ed25519, ECDSA with P-256, RSA. */
const ALGORITHMS = [-8, -7, -257];

/** Begins to add a passkey: what the browser asks the authenticator for. */
export async function options(ctx: PublicCtx, _input: Input<'passkeyOptions'>): Promise<Reply<'passkeyOptions'>> {
  const { person_id, session_id, actor } = confirmedPerson(ctx);
  const party = getRelyingParty(ctx.settings.addresses);
  const existing = await passkeys.list(ctx.db, person_id);
  refuseMore(existing);
  const person = await people.find(ctx.db, person_id);
  return {
    options: {
      challenge: await newChallenge(ctx, { purpose: 'ADD', boundTo: session_id, person_id }),
      rp: { id: party.id, name: 'Sluice' },
      user: { id: userHandleOf(person_id), name: person?.email ?? '', displayName: actor.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
      timeout: PASSKEY_MINUTES * 60_000,
      attestation: 'none',
      excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id, type: 'public-key' as const })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    },
  };
}

/** Adds a passkey. With the first factor of a person, returns recovery codes. */
export async function create(ctx: PublicCtx, { body }: Input<'passkeyCreate'>): Promise<Reply<'passkeyCreate'>> {
  const { person_id } = confirmedPerson(ctx);
  const passkey = { ...(await verified(ctx, body.passkey)), passkey_id: newId(), name: body.name };
  const { recovery_codes } = await addFactor(ctx, async (tx, about) => {
    about(passkey.passkey_id, { noun: 'session' });
    refuseMore(await passkeys.list(tx, person_id));
    await passkeys.insert(tx, passkey).catch((error: unknown) => {
      if (passkeys.isTaken(error)) throw conflict('passkey: this passkey is registered already');
      throw error;
    });
  });
  return { passkey: describePasskey(passkey), recovery_codes };
}

/** Renames a passkey. */
export async function update(
  ctx: PublicCtx,
  { params, body }: Input<'passkeyUpdate'>,
): Promise<Reply<'passkeyUpdate'>> {
  const who = signedIn(ctx);
  const passkey = await write(actingAs(ctx, who), async (tx, about) => {
    about(params.passkey_id, { noun: 'session' });
    return passkeys.rename(tx, who.person_id, params.passkey_id, body.name);
  });
  if (!passkey) throw notFound('Passkey');
  return { passkey: describePasskey(passkey) };
}

/** Removes a passkey. */
export async function remove(ctx: PublicCtx, { params }: Input<'passkeyDelete'>): Promise<Reply<'passkeyDelete'>> {
  const { person_id } = signedIn(ctx);
  await removeFactor(ctx, async (tx, about) => {
    about(params.passkey_id, { noun: 'session' });
    if (!(await passkeys.remove(tx, person_id, params.passkey_id))) throw notFound('Passkey');
  });
  return {};
}

function refuseMore(existing: PasskeysTable[]): void {
  if (existing.length >= PASSKEYS_PER_PERSON)
    throw conflict(`A person may have at most ${PASSKEYS_PER_PERSON} passkeys; remove one first.`);
}

type Credential = Input<'passkeyCreate'>['body']['passkey'];

/** Verifies a new credential against its challenge, the console's origin and its host. */
async function verified(ctx: PublicCtx, credential: Credential): Promise<Omit<PasskeysTable, 'passkey_id' | 'name'>> {
  const { person_id, session_id } = signedIn(ctx);
  const party = getRelyingParty(ctx.settings.addresses);
  const expectedChallenge = challengeOf(credential.response.clientDataJSON);
  const challenge = await takeChallenge(ctx, { purpose: 'ADD', boundTo: session_id, challenge: expectedChallenge });
  if (challenge?.person_id !== person_id)
    throw badRequest('passkey: the prompt has expired or was answered; try again');
  const registration = await verifyRegistration(credential, { ...party, expectedChallenge });
  if (!registration) throw badRequest('passkey: not a valid passkey of this site');
  const { credential: key, credentialBackedUp } = registration;
  return {
    person_id,
    credential_id: key.id,
    public_key: Buffer.from(key.publicKey).toString('base64url'),
    counter: key.counter,
    transports: JSON.stringify(credential.response.transports ?? []),
    synced: credentialBackedUp,
    created_at: now(),
    last_used_at: null,
  };
}

/** What a new credential contains; undefined if it is not valid. The library throws for each rule that is violated. */
async function verifyRegistration(
  { id, type, response }: Credential,
  { id: expectedRPID, origin, expectedChallenge }: { id: string; origin: string; expectedChallenge: string },
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    // None was requested. Certificates are not looked at: the library would fetch their revocation lists.
    if (attestation.get('attStmt').get('x5c') !== undefined) return undefined;
    const { clientDataJSON, attestationObject } = response;
    const result = await verifyRegistrationResponse({
      response: { id, rawId: id, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return result.verified ? result.registrationInfo : undefined;
  } catch {
    return undefined;
  }
}

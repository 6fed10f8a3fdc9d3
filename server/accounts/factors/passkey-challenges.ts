/**
 * Challenges of passkey prompts. Each is random, can be answered once, within five minutes, and only by the browser that
 * asked: it is stored with the hash of the browser's cookie or the id of the session, so every node can check it.
 */
import { PASSKEY_MINUTES } from '../../../contract/limits.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import type { PasskeyChallengesTable } from '../../platform/database/schema.ts';
import * as passkeys from '../store/passkeys.ts';

type Purpose = PasskeyChallengesTable['purpose'];

/** Stores a new challenge; returns it. `boundTo` is the browser's token or the id of the session. */
export async function newChallenge(
  { db }: Pick<Services, 'db'>,
  { purpose, boundTo, person_id }: { purpose: Purpose; boundTo: string; person_id: string | null },
): Promise<string> {
  const challenge = newToken();
  await passkeys.insertChallenge(db, {
    challenge_hash: hashToken(challenge),
    bound_to: hashToken(boundTo),
    purpose,
    person_id,
    expires_at: fromNow(PASSKEY_MINUTES * 60_000),
  });
  return challenge;
}

/** Takes a challenge of this browser and purpose; undefined if it was answered, has expired or was never issued. */
export async function takeChallenge(
  { db }: Pick<Services, 'db'>,
  { purpose, boundTo, challenge }: { purpose: Purpose; boundTo: string; challenge: string },
): Promise<PasskeyChallengesTable | undefined> {
  const row = { challenge_hash: hashToken(challenge), bound_to: hashToken(boundTo), purpose };
  return passkeys.takeChallenge(db, row, now());
}

/** The challenge in the signed client data, unverified; empty if it has none. */
export function challengeOf(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    if (typeof data === 'object' && data !== null && 'challenge' in data && typeof data.challenge === 'string')
      return data.challenge;
  } catch {
    // not JSON: as a challenge that was never issued
  }
  return '';
}

/** The id of a person in their authenticators. */
export const userHandleOf = (person_id: string): string => Buffer.from(person_id).toString('base64url');

/** Recovery codes replace a second factor that is lost: ten, shown once, and each works once. */
import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '../../../contract/limits.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Tx } from '../../platform/database/schema.ts';
import * as authenticators from '../store/authenticators.ts';

/** Crockford's base 32 in lower case: no letter that looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_CHARS = 24;

/** Replaces the codes of a person; returns the new ones. Only hashes are stored. */
export async function newRecoveryCodes(tx: Tx, person_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await authenticators.replaceCodes(tx, person_id, codes.map(hashRecoveryCode));
  return codes;
}

/** 120 random bits, so that a plain hash is sufficient, as for tokens. */
function newCode(): string {
  const chars = Array.from(randomBytes(CODE_CHARS), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return chars.replace(/(.{4})(?=.)/g, '$1-');
}

/** The stored form of a code as a person types it: case, spaces and dashes do not matter, nor does o for 0. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1'));
}

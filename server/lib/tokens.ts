import { hash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is the first power above 2^256. */
const KEY_DIGITS = 43;

/** A new secret for a cookie or a link: 32 random bytes, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A new API key: `slc_` and 32 random bytes in base 62, so that a double click selects all of it. */
export function newApiKey(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < KEY_DIGITS; i++) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return `slc_${digits}`;
}

/**
 * The stored form of tokens and keys, by which they are looked up. They are long and random, so a plain hash is
 * sufficient.
 */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The prefix of a key that is displayed to distinguish keys: 12 characters, at most a third. */
export function prefixOf(key: string): string {
  return key.slice(0, Math.min(12, Math.floor(key.length / 3)));
}

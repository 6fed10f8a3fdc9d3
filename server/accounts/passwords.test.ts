import { argon2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { PASSWORD_MIN_CHARS } from '../../contract/limits.ts';
import { hashPassword, isGuessable, verifyPassword } from './passwords.ts';

it('verifies the password it hashed, and no other', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(await verifyPassword(stored, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(stored, 'correct horse batterz')).toBe(false);
  expect(await verifyPassword(stored, '')).toBe(false);
});

it('stores argon2id in its usual form, salted', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await hashPassword('correct horse battery')).not.toBe(stored);
});

it('verifies a hash made at another cost', async () => {
  const nonce = Buffer.from('sixteen byte sal');
  const hash = argon2Sync('argon2id', { message: 'old', nonce, memory: 64, passes: 1, parallelism: 1, tagLength: 32 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const stored = `$argon2id$v=19$m=64,t=1,p=1$${text(nonce)}$${text(hash)}`;
  expect(await verifyPassword(stored, 'old')).toBe(true);
  expect(await verifyPassword(stored, 'new')).toBe(false);
});

it('accepts the same characters in another Unicode form', async () => {
  const stored = await hashPassword('caf\u00e9 au lait, s\u2019il');
  expect(await verifyPassword(stored, 'cafe\u0301 au lait, s\u2019il')).toBe(true);
});

it('matches nothing if no password is set', async () => {
  expect(await verifyPassword(null, 'anything at all')).toBe(false);
});

it('refuses at least 3,000 common passwords of the length that is accepted', async () => {
  const file = gunzipSync(readFileSync(new URL('./common-passwords.txt.gz', import.meta.url))).toString();
  const listed = new Set(file.trim().split('\n'));
  expect(listed.size).toBeGreaterThanOrEqual(3_000);
  expect([...listed].filter((each) => each.length < PASSWORD_MIN_CHARS)).toEqual([]);
  for (const each of listed) expect(await isGuessable(each, []), each).toBe(true);
  expect(await isGuessable('NewFoundland', [])).toBe(true);
  expect(await isGuessable('violet tractor evening', [])).toBe(false);
});

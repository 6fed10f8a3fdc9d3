import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseKeyring } from './keyring.ts';
import { Vault, VaultError } from './vault.ts';

const PLACE = { account_id: 'a1', table: 'connections', row: 'c1', field: 'credentials' };
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const OLD = newKey('k1');
const NEW = newKey('k2');
const vaultOf = (ring: string) => new Vault(parseKeyring(ring, 'the test'));

it.each(['', 'sésame', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal(PLACE, text);
  expect(vault.open(PLACE, sealed)).toBe(text);
  expect(sealed).not.toBe(vault.seal(PLACE, text));
  if (text) expect(sealed).not.toContain(Buffer.from(text).toString('base64url'));
});

it.each(['account_id', 'table', 'row', 'field'] as const)('does not open a value moved to another %s', (part) => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal(PLACE, 'secret');
  expect(() => vault.open({ ...PLACE, [part]: 'other' }, sealed)).toThrow(VaultError);
});

it('separates the parts of a place', () => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal({ ...PLACE, row: 'c1|x', field: 'y' }, 'secret');
  expect(() => vault.open({ ...PLACE, row: 'c1', field: 'x|y' }, sealed)).toThrow(VaultError);
});

it('detects a change to any byte, and junk', () => {
  const vault = vaultOf(OLD);
  const sealed = vault.seal(PLACE, 'secret');
  const [version, id, wrapped = '', value = ''] = sealed.split('.');
  const flip = (part: string, at: number) => {
    const bytes = Buffer.from(part, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64url');
  };
  for (let at = 0; at < Buffer.from(wrapped, 'base64url').length; at++) {
    expect(() => vault.open(PLACE, [version, id, flip(wrapped, at), value].join('.'))).toThrow(VaultError);
  }
  for (let at = 0; at < Buffer.from(value, 'base64url').length; at++) {
    expect(() => vault.open(PLACE, [version, id, wrapped, flip(value, at)].join('.'))).toThrow(VaultError);
  }
  for (const junk of ['', 'v1', 'v1.k1', 'v1.k1..', 'v2.k1.a.b', 'secret', sealed.slice(0, -4)]) {
    expect(() => vault.open(PLACE, junk)).toThrow(VaultError);
  }
});

it('rotates: the old key opens and rewraps, then can be removed', () => {
  const sealed = vaultOf(OLD).seal(PLACE, 'secret');
  const both = vaultOf(`${NEW},${OLD}`);
  expect(both.open(PLACE, sealed)).toBe('secret');
  const rewrapped = both.rewrap(PLACE, sealed);
  expect(rewrapped).toMatch(/^v1\.k2\./);
  // Only the data key is sealed again.
  expect(rewrapped.split('.')[3]).toBe(sealed.split('.')[3]);
  expect(both.rewrap(PLACE, rewrapped)).toBe(rewrapped);
  expect(vaultOf(NEW).open(PLACE, rewrapped)).toBe('secret');
  expect(() => vaultOf(NEW).open(PLACE, sealed)).toThrow('sealed with master key "k1", which is not in the keyring');
});

it('does not open with another key of the same id', () => {
  const sealed = vaultOf(OLD).seal(PLACE, 'secret');
  expect(() => vaultOf(newKey('k1')).open(PLACE, sealed)).toThrow(VaultError);
});

it('creates tokens that only it can read, for one purpose and context', () => {
  const vault = vaultOf(OLD);
  const token = vault.sealToken('cursor', 'list A', '["x"]');
  expect(token).toMatch(/^[\w-]+$/);
  expect(vault.openToken('cursor', 'list A', token)).toBe('["x"]');
  expect(vault.openToken('cursor', 'list B', token)).toBeNull();
  expect(vault.openToken('download', 'list A', token)).toBeNull();
  expect(vaultOf(NEW).openToken('cursor', 'list A', token)).toBeNull();
  expect(vaultOf(`${NEW},${OLD}`).openToken('cursor', 'list A', token)).toBe('["x"]');
  for (const junk of ['', 'x', '%%%', token.slice(1), `${token.slice(0, -2)}AA`]) {
    expect(vault.openToken('cursor', 'list A', junk)).toBeNull();
  }
});

it('signs with the current key and verifies with any', () => {
  const mac = vaultOf(OLD).hmac('download', 'blob 1');
  expect(vaultOf(`${NEW},${OLD}`).verifyHmac('download', 'blob 1', mac)).toBe(true);
  expect(vaultOf(`${NEW},${OLD}`).hmac('download', 'blob 1')).not.toBe(mac);
  expect(vaultOf(NEW).verifyHmac('download', 'blob 1', mac)).toBe(false);
  expect(vaultOf(OLD).verifyHmac('download', 'blob 2', mac)).toBe(false);
  expect(vaultOf(OLD).verifyHmac('cursor', 'blob 1', mac)).toBe(false);
  expect(vaultOf(OLD).verifyHmac('download', 'blob 1', '')).toBe(false);
});

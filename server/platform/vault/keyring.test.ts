import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKeyFile, keyFile, parseKeyring, readKeyFile } from './keyring.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('creates a key file once, complete, and for its user only', () => {
  const dataDir = join(scratch(), 'data');
  expect(readKeyFile(dataDir)).toBeUndefined();
  const made = createKeyFile(dataDir);
  expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  expect(readKeyFile(dataDir)).toEqual(made);
  expect(made[0].bytes).toHaveLength(32);
  // A second call finds the first's file.
  expect(createKeyFile(dataDir)).toEqual(made);
  expect(readdirSync(dataDir)).toEqual(['master.key']);
});

it.each([0o640, 0o604, 0o666])('refuses a key file of mode %o', (mode) => {
  const dataDir = scratch();
  createKeyFile(dataDir);
  chmodSync(keyFile(dataDir), mode);
  expect(() => readKeyFile(dataDir)).toThrow(`may be read by other users (mode ${mode.toString(8)})`);
});

it('reads a keyring, the current key first', () => {
  const ring = parseKeyring(` ${newKey('new')}, ${newKey('old')}\n`, 'SLUICE_MASTER_KEY');
  expect(ring.map(({ id }) => id)).toEqual(['new', 'old']);
});

it.each([
  ['nothing', '', 'Key 1 of SLUICE_MASTER_KEY is malformed\\.'],
  ['no id', randomBytes(32).toString('base64'), 'Key 1 of SLUICE_MASTER_KEY is malformed\\.'],
  [
    'a short key',
    `${newKey('a')},b:${randomBytes(31).toString('base64')}`,
    'Key 2 of SLUICE_MASTER_KEY is malformed\\.',
  ],
  ['hexadecimal', `a:${randomBytes(32).toString('hex')}`, 'Key 1 of SLUICE_MASTER_KEY is malformed\\.'],
  ['a trailing comma', `${newKey('a')},`, 'Key 2 of SLUICE_MASTER_KEY is malformed\\.'],
  ['an id twice', `${newKey('a')},${newKey('a')}`, 'SLUICE_MASTER_KEY has two keys with the id "a".'],
])('refuses %s without repeating it', (_, text, message) => {
  expect(() => parseKeyring(text, 'SLUICE_MASTER_KEY')).toThrow(new RegExp(`^${message}$`));
});

it('refuses a malformed key file with its path, and does not change it', () => {
  const dataDir = scratch();
  writeFileSync(keyFile(dataDir), 'k1:short', { mode: 0o600 });
  expect(() => readKeyFile(dataDir)).toThrow(`Key 1 of the key file ${keyFile(dataDir)} is malformed.`);
  expect(readFileSync(keyFile(dataDir), 'utf8')).toBe('k1:short');
});

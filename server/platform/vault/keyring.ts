import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileRefusal } from '../database/file-refusal.ts';
import { Refusal } from '../database/refusal.ts';
import type { Keyring, MasterKey } from './vault.ts';

const SHAPE = 'Expected "id:base64[,id:base64]" with keys of 32 bytes, the current one first.';

/** The keyring of `SLUICE_MASTER_KEY`. Messages name the key's id, never its bytes. */
export function parseKeyring(text: string, source: string): Keyring {
  const keys = text
    .trim()
    .split(',')
    .map((part, index) => parseKey(part.trim(), index, source));
  const [first, ...rest] = keys;
  if (!first) throw new Refusal(`${source} has no key.`, SHAPE);
  const twice = keys.find((key, index) => keys.findIndex(({ id }) => id === key.id) !== index);
  if (twice) throw new Refusal(`${source} has two keys with the id "${twice.id}".`, SHAPE);
  return [first, ...rest];
}

function parseKey(part: string, index: number, source: string): MasterKey {
  const [, id, encoded] = part.match(/^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/) ?? [];
  if (!id || !encoded) throw new Refusal(`Key ${index + 1} of ${source} is malformed.`, SHAPE);
  return { id, bytes: Buffer.from(encoded, 'base64') };
}

export function keyFile(dataDir: string): string {
  return join(dataDir, 'master.key');
}

/**
 * The keyring in the data folder's key file; undefined without such a file. Refuses a file that other users can read.
 */
export function readKeyFile(dataDir: string): Keyring | undefined {
  const path = keyFile(dataDir);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.mode & 0o077) {
    throw new Refusal(
      `The key file ${path} may be read by other users (mode ${(stats.mode & 0o777).toString(8)}).`,
      `Run chmod 600 ${path}, and consider rotating the key.`,
    );
  }
  try {
    return parseKeyring(readFileSync(path, 'utf8'), `the key file ${path}`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`The key file ${path} can't be read.`, 'Give it to the user who runs Sluice.', { cause: error });
  }
}

/** Creates the key file with one new key. It appears atomically and never replaces an existing file. */
export function createKeyFile(dataDir: string): Keyring {
  try {
    writeKeyFile(dataDir, keyFile(dataDir));
  } catch (error) {
    throw fileRefusal(dataDir, error);
  }
  const keyring = readKeyFile(dataDir);
  if (!keyring) throw new Error(`${keyFile(dataDir)} disappeared while it was created`);
  return keyring;
}

function writeKeyFile(dataDir: string, path: string): void {
  const half = `${path}.${randomBytes(6).toString('hex')}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = openSync(half, 'wx', 0o600);
  try {
    writeFileSync(file, `k1:${randomBytes(32).toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(half, path);
  } catch (error) {
    // Another node that shares the folder was first; its key is used.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(half);
  }
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

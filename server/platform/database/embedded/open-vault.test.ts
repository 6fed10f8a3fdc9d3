import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openVault } from '../../vault/open-vault.ts';
import type { Database } from '../database.ts';
import { openScratchDatabase, scratchFolder } from './scratch.ts';

const PLACE = { account_id: 'a1', table: 'connections', row: 'c1', field: 'credentials' };
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

let database: Database;

beforeAll(async () => {
  database = await openScratchDatabase();
});
beforeEach(async () => {
  await database.pool.query('delete from settings');
});
afterAll(() => database.close());

it('creates a key file for a new database and opens it with that file later', async () => {
  const dataDir = scratchFolder();
  const sealed = (await openVault(database.kysely, { dataDir })).seal(PLACE, 'secret');
  expect((await openVault(database.kysely, { dataDir })).open(PLACE, sealed)).toBe('secret');
});

it('prefers SLUICE_MASTER_KEY to a file, and writes no file', async () => {
  const dataDir = scratchFolder();
  const masterKey = newKey('k9');
  expect((await openVault(database.kysely, { dataDir, masterKey })).seal(PLACE, 'x')).toMatch(/^v1\.k9\./);
  expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
});

it('refuses a database sealed with another key, and leaves it unchanged', async () => {
  const dataDir = scratchFolder();
  const masterKey = newKey('k1');
  await openVault(database.kysely, { dataDir, masterKey });
  for (const wrong of [newKey('k1'), newKey('k2')]) {
    await expect(openVault(database.kysely, { dataDir, masterKey: wrong })).rejects.toMatchObject({
      name: 'Refusal',
      message: 'The master key is not the one that the secrets in this database were sealed with.',
      hint: expect.stringContaining('nothing was changed'),
    });
  }
  await openVault(database.kysely, { dataDir, masterKey });
});

it('refuses to create a new key for a database whose key is lost', async () => {
  const dataDir = scratchFolder();
  const path = join(dataDir, 'master.key');
  await openVault(database.kysely, { dataDir });
  renameSync(path, `${path}.mislaid`);
  await expect(openVault(database.kysely, { dataDir })).rejects.toThrow(`${path} does not exist.`);
  expect(existsSync(path)).toBe(false);
  renameSync(`${path}.mislaid`, path);
  await openVault(database.kysely, { dataDir });
});

it('opens with a keyring that has the old key after the new one', async () => {
  const dataDir = scratchFolder();
  const old = newKey('k1');
  await openVault(database.kysely, { dataDir, masterKey: old });
  await openVault(database.kysely, { dataDir, masterKey: `${newKey('k2')},${old}` });
});

it('agrees on one key when several nodes start at once on a new database', async () => {
  const dataDir = scratchFolder();
  const vaults = await Promise.all(Array.from({ length: 5 }, () => openVault(database.kysely, { dataDir })));
  const sealed = vaults[0]?.seal(PLACE, 'secret') ?? '';
  expect(vaults.map((vault) => vault.open(PLACE, sealed))).toEqual(Array(5).fill('secret'));
  rmSync(join(dataDir, 'master.key'));
});

import { Refusal } from '../database/refusal.ts';
import type { Db } from '../database/schema.ts';
import { createKeyFile, keyFile, parseKeyring, readKeyFile } from './keyring.ts';
import { type Keyring, Vault, VaultError } from './vault.ts';

export const CANARY = { account_id: '', table: 'settings', row: 'vault_canary', field: 'value' };

/**
 * The vault of a migrated database. Its keys are those of `masterKey` (SLUICE_MASTER_KEY) if given, else those of the
 * data folder's key file. The file is created if neither it nor a sealed value exists. Refuses keys that the database
 * was not sealed with.
 */
export async function openVault(db: Db, source: { dataDir: string; masterKey?: string | undefined }): Promise<Vault> {
  const given = source.masterKey ? parseKeyring(source.masterKey, 'SLUICE_MASTER_KEY') : readKeyFile(source.dataDir);
  const keyring: Keyring = given ?? (await makeFirstKey(db, source.dataDir));
  const vault = new Vault(keyring);
  await verifyVault(db, vault);
  return vault;
}

/** Seals a canary value into a new database; refuses a vault that cannot open an existing canary. */
export async function verifyVault(db: Db, vault: Vault): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: CANARY.row, value: vault.seal(CANARY, 'sluice') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const canary = await findCanary(db);
  try {
    vault.open(CANARY, canary ?? '');
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new Refusal(
      'The master key is not the one that the secrets in this database were sealed with.',
      'Restore the master.key file that belongs to it, or set SLUICE_MASTER_KEY to its contents; nothing was changed.',
      { cause: error },
    );
  }
}

async function makeFirstKey(db: Db, dataDir: string): Promise<Keyring> {
  if (await findCanary(db)) {
    // Another node may have created the key and sealed the canary since the check of the file.
    const made = readKeyFile(dataDir);
    if (made) return made;
    throw new Refusal(
      `The master key that this database was sealed with is missing: ${keyFile(dataDir)} does not exist.`,
      'Restore that file, or set SLUICE_MASTER_KEY to its contents.',
    );
  }
  return createKeyFile(dataDir);
}

async function findCanary(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', CANARY.row).executeTakeFirst();
  return row?.value;
}

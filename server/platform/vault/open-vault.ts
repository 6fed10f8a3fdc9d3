import { Refusal } from '../database/refusal.ts';
import type { Db } from '../database/schema.ts';
import { createKeyFile, keyFile, parseKeyring, readKeyFile } from './keyring.ts';
import { type Keyring, Vault, VaultError } from './vault.ts';

export const CANARY = { account_id: '', table: 'settings', row: 'vault_canary', field: 'value' };

/**
 * The vault for a migrated database: with the keys of `masterKey` (SLUICE_MASTER_KEY) when given, else of the data
 * folder's key file, which is made when neither it nor anything sealed exists. Refuses keys the database wasn't sealed
 * with.
 */
export async function openVault(db: Db, source: { dataDir: string; masterKey?: string | undefined }): Promise<Vault> {
  const given = source.masterKey ? parseKeyring(source.masterKey, 'SLUICE_MASTER_KEY') : readKeyFile(source.dataDir);
  const keyring: Keyring = given ?? (await makeFirstKey(db, source.dataDir));
  const vault = new Vault(keyring);
  await verifyVault(db, vault);
  return vault;
}

/** Seals a canary value into a new database; in one that has it, refuses a vault that can't open it. */
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
      'Bring back the master.key file that belongs to it, or set SLUICE_MASTER_KEY to its contents; nothing was changed.',
      { cause: error },
    );
  }
}

async function makeFirstKey(db: Db, dataDir: string): Promise<Keyring> {
  if (await findCanary(db)) {
    // Another node may have made the key and sealed the canary since we looked for the file.
    const made = readKeyFile(dataDir);
    if (made) return made;
    throw new Refusal(
      `The master key that this database was sealed with is missing: there is no ${keyFile(dataDir)}.`,
      'Bring that file back, or set SLUICE_MASTER_KEY to its contents.',
    );
  }
  return createKeyFile(dataDir);
}

async function findCanary(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', CANARY.row).executeTakeFirst();
  return row?.value;
}

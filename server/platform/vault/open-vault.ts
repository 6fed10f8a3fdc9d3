import { operatorCommand } from '../../lib/operator-command.ts';
import { Refusal } from '../database/refusal.ts';
import type { Db, Tx } from '../database/schema.ts';
import { createKeyFile, keyFile, parseKeyring, readKeyFile } from './keyring.ts';
import { type Keyring, Vault, VaultError } from './vault.ts';

export const CANARY = { account_id: '', table: 'settings', row: 'vault_canary', field: 'value' };

export type KeySource = { dataDir: string; masterKey?: string | undefined };

/** The keys of the setting, else of the data folder's key file; undefined if there is neither. */
export const keyringOf = ({ dataDir, masterKey }: KeySource): Keyring | undefined =>
  masterKey ? parseKeyring(masterKey, 'SLUICE_MASTER_KEY') : readKeyFile(dataDir);

/**
 * The vault of a migrated database. Its keys are those of `masterKey` (SLUICE_MASTER_KEY) if given, else those of the
 * data folder's key file. The file is created if neither it nor a sealed value exists. Refuses keys that the database
 * was not sealed with.
 */
export async function openVault(db: Db, source: KeySource): Promise<Vault> {
  const keyring = keyringOf(source) ?? (await makeFirstKey(db, source.dataDir));
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
  const error = errorOf(vault, await findCanary(db));
  if (error)
    throw new Refusal(
      'The master key is not the one that the secrets in this database were sealed with.',
      `Restore the master.key file that belongs to it, or set SLUICE_MASTER_KEY to its contents; nothing was changed. If it is lost: \`${operatorCommand('replace-key')}\`.`,
      { cause: error },
    );
}

/** Whether the vault opens the secrets of this database. */
export async function opens(db: Db, vault: Vault): Promise<boolean> {
  return errorOf(vault, await findCanary(db)) === undefined;
}

/** Seals the canary with this vault, whatever it was sealed with. */
export async function replaceCanary(tx: Tx, vault: Vault): Promise<void> {
  const value = vault.seal(CANARY, 'sluice');
  await tx
    .insertInto('settings')
    .values({ name: CANARY.row, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

function errorOf(vault: Vault, canary: string | undefined): VaultError | undefined {
  try {
    vault.open(CANARY, canary ?? '');
    return undefined;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return error;
  }
}

async function makeFirstKey(db: Db, dataDir: string): Promise<Keyring> {
  if (await findCanary(db)) {
    // Another node may have created the key and sealed the canary since the check of the file.
    const made = readKeyFile(dataDir);
    if (made) return made;
    throw new Refusal(
      `The master key that this database was sealed with is missing: ${keyFile(dataDir)} does not exist.`,
      `Restore that file, or set SLUICE_MASTER_KEY to its contents. If it is lost: \`${operatorCommand('replace-key')}\`.`,
    );
  }
  return createKeyFile(dataDir);
}

async function findCanary(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', CANARY.row).executeTakeFirst();
  return row?.value;
}

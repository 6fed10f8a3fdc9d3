/**
 * Rewraps sealed values with the current master key, so that the previous key can be removed. Every sealed column is
 * listed here with the place of its values. The canary is last: a keyring without the old key is refused at a start
 * (open-vault.ts) until nothing needs that key.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/schema.ts';
import { CANARY } from './open-vault.ts';
import { type Vault, VaultError } from './vault.ts';

type Sealed = {
  table: string;
  columns: readonly string[];
  key: readonly string[];
  row: (key: string[]) => string;
  /** Without its secret, the row is useless (ROW), complete (VALUE), or gets another one (REPLACED). */
  lost: 'ROW' | 'VALUE' | 'REPLACED';
  /** The column of the account, or of the person whose key the values are sealed with in its place. */
  owner?: 'account_id' | 'person_id';
};

const only = ([id = '']: string[]) => id;
const SEALED: readonly Sealed[] = [
  { table: 'connections', columns: ['credentials'], key: ['connection_id'], row: only, lost: 'VALUE' },
  {
    table: 'destinations',
    columns: ['headers', 'previous_secret'],
    key: ['destination_id'],
    row: only,
    lost: 'VALUE',
  },
  { table: 'destinations', columns: ['signing_secret'], key: ['destination_id'], row: only, lost: 'REPLACED' },
  { table: 'triggers', columns: ['ingress_token', 'source_secret'], key: ['trigger_id'], row: only, lost: 'VALUE' },
  { table: 'env_variables', columns: ['value'], key: ['function_id', 'key'], row: (key) => key.join('/'), lost: 'ROW' },
  {
    table: 'app_credentials',
    columns: ['client_secret'],
    key: ['app', 'method'],
    row: (key) => key.join(' '),
    lost: 'ROW',
  },
  { table: 'connect_flows', columns: ['sealed'], key: ['state_hash'], row: only, lost: 'ROW' },
  { table: 'authenticators', columns: ['secret'], key: ['person_id'], row: only, owner: 'person_id', lost: 'ROW' },
  { table: 'identity_providers', columns: ['client_secret'], key: ['provider_id'], row: only, lost: 'VALUE' },
  { table: 'sessions', columns: ['id_token'], key: ['session_id'], row: only, lost: 'VALUE' },
  {
    table: 'idempotency',
    columns: ['answer'],
    key: ['operation', 'key'],
    row: (key) => JSON.stringify(key),
    lost: 'ROW',
  },
];

/** Removes all sealed values, for a database whose keys are lost, except those that its caller replaces. */
export async function discard(tx: Tx): Promise<void> {
  for (const { table, columns, lost } of SEALED) {
    if (lost === 'REPLACED') continue;
    for (const column of columns) {
      const [from, value] = [sql.table(table), sql.ref(column)];
      const statement = lost === 'ROW' ? sql`delete from ${from}` : sql`update ${from} set ${value} = null`;
      await sql`${statement} where ${value} is not null`.execute(tx);
    }
  }
}

const AT_ONCE = 500;

/** `done`: all values use the current key. `lost`: values that no key of the keyring opens. */
export type Rewrapped = { count: number; lost: VaultError[]; done: boolean };

/** Rewraps everything, in batches of rows. A concurrent change wins. */
export async function rewrap(db: Db, vault: Vault): Promise<Rewrapped> {
  const found: Rewrapped = { count: 0, lost: [], done: false };
  for (const sealed of SEALED)
    for (const column of sealed.columns) await rewrapColumn(db, vault, sealed, column, found);
  if (found.lost.length > 0) return found;
  const canary = await db.selectFrom('settings').select('value').where('name', '=', CANARY.row).executeTakeFirst();
  if (canary && !vault.isCurrent(canary.value)) {
    const value = vault.rewrap(CANARY, canary.value);
    await db.updateTable('settings').set({ value }).where('name', '=', CANARY.row).execute();
    found.count += 1;
  }
  return { ...found, done: true };
}

async function rewrapColumn(
  db: Db,
  vault: Vault,
  { table, key, row, owner = 'account_id' }: Sealed,
  column: string,
  found: Rewrapped,
): Promise<void> {
  const value = sql.ref(column);
  const ownerId = sql.ref(owner);
  const keys = sql.join(key.map((name) => sql.ref(name)));
  let after: string[] | undefined;
  for (;;) {
    const { rows } = await sql<{ owner_id: string; key: string[]; value: string }>`
      select ${ownerId} as owner_id, array[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] as key, ${value} as value
      from ${sql.table(table)}
      where ${value} is not null and not starts_with(${value}, ${vault.prefix})
      ${after ? sql`and (${ownerId}, ${keys}) > (${sql.join(after)})` : sql``}
      order by ${ownerId}, ${keys} limit ${AT_ONCE}`.execute(db);
    for (const each of rows) {
      try {
        const place = { account_id: each.owner_id, table, row: row(each.key), field: column };
        const fresh = vault.rewrap(place, each.value);
        await sql`
          update ${sql.table(table)} set ${value} = ${fresh}
          where (${ownerId}, ${keys}) = (${sql.join([each.owner_id, ...each.key])}) and ${value} = ${each.value}
        `.execute(db);
        found.count += 1;
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        found.lost.push(error);
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = [last.owner_id, ...last.key];
  }
}

import { sql } from 'kysely';
import type { ApiKeysTable, ApiKeyUsesTable, Db, Tx } from '../../platform/database/schema.ts';

type Change = Partial<Omit<ApiKeysTable, 'account_id' | 'key_id' | 'created_at'>>;

/** A key that was never used nor rotated. */
type NewKey = Pick<
  ApiKeysTable,
  | 'key_id'
  | 'name'
  | 'prefix'
  | 'hash'
  | 'created_by'
  | 'created_by_type'
  | 'created_by_name'
  | 'created_at'
  | 'expires_at'
  | 'limits'
>;

export async function insert(tx: Tx, account_id: string, key: NewKey): Promise<ApiKeysTable> {
  const unused = { last_used_at: null, last_used_ip: null, old_hash: null, old_prefix: null, old_expires_at: null };
  const row = { account_id, ...key, ...unused };
  await tx.insertInto('api_keys').values(row).execute();
  return row;
}

/** Every key of the account, newest first. */
export async function list(db: Db, account_id: string): Promise<ApiKeysTable[]> {
  return db.selectFrom('api_keys').selectAll().where('account_id', '=', account_id).orderBy('key_id', 'desc').execute();
}

export async function find(db: Db, account_id: string, key_id: string): Promise<ApiKeysTable | undefined> {
  return ofAccount(db, account_id, key_id).executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export async function lock(tx: Tx, account_id: string, key_id: string): Promise<ApiKeysTable | undefined> {
  return ofAccount(tx, account_id, key_id).forUpdate().executeTakeFirst();
}

const ofAccount = (db: Db | Tx, account_id: string, key_id: string) =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', account_id).where('key_id', '=', key_id);

export async function update(
  tx: Tx,
  account_id: string,
  key_id: string,
  change: Change,
): Promise<ApiKeysTable | undefined> {
  const mine = { account_id, key_id };
  return tx
    .updateTable('api_keys')
    .set({ key_id, ...change })
    .where((row) => row.and(mine))
    .returningAll()
    .executeTakeFirst();
}

export async function remove(tx: Tx, account_id: string, key_id: string): Promise<ApiKeysTable | undefined> {
  await tx.deleteFrom('api_key_uses').where('account_id', '=', account_id).where('key_id', '=', key_id).execute();
  return tx
    .deleteFrom('api_keys')
    .where('account_id', '=', account_id)
    .where('key_id', '=', key_id)
    .returningAll()
    .executeTakeFirst();
}

/** The ids of the keys that a member created. */
export async function ofMember(tx: Tx, account_id: string, user_id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('api_keys')
    .select('key_id')
    .where('account_id', '=', account_id)
    .where('created_by_type', '=', 'USER')
    .where('created_by', '=', user_id)
    .orderBy('key_id')
    .execute();
  return rows.map(({ key_id }) => key_id);
}

/** Finds a key by the hash of its secret, or of the one before its rotation, in any account. */
export async function withHash(db: Db, hash: string): Promise<ApiKeysTable | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where((row) => row.or([row('hash', '=', hash), row('old_hash', '=', hash)]))
    .executeTakeFirst();
}

export type Use = { account_id: string; key_id: string; at: string; ip: string | null };

/** Stores when and from where keys were last used, in one statement. */
export async function noteUses(db: Db, uses: Use[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    update api_keys k set last_used_at = u.at, last_used_ip = u.ip
    from unnest(
      ${uses.map((use) => use.account_id)}::uuid[],
      ${uses.map((use) => use.key_id)}::uuid[],
      ${uses.map((use) => use.at)}::timestamptz[],
      ${uses.map((use) => use.ip)}::text[]
    ) as u (account_id, key_id, at, ip)
    where k.account_id = u.account_id and k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at)
  `.execute(db);
}

export type CountedUse = Omit<ApiKeyUsesTable, 'day'>;

/** Adds to the uses of today. The order prevents deadlocks between nodes. */
export async function addUses(db: Db, uses: CountedUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    insert into api_key_uses (account_id, key_id, day, operation, function_id, ip, calls)
    select account_id, key_id, (now() at time zone 'utc')::date, operation, function_id, ip, calls
    from unnest(
      ${uses.map((use) => use.account_id)}::uuid[],
      ${uses.map((use) => use.key_id)}::uuid[],
      ${uses.map((use) => use.operation)}::text[],
      ${uses.map((use) => use.function_id)}::uuid[],
      ${uses.map((use) => use.ip)}::text[],
      ${uses.map((use) => use.calls)}::bigint[]
    ) as u (account_id, key_id, operation, function_id, ip, calls)
    order by account_id, key_id, operation, ip, function_id
    on conflict (account_id, key_id, day, operation, ip,
      coalesce(function_id, '00000000-0000-0000-0000-000000000000'))
    do update set calls = api_key_uses.calls + excluded.calls
  `.execute(db);
}

/** Uses since a day, summed up. */
export async function usesOf(
  db: Db,
  account_id: string,
  key_id: string,
  since: string,
): Promise<Pick<ApiKeyUsesTable, 'operation' | 'function_id' | 'ip' | 'calls'>[]> {
  const { rows } = await sql<Pick<ApiKeyUsesTable, 'operation' | 'function_id' | 'ip' | 'calls'>>`
    select operation, function_id, ip, sum(calls)::float8 as calls from api_key_uses
    where account_id = ${account_id} and key_id = ${key_id} and day >= ${since}::date
    group by operation, function_id, ip order by sum(calls) desc, operation, ip
  `.execute(db);
  return rows;
}

/** When uses were first recorded. */
export async function usesSince(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'key_uses_since').executeTakeFirst();
  return row?.value;
}

/** Deletes uses of before a day. */
export async function removeUsesBefore(db: Db, day: string): Promise<void> {
  await sql`delete from api_key_uses where day < ${day}::date`.execute(db);
}

import { sql } from 'kysely';
import type { ApiKeysTable, Db, Tx } from '../../platform/database/schema.ts';

type Change = Partial<Pick<ApiKeysTable, 'name' | 'expires_at'>>;

export async function insert(tx: Tx, account_id: string, key: Omit<ApiKeysTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({ account_id, ...key })
    .execute();
}

/** Every key of the account, newest first. */
export async function list(db: Db, account_id: string): Promise<ApiKeysTable[]> {
  return db.selectFrom('api_keys').selectAll().where('account_id', '=', account_id).orderBy('key_id', 'desc').execute();
}

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
  return tx
    .deleteFrom('api_keys')
    .where('account_id', '=', account_id)
    .where('key_id', '=', key_id)
    .returningAll()
    .executeTakeFirst();
}

/** Finds a key by its hash, in any account. */
export async function withHash(db: Db, hash: string): Promise<ApiKeysTable | undefined> {
  return db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export type Use = { account_id: string; key_id: string; at: string };

/** Stores when keys were last used, in one statement. */
export async function noteUses(db: Db, uses: Use[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = u.at
    from unnest(
      ${uses.map((use) => use.account_id)}::uuid[],
      ${uses.map((use) => use.key_id)}::uuid[],
      ${uses.map((use) => use.at)}::timestamptz[]
    ) as u (account_id, key_id, at)
    where k.account_id = u.account_id and k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at)
  `.execute(db);
}

import { sql } from 'kysely';
import type { Db, IdempotencyTable } from '../../platform/database/schema.ts';

export type Place = Pick<IdempotencyTable, 'operation' | 'key'>;
export type Held = Place & Pick<IdempotencyTable, 'holder'>;

/**
 * Claims a key for `holder`. Returns false if the key is in use, unless its entry was last renewed before
 * `expired_before`, or belongs to the same call, unfinished, and was last renewed before `stale_before`.
 */
export async function claim(
  db: Db,
  account_id: string,
  entry: Held & Pick<IdempotencyTable, 'fingerprint' | 'touched_at'>,
  limits: { expired_before: string; stale_before: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency as old (account_id, operation, key, fingerprint, holder, touched_at)
    values (${account_id}, ${entry.operation}, ${entry.key}, ${entry.fingerprint}, ${entry.holder}, ${entry.touched_at})
    on conflict (account_id, operation, key) do update
      set fingerprint = excluded.fingerprint, holder = excluded.holder, touched_at = excluded.touched_at, answer = null
      where old.touched_at < ${limits.expired_before}
        or (old.answer is null and old.touched_at < ${limits.stale_before} and old.fingerprint = excluded.fingerprint)
    returning old.holder
  `.execute(db);
  return rows.length === 1;
}

export async function find(db: Db, account_id: string, place: Place): Promise<IdempotencyTable | undefined> {
  return db
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('operation', '=', place.operation)
    .where('key', '=', place.key)
    .executeTakeFirst();
}

/** Updates an entry if `holder` has it. */
export async function update(
  db: Db,
  account_id: string,
  held: Held,
  change: Partial<Pick<IdempotencyTable, 'answer' | 'touched_at'>>,
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set(change)
    .where('account_id', '=', account_id)
    .where('operation', '=', held.operation)
    .where('key', '=', held.key)
    .where('holder', '=', held.holder)
    .execute();
}

/** Releases a key if `holder` has it. */
export async function remove(db: Db, account_id: string, held: Held): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('account_id', '=', account_id)
    .where('operation', '=', held.operation)
    .where('key', '=', held.key)
    .where('holder', '=', held.holder)
    .execute();
}

/** Deletes old entries of all accounts. */
export async function removeBefore(db: Db, touched_before: string): Promise<void> {
  await db.deleteFrom('idempotency').where('touched_at', '<', touched_before).execute();
}

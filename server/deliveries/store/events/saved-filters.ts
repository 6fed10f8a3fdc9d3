import { sql } from 'kysely';
import type { Db, SavedFiltersTable, Tx } from '../../../platform/database/schema.ts';

/** The saved filters of an account, by name. */
export async function list(db: Db | Tx, account_id: string): Promise<SavedFiltersTable[]> {
  return db
    .selectFrom('saved_filters')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy(sql`lower(name)`)
    .execute();
}

export async function insert(tx: Tx, account_id: string, row: Omit<SavedFiltersTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('saved_filters')
    .values({ account_id, ...row })
    .execute();
}

export async function update(
  tx: Tx,
  account_id: string,
  saved_filter_id: string,
  changes: Partial<Pick<SavedFiltersTable, 'name' | 'filter' | 'updated_at'>>,
): Promise<void> {
  await tx
    .updateTable('saved_filters')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('saved_filter_id', '=', saved_filter_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, saved_filter_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_filters')
    .where('account_id', '=', account_id)
    .where('saved_filter_id', '=', saved_filter_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

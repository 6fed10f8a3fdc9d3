import type { Db, Tx } from '../../platform/database/schema.ts';
import type { SavedRequestsTable } from '../../platform/database/tables/connection-tables.ts';

/** The saved requests of an app, by name. */
export async function list(db: Db | Tx, account_id: string, app: string): Promise<SavedRequestsTable[]> {
  const rows = await db
    .selectFrom('saved_requests')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .orderBy('name')
    .execute();
  return rows;
}

export async function insert(tx: Tx, row: SavedRequestsTable): Promise<void> {
  await tx.insertInto('saved_requests').values(row).execute();
}

export async function rename(
  tx: Tx,
  account_id: string,
  saved_request_id: string,
  changes: Pick<SavedRequestsTable, 'name' | 'updated_at'>,
): Promise<void> {
  await tx
    .updateTable('saved_requests')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('saved_request_id', '=', saved_request_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, app: string, saved_request_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_requests')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('saved_request_id', '=', saved_request_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function removeOfApp(tx: Tx, account_id: string, app: string): Promise<void> {
  await tx.deleteFrom('saved_requests').where('account_id', '=', account_id).where('app', '=', app).execute();
}

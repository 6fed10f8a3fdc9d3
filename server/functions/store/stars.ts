import type { Tx } from '../../platform/database/schema.ts';
import { noteChange } from './code-index.ts';

/** An account stars a function at most once; the function counts its stars. */
export async function add(tx: Tx, account_id: string, owner_id: string, function_id: string): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('stars')
    .values({ account_id, function_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows) await count(tx, owner_id, function_id, 1);
}

export async function remove(tx: Tx, account_id: string, owner_id: string, function_id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('stars')
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .executeTakeFirst();
  if (numDeletedRows) await count(tx, owner_id, function_id, -1);
}

/** Removes all stars of a function that is being deleted. */
export async function removeAll(tx: Tx, function_id: string): Promise<void> {
  await tx.deleteFrom('stars').where('function_id', '=', function_id).execute();
}

async function count(tx: Tx, owner_id: string, function_id: string, by: number): Promise<void> {
  await tx
    .updateTable('functions')
    .set((row) => ({ star_count: row('star_count', '+', by) }))
    .where('account_id', '=', owner_id)
    .where('function_id', '=', function_id)
    .execute();
  await noteChange(tx, owner_id, function_id);
}

/**
 * Labels that a function had before it was deleted or renamed. For RESERVED_DAYS they are free for their account only,
 * so that callers who still use the URL never send their requests to another account.
 */
import { now } from '../../lib/clock.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';

export const RESERVED_DAYS = 90;

/** Reserves a label from now on. Call it in the transaction in which the function gives the label up. */
export async function reserve(tx: Tx, account_id: string, label: string): Promise<void> {
  const released_at = now();
  await tx
    .insertInto('reserved_labels')
    .values({ account_id, label, released_at })
    .onConflict((conflict) => conflict.column('label').doUpdateSet({ account_id, released_at }))
    .execute();
}

/** Whether another account has this label reserved. */
export async function isReservedElsewhere(tx: Tx, account_id: string, label: string): Promise<boolean> {
  const found = await tx
    .selectFrom('reserved_labels')
    .select('label')
    .where('label', '=', label)
    .where('account_id', '<>', account_id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Ends an account's reservation, as the label is in use again. */
export async function takeBack(tx: Tx, account_id: string, label: string): Promise<void> {
  await tx.deleteFrom('reserved_labels').where('account_id', '=', account_id).where('label', '=', label).execute();
}

/** Frees labels of all accounts whose time is over at `nowMs`. */
export async function freeOld(db: Db, nowMs: number): Promise<void> {
  const before = new Date(nowMs - RESERVED_DAYS * 86_400_000).toISOString();
  await db.deleteFrom('reserved_labels').where('released_at', '<', before).execute();
}

/**
 * Labels of deleted or renamed functions. For RESERVED_DAYS only the same account can use them, so that requests to the
 * old URL never reach another account.
 */
import { now } from '../../lib/clock.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';

export const RESERVED_DAYS = 90;

/** Reserves a label. Call it in the transaction in which the function releases the label. */
export async function reserve(tx: Tx, account_id: string, label: string): Promise<void> {
  const released_at = now();
  await tx
    .insertInto('reserved_labels')
    .values({ account_id, label, released_at })
    .onConflict((conflict) => conflict.column('label').doUpdateSet({ account_id, released_at }))
    .execute();
}

/** Whether another account has reserved this label. */
export async function isReservedElsewhere(tx: Tx, account_id: string, label: string): Promise<boolean> {
  const found = await tx
    .selectFrom('reserved_labels')
    .select('label')
    .where('label', '=', label)
    .where('account_id', '<>', account_id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes an account's reservation, as the label is used again. */
export async function takeBack(tx: Tx, account_id: string, label: string): Promise<void> {
  await tx.deleteFrom('reserved_labels').where('account_id', '=', account_id).where('label', '=', label).execute();
}

/** Removes reservations of all accounts that have expired at `nowMs`. */
export async function freeOld(db: Db, nowMs: number): Promise<void> {
  const before = new Date(nowMs - RESERVED_DAYS * 86_400_000).toISOString();
  await db.deleteFrom('reserved_labels').where('released_at', '<', before).execute();
}

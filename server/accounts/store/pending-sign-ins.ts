import type { Db, PendingSignInsTable, Tx } from '../../platform/database/schema.ts';

export async function insert(db: Db | Tx, pending: PendingSignInsTable): Promise<void> {
  await db.insertInto('pending_sign_ins').values(pending).execute();
}

export async function find(db: Db, token_hash: string, at: string): Promise<PendingSignInsTable | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Counts a try before it is checked; returns the tries made, or undefined if none is left. */
export async function countTry(db: Db, token_hash: string, max: number): Promise<number | undefined> {
  const counted = await db
    .updateTable('pending_sign_ins')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('token_hash', '=', token_hash)
    .where('tries', '<', max)
    .returning('tries')
    .executeTakeFirst();
  return counted?.tries;
}

/** Ends a sign-in; returns whether it was still pending. */
export async function remove(db: Db | Tx, token_hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends the sign-ins that a person began with a password that is no longer valid. */
export async function removeOf(tx: Tx, person_id: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('person_id', '=', person_id).execute();
}

/** Deletes expired sign-ins of all people. */
export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', at).execute();
}

/** Authenticator apps of people, and their recovery codes. */
import type { AuthenticatorsTable, Db, Tx } from '../../platform/database/schema.ts';

export async function find(db: Db | Tx, person_id: string): Promise<AuthenticatorsTable | undefined> {
  return db.selectFrom('authenticators').selectAll().where('person_id', '=', person_id).executeTakeFirst();
}

/** Stores a new secret in place of one that was not confirmed; returns whether it did. */
export async function put(tx: Tx, row: { person_id: string; secret: string; created_at: string }): Promise<boolean> {
  const { person_id, ...fresh } = row;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('authenticators')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet(fresh).where('authenticators.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Makes an unconfirmed app a factor, with the time step of its first code; returns whether it did. */
export async function confirm(
  tx: Tx,
  { person_id, secret }: AuthenticatorsTable,
  { step, at }: { step: number; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('authenticators')
    .set({ confirmed_at: at, last_step: step })
    .where('person_id', '=', person_id)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records the use of the code of a time step, unless it or a later one was used; returns whether it did. */
export async function markUsed(
  db: Db,
  person_id: string,
  { step, at }: { step: number; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('authenticators')
    .set({ last_step: step, last_used_at: at })
    .where('person_id', '=', person_id)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the person's app; returns whether it was a factor. */
export async function remove(tx: Tx, person_id: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('authenticators')
    .where('person_id', '=', person_id)
    .returning('confirmed_at')
    .executeTakeFirst();
  return removed !== undefined && removed.confirmed_at !== null;
}

/** Replaces all recovery codes of the person. */
export async function replaceCodes(tx: Tx, person_id: string, hashes: string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ person_id, code_hash }));
  await tx.insertInto('recovery_codes').values(rows).execute();
}

/** Uses up a recovery code; returns whether the person had it. */
export async function redeemCode(db: Db, person_id: string, code_hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('person_id', '=', person_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function codesLeft(db: Db | Tx, person_id: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('person_id', '=', person_id)
    .executeTakeFirstOrThrow();
  return left;
}

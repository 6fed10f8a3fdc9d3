/** Passkeys of people, and the open prompts for one. */
import { sql } from 'kysely';
import type { Db, PasskeyChallengesTable, PasskeysTable, Tx } from '../../platform/database/schema.ts';

export async function insert(tx: Tx, passkey: PasskeysTable): Promise<void> {
  await tx.insertInto('passkeys').values(passkey).execute();
}

/** The passkeys of a person, in the order they were added. */
export async function list(db: Db | Tx, person_id: string): Promise<PasskeysTable[]> {
  return db.selectFrom('passkeys').selectAll().where('person_id', '=', person_id).orderBy('passkey_id').execute();
}

/** Finds a passkey by the id that its authenticator chose. */
export async function withCredential(db: Db, credential_id: string): Promise<PasskeysTable | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst();
}

/** Renames a passkey of the person; returns it, or undefined if the person has no such passkey. */
export async function rename(
  tx: Tx,
  person_id: string,
  passkey_id: string,
  name: string,
): Promise<PasskeysTable | undefined> {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('person_id', '=', person_id)
    .where('passkey_id', '=', passkey_id)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a passkey of the person; returns whether there was one. */
export async function remove(tx: Tx, person_id: string, passkey_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('person_id', '=', person_id)
    .where('passkey_id', '=', passkey_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Records a use, unless the signature counter did not increase: then a copy of the authenticator may exist. Returns
 * whether it was recorded. An authenticator without counter always sends 0.
 */
export async function markUsed(
  db: Db,
  { person_id, passkey_id }: PasskeysTable,
  used: { counter: number; synced: boolean; at: string },
): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set counter = ${used.counter}, synced = ${used.synced}, last_used_at = ${used.at}
    where person_id = ${person_id} and passkey_id = ${passkey_id}
      and (counter < ${used.counter} or (counter = 0 and ${used.counter}::bigint = 0))
    returning passkey_id`.execute(db);
  return rows.length > 0;
}

/** Whether a change failed because the credential is registered already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'passkeys_credential';
}

export async function insertChallenge(db: Db, challenge: PasskeyChallengesTable): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute();
}

/** Takes an unexpired challenge, which then is of no more use. */
export async function takeChallenge(
  db: Db,
  { challenge_hash, bound_to, purpose }: Omit<PasskeyChallengesTable, 'person_id' | 'expires_at'>,
  at: string,
): Promise<PasskeyChallengesTable | undefined> {
  return db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .where('bound_to', '=', bound_to)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes expired challenges of all people. */
export async function removeExpiredChallenges(db: Db, at: string): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', at).execute();
}

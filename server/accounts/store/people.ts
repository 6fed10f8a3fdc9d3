/**
 * People sign in and are members of accounts. A person belongs to no account: these queries identify one of all people
 * by what they entered to sign in, or by the session that was found with their token.
 */
import type { Db, PeopleTable, Tx, UsersTable } from '../../platform/database/schema.ts';

export async function insert(
  tx: Tx,
  person: Omit<PeopleTable, 'account_id' | 'reset_by_operator'> & Partial<PeopleTable>,
): Promise<void> {
  await tx.insertInto('people').values(person).execute();
}

export async function find(db: Db | Tx, person_id: string): Promise<PeopleTable | undefined> {
  return db.selectFrom('people').selectAll().where('person_id', '=', person_id).executeTakeFirst();
}

/** The person who signs in with this address. A person whom an account's identity provider manages does not. */
export async function withEmail(db: Db | Tx, email: string): Promise<PeopleTable | undefined> {
  return db
    .selectFrom('people')
    .selectAll()
    .where('email', '=', email)
    .where('account_id', 'is', null)
    .executeTakeFirst();
}

/** A person of this address whom an account's identity provider manages and who is an owner. */
export async function managedOwner(db: Db | Tx, email: string): Promise<PeopleTable | undefined> {
  return db
    .selectFrom('people as p')
    .innerJoin('users as u', 'u.person_id', 'p.person_id')
    .selectAll('p')
    .where('p.email', '=', email)
    .where('p.account_id', 'is not', null)
    .where('u.role', '=', 'OWNER')
    .orderBy('p.created_at')
    .limit(1)
    .executeTakeFirst();
}

/** The person of an unused link for a new password. In a transaction, locks the row until its end. */
export async function withReset(db: Db | Tx, reset_hash: string, at: string): Promise<PeopleTable | undefined> {
  const query = db
    .selectFrom('people')
    .selectAll()
    .where('reset_hash', '=', reset_hash)
    .where('reset_expires_at', '>', at);
  return (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
}

/** Locks a person until the transaction ends, so that their memberships do not change meanwhile. */
export async function lock(tx: Tx, person_id: string): Promise<PeopleTable | undefined> {
  return tx.selectFrom('people').selectAll().where('person_id', '=', person_id).forUpdate().executeTakeFirst();
}

export type Membership = UsersTable & {
  account_name: string;
  require_second_factor: boolean;
  /** Whether members of the account may sign in with a password. */
  password_sign_in: boolean;
};

/** The last used of these memberships that a password enters. */
export const byPassword = (memberships: Membership[]): Membership | undefined =>
  memberships.find(({ password_sign_in }) => password_sign_in);

/** The same; an operator's link also lets an owner in where passwords are not allowed. */
export const byPasswordOrLink = (memberships: Membership[], isByOperator: boolean): Membership | undefined =>
  byPassword(memberships) ?? memberships.find(({ role }) => isByOperator && role === 'OWNER');

/** The memberships of a person, the last used first. */
export async function memberships(db: Db | Tx, person_id: string): Promise<Membership[]> {
  return db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .selectAll('u')
    .select(['a.name as account_name', 'a.require_second_factor', 'a.password_sign_in'])
    .where('u.person_id', '=', person_id)
    .orderBy('u.last_seen_at', (order) => order.desc().nullsLast())
    .orderBy('u.created_at')
    .execute();
}

export async function update(tx: Tx, person_id: string, change: Partial<PeopleTable>): Promise<void> {
  await tx.updateTable('people').set(change).where('person_id', '=', person_id).execute();
}

/** Sets the password, unless it changed since `person` was read; returns whether it did. Ends an unused link. */
export async function changePassword(tx: Tx, person: PeopleTable, password_hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('people')
    .set({ password_hash, reset_hash: null, reset_expires_at: null })
    .where('person_id', '=', person.person_id)
    .where('password_hash', '=', person.password_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a person and, by the foreign key, all their sessions. */
export async function remove(tx: Tx, person_id: string): Promise<void> {
  await tx.deleteFrom('people').where('person_id', '=', person_id).execute();
}

/** Whether a change failed because another person has the email address. */
export function isTakenEmail(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'people_email';
}

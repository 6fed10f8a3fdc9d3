import type { Db, Tx, UsersTable } from '../../platform/database/schema.ts';

type Change = Partial<Omit<UsersTable, 'account_id' | 'user_id' | 'created_at'>>;

export async function insert(tx: Tx, account_id: string, user: Omit<UsersTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('users')
    .values({ account_id, ...user })
    .execute();
}

/** All users of the account, in the order they were added. */
export async function list(db: Db, account_id: string): Promise<UsersTable[]> {
  return db.selectFrom('users').selectAll().where('account_id', '=', account_id).orderBy('user_id').execute();
}

export async function find(db: Db | Tx, account_id: string, user_id: string): Promise<UsersTable | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/** The ids of the owners who can sign in, with their rows locked until the transaction ends. */
export async function lockOwners(tx: Tx, account_id: string): Promise<string[]> {
  const owners = await tx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', account_id)
    .where('role', '=', 'OWNER')
    .where('person_id', 'is not', null)
    .orderBy('user_id')
    .forUpdate()
    .execute();
  return owners.map((owner) => owner.user_id);
}

export async function update(tx: Tx, account_id: string, user_id: string, change: Change): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx
    .updateTable('users')
    .set(change)
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .execute();
}

/** Deletes a user and, by the foreign key, their sessions in this account. */
export async function remove(tx: Tx, account_id: string, user_id: string): Promise<void> {
  await tx.deleteFrom('users').where('account_id', '=', account_id).where('user_id', '=', user_id).execute();
}

/** Sets when a user was last seen, unless the stored time is after `before`. */
export async function seen(db: Db, account_id: string, user_id: string, at: string, before: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: at })
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where((row) => row.or([row('last_seen_at', 'is', null), row('last_seen_at', '<', before)]))
    .execute();
}

// Before sign-in the account is unknown: a link identifies one user of all accounts.

/** Finds the user of an unused invitation. In a transaction, locks the row until its end. */
export async function withInvitation(db: Db | Tx, invite_hash: string, at: string): Promise<UsersTable | undefined> {
  const query = db
    .selectFrom('users')
    .selectAll()
    .where('invite_hash', '=', invite_hash)
    .where('invite_expires_at', '>', at);
  return (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
}

/** The first administrator, until they choose an email address and a password. */
export async function unnamedOwner(tx: Tx): Promise<UsersTable | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('email', 'is', null)
    .where('person_id', 'is', null)
    .where('role', '=', 'OWNER')
    .orderBy('user_id')
    .forUpdate()
    .executeTakeFirst();
}

/** Whether a change failed because another user of the account has the email address. */
export function isTakenEmail(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'users_email';
}

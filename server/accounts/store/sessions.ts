import type { Db, SessionsTable, Tx, UsersTable } from '../../platform/database/schema.ts';

export type OpenSession = Pick<SessionsTable, 'account_id' | 'user_id' | 'expires_at'> &
  Pick<UsersTable, 'name' | 'role' | 'last_seen_at'>;

export async function insert(tx: Tx, account_id: string, session: Omit<SessionsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ account_id, ...session })
    .execute();
}

/** Finds a session by the hash of its token, in any account, with the current name and role of its user. */
export async function withToken(db: Db, token_hash: string, at: string): Promise<OpenSession | undefined> {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', (on) => on.onRef('u.account_id', '=', 's.account_id').onRef('u.user_id', '=', 's.user_id'))
    .select(['s.account_id', 's.user_id', 's.expires_at', 'u.name', 'u.role', 'u.last_seen_at'])
    .where('s.token_hash', '=', token_hash)
    .where('s.expires_at', '>', at)
    .executeTakeFirst();
}

export async function extend(db: Db, account_id: string, token_hash: string, expires_at: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expires_at })
    .where('account_id', '=', account_id)
    .where('token_hash', '=', token_hash)
    .execute();
}

export async function remove(db: Db | Tx, account_id: string, token_hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', account_id).where('token_hash', '=', token_hash).execute();
}

/** Deletes expired sessions of all accounts. */
export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', at).execute();
}

import { sql } from 'kysely';
import type { Db, SessionsTable, Tx, UsersTable } from '../../platform/database/schema.ts';
import { hasFactor } from './factors.ts';

export type FoundSession = Omit<SessionsTable, 'token_hash'> &
  Pick<UsersTable, 'name' | 'role' | 'last_seen_at'> & {
    /** Whether the account requires a second factor that the person does not have. */
    lacks_factor: boolean;
  };

export async function insert(tx: Tx, account_id: string, session: Omit<SessionsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ account_id, ...session })
    .execute();
}

/** Finds a session by the hash of its token, in any account, with the current name and role of its user. */
export async function withToken(db: Db, token_hash: string, at: string): Promise<FoundSession | undefined> {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', (on) => on.onRef('u.account_id', '=', 's.account_id').onRef('u.user_id', '=', 's.user_id'))
    .innerJoin('accounts as a', 'a.account_id', 's.account_id')
    .select(sql<boolean>`a.require_second_factor and not ${hasFactor('s.person_id')}`.as('lacks_factor'))
    .select([
      's.account_id',
      's.session_id',
      's.user_id',
      's.person_id',
      's.created_at',
      's.expires_at',
      's.last_used_at',
      's.confirmed_at',
      's.ip',
      's.user_agent',
      'u.name',
      'u.role',
      'u.last_seen_at',
    ])
    .where('s.token_hash', '=', token_hash)
    .where('s.expires_at', '>', at)
    .executeTakeFirst();
}

export async function update(
  db: Db | Tx,
  account_id: string,
  session_id: string,
  change: Partial<Omit<SessionsTable, 'account_id' | 'session_id' | 'user_id' | 'person_id' | 'created_at'>>,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set(change)
    .where('account_id', '=', account_id)
    .where('session_id', '=', session_id)
    .execute();
}

/** Gives a session a new token, after its user confirmed the password; returns whether it still had the old one. */
export async function renew(
  tx: Tx,
  { account_id, token_hash }: { account_id: string; token_hash: string },
  change: { token_hash: string; confirmed_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(change)
    .where('account_id', '=', account_id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// A person's sessions, in all their accounts.

/** Continues a session in another account of its person, with a new token; returns whether it still existed. */
export async function move(
  tx: Tx,
  from: { account_id: string; session_id: string },
  to: { account_id: string; user_id: string; token_hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(to)
    .where('account_id', '=', from.account_id)
    .where('session_id', '=', from.session_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The unexpired sessions of a person, the last used first. */
export async function list(db: Db, person_id: string, at: string): Promise<SessionsTable[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('expires_at', '>', at)
    .orderBy((row) => row.fn.coalesce('last_used_at', 'created_at'), 'desc')
    .orderBy('session_id')
    .execute();
}

/** Ends the person's other sessions, or one of them; returns how many ended. */
export async function removeOthers(
  tx: Tx,
  person_id: string,
  { kept, only }: { kept: string | null; only?: string | undefined },
): Promise<number> {
  let query = tx.deleteFrom('sessions').where('person_id', '=', person_id);
  if (kept !== null) query = query.where('session_id', '!=', kept);
  if (only !== undefined) query = query.where('session_id', '=', only);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Keeps the person's newest sessions and ends the others. */
export async function removeOldest(tx: Tx, person_id: string, kept: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('session_id', 'in', (inner) =>
      inner
        .selectFrom('sessions')
        .select('session_id')
        .where('person_id', '=', person_id)
        .orderBy('created_at', 'desc')
        .offset(kept),
    )
    .execute();
}

export async function remove(db: Db | Tx, account_id: string, token_hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', account_id).where('token_hash', '=', token_hash).execute();
}

/** Ends the sessions of everyone; returns how many ended. */
export async function removeAll(tx: Tx): Promise<number> {
  return Number((await tx.deleteFrom('sessions').executeTakeFirst()).numDeletedRows);
}

/** Deletes expired sessions of all accounts. */
export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', at).execute();
}

import type { Db, Tx } from '../../platform/database/schema.ts';
import type { ConnectSessionsTable, ConnectSettingsTable } from '../../platform/database/tables/connection-tables.ts';

export async function insert(tx: Tx, account_id: string, row: Omit<ConnectSessionsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('connect_sessions')
    .values({ account_id, ...row })
    .execute();
}

export async function find(db: Db, account_id: string, session_id: string): Promise<ConnectSessionsTable | undefined> {
  return one(db, account_id, session_id).executeTakeFirst();
}

/** Like `find`; locks the row until the transaction ends. */
export async function lock(tx: Tx, account_id: string, session_id: string): Promise<ConnectSessionsTable | undefined> {
  return one(tx, account_id, session_id).forUpdate().executeTakeFirst();
}

const one = (db: Db | Tx, account_id: string, session_id: string) =>
  db
    .selectFrom('connect_sessions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('session_id', '=', session_id);

/** The session with this token, in any account. */
export async function withToken(db: Db, token_hash: string): Promise<ConnectSessionsTable | undefined> {
  return db.selectFrom('connect_sessions').selectAll().where('token_hash', '=', token_hash).executeTakeFirst();
}

export async function update(
  tx: Tx,
  account_id: string,
  session_id: string,
  changes: Partial<Pick<ConnectSessionsTable, 'uses' | 'started' | 'connections'>>,
): Promise<void> {
  await tx
    .updateTable('connect_sessions')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('session_id', '=', session_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, session_id: string): Promise<void> {
  await tx
    .deleteFrom('connect_sessions')
    .where('account_id', '=', account_id)
    .where('session_id', '=', session_id)
    .execute();
}

/** Expired sessions of all accounts that left PENDING connections. */
export async function leftOpen(
  db: Db,
  at: string,
  limit: number,
): Promise<Pick<ConnectSessionsTable, 'account_id' | 'session_id'>[]> {
  return db
    .selectFrom('connect_sessions')
    .select(['account_id', 'session_id'])
    .where('expires_at', '<=', at)
    .where('started', '<>', '{}')
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** Deletes sessions of all accounts that expired before. */
export async function removeExpired(db: Db, before: string): Promise<void> {
  await db.deleteFrom('connect_sessions').where('expires_at', '<=', before).execute();
}

/** The settings of the connect window; undefined if the account never set any. */
export async function settings(db: Db | Tx, account_id: string): Promise<ConnectSettingsTable | undefined> {
  return db.selectFrom('connect_settings').selectAll().where('account_id', '=', account_id).executeTakeFirst();
}

export async function putSettings(
  tx: Tx,
  account_id: string,
  row: Omit<ConnectSettingsTable, 'account_id'>,
): Promise<void> {
  await tx
    .insertInto('connect_settings')
    .values({ account_id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

import type { ClientMethod } from '../../../contract/states.ts';
import type { AppCredentialsTable, Db, Tx } from '../../platform/database/schema.ts';

/** Clients for one app, or for all apps. */
export async function list(db: Db, account_id: string, app?: string): Promise<AppCredentialsTable[]> {
  const all = db.selectFrom('app_credentials').selectAll().where('account_id', '=', account_id);
  return (app === undefined ? all : all.where('app', '=', app)).execute();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  app: string,
  method: ClientMethod,
): Promise<AppCredentialsTable | undefined> {
  return db
    .selectFrom('app_credentials')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('method', '=', method)
    .executeTakeFirst();
}

/** Inserts or replaces the client. */
export async function put(tx: Tx, account_id: string, row: AppCredentialsTable): Promise<void> {
  const { created_at, ...changes } = row;
  await tx
    .insertInto('app_credentials')
    .values({ ...row, account_id })
    .onConflict((conflict) => conflict.columns(['account_id', 'app', 'method']).doUpdateSet(changes))
    .execute();
}

export async function remove(tx: Tx, account_id: string, app: string, method: ClientMethod): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('app_credentials')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('method', '=', method)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function setBasic(
  db: Db,
  account_id: string,
  app: string,
  client_id: string,
  raw_basic: boolean,
): Promise<void> {
  await db
    .updateTable('app_credentials')
    .set({ raw_basic })
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('method', '=', 'OAUTH2')
    .where('client_id', '=', client_id)
    .execute();
}

/** Deletes all clients of an app. */
export async function removeOfApp(tx: Tx, account_id: string, app: string): Promise<void> {
  await tx.deleteFrom('app_credentials').where('account_id', '=', account_id).where('app', '=', app).execute();
}

import type { ClientMethod } from '../../contract/states.ts';
import type { AppCredentialsTable, Db, Tx } from './schema.ts';

/** Of one app, or of all of them. */
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

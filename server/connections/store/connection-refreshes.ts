import { sql } from 'kysely';
import { REFRESHES_KEPT } from '../../../contract/limits.ts';
import type { ConnectionRefreshesTable, Db, Tx } from '../../platform/database/schema.ts';

export type Refresh = Omit<ConnectionRefreshesTable, 'account_id' | 'connection_id'>;

/** Stores a refresh, and deletes the oldest of the connection. Does nothing if the connection was deleted. */
export async function insert(tx: Tx, account_id: string, connection_id: string, refresh: Refresh): Promise<void> {
  await sql`
    insert into connection_refreshes (account_id, connection_id, at, outcome, message)
    select account_id, connection_id, ${refresh.at}, ${refresh.outcome}, ${refresh.message} from connections
    where account_id = ${account_id} and connection_id = ${connection_id}
    on conflict do nothing
  `.execute(tx);
  await sql`
    delete from connection_refreshes where account_id = ${account_id} and connection_id = ${connection_id} and at < (
      select at from connection_refreshes where account_id = ${account_id} and connection_id = ${connection_id}
      order by at desc offset ${REFRESHES_KEPT - 1} limit 1)
  `.execute(tx);
}

/** Newest first. */
export async function list(db: Db, account_id: string, connection_id: string): Promise<Refresh[]> {
  return db
    .selectFrom('connection_refreshes')
    .select(['at', 'outcome', 'message'])
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .orderBy('at', 'desc')
    .limit(REFRESHES_KEPT)
    .execute();
}

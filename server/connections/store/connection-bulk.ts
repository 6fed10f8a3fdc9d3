import { sql } from 'kysely';
import type { ConnectionsTable, Tx } from '../../platform/database/schema.ts';
import { isAmong } from './connections.ts';

type Ids = readonly string[];

export async function remove(tx: Tx, account_id: string, ids: Ids): Promise<void> {
  await tx.deleteFrom('connections').where('account_id', '=', account_id).where(isAmong(ids)).execute();
}

/** Sets the same values on each of these connections. */
export async function update(
  tx: Tx,
  account_id: string,
  ids: Ids,
  changes: Partial<Omit<ConnectionsTable, 'account_id' | 'connection_id'>>,
): Promise<void> {
  await tx.updateTable('connections').set(changes).where('account_id', '=', account_id).where(isAmong(ids)).execute();
}

export async function setTags(
  tx: Tx,
  account_id: string,
  rows: { connection_id: string; tags: string }[],
  at: string,
): Promise<void> {
  await sql`
    update connections c set tags = r.tags, last_updated_time = ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(connection_id uuid, tags text)
    where c.account_id = ${account_id} and c.connection_id = r.connection_id
  `.execute(tx);
}

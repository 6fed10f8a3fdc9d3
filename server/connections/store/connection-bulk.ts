import { sql } from 'kysely';
import type { ConnectionsTable, Tx } from '../../platform/database/schema.ts';

type Ids = readonly string[];
const among = (ids: Ids) => sql<boolean>`connection_id = any (${ids}::uuid[])`;

export async function remove(tx: Tx, account_id: string, ids: Ids): Promise<void> {
  await tx.deleteFrom('connections').where('account_id', '=', account_id).where(among(ids)).execute();
}

/** Sets the same values on each of these connections. */
export async function update(
  tx: Tx,
  account_id: string,
  ids: Ids,
  changes: Partial<Omit<ConnectionsTable, 'account_id' | 'connection_id'>>,
): Promise<void> {
  await tx.updateTable('connections').set(changes).where('account_id', '=', account_id).where(among(ids)).execute();
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

/** Deletes the authorizations that are pending at a provider. */
export async function removeFlows(tx: Tx, account_id: string, ids: Ids): Promise<void> {
  await tx.deleteFrom('connect_flows').where('account_id', '=', account_id).where(among(ids)).execute();
}

/** Disables the triggers of connections that are being deleted; returns their IDs. */
export async function disableTriggers(tx: Tx, account_id: string, ids: Ids, at: string): Promise<string[]> {
  const rows = await tx
    .updateTable('triggers')
    .set({ status: 'DISABLED', reason: 'CONNECTION_DELETED', updated_at: at, next_fire_at: null })
    .where('account_id', '=', account_id)
    .where(among(ids))
    .returning('trigger_id')
    .execute();
  return rows.map(({ trigger_id }) => trigger_id);
}

/** Records on their triggers that these connections are unusable; returns the triggers' IDs. */
export async function failTriggers(tx: Tx, account_id: string, ids: Ids, at: string): Promise<string[]> {
  const rows = await tx
    .updateTable('triggers')
    .set({ reason: 'CONNECTION_FAILED', updated_at: at })
    .where('account_id', '=', account_id)
    .where(among(ids))
    .where((e) => e.or([e('reason', 'is', null), e('reason', '=', 'CONNECTION_FAILED')]))
    .returning('trigger_id')
    .execute();
  return rows.map(({ trigger_id }) => trigger_id);
}

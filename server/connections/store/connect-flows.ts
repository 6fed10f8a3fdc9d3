import type { ConnectFlowsTable, Db, Tx } from '../../platform/database/schema.ts';
import { isAmong } from './connections.ts';

export async function insert(tx: Tx, account_id: string, flow: Omit<ConnectFlowsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('connect_flows')
    .values({ account_id, ...flow })
    .execute();
}

/** The flow with this state, in any account. */
export async function withState(db: Db, state_hash: string, at: string): Promise<ConnectFlowsTable | undefined> {
  return db
    .selectFrom('connect_flows')
    .selectAll()
    .where('state_hash', '=', state_hash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Deletes the flow; true for exactly one of several concurrent calls. */
export async function take(db: Db, account_id: string, state_hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connect_flows')
    .where('account_id', '=', account_id)
    .where('state_hash', '=', state_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function removeOf(tx: Tx, account_id: string, connection_ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('connect_flows').where('account_id', '=', account_id).where(isAmong(connection_ids)).execute();
}

/** Deletes expired flows of all accounts. */
export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('connect_flows').where('expires_at', '<=', at).execute();
}

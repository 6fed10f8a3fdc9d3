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
    .where('next_at', 'is', null)
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

/** Reserves the next check of a device code; undefined if it is not due, or the flow has ended. */
export async function reserve(
  db: Db,
  { account_id, connection_id, state_hash }: Pick<ConnectFlowsTable, 'account_id' | 'connection_id' | 'state_hash'>,
  times: { at: string; next_at: string },
): Promise<ConnectFlowsTable | undefined> {
  return db
    .updateTable('connect_flows')
    .set({ next_at: times.next_at })
    .where('account_id', '=', account_id)
    .where('state_hash', '=', state_hash)
    .where('connection_id', '=', connection_id)
    .where('expires_at', '>', times.at)
    .where('next_at', '<=', times.at)
    .returningAll()
    .executeTakeFirst();
}

/** Delays the next check of a device code. */
export async function delay(
  db: Db,
  account_id: string,
  state_hash: string,
  sealed: string,
  next_at: string,
): Promise<void> {
  await db
    .updateTable('connect_flows')
    .set({ sealed, next_at })
    .where('account_id', '=', account_id)
    .where('state_hash', '=', state_hash)
    .execute();
}

/** The flow of a device code of this connection. */
export async function findDevice(
  db: Db,
  { account_id, connection_id, state_hash }: Pick<ConnectFlowsTable, 'account_id' | 'connection_id' | 'state_hash'>,
): Promise<ConnectFlowsTable | undefined> {
  return db
    .selectFrom('connect_flows')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('state_hash', '=', state_hash)
    .where('connection_id', '=', connection_id)
    .where('next_at', 'is not', null)
    .executeTakeFirst();
}

export async function removeOf(tx: Tx, account_id: string, connection_ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('connect_flows').where('account_id', '=', account_id).where(isAmong(connection_ids)).execute();
}

/** Deletes expired flows of all accounts. */
export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('connect_flows').where('expires_at', '<=', at).execute();
}

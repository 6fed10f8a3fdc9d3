/** Sign-ins in progress. They belong to no account: the state, which only the browser has, identifies one. */
import type { Db, SignInFlowsTable } from '../../platform/database/schema.ts';

export async function insert(db: Db, flow: SignInFlowsTable): Promise<void> {
  await db.insertInto('sign_in_flows').values(flow).execute();
}

export async function withState(db: Db, state_hash: string, at: string): Promise<SignInFlowsTable | undefined> {
  return db
    .selectFrom('sign_in_flows')
    .selectAll()
    .where('state_hash', '=', state_hash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Deletes the flow; true for exactly one of several concurrent calls. */
export async function take(db: Db, state_hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_flows')
    .where('state_hash', '=', state_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The newest identity of this browser that its member has to confirm. */
export async function pendingOf(db: Db, browser_hash: string, at: string): Promise<SignInFlowsTable | undefined> {
  return db
    .selectFrom('sign_in_flows')
    .selectAll()
    .where('browser_hash', '=', browser_hash)
    .where('pending', 'is not', null)
    .where('expires_at', '>', at)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function removeExpired(db: Db, at: string): Promise<void> {
  await db.deleteFrom('sign_in_flows').where('expires_at', '<=', at).execute();
}

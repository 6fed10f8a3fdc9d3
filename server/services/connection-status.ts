/**
 * PENDING, ACTIVE, FAILED: the only two ways a connection moves between them, each with all that hangs on it.
 *
 * Completing it makes it ACTIVE whatever it was, under the same id. It becomes FAILED when it was never completed and a
 * person or the provider said no, and when it was ACTIVE and its credentials are refused for good. One that is ACTIVE
 * stays so when somebody tries to connect it again and doesn't succeed: what it has still works. `metadata.failure` of a
 * read says why and since when. Triggers that use a FAILED connection stay as they are and say CONNECTION_FAILED.
 */
import type { AuthMethod } from '../../contract/states.ts';
import { now } from '../lib/clock.ts';
import * as flowStore from '../store/connect-flows.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable, Tx } from '../store/schema.ts';
import type { Failed } from './connect-links.ts';
import type { Services } from './context.ts';
import { type Credentials, sealCredentials } from './credentials.ts';
import { forgetUpstreams } from './upstream-cache.ts';

/** A change that stands in the transaction, and what there is to tell once it is committed. */
export type Moved = { row: ConnectionsTable; trigger_ids: string[] };

/** From here on ACTIVE with these credentials; every link and flow of before is past. */
export async function activate(
  services: Services,
  tx: Tx,
  before: ConnectionsTable,
  method: AuthMethod,
  credentials: Credentials,
  refresh_at: string | null,
): Promise<Moved> {
  const { account_id, connection_id } = before;
  const at = now();
  const changes = {
    status: 'ACTIVE' as const,
    method,
    failure: null,
    credentials: sealCredentials(services, before, credentials),
    completed_at: at,
    last_updated_time: at,
    token_expires_at: credentials.tokens?.expires_at ?? null,
    refreshed_at: credentials.tokens ? at : null,
    refresh_at,
    refresh_failing_since: null,
  };
  await store.update(tx, account_id, connection_id, changes);
  await flowStore.removeOf(tx, account_id, connection_id);
  const trigger_ids = await store.markTriggers(tx, account_id, connection_id, null, at);
  return { row: { ...before, ...changes }, trigger_ids };
}

/** From here on FAILED, with the cause in words. Its credentials stay for whoever looks into it; nothing uses them. */
export async function fail(tx: Tx, before: ConnectionsTable, failure: Failed): Promise<Moved> {
  const { account_id, connection_id } = before;
  const changes = {
    status: 'FAILED' as const,
    failure: JSON.stringify(failure),
    last_updated_time: failure.since,
    refresh_at: null,
  };
  await store.update(tx, account_id, connection_id, changes);
  const trigger_ids = await store.markTriggers(tx, account_id, connection_id, 'CONNECTION_FAILED', failure.since);
  return { row: { ...before, ...changes }, trigger_ids };
}

/** To be called after the commit: this node forgets what it knew, and open consoles hear of it. */
export function announce(
  services: Pick<Services, 'db' | 'live'>,
  { row: { account_id, connection_id, status }, trigger_ids }: Moved,
): void {
  forgetUpstreams(services.db, account_id);
  services.live.publish(account_id, { noun: 'connection', connection_id, status });
  for (const trigger_id of trigger_ids) services.live.publish(account_id, { noun: 'trigger', trigger_id });
}

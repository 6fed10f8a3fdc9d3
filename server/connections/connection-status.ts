/**
 * The transitions between PENDING, ACTIVE and FAILED, with their side effects.
 *
 * Completing a connection makes it ACTIVE from any status, under the same ID. It becomes FAILED if access is denied
 * before it was ever completed, or if it was ACTIVE and its credentials are permanently rejected. An ACTIVE connection
 * stays ACTIVE if reconnecting fails, because its credentials still work. `metadata.failure` contains the reason and
 * the time. Triggers of a FAILED connection keep their status and get the reason CONNECTION_FAILED.
 */
import type { AuthMethod } from '../../contract/states.ts';
import { now } from '../lib/clock.ts';
import type { Services } from '../platform/context.ts';
import type { ConnectionsTable, Tx } from '../platform/database/schema.ts';
import { nextCheck } from './checks/schedule.ts';
import type { Failed } from './connect/connect-links.ts';
import { type Credentials, sealCredentials } from './credentials.ts';
import * as flowStore from './store/connect-flows.ts';
import * as store from './store/connections.ts';

/** A change made in the transaction, and what to publish after the commit. */
export type Moved = { row: ConnectionsTable; trigger_ids: string[] };

/** Why the app did not confirm the saved credentials. */
export type Unconfirmed = { message: string; time: string };

/** Makes the connection ACTIVE with these credentials; invalidates all earlier links and flows. */
export async function activate(
  services: Services,
  tx: Tx,
  before: ConnectionsTable,
  method: AuthMethod,
  credentials: Credentials,
  refresh_at: string | null,
  completed_link: string,
  unconfirmed: Unconfirmed | null,
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
    last_error: null,
    unconfirmed: unconfirmed && JSON.stringify(unconfirmed),
    refusals: 0,
    completed_link,
    check_at: await nextCheck(tx, before),
    check_result: null,
    check_failures: 0,
    missing_scopes: credentials.tokens?.missing_scopes?.length
      ? JSON.stringify(credentials.tokens.missing_scopes)
      : null,
    denied_calls: 0,
    // A date of the credentials that were replaced.
    credentials_expire_at: null,
  };
  await store.update(tx, account_id, connection_id, changes);
  await flowStore.removeOf(tx, account_id, [connection_id]);
  const trigger_ids = await store.markTriggers(tx, account_id, [connection_id], null, at);
  return { row: { ...before, ...changes }, trigger_ids };
}

/** Makes the connection FAILED, with the reason. Its credentials are retained for diagnosis but not used. */
export async function fail(tx: Tx, before: ConnectionsTable, failure: Failed): Promise<Moved> {
  const { account_id, connection_id } = before;
  const changes = {
    status: 'FAILED' as const,
    failure: JSON.stringify(failure),
    last_updated_time: failure.since,
    refresh_at: null,
    last_error: null,
    unconfirmed: null,
    refusals: 0,
  };
  await store.update(tx, account_id, connection_id, changes);
  const trigger_ids = await store.markTriggers(tx, account_id, [connection_id], 'CONNECTION_FAILED', failure.since);
  return { row: { ...before, ...changes }, trigger_ids };
}

/** Records that the app accepted the credentials. Undefined if nothing changes. */
export async function confirm(tx: Tx, before: ConnectionsTable): Promise<Moved | undefined> {
  if (before.unconfirmed === null && before.refusals === 0) return undefined;
  const changes = { unconfirmed: null, refusals: 0 };
  await store.update(tx, before.account_id, before.connection_id, changes);
  return { row: { ...before, ...changes }, trigger_ids: [] };
}

/** Stores the error of the last attempt without changing the status; it is shown until an attempt succeeds. */
export async function noteLastError(
  tx: Tx,
  before: ConnectionsTable,
  { code, message, since }: Failed,
): Promise<Moved> {
  const last_error = JSON.stringify({ code, message, time: since });
  await store.update(tx, before.account_id, before.connection_id, { last_error });
  return { row: { ...before, last_error }, trigger_ids: [] };
}

/** To be called after the commit: evicts what this node has cached and notifies open consoles. */
export function announce(
  services: Pick<Services, 'changed'>,
  { row: { account_id, connection_id, status }, trigger_ids }: Moved,
): void {
  services.changed(account_id, { noun: 'connection', connection_id, status });
  for (const trigger_id of trigger_ids) services.changed(account_id, { noun: 'trigger', trigger_id });
}

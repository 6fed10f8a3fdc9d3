/**
 * Token refresh.
 *
 * Two callers request it: the refresher (refresher.ts), before a token expires, and calls through the gateway, after it
 * expired or after a 401. Many calls on several nodes may request it at once. A refresh token is often valid for one
 * use, and a provider that sees it a second time may revoke the whole grant, so exactly one request is sent. Within a
 * process the others await the same promise; across nodes they wait for a lock (platform/database/locks.ts) that is
 * held during the request. The holder of the lock first reads the connection again, because another node may have
 * refreshed it.
 *
 * The lock is not a row lock, because renaming the connection must not wait for a provider. It is not a lease either,
 * because a process suspended for longer than its lease would use the token a second time. If the node crashes after
 * the provider responded and before the tokens are stored, the tokens are lost; only a provider that accepts the old
 * refresh token again can prevent that.
 *
 * Results of an attempt:
 * - new tokens: stored with the time of the next refresh, if the connection has not changed since it was read;
 * - a final rejection (`ConnectFailure.final`): the connection becomes FAILED, with the reason;
 * - a temporary failure: the connection stays ACTIVE and is retried with exponential backoff, one minute to one hour.
 *   After four days of failures it becomes FAILED with REFRESH_EXHAUSTED. Calls use the token until it expires.
 */
import { REFRESH_GIVE_UP_DAYS } from '../../../contract/limits.ts';
import { systemCtx, write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { withinTime } from '../../lib/time-limit.ts';
import type { Services } from '../../platform/context.ts';
import { LOCKS_AT_ONCE } from '../../platform/database/locks.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { onHold } from '../../platform/hold.ts';
import { MissingValue } from '../apps/template.ts';
import { ConnectFailure } from '../auth-methods/auth-method.ts';
import type { MethodOf } from '../auth-methods/method-of.ts';
import { announce, fail } from '../connection-status.ts';
import { type Credentials, openCredentials, sealCredentials } from '../credentials.ts';
import * as refreshStore from '../store/connection-refreshes.ts';
import * as store from '../store/connections.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from './keyed-semaphore.ts';
import { refreshAt, retryAt } from './refresh-times.ts';

/** The state of this node's refreshes, by connection. */
export type Refreshes = {
  lanes: KeyedSemaphore;
  going: Map<string, Promise<Credentials>>;
  failed: Map<string, { atMs: number; error: unknown }>;
};
/** How long calls get the cached failure before the provider is contacted again. */
const ACCIDENT_MS = 10_000;
/** How long a call waits for a refresh in progress. */
const PATIENCE_MS = 20_000;
/** If the app rejects a token this new, expiry is not the reason. */
const YOUNG_MS = 60_000;
const STORE_TRIES = 3;
const DAY_MS = 86_400_000;

/** The credentials for a call now. Throws a 502 Failure if the tokens expired and can't be refreshed. */
export async function usableCredentials(
  services: Services,
  method: MethodOf,
  row: ConnectionsTable,
): Promise<Credentials> {
  const credentials = openCredentials(services, row);
  const { part, subject } = method;
  const hasEnded = Date.parse(row.token_expires_at ?? '') <= Date.now();
  // A token that can't be refreshed is used until it expires.
  const isTime = part.canRefresh?.(subject, credentials) === false ? hasEnded : endsSoon(row);
  if (!part.refresh || !isTime) return credentials;
  const failed = services.memory.refreshes.failed.get(row.connection_id);
  if (failed && Date.now() - failed.atMs < ACCIDENT_MS) {
    if (!hasEnded) return credentials;
    throw failed.error;
  }
  try {
    return await patiently(refreshed(services, method, row, (seen) => endsSoon(seen)));
  } catch (error) {
    if (!hasEnded && !(error instanceof ConnectFailure && error.final)) return credentials;
    throw error;
  }
}

/** New credentials after the app returned 401 for this access token. Throws if they can't be obtained. */
export async function otherCredentials(
  services: Services,
  method: MethodOf,
  row: ConnectionsTable,
  used: string,
): Promise<Credentials> {
  const fresh = await patiently(
    refreshed(
      services,
      method,
      row,
      (seen, { tokens }) => endsSoon(seen) || (tokens?.access_token === used && !isYoung(seen)),
    ),
  );
  if (fresh.tokens?.access_token === used) throw new Failure(502, 'The app rejected a new token.');
  // Another node may have refreshed them: this node's cached entry is outdated in either case.
  services.changed(row.account_id, { noun: 'credentials', connection_id: row.connection_id });
  return fresh;
}

/** Refreshes one connection that is due; does nothing if another node is refreshing it or has done so. */
export async function refreshIfDue(services: Services, method: MethodOf, row: ConnectionsTable): Promise<void> {
  const isDue = (seen: ConnectionsTable) => seen.refresh_at !== null && seen.refresh_at <= now();
  const { going, lanes } = services.memory.refreshes;
  if (going.has(row.connection_id)) return;
  try {
    await lanes.run(laneOf(row), () =>
      services.locks.holdIfFree(row.connection_id, () => refreshNow(services, method, row, isDue)),
    );
  } catch (error) {
    // The row contains the result.
    if (!(error instanceof ConnectFailure || error instanceof Failure)) throw error;
  }
}

type Needed = (row: ConnectionsTable, credentials: Credentials) => boolean;

function refreshed(services: Services, method: MethodOf, row: ConnectionsTable, needed: Needed): Promise<Credentials> {
  const { going, lanes, failed } = services.memory.refreshes;
  const { connection_id } = row;
  const before = going.get(connection_id);
  if (before !== undefined) return before;
  const work = lanes.run(laneOf(row), () =>
    services.locks.hold(connection_id, () => refreshNow(services, method, row, needed)),
  );
  going.set(connection_id, work);
  work
    .then(
      () => failed.delete(connection_id),
      (error: unknown) => {
        if (failed.size > 10_000) failed.clear();
        failed.set(connection_id, { atMs: Date.now(), error });
      },
    )
    .finally(() => going.delete(connection_id));
  return work;
}

const laneOf = ({ account_id, app }: ConnectionsTable) => `${account_id} ${app}`;

/** Runs under the lock: no other request to the provider for this connection. */
async function refreshNow(
  services: Services,
  { part, subject }: MethodOf,
  { account_id, connection_id }: ConnectionsTable,
  needed: Needed,
): Promise<Credentials> {
  const row = await store.find(services.db, account_id, connection_id);
  if (row?.status !== 'ACTIVE') throw new Failure(400, `The connection ${connection_id} is not ACTIVE any more.`);
  const credentials = openCredentials(services, row);
  if (!part.refresh || !needed(row, credentials)) return credentials;
  if (services.hold.current()) throw onHold();
  let fresh: Credentials;
  try {
    fresh = await part.refresh(services, subject, credentials);
  } catch (error) {
    services.measures.count('token_refreshes', { outcome: isFinal(error) ? 'rejected' : 'failed' });
    throw await noteFailure(services, row, error);
  }
  services.measures.count('token_refreshes', { outcome: 'refreshed' });
  return keep(services, { part, subject }, row, fresh);
}

const isFinal = (error: unknown) => error instanceof ConnectFailure && error.final;

/** Stores new tokens, unless the connection was completed again or deleted meanwhile. */
async function keep(
  services: Services,
  method: MethodOf,
  row: ConnectionsTable,
  fresh: Credentials,
): Promise<Credentials> {
  const { account_id, connection_id } = row;
  const changes = {
    credentials: sealCredentials(services, row, fresh),
    token_expires_at: fresh.tokens?.expires_at ?? null,
    refreshed_at: now(),
    refresh_at: refreshAt(method, fresh),
    refresh_failing_since: null,
  };
  const write = () =>
    services.db.transaction().execute(async (tx) => {
      const current = await store.lock(tx, account_id, connection_id);
      if (current?.credentials !== row.credentials) return current;
      await store.update(tx, account_id, connection_id, changes);
      const refresh = { at: changes.refreshed_at, outcome: 'REFRESHED' as const, message: null };
      await refreshStore.insert(tx, account_id, connection_id, refresh);
      return { ...row, ...changes };
    });
  // The old refresh token may already be invalid, so a brief database error must not lose the new one.
  for (let tries = 1; ; tries++) {
    try {
      const stored = await write();
      if (stored?.status !== 'ACTIVE')
        throw new Failure(400, `The connection ${connection_id} is not ACTIVE any more.`);
      services.changed(account_id, { noun: 'connection', connection_id, status: stored.status });
      return openCredentials(services, stored);
    } catch (error) {
      if (tries === STORE_TRIES || error instanceof Failure) throw error;
      await new Promise((ok) => setTimeout(ok, 500 * tries));
    }
  }
}

/** Stores the failure of an attempt; returns the error for the waiting caller. */
async function noteFailure(services: Services, row: ConnectionsTable, thrown: unknown): Promise<unknown> {
  const { account_id, connection_id } = row;
  const error = toConnectFailure(thrown);
  if (error !== thrown) services.log.error({ err: thrown, connection_id }, 'token refresh failed unexpectedly');
  const since = now();
  const failing_since = failingSince(row, since);
  const exhausted = Date.parse(since) - Date.parse(failing_since) >= REFRESH_GIVE_UP_DAYS * DAY_MS;
  const reason = error.cause instanceof Error ? error.cause.message : undefined;
  services.log.warn({ connection_id, code: error.code, final: error.final, reason }, 'tokens could not be refreshed');
  if (!error.final && !exhausted) {
    const changes = { refresh_failing_since: failing_since, refresh_at: retryAt(failing_since) };
    const refresh = { at: since, outcome: 'FAILED' as const, message: error.message };
    await services.db.transaction().execute(async (tx) => {
      await store.updateIf(tx, account_id, connection_id, row.credentials, changes);
      await refreshStore.insert(tx, account_id, connection_id, refresh);
    });
    return new Failure(502, `The app’s token could not be refreshed: ${error.message}`);
  }
  const failure = error.final
    ? { code: error.code, message: error.message, since }
    : { code: 'REFRESH_EXHAUSTED' as const, message: `For ${REFRESH_GIVE_UP_DAYS} days: ${error.message}`, since };
  const moved = await write(systemCtx(services, account_id, 'Refresher', 'connectionRefresh'), async (tx, about) => {
    about(connection_id);
    const current = await store.lock(tx, account_id, connection_id);
    if (current?.status !== 'ACTIVE' || current.credentials !== row.credentials) return undefined;
    const refresh = { at: since, outcome: 'REJECTED' as const, message: failure.message };
    await refreshStore.insert(tx, account_id, connection_id, refresh);
    return fail(tx, current, failure);
  });
  if (moved) announce(services, moved);
  return error.final ? error : new ConnectFailure(failure.code, failure.message, { cause: error.cause });
}

/** An unexpected error is treated as temporary: the refresh is retried later, when the cause may be fixed. */
function toConnectFailure(error: unknown): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  const message =
    error instanceof MissingValue
      ? `The app was changed, and ${error.message} here: connect it again.`
      : 'Internal error.';
  return new ConnectFailure('APP_CONFIG', message, { final: false });
}

/** The time of the first of the current failures. After downtime, one more attempt precedes REFRESH_EXHAUSTED. */
function failingSince({ refresh_failing_since, refresh_at }: ConnectionsTable, at: string): string {
  const overdueMs = refresh_at === null ? 0 : Date.parse(at) - Date.parse(refresh_at);
  return refresh_failing_since === null || overdueMs > DAY_MS ? at : refresh_failing_since;
}

function endsSoon({ token_expires_at, refreshed_at }: ConnectionsTable): boolean {
  if (token_expires_at === null) return false;
  const endsMs = Date.parse(token_expires_at);
  const livesMs = endsMs - Date.parse(refreshed_at ?? token_expires_at);
  return endsMs - Date.now() <= Math.min(60_000, livesMs / 4);
}

const isYoung = ({ refreshed_at }: ConnectionsTable) =>
  refreshed_at !== null && Date.now() - Date.parse(refreshed_at) < YOUNG_MS;

const patiently = <T>(work: Promise<T>): Promise<T> =>
  withinTime(
    work,
    PATIENCE_MS,
    () => new Failure(504, 'The app’s token is being refreshed, and the provider did not respond in time.'),
  );

export const createRefreshes = (): Refreshes => ({
  lanes: createKeyedSemaphore({ total: LOCKS_AT_ONCE, each: LOCKS_AT_ONCE / 2 }),
  going: new Map(),
  failed: new Map(),
});

/**
 * Counts consecutive 401 responses per key-based connection, and fails the connection at the third.
 *
 * Such a connection has nothing to refresh: API_KEY, BASIC, a JWT signed here, the static token of an MCP server. The
 * count is a column of the connection, so all nodes share it; every other response of the app resets it to 0. A node
 * without a 401 writes nothing: the count that it read with the connection is 0, and a change invalidates that cached
 * entry on every node. One statement runs at a time per connection; responses meanwhile are added to the next one.
 *
 * At the third 401 the app's probe is sent first, if it has one: an endpoint that returns 401 to every caller must not
 * fail a working key. Unless the probe returns 2xx, the connection becomes FAILED with INVALID_CREDENTIALS. Callers
 * always get the app's 401 unchanged.
 */

import { systemCtx, write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import { findApp } from './apps/apps.ts';
import { announce, fail } from './connection-status.ts';
import { probeCredentials } from './credential-probe.ts';
import * as store from './store/connections.ts';
import type { Upstream } from './upstream/upstream.ts';

/** Consecutive 401 responses that fail a connection. */
export const REFUSALS_MAX = 3;
/** Minimum time between a successful probe and the next one. */
const CONFIRMED_FOR_MS = 60_000;

type Count = {
  /** The stored count, as last read by this node. */
  stored: number;
  /** 401 responses since the last statement, counted after the last other response. */
  refused: number;
  /** Whether another response arrived since the last statement. */
  isReset: boolean;
  /** Whether one of those was 2xx. */
  isConfirmed: boolean;
  writing: boolean;
};
type Watched = Pick<
  ConnectionsTable,
  'account_id' | 'connection_id' | 'app' | 'completed_at' | 'refusals' | 'unconfirmed'
>;

/** Counters of this node, by connection. */
export type Refusals = {
  counts: Map<string, Count>;
  /** Time of the last successful probe, by performance.now(). */
  confirmedAtMs: Map<string, number>;
};

export const createRefusals = (): Refusals => ({ counts: new Map(), confirmedAtMs: new Map() });

/** Records the status of each response of the app to a call with these credentials. */
export function watchRefusals(services: Services, row: Watched, upstream: Upstream): (status: number) => void {
  const { counts } = services.memory.refusals;
  return (status) => {
    const isSuccess = status >= 200 && status < 300;
    let count = counts.get(row.connection_id);
    if (!count) {
      if (status !== 401 && row.refusals === 0 && !(isSuccess && row.unconfirmed !== null)) return;
      count = { stored: row.refusals, refused: 0, isReset: false, isConfirmed: false, writing: false };
      counts.set(row.connection_id, count);
    }
    if (status === 401) count.refused++;
    else {
      count.refused = 0;
      count.isReset = true;
      count.isConfirmed ||= isSuccess;
    }
    if (count.writing) return;
    count.writing = true;
    void settle(services, row, upstream, count)
      .catch((error: unknown) =>
        services.log.warn({ ...errorFields(error) }, 'rejected credentials could not be counted'),
      )
      .finally(() => {
        count.writing = false;
        if (count.stored === 0) counts.delete(row.connection_id);
      });
  };
}

/** Writes until nothing is pending. */
async function settle(services: Services, row: Watched, upstream: Upstream, count: Count): Promise<void> {
  const { account_id, connection_id, completed_at } = row;
  while (count.refused > 0 || count.isReset) {
    const { refused, isReset, isConfirmed } = count;
    Object.assign(count, { refused: 0, isReset: false, isConfirmed: false });
    const seen = { refused, isReset, isConfirmed };
    const stored = await store.countRefusals(services.db, account_id, connection_id, completed_at, seen);
    // Reconnected, FAILED or deleted meanwhile: the count belongs to other credentials.
    count.stored = stored ?? 0;
    services.changed(
      account_id,
      isConfirmed ? { noun: 'connection', connection_id, status: 'ACTIVE' } : { noun: 'credentials', connection_id },
    );
    if (count.stored < REFUSALS_MAX) continue;
    if (await isConfirmedByProbe(services, row, upstream)) count.isReset = true;
    else {
      await end(services, row);
      count.stored = 0;
      return;
    }
  }
}

async function isConfirmedByProbe(services: Services, row: Watched, upstream: Upstream): Promise<boolean> {
  const confirmed = services.memory.refusals.confirmedAtMs;
  const atMs = confirmed.get(row.connection_id);
  if (atMs !== undefined && performance.now() - atMs < CONFIRMED_FOR_MS) return true;
  confirmed.delete(row.connection_id);
  const definition = (await findApp(services, row.account_id, row.app))?.definition;
  if (!definition?.probe || upstream.mcp) return false;
  const { app, name, probe } = definition;
  const { ok } = await probeCredentials(services, row.account_id, { app, name, probe }, upstream);
  if (ok) confirmed.set(row.connection_id, performance.now());
  return ok === true;
}

async function end(services: Services, { account_id, connection_id, app, completed_at }: Watched): Promise<void> {
  const name = (await findApp(services, account_id, app))?.definition.name ?? app;
  const message = `${name} returned 401 for the last ${REFUSALS_MAX} calls: it no longer accepts these credentials.`;
  const moved = await write(systemCtx(services, account_id, 'Gateway', 'connectionRefused'), async (tx, about) => {
    about(connection_id);
    const before = await store.lock(tx, account_id, connection_id);
    if (before?.status !== 'ACTIVE' || before.completed_at !== completed_at || before.refusals < REFUSALS_MAX)
      return undefined;
    return fail(tx, before, { code: 'INVALID_CREDENTIALS', message, since: now() });
  });
  if (moved) announce(services, moved);
}

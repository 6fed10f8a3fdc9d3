/**
 * The worker that checks the credentials of connections on a schedule; see schedule.ts.
 *
 * Due connections are leased by moving the time of their check forward, so that each is checked by one node, and again
 * if that node stops. A node checks at most two connections of an app at a time. The result is part of the connection's
 * health. It is no call: neither the log of calls nor the time of the last use has it. A rejection of entered
 * credentials (401, twice) makes the connection FAILED, as a test does.
 */
import { systemCtx, write } from '../../accounts/write.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { findApp } from '../apps/apps.ts';
import type { Probe } from '../apps/definition.ts';
import { CHECK_FAILURES_MIN, type CheckResult } from '../connection-attention.ts';
import { announce, confirm, fail } from '../connection-status.ts';
import { type ProbeResult, probeCredentials } from '../credential-probe.ts';
import * as store from '../store/connection-checks.ts';
import * as connectionStore from '../store/connections.ts';
import { chooseUnused } from '../upstream/choose.ts';
import { nextCheck } from './schedule.ts';

const BATCH = 16;
/** Connections of an app that a node checks at a time. */
const EACH = 2;
const LEASE_MS = 5 * 60_000;
const MIN_WAIT_MS = 1_000;

export function createChecker(services: Services): Worker {
  return createLoop({ name: 'checker', log: services.log, everyMs: 60_000, work: () => checkDue(services) });
}

/** Checks the connections that are due; returns the milliseconds until the next. */
async function checkDue(services: Services): Promise<number | undefined> {
  const due = await store.claim(services.db, fromNow(LEASE_MS), { limit: BATCH, each: EACH });
  await Promise.all(
    due.map((row) =>
      check(services, row).catch((error: unknown) =>
        services.log.warn(
          { ...errorFields(error), connection_id: row.connection_id },
          'connection could not be checked',
        ),
      ),
    ),
  );
  if (due.length > 0) return 0;
  const next = await store.nextAt(services.db);
  return next === null ? undefined : Math.max(MIN_WAIT_MS, Date.parse(next) - Date.now());
}

async function check(services: Services, row: ConnectionsTable): Promise<void> {
  const { account_id, connection_id } = row;
  const app = (await findApp(services, account_id, row.app))?.definition;
  // The app may have lost its check since.
  if (!app?.probe) return store.finish(services.db, row, { check_at: null });
  const found = await ask(services, row, app.name, app.probe);
  const { ok, status, message } = found;
  const result: CheckResult = { at: now(), ok, status, message };
  const failures =
    ok === true ? 0 : ok === false ? Math.max(row.check_failures + 1, CHECK_FAILURES_MIN) : row.check_failures + 1;
  const changes = {
    check_at: await nextCheck(services.db, row),
    check_result: JSON.stringify(result),
    check_failures: failures,
  };
  await store.finish(services.db, row, changes);
  if (found.isFinal || (ok === true && row.unconfirmed !== null)) await move(services, row, found);
  const noun =
    failures >= CHECK_FAILURES_MIN === row.check_failures >= CHECK_FAILURES_MIN ? 'connection_use' : 'connection';
  services.changed(account_id, { noun, connection_id, status: row.status });
}

type Found = Pick<ProbeResult, 'ok' | 'status' | 'message'> & { isFinal: boolean };

async function ask(services: Services, row: ConnectionsTable, name: string, probe: Probe): Promise<Found> {
  try {
    const upstream = await chooseUnused(services, row.account_id, row.app, row.connection_id);
    const given = { app: row.app, name, probe };
    const found = await probeCredentials(services, row.account_id, given, upstream, undefined, { isLogged: false });
    return { ...found, isFinal: found.refused && !upstream.refresh };
  } catch (error) {
    // Its token can't be refreshed, or its app was changed.
    if (!(error instanceof Failure)) throw error;
    return { ok: null, status: null, message: error.message, isFinal: false };
  }
}

/** Fails or confirms the connection, unless its credentials were replaced meanwhile. */
async function move(services: Services, seen: ConnectionsTable, { isFinal, message }: Found): Promise<void> {
  const { account_id, connection_id } = seen;
  const moved = await write(systemCtx(services, account_id, 'Checker', 'connectionCheck'), async (tx, about) => {
    about(connection_id);
    const before = await connectionStore.lock(tx, account_id, connection_id);
    if (before?.status !== 'ACTIVE' || before.completed_at !== seen.completed_at) return undefined;
    return isFinal ? fail(tx, before, { code: 'INVALID_CREDENTIALS', message, since: now() }) : confirm(tx, before);
  });
  if (moved) announce(services, moved);
}

import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { findApp } from '../apps/apps.ts';
import { methodOf } from '../auth-methods/method-of.ts';
import * as store from '../store/connections.ts';
import { refreshIfDue } from './token-refresh.ts';

const BATCH = 16;
/** Limit per app, so that a hanging provider does not block the others. */
const EACH = 4;
const MIN_WAIT_MS = 1_000;

/** Refreshes the connections that are due; returns the milliseconds until the next. */
export async function refreshDue(services: Services): Promise<number | undefined> {
  const due = await store.dueForRefresh(services.db, now(), { limit: BATCH, each: EACH });
  await Promise.all(
    due.map((row) =>
      refresh(services, row).catch((error: unknown) =>
        services.log.error({ err: error, connection_id: row.connection_id }, 'connection could not be refreshed'),
      ),
    ),
  );
  const next = await store.nextRefreshAt(services.db);
  return next === null ? undefined : Math.max(MIN_WAIT_MS, Date.parse(next) - Date.now());
}

async function refresh(services: Services, row: ConnectionsTable): Promise<void> {
  const app = await findApp(services, row.account_id, row.app);
  const method = app && methodOf(app, row, row.method);
  // Without its app or method nothing can be refreshed; the next use of the connection checks again.
  if (!method?.part.refresh) return store.dontRefresh(services.db, row.account_id, row.connection_id);
  await refreshIfDue(services, method, row);
}

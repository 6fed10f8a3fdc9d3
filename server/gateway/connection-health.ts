import type { Input, Reply } from '../../contract/operations.ts';
import * as refreshStore from '../connections/store/connection-refreshes.ts';
import * as connectionStore from '../connections/store/connections.ts';
import { notFound } from '../lib/failure.ts';
import { msOf } from '../lib/ids.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import type { GatewayCallsTable } from '../platform/database/schema.ts';
import * as store from './store/gateway-calls.ts';

/** The last call that succeeded, the last that failed with its cause, and the refreshes of the tokens. */
export async function get(ctx: Ctx, { params }: Input<'connectionHealth'>): Promise<Reply<'connectionHealth'>> {
  const { db, account_id } = ctx;
  const { connection_id } = params;
  const row = await connectionStore.find(db, account_id, connection_id);
  if (!row) throw notFound('Connection');
  const [success, failure, refreshes] = await Promise.all([
    store.lastOf(db, account_id, connection_id, 'succeeded'),
    store.lastOf(db, account_id, connection_id, 'failed'),
    refreshStore.list(db, account_id, connection_id),
  ]);
  return {
    last_success: success ? describe(success) : null,
    last_error: failure ? { ...describe(failure), message: causeOf(failure) } : null,
    token_expires_at: row.token_expires_at,
    refresh_failing_since: row.refresh_failing_since,
    refreshes,
  };
}

const describe = ({ call_id, method, path, status }: GatewayCallsTable) => ({
  call_id,
  at: timestampOf(msOf(call_id)),
  method,
  path,
  status,
});

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The app rejected the request as invalid (400).',
  401: 'The app rejected the credentials (401).',
  403: 'The app accepted the credentials, but they may not do this (403).',
  404: 'The app has nothing at this path (404).',
  408: 'The app did not receive the request in time (408).',
  409: 'The request conflicts with the state of the app (409).',
  413: 'The request is too large for the app (413).',
  422: 'The app could not process the values of the request (422).',
  429: 'The app limits the rate of requests (429).',
  502: 'The app’s own server could not be reached (502).',
  503: 'The app is temporarily unavailable (503).',
  504: 'The app’s own server did not respond in time (504).',
};

function causeOf({ status, error }: GatewayCallsTable): string {
  if (status === null) return error ?? 'The app did not respond.';
  if (status < 400 && error !== null) return error;
  const kind = status >= 500 ? 'The app failed' : 'The app rejected the request';
  return MEANINGS[status] ?? `${kind} (${status}).`;
}

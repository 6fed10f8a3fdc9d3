/**
 * Authorization at a provider: the redirect to the provider's page, and the callback.
 *
 * The redirect inserts a row with the connection, the method's data (a PKCE verifier, the secret of a request token;
 * sealed), the link it started from, and hashes of the `state` and of the browser. `state` identifies the flow of a
 * callback; the browser's cookie proves that it is the same browser. A callback is processed once: its row is deleted
 * before any request to the provider. In every case the browser is redirected to the connect window only.
 *
 * A callback without a flow of this browser ends at the window with `?problem=`: `unknown_return` (unknown, used or
 * expired state) or `other_browser` (started in another browser; the flow stays open there).
 */
import { timingSafeEqual } from 'node:crypto';
import { CONNECT_SESSION_MINUTES } from '../../../contract/limits.ts';
import type { AuthMethod } from '../../../contract/states.ts';
import { write } from '../../accounts/write.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { ConnectFlowsTable, ConnectionsTable, Tx } from '../../platform/database/schema.ts';
import type { SealedPlace } from '../../platform/vault/vault.ts';
import { findApp } from '../apps/apps.ts';
import { AppMistake } from '../apps/compile.ts';
import { type Begun, ConnectFailure } from '../auth-methods/auth-method.ts';
import { type MethodOf, methodOf, targetOf } from '../auth-methods/method-of.ts';
import { activate, announce, fail, noteLastError, type Unconfirmed } from '../connection-status.ts';
import type { Credentials } from '../credentials.ts';
import { refreshAt } from '../refresh/refresh-times.ts';
import * as store from '../store/connect-flows.ts';
import * as connectionStore from '../store/connections.ts';
import { type Failed, failedUrl, finishedUrl, type Link, linkId } from './connect-links.ts';
import { holdUse, takeUse } from './session-uses.ts';

type Kept = { link: Link; keep: Record<string, unknown> };
/** A callback: the query of the callback URL, and the value of the browser's cookie. */
export type Return = Pick<Ctx, 'request_id' | 'ip'> & { query: URLSearchParams; browser: string | undefined };

export const USED = 'This connect link was already used, or was replaced by a newer one.';

/** Stores the flow before this browser is redirected to the provider. */
export async function startAuthorization(
  ctx: Ctx,
  tx: Tx,
  link: Link,
  method: AuthMethod,
  { state, keep }: Extract<Begun, { kind: 'redirect' }>,
): Promise<void> {
  const state_hash = hashToken(state);
  const kept: Kept = { link: { ...link, outcome: null }, keep };
  await store.insert(tx, ctx.account_id, {
    state_hash,
    connection_id: link.connection_id,
    method,
    browser_hash: hashToken(ctx.browser ?? ''),
    sealed: ctx.vault.seal(placeOf({ account_id: ctx.account_id, state_hash }), JSON.stringify(kept)),
    expires_at: fromNow(CONNECT_SESSION_MINUTES * 60_000),
    next_at: null,
  });
}

/** Processes the callback of a provider; returns the URL to redirect the browser to. */
export async function handleCallback(services: Services, visit: Return): Promise<string> {
  const flow = await takeFlow(services, visit);
  if (typeof flow === 'string') return `${services.settings.addresses.connect_url}?problem=${flow}`;
  const { account_id, connection_id } = flow;
  const { keep, ...kept } = JSON.parse(services.vault.open(placeOf(flow), flow.sealed)) as Kept;
  // Flows that began before an upgrade have no session.
  const link: Link = { ...kept.link, session_id: kept.link.session_id ?? null };
  const ctx: Ctx = {
    ...services,
    account_id,
    actor: { type: 'CONNECT_LINK', id: connection_id, name: 'connect link', role: 'VIEWER' },
    operation: 'connectSessionReturn',
    request_id: visit.request_id,
    ip: visit.ip,
  };
  try {
    const row = await connectionStore.find(ctx.db, account_id, connection_id);
    if (!row || row.completed_at !== link.completed_at) throw badRequest(USED);
    const known = await knownMethod(ctx, row, flow.method);
    if (!known.part.finish) throw new Error(`${flow.method} began a flow that it can't finish`);
    const credentials = await known.part.finish(ctx, known.subject, keep, visit.query);
    return finishedUrl(ctx, await complete(ctx, link, known, credentials), link);
  } catch (error) {
    return failedUrl(ctx, link, await noteFailure(ctx, link, error));
  }
}

async function takeFlow(
  { db }: Services,
  { query, browser }: Return,
): Promise<ConnectFlowsTable | 'unknown_return' | 'other_browser'> {
  // OAuth 1 has no state: the request token replaces it. Some providers call it `denied` if access was denied.
  const state = query.get('state') ?? query.get('oauth_token') ?? query.get('denied');
  const flow = state ? await store.withState(db, hashToken(state), now()) : undefined;
  if (!flow) return 'unknown_return';
  if (!timingSafeEqual(Buffer.from(hashToken(browser ?? '')), Buffer.from(flow.browser_hash))) return 'other_browser';
  return (await store.take(db, flow.account_id, flow.state_hash)) ? flow : 'unknown_return';
}

/** The method of the connection's app. The definition may have changed since a flow began. */
export async function knownMethod(ctx: Ctx, row: ConnectionsTable, method: AuthMethod): Promise<MethodOf> {
  const app = await findApp(ctx, ctx.account_id, row.app);
  const known = app && methodOf(app, row, method);
  if (!known) throw new ConnectFailure('APP_CONFIG', `${row.app} no longer supports this method.`);
  return known;
}

/** Makes the connection ACTIVE with these credentials. 400 if the link was used or replaced meanwhile. */
export async function complete(
  ctx: Ctx,
  link: Link,
  known: MethodOf,
  credentials: Credentials,
  unconfirmed: Unconfirmed | null = null,
): Promise<ConnectionsTable> {
  try {
    await targetOf(known, credentials);
  } catch (error) {
    // Each field may be valid and the resulting URL invalid, or the provider returned an invalid URL.
    if (error instanceof AppMistake) throw new ConnectFailure('EXCHANGE_FAILED', error.message);
    throw error;
  }
  const moved = await write(ctx, async (tx, about) => {
    about(link.connection_id);
    const session = await holdUse(tx, link);
    const before = await connectionStore.lock(tx, ctx.account_id, link.connection_id);
    // Two users may have the same link: the second one gets an error.
    if (!before || before.completed_at !== link.completed_at) throw badRequest(USED);
    const { method } = known.subject.definition;
    if (session) await takeUse(tx, session, before);
    return activate(ctx, tx, before, method, credentials, refreshAt(known, credentials), linkId(link), unconfirmed);
  });
  announce(ctx, moved);
  return moved.row;
}

/**
 * Stores why an attempt failed, and returns it as text. A final failure makes the connection FAILED, unless it is
 * ACTIVE. Otherwise its status does not change, and `last_error` contains the failure.
 */
export async function noteFailure(ctx: Ctx, link: Link, error: unknown): Promise<Failed> {
  const since = now();
  if (error instanceof Failure) return { code: 'EXCHANGE_FAILED', message: error.message, since };
  if (!(error instanceof ConnectFailure)) {
    ctx.log.error({ err: error, request_id: ctx.request_id }, 'connection could not be completed');
    const message = 'Internal error. Try again.';
    return storeFailure(ctx, link, { code: 'EXCHANGE_FAILED', message, since }, false);
  }
  const { code, message, final, cause } = error;
  const reason = cause instanceof Error ? cause.message : undefined;
  ctx.log.info({ connection_id: link.connection_id, code, final, reason }, 'connection was not completed');
  return storeFailure(ctx, link, { code, message, since }, final);
}

/** `isFinal`: a connection that is not ACTIVE becomes FAILED. */
export async function storeFailure(ctx: Ctx, link: Link, failed: Failed, isFinal: boolean): Promise<Failed> {
  const moved = await write(ctx, async (tx, about) => {
    about(link.connection_id);
    const before = await connectionStore.lock(tx, ctx.account_id, link.connection_id);
    if (!before || before.completed_at !== link.completed_at) return undefined;
    return isFinal && before.status !== 'ACTIVE' ? fail(tx, before, failed) : noteLastError(tx, before, failed);
  });
  if (moved) announce(ctx, moved);
  return failed;
}

/** Deletes expired flows. */
export const sweepFlows = ({ db }: Services): Promise<void> => store.removeExpired(db, now());

export const placeOf = ({ account_id, state_hash }: { account_id: string; state_hash: string }): SealedPlace => ({
  account_id,
  table: 'connect_flows',
  row: state_hash,
  field: 'sealed',
});

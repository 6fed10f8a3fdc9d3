/** What depends on a connection, which its deletion would break, and the replacement by another. */
import { CONNECTION_TRIGGERS_MAX } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { forgetSecrets } from '../accounts/api-keys.ts';
import { requireConfirmation } from '../accounts/auth.ts';
import { assertWithinOwnRights, readLimits, storedLimits } from '../accounts/key-limits.ts';
import * as keyStore from '../accounts/store/api-keys.ts';
import * as auditStore from '../accounts/store/audit.ts';
import { type About, auditEntry, write } from '../accounts/write.ts';
import * as connectionStore from '../connections/store/connections.ts';
import * as destinationStore from '../deliveries/store/destinations/destinations.ts';
import { destinationsOf } from '../deliveries/targets/connection.ts';
import { grantsOf, mayGrant } from '../functions/gateway-grants.ts';
import * as functionStore from '../functions/store/functions.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, forbidden, notFound } from '../lib/failure.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import type { ConnectionsTable, Tx } from '../platform/database/schema.ts';
import { settleMoved, useConnection } from '../triggers/move-connection.ts';
import * as store from './store/connection-uses.ts';

const TRIGGERS_SHOWN = 200;
const DESTINATIONS_SHOWN = 200;
const DAYS_MS = 7 * 86_400_000;
const LOOKED_CALLS = 100_000;

/** The triggers, destinations, functions and API keys that use a connection, and what calls without its ID use after its deletion. */
export async function list(ctx: Ctx, { params }: Input<'connectionUses'>): Promise<Reply<'connectionUses'>> {
  const { db, account_id } = ctx;
  const { connection_id } = params;
  const row = await connectionStore.find(db, account_id, connection_id);
  if (!row) throw notFound('Connection');
  const since_ms = Date.now() - DAYS_MS;
  const [triggers, counts, destinations, granted, limited, callers, used, next] = await Promise.all([
    store.triggers(db, account_id, connection_id, TRIGGERS_SHOWN),
    connectionStore.countTriggers(db, account_id, [connection_id]),
    destinationsOf(ctx, connection_id, DESTINATIONS_SHOWN),
    store.grantedFunctions(db, account_id, connection_id),
    store.limitedKeys(db, account_id, connection_id),
    store.callers(db, account_id, connection_id, { since_ms, looked: LOOKED_CALLS }),
    connectionStore.findForApp(db, account_id, row.app),
    connectionStore.findForApp(db, account_id, row.app, connection_id),
  ]);
  const isDefault = used?.connection_id === connection_id;
  return {
    since: timestampOf(since_ms),
    triggers,
    trigger_count: counts.get(connection_id) ?? 0,
    destinations,
    functions: together(granted, callers, 'function').map(({ id, isNamed, ...rest }) => ({
      function_id: id,
      is_granted: isNamed,
      ...rest,
    })),
    api_keys: together(limited, callers, 'key').map(({ id, isNamed, ...rest }) => ({
      key_id: id,
      is_limited: isNamed,
      ...rest,
    })),
    is_used_by_default: isDefault,
    next_default: isDefault && next ? { connection_id: next.connection_id, name: next.name } : null,
  };
}

/** Those that name the connection and those that called with it, once each. */
function together(naming: store.Named[], callers: store.Caller[], kind: store.Caller['kind']) {
  const calling = callers.filter((each) => each.kind === kind);
  const names = new Map([...naming, ...calling].map(({ id, name }) => [id, name]));
  return [...names].map(([id, name]) => ({
    id,
    name,
    isNamed: naming.some((each) => each.id === id),
    calls: calling.find((each) => each.id === id)?.calls ?? 0,
  }));
}

/**
 * Makes everything that uses a connection use another one of the same app, in one transaction: triggers with their
 * webhook registrations, destinations, grants of functions, limits of API keys, and the default of the app. The replaced connection
 * remains, unused. 400 unless the other one is ACTIVE; 403 if the caller may not change the keys, functions or destinations.
 */
export async function replace(
  ctx: Ctx,
  { params, body }: Input<'connectionReplace'>,
): Promise<Reply<'connectionReplace'>> {
  const from = params.connection_id;
  const to = body.connection_id;
  if (from === to) throw badRequest('connection_id: expected another connection');
  const { result, hooks } = await write(ctx, async (tx, about) => {
    const rows = await lockBoth(tx, ctx.account_id, from, to);
    const moved = await useConnection(ctx, tx, { from, to, limit: CONNECTION_TRIGGERS_MAX });
    if (!moved)
      throw conflict(`More than ${CONNECTION_TRIGGERS_MAX} triggers use this connection: change some of them first.`);
    for (const change of moved.changes) about(from, change);
    const destinations = await moveDestinations(ctx, tx, about, from, to);
    const functions = await moveGrants(ctx, tx, about, from, to);
    const keys = await moveLimits(ctx, tx, about, from, to);
    const became_default = await moveDefault(tx, rows);
    const touched = [
      ...[to].map((id) => ['connectionReplace', id] as const),
      ...moved.trigger_ids.map((id) => ['triggerUpdate', id] as const),
      ...destinations.map((id) => ['destinationUpdate', id] as const),
      ...functions.map((id) => ['functionUpdate', id] as const),
      ...keys.map((id) => ['apiKeyUpdate', id] as const),
    ];
    await auditStore.insertAll(
      tx,
      ctx.account_id,
      touched.map(([operation, id]) => auditEntry({ ...ctx, operation }, id)),
    );
    for (const { connection_id, status } of [rows.other, rows.row])
      about(connection_id, { noun: 'connection', connection_id, status });
    const result = {
      triggers: moved.trigger_ids.length,
      destinations: destinations.length,
      functions: functions.length,
      api_keys: keys.length,
      became_default,
    };
    return { result, hooks: moved.hooks };
  });
  await settleMoved(ctx, hooks);
  return result;
}

type Both = { row: ConnectionsTable; other: ConnectionsTable };

/** Locks both in order of ID, so that two replacements can't deadlock. */
async function lockBoth(tx: Tx, account_id: string, from: string, to: string): Promise<Both> {
  const rows = new Map<string, ConnectionsTable | undefined>();
  for (const id of [from, to].sort()) rows.set(id, await connectionStore.lock(tx, account_id, id));
  const row = rows.get(from);
  const other = rows.get(to);
  if (!row) throw notFound('Connection');
  if (!other) throw badRequest('connection_id: expected a connection of this account');
  if (other.app !== row.app)
    throw badRequest(`connection_id: expected a connection of ${row.app}, this one is of ${other.app}`);
  if (other.status !== 'ACTIVE')
    throw badRequest(`connection_id: expected an ACTIVE connection, this one is ${other.status}`);
  return { row, other };
}

const MAY_NOT_GRANT = 'This API key may not grant connections: that needs the scope gateway:call without limits.';

async function moveDestinations(ctx: Ctx, tx: Tx, about: About, from: string, to: string): Promise<string[]> {
  const moved = await destinationStore.moveConnection(tx, ctx.account_id, { from, to, at: now() });
  if (moved.length > 0 && !mayGrant(ctx)) throw forbidden(MAY_NOT_GRANT);
  for (const ids of moved) about(from, { noun: 'destination', ...ids });
  return moved.map(({ destination_id }) => destination_id);
}

async function moveGrants(ctx: Ctx, tx: Tx, about: About, from: string, to: string): Promise<string[]> {
  const found = await store.grantedFunctions(tx, ctx.account_id, from);
  if (found.length > 0 && !mayGrant(ctx)) throw forbidden(MAY_NOT_GRANT);
  for (const { id } of found) {
    const fn = await functionStore.lock(tx, ctx.account_id, id);
    if (!fn) continue;
    const grants = grantsOf(fn).map((grant) =>
      grant.connection_id === from ? { ...grant, connection_id: to } : grant,
    );
    const texts = new Set(grants.map((grant) => JSON.stringify(grant)));
    await functionStore.update(tx, ctx.account_id, id, { gateway_grants: `[${[...texts].join()}]` });
    about(from, { noun: 'function', function_id: id });
  }
  return found.map(({ id }) => id);
}

async function moveLimits(ctx: Ctx, tx: Tx, about: About, from: string, to: string): Promise<string[]> {
  const found = await store.limitedKeys(tx, ctx.account_id, from);
  if (found.length === 0) return [];
  // Like a change of the keys themselves.
  requireConfirmation(ctx);
  await assertWithinOwnRights(ctx, undefined);
  for (const { id } of found) {
    const before = await keyStore.lock(tx, ctx.account_id, id);
    if (!before) continue;
    const limits = readLimits(before.limits);
    const gateway = limits.gateway?.map((rule) => ({
      ...rule,
      connection_ids: rule.connection_ids && [
        ...new Set(rule.connection_ids.map((each) => (each === from ? to : each))),
      ],
    }));
    const row = await keyStore.update(tx, ctx.account_id, id, {
      limits: storedLimits({ ...limits, gateway: gateway ?? null }),
    });
    if (row) forgetSecrets(about, row);
  }
  return found.map(({ id }) => id);
}

async function moveDefault(tx: Tx, { row, other }: Both): Promise<boolean> {
  if (!row.is_default) return false;
  await connectionStore.clearDefault(tx, row.account_id, row.app);
  const changes = { is_default: true, last_updated_time: now() };
  await connectionStore.update(tx, row.account_id, other.connection_id, changes);
  return true;
}

/**
 * When the credentials of connections are checked. A connection has its own setting or that of its app; without either,
 * it is not checked. Checks of many connections are spread over the interval, and each next one varies by a tenth.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { ConnectionsTable, Tx } from '../../platform/database/schema.ts';
import { findApp } from '../apps/apps.ts';
import type { CompiledApp } from '../apps/compile.ts';
import * as store from '../store/connection-checks.ts';

const MINUTE_MS = 60_000;
const JITTER = 0.1;

/** The setting of the app for all connections without their own. */
export async function get(ctx: Ctx, { params }: Input<'appCheckGet'>): Promise<Reply<'appCheckGet'>> {
  const app = await appOf(ctx, params.app);
  const every_minutes = await store.minutesOfApp(ctx.db, ctx.account_id, params.app);
  return { check: { every_minutes, available: isAvailable(app) } };
}

/** Sets how often the app's connections without their own setting are checked; the first checks are spread over that time. */
export async function put(ctx: Ctx, { params, body }: Input<'appCheckPut'>): Promise<Reply<'appCheckPut'>> {
  const app = await appOf(ctx, params.app);
  const { every_minutes } = body;
  if (every_minutes > 0) assertAvailable(app);
  await write(ctx, async (tx, about) => {
    about(params.app, { noun: 'account' });
    await store.putApp(tx, ctx.account_id, params.app, every_minutes);
    await store.spread(tx, ctx.account_id, params.app, every_minutes);
  });
  ctx.nudge('checker');
  return { check: { every_minutes, available: isAvailable(app) } };
}

/** The changed setting of one connection, with the time of its next check. 400 if its app has no check. */
export async function scheduleOf(
  ctx: Ctx,
  tx: Tx,
  row: ConnectionsTable,
): Promise<Pick<ConnectionsTable, 'check_every_minutes' | 'check_at'>> {
  if (row.check_every_minutes) assertAvailable(await appOf(ctx, row.app));
  return { check_every_minutes: row.check_every_minutes, check_at: await nextCheck(tx, row) };
}

/** The time of the next check of a connection; null for never. */
export async function nextCheck(
  db: Tx | Ctx['db'],
  { account_id, app, check_every_minutes }: Pick<ConnectionsTable, 'account_id' | 'app' | 'check_every_minutes'>,
): Promise<string | null> {
  const minutes = check_every_minutes ?? (await store.minutesOfApp(db, account_id, app));
  if (minutes === 0) return null;
  return new Date(Date.now() + minutes * MINUTE_MS * (1 - JITTER * Math.random())).toISOString();
}

/** The server of an MCP app is not checked: a request of it begins a session. */
const isAvailable = ({ definition }: CompiledApp): boolean => definition.probe !== null;

function assertAvailable(app: CompiledApp): void {
  if (!isAvailable(app))
    throw badRequest(`check: expected an app with a request that checks credentials; ${app.definition.app} has none`);
}

async function appOf(ctx: Ctx, app: string): Promise<CompiledApp> {
  const found = await findApp(ctx, ctx.account_id, app);
  if (!found) throw notFound('App');
  return found;
}

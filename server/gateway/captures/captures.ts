/**
 * Captures: for a time, the requests and responses of the gateway calls of a connection or an app are stored, masked,
 * for all calls or a share of them. Off by default.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { findApp } from '../../connections/apps/apps.ts';
import * as store from '../../connections/store/captures.ts';
import * as connectionStore from '../../connections/store/connections.ts';
import { now, timestampAt } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { CapturesTable } from '../../platform/database/tables/connection-tables.ts';

/** The captures that are on. */
export async function list(ctx: Ctx, _input: Input<'captureList'>): Promise<Reply<'captureList'>> {
  return { captures: (await store.list(ctx.db, ctx.account_id)).map(describe) };
}

/** Begins to capture; an earlier capture of the same connection or app ends. 404 for an unknown connection. */
export async function create(ctx: Ctx, { body }: Input<'captureCreate'>): Promise<Reply<'captureCreate'>> {
  const { connection_id = null, app = null, minutes, percent } = body;
  if (app !== null && !(await findApp(ctx, ctx.account_id, app)))
    throw badRequest(`app: unknown app ${JSON.stringify(app)}: GET /apps lists all apps`);
  const row = {
    capture_id: newId(),
    connection_id,
    app,
    percent,
    created_by: ctx.actor.name,
    created_at: now(),
    until: timestampAt(Date.now() + minutes * 60_000),
  };
  await write(ctx, async (tx, about) => {
    if (connection_id !== null && !(await connectionStore.lock(tx, ctx.account_id, connection_id)))
      throw notFound('connection_id: connection');
    about(connection_id ?? row.capture_id, { noun: 'capture' });
    await store.put(tx, ctx.account_id, row);
  });
  return { capture: describe({ account_id: ctx.account_id, ...row }) };
}

/** Ends a capture. Captured calls are kept until they expire. */
export async function remove(ctx: Ctx, { params }: Input<'captureDelete'>): Promise<Reply<'captureDelete'>> {
  await write(ctx, async (tx, about) => {
    if (!(await store.remove(tx, ctx.account_id, params.capture_id))) throw notFound('Capture');
    about(params.capture_id, { noun: 'capture' });
  });
  return {};
}

const describe = ({ account_id: _, ...row }: CapturesTable): Reply<'captureCreate'>['capture'] => row;

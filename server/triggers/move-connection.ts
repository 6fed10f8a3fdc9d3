import { findApp } from '../connections/apps/apps.ts';
import { now } from '../lib/clock.ts';
import type { Change } from '../platform/changes.ts';
import type { Ctx } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import { settleNow } from './registration/registration.ts';
import { follow } from './registration/trigger-hook.ts';
import type { SourceHook } from './store/source-hooks.ts';
import * as store from './store/triggers.ts';

export type MovedTriggers = { trigger_ids: string[]; changes: Change[]; hooks: SourceHook[] };

/**
 * Makes the triggers of a connection use another, ACTIVE one of the same app, and prepares their webhook registrations.
 * Undefined, and nothing changes, if there are more than `limit`. After the commit, call `settleMoved`.
 */
export async function useConnection(
  ctx: Ctx,
  tx: Tx,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<MovedTriggers | undefined> {
  const rows = await store.lockOfConnection(tx, ctx.account_id, from, limit + 1);
  if (rows.length > limit) return undefined;
  const moved: MovedTriggers = { trigger_ids: [], changes: [], hooks: [] };
  for (const row of rows) {
    const { trigger_id, ingress_hash } = row;
    const after = {
      ...row,
      connection_id: to,
      reason: row.reason === 'CONNECTION_FAILED' ? null : row.reason,
      updated_at: now(),
    };
    const { connection_id, reason, updated_at } = after;
    await store.update(tx, ctx.account_id, trigger_id, { connection_id, reason, updated_at });
    const definition = (await findApp(ctx, ctx.account_id, row.source))?.definition;
    if (definition) moved.hooks.push(...(await follow(tx, definition, after, false)));
    moved.trigger_ids.push(trigger_id);
    moved.changes.push({ noun: 'trigger', trigger_id, ingress_hash });
  }
  return moved;
}

/** Wakes the workers and registers webhooks through the new connection. */
export async function settleMoved(ctx: Ctx, hooks: SourceHook[]): Promise<void> {
  ctx.nudge('poller');
  await settleNow(ctx, hooks);
}

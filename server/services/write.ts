import { now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import * as auditStore from '../store/audit.ts';
import type { Tx } from '../store/schema.ts';
import type { Ctx } from './context.ts';

/**
 * One transaction that changes something, with its audit row: `change` says through `about` which resource it touched.
 * The row stands or falls with the change. Every unsafe operation passes here (a test walks them all).
 */
export async function write<T>(
  ctx: Ctx,
  change: (tx: Tx, about: (resourceId: string) => void) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    let resourceId: string | null = null;
    const result = await change(tx, (id) => {
      resourceId = id;
    });
    await auditStore.insert(tx, ctx.account_id, {
      audit_id: newId(),
      at: now(),
      actor_type: ctx.actor.type,
      actor_id: ctx.actor.id,
      actor_name: ctx.actor.name,
      operation: ctx.operation,
      resource_id: resourceId,
      request_id: ctx.request_id,
      ip: ctx.ip,
    });
    return result;
  });
}

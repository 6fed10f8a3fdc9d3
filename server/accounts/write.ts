import type { Change } from '../platform/changes.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import * as auditStore from './store/audit.ts';

/** Names the resource, for the audit log, and its changes, which are published after the commit. */
export type About = (resourceId: string, ...changes: Change[]) => void;

/**
 * Runs a change and inserts its audit row in one transaction. `change` reports the changed resource through `about`.
 * Every unsafe operation calls this function, which a test checks.
 */
export async function write<T>(ctx: Ctx, change: (tx: Tx, about: About) => Promise<T>): Promise<T> {
  const changes: Change[] = [];
  const result = await ctx.db.transaction().execute(async (tx) => {
    let resourceId: string | null = null;
    const result = await change(tx, (id, ...changed) => {
      resourceId = id;
      changes.push(...changed);
    });
    await auditStore.insert(tx, ctx.account_id, {
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
  for (const each of changes) ctx.changed(ctx.account_id, each);
  return result;
}

/** The context of a change by the service itself; `name` is the actor in the audit log. */
export const systemCtx = (services: Services, account_id: string, name: string, operation: Ctx['operation']): Ctx => ({
  ...services,
  account_id,
  actor: { type: 'SYSTEM', id: null, name, role: 'OWNER' },
  operation,
  request_id: '',
  ip: null,
});

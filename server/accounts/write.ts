import type { Change } from '../platform/changes.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import { changesIn } from './audit-changes.ts';
import * as auditStore from './store/audit.ts';

/** Names the resource, for the audit log, and its changes, which are published after the commit. */
export type About = (resourceId: string, ...changes: Change[]) => void;

/**
 * Notes what the request changed, for the history of the resource: the fields of the body whose value differs between
 * the resource before and after, both as the API describes it.
 */
export type Note = (body: object, before: object, after: object) => void;

/**
 * Runs a change and inserts its audit row in one transaction. `change` reports the changed resource through `about`
 * and, for an update, its values through `note`.
 * Every unsafe operation calls this function, which a test checks.
 */
export async function write<T>(ctx: Ctx, change: (tx: Tx, about: About, note: Note) => Promise<T>): Promise<T> {
  const changes: Change[] = [];
  const result = await ctx.db.transaction().execute(async (tx) => {
    let resourceId: string | null = null;
    let noted: string | null = null;
    const about: About = (id, ...changed) => {
      resourceId = id;
      changes.push(...changed);
    };
    const result = await change(tx, about, (body, before, after) => {
      noted = JSON.stringify(changesIn(body, before, after));
    });
    await auditStore.insert(tx, ctx.account_id, { ...auditEntry(ctx, resourceId), changes: noted });
    return result;
  });
  for (const each of changes) ctx.changed(ctx.account_id, each);
  return result;
}

/** The audit row of a change in this context. */
export const auditEntry = ({ actor, operation, request_id, ip, page }: Ctx, resource_id: string | null) => ({
  actor_type: actor.type,
  actor_id: actor.id,
  actor_name: actor.name,
  operation,
  resource_id,
  request_id,
  ip,
  page: page ?? null,
});

/** The context of a change by the service itself; `name` is the actor in the audit log. */
export const systemCtx = (services: Services, account_id: string, name: string, operation: Ctx['operation']): Ctx => ({
  ...services,
  account_id,
  actor: { type: 'SYSTEM', id: null, name, role: 'OWNER' },
  operation,
  request_id: '',
  ip: null,
});

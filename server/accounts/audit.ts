import type { Input, Reply } from '../../contract/operations.ts';
import type { AuditChange } from '../../contract/text/audit-changes.ts';
import { toTimestamp } from '../lib/clock.ts';
import type { Ctx } from '../platform/context.ts';
import { closePage, openPage } from '../platform/paging.ts';
import * as store from './store/audit.ts';

/** Lists audit entries, newest first. `write` inserts the rows; no code updates or deletes them. */
export async function list(ctx: Ctx, input: Input<'auditList'>): Promise<Reply<'auditList'>> {
  const { limit, after } = openPage(ctx, input);
  const { operation, actor_id, key_id, resource_id, request_id, since, until } = input.query;
  const filter = {
    operation,
    actor_id,
    key_id,
    resource_id,
    request_id,
    since: since && toTimestamp(since),
    until: until && toTimestamp(until),
  };
  const found = await store.list(ctx.db, ctx.account_id, filter, { limit: limit + 1, before: after?.[0] });
  const page = closePage(ctx, input, found, (row) => [row.audit_id]);
  return {
    entries: page.rows.map(({ account_id: _, changes, ...entry }) => ({
      ...entry,
      changes: changes === null ? [] : (JSON.parse(changes) as AuditChange[]),
      key_id: entry.actor_type === 'API_KEY' ? entry.actor_id : null,
    })),
    next_token: page.next_token,
  };
}

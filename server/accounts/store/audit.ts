import { now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { AuditTable, Db, Tx } from '../../platform/database/schema.ts';

type Optional = 'outcome' | 'changes' | 'page';
type AuditEntry = Omit<AuditTable, 'account_id' | 'audit_id' | 'at' | Optional> & Partial<Pick<AuditTable, Optional>>;

/** The actor of a change by the service itself. */
export const bySystem = (actor_name: string) =>
  ({ actor_type: 'SYSTEM', actor_id: null, actor_name, request_id: '', ip: null }) as const;

/** Inserts the row of one change, in the transaction of the change. */
export async function insert(tx: Tx, account_id: string, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit')
    .values({ account_id, audit_id: newId(), at: now(), outcome: 'SUCCEEDED', changes: null, page: null, ...entry })
    .execute();
}

/** Like `insert`, for several entries. */
export async function insertAll(tx: Tx, account_id: string, entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    account_id,
    audit_id: newId(),
    at: now(),
    outcome: 'SUCCEEDED' as const,
    changes: null,
    page: null,
    ...entry,
  }));
  await tx.insertInto('audit').values(rows).execute();
}

export type AuditFilter = {
  operation?: string | undefined;
  actor_id?: string | undefined;
  key_id?: string | undefined;
  resource_id?: string | undefined;
  request_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

/** Newest first, older than the entry `before` if set. */
export async function list(
  db: Db,
  account_id: string,
  filter: AuditFilter,
  page: { limit: number; before?: string | undefined },
) {
  let query = db.selectFrom('audit').selectAll().where('account_id', '=', account_id);
  if (filter.operation) query = query.where('operation', '=', filter.operation);
  if (filter.actor_id) query = query.where('actor_id', '=', filter.actor_id);
  if (filter.key_id) query = query.where('actor_type', '=', 'API_KEY').where('actor_id', '=', filter.key_id);
  if (filter.resource_id) query = query.where('resource_id', '=', filter.resource_id);
  if (filter.request_id) query = query.where('request_id', '=', filter.request_id);
  if (filter.since) query = query.where('at', '>=', filter.since);
  if (filter.until) query = query.where('at', '<', filter.until);
  if (page.before) query = query.where('audit_id', '<', page.before);
  return query.orderBy('audit_id', 'desc').limit(page.limit).execute();
}

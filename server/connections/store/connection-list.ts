import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AuthMethod, ConnectionAction, ConnectionStatus } from '../../../contract/states.ts';
import { containing } from '../../platform/database/like.ts';
import type { ConnectionsTable, DB, Db, Tx } from '../../platform/database/schema.ts';

export type ConnectionFilter = {
  app?: string | undefined;
  status?: ConnectionStatus | undefined;
  method?: AuthMethod | undefined;
  tag?: string | undefined;
  /** The ID of an end user. */
  end_user?: string | undefined;
  /** Text in the name, the app's ID, the tags or the end user, or the connection's ID. */
  q?: string | undefined;
  /** Apps whose name contains the text. */
  named_apps?: readonly string[] | undefined;
  attention?: boolean | undefined;
  ids?: readonly string[] | undefined;
  /** Only connections that this action changes. */
  changed_by?: { action: ConnectionAction; tags: readonly string[] } | undefined;
};

/** Newest first; with `before`, only older ones; with `limit`, that many at most. */
export async function list(
  db: Db,
  account_id: string,
  filter: ConnectionFilter,
  page: { limit?: number | undefined; before?: string | undefined } = {},
): Promise<ConnectionsTable[]> {
  let query = matching(db.selectFrom('connections').selectAll(), account_id, filter);
  if (page.before) query = query.where('connection_id', '<', page.before);
  if (page.limit) query = query.limit(page.limit);
  return query.orderBy('connection_id', 'desc').execute();
}

export async function count(db: Db | Tx, account_id: string, filter: ConnectionFilter): Promise<number> {
  const all = db.selectFrom('connections').select((e) => e.fn.countAll<number>().as('count'));
  const { count } = await matching(all, account_id, filter).executeTakeFirstOrThrow();
  return Number(count);
}

/** Locks the newest `limit` matching connections until the transaction ends, in order of ID. */
export async function lockMatching(
  tx: Tx,
  account_id: string,
  filter: ConnectionFilter,
  limit: number,
): Promise<ConnectionsTable[]> {
  const ids = matching(tx.selectFrom('connections').select('connection_id'), account_id, filter)
    .orderBy('connection_id', 'desc')
    .limit(limit);
  return tx
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', 'in', ids)
    .orderBy('connection_id')
    .forUpdate()
    .execute();
}

function matching<O>(
  query: SelectQueryBuilder<DB, 'connections', O>,
  account_id: string,
  { app, status, method, tag, end_user, q, named_apps = [], attention, ids, changed_by }: ConnectionFilter,
): SelectQueryBuilder<DB, 'connections', O> {
  let found = query.where('account_id', '=', account_id);
  if (app) found = found.where('app', '=', app);
  if (status) found = found.where('status', '=', status);
  if (method) found = found.where('method', '=', method);
  if (tag) found = found.where(sql<boolean>`tags::jsonb @> ${JSON.stringify([tag])}::jsonb`);
  if (end_user) found = found.where('end_user_id', '=', end_user);
  if (attention) found = found.where(sql<boolean>`${NEEDS_ATTENTION}`);
  if (ids) found = found.where(sql<boolean>`connection_id = any (${ids}::uuid[])`);
  if (changed_by) found = found.where(isChangedBy(changed_by));
  if (!q) return found;
  const text = containing(q);
  return found.where(
    sql<boolean>`(name ilike ${text} or app ilike ${text} or app = any (${named_apps}::text[]) or tags ilike ${text}
      or end_user_id ilike ${text} or end_user_email ilike ${text} or end_user_name ilike ${text}
      or connection_id::text = lower(${q}))`,
  );
}

const NEEDS_ATTENTION = sql`(status = 'FAILED' or last_error is not null or unconfirmed is not null
  or (status = 'ACTIVE' and (refresh_failing_since is not null or (refresh_at is null and token_expires_at < now()))))`;

function isChangedBy({ action, tags }: NonNullable<ConnectionFilter['changed_by']>) {
  const conditions: Record<ConnectionAction, RawBuilder<boolean>> = {
    DELETE: sql`true`,
    DISCONNECT: sql`(status = 'ACTIVE' or credentials is not null)`,
    ADD_TAGS: sql`not tags::jsonb @> ${JSON.stringify(tags)}::jsonb`,
    REMOVE_TAGS: sql`jsonb_exists_any(tags::jsonb, ${tags}::text[])`,
  };
  return conditions[action];
}

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { DENIED_CALLS_MIN, EXPIRY_NOTICE_DAYS } from '../../../contract/limits.ts';
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
  if (attention) found = found.where(needsAttention(account_id));
  if (ids) found = found.where(sql<boolean>`connection_id = any (${ids}::uuid[])`);
  if (changed_by) found = found.where(isChangedBy(changed_by));
  if (!q) return found;
  const id = UUID.test(q) ? sql`connection_id = ${q}::uuid` : sql`false`;
  return found.where(
    sql<boolean>`(search_text like lower(${containing(q)}) or app = any (${named_apps}::text[]) or ${id})`,
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The same conditions as attentionOf (connection-attention.ts). */
function needsAttention(account_id: string): RawBuilder<boolean> {
  const { token, credentials } = EXPIRY_NOTICE_DAYS;
  return sql<boolean>`(status = 'FAILED' or last_error is not null or unconfirmed is not null
    or credentials_expire_at < now() + make_interval(days => ${credentials})
    or (status = 'ACTIVE' and (refresh_failing_since is not null or missing_scopes is not null
      or denied_calls >= ${DENIED_CALLS_MIN} or check_failures >= 2
      or (refresh_at is null and token_expires_at < now() and token_expires_at - refreshed_at >= interval '2 minutes')
      or (refresh_at = token_expires_at and token_expires_at < now() + make_interval(days => ${token}))))
    or connection_id in (
      select h.connection_id from source_hooks h where h.account_id = ${account_id} and h.connection_id is not null
        and (h.state = 'FAILED' or (h.state = 'PENDING' and h.message is not null))))`;
}

/** Which of these connections have a webhook registration that fails. */
export async function withFailingWebhooks(
  db: Db,
  account_id: string,
  ids?: readonly string[],
): Promise<ReadonlySet<string>> {
  let query = db
    .selectFrom('source_hooks')
    .select('connection_id')
    .distinct()
    .where('account_id', '=', account_id)
    .where('connection_id', 'is not', null)
    .where(sql<boolean>`(state = 'FAILED' or (state = 'PENDING' and message is not null))`);
  if (ids) query = query.where(sql<boolean>`connection_id = any (${ids}::uuid[])`);
  return new Set((await query.execute()).map(({ connection_id }) => connection_id ?? ''));
}

function isChangedBy({ action, tags }: NonNullable<ConnectionFilter['changed_by']>) {
  const conditions: Record<ConnectionAction, RawBuilder<boolean>> = {
    DELETE: sql`true`,
    DISCONNECT: sql`(status = 'ACTIVE' or credentials is not null)`,
    ADD_TAGS: sql`not tags::jsonb @> ${JSON.stringify(tags)}::jsonb`,
    REMOVE_TAGS: sql`jsonb_exists_any(tags::jsonb, ${tags}::text[])`,
  };
  return conditions[action];
}

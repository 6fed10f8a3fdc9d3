import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { SavedSearchesTable } from '../../platform/database/tables/function-tables.ts';

/** A saved search with the triggers that watch it. */
export type WatchedSearch = Pick<
  SavedSearchesTable,
  'account_id' | 'saved_search_id' | 'name' | 'q' | 'owner' | 'match_case'
> & { trigger_ids: string[] };

/**
 * The searches that a function of this account can begin to match: its own account's, and those of public functions;
 * only with triggers that were enabled before the change.
 */
export async function watchedSearches(db: Db, account_id: string, changed_at: string): Promise<WatchedSearch[]> {
  const { rows } = await sql<WatchedSearch>`
    select s.account_id, s.saved_search_id, s.name, s.q, s.owner, s.match_case, array_agg(t.trigger_id) as trigger_ids
    from triggers t join saved_searches s
      on s.account_id = t.account_id and strpos(t.parameters, s.saved_search_id::text) > 0
    where t.source = 'sluice' and t.event_type = 'code.matched' and t.status = 'ENABLED'
      and (s.account_id = ${account_id} or s.owner = 'ALL')
      and coalesce(t.position, t.created_at::text)::timestamptz <= ${changed_at}
    group by s.account_id, s.saved_search_id
  `.execute(db);
  return rows;
}

/** Those of the triggers that are still enabled, locked until the transaction ends. */
export async function stillEnabled(
  tx: Tx,
  triggers: readonly { account_id: string; trigger_id: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ trigger_id: string }>`
    select t.trigger_id from triggers t
    join unnest(
      ${triggers.map(({ account_id }) => account_id)}::uuid[], ${triggers.map(({ trigger_id }) => trigger_id)}::uuid[]
    ) as asked (account_id, trigger_id) using (account_id, trigger_id)
    where t.status = 'ENABLED' order by t.trigger_id for share of t
  `.execute(tx);
  return new Set(rows.map(({ trigger_id }) => trigger_id));
}

import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { SavedSearchesTable } from '../../platform/database/tables/function-tables.ts';

export type CountedSearch = SavedSearchesTable & { triggers: number };

/** The saved searches of an account, by name, with the number of triggers that watch each. */
export async function list(db: Db | Tx, account_id: string): Promise<CountedSearch[]> {
  const { rows } = await sql<CountedSearch>`
    select s.*, (
      select count(*)::int from triggers t where t.account_id = s.account_id and t.source = 'sluice'
        and t.event_type = 'code.matched' and strpos(t.parameters, s.saved_search_id::text) > 0
    ) as triggers
    from saved_searches s where s.account_id = ${account_id} order by lower(s.name)
  `.execute(db);
  return rows;
}

/** One search, locked against deletion until the transaction ends. */
export async function hold(
  tx: Tx,
  account_id: string,
  saved_search_id: string,
): Promise<SavedSearchesTable | undefined> {
  return tx
    .selectFrom('saved_searches')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('saved_search_id', '=', saved_search_id)
    .forShare()
    .executeTakeFirst();
}

/** Locks one search for a change. */
export async function lock(tx: Tx, account_id: string, saved_search_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from saved_searches where account_id = ${account_id} and saved_search_id = ${saved_search_id} for update
  `.execute(tx);
  return rows.length > 0;
}

export async function insert(tx: Tx, account_id: string, row: Omit<SavedSearchesTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('saved_searches')
    .values({ account_id, ...row })
    .execute();
}

export async function update(
  tx: Tx,
  account_id: string,
  saved_search_id: string,
  changes: Partial<Pick<SavedSearchesTable, 'name' | 'q' | 'owner' | 'match_case' | 'updated_at'>>,
): Promise<void> {
  await tx
    .updateTable('saved_searches')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('saved_search_id', '=', saved_search_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, saved_search_id: string): Promise<void> {
  await tx
    .deleteFrom('saved_searches')
    .where('account_id', '=', account_id)
    .where('saved_search_id', '=', saved_search_id)
    .execute();
}

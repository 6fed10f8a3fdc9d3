/** Counts the matches of a trigger within an hour. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { SavedSearchesTable } from '../../platform/database/tables/function-tables.ts';

/** Events of a trigger within an hour. */
export const MATCHES_PER_HOUR = 100;
const NAMES = 5;
const HOUR = sql`interval '1 hour'`;

/** The trigger with its saved search, and its matches above the limit. */
export type Further = Pick<SavedSearchesTable, 'account_id' | 'saved_search_id' | 'name' | 'q' | 'owner'> & {
  trigger_id: string;
  began_at: string;
  further: number;
  names: string[];
  is_enabled: boolean;
};

/**
 * Counts a match, and returns whether it is an event now: one of the first MATCHES_PER_HOUR of an hour. The others are
 * reported together, and an hour lasts until they are.
 */
export async function countMatch(
  tx: Tx,
  { account_id, trigger_id }: { account_id: string; trigger_id: string },
  function_name: string,
): Promise<boolean> {
  const isOver = sql`h.further = 0 and h.began_at <= clock_timestamp() - ${HOUR}`;
  const isFurther = sql`h.events >= ${MATCHES_PER_HOUR}`;
  const { rows } = await sql<{ further: number }>`
    insert into code_match_hours as h (account_id, trigger_id, began_at, events, further, names)
    values (${account_id}, ${trigger_id}, clock_timestamp(), 1, 0, '[]')
    on conflict (account_id, trigger_id) do update set
      began_at = case when ${isOver} then clock_timestamp() else h.began_at end,
      events = case when ${isOver} then 1 when ${isFurther} then h.events else h.events + 1 end,
      further = case when not (${isOver}) and ${isFurther} then h.further + 1 else 0 end,
      names = case when ${isOver} or not (${isFurther}) then '[]'
        when jsonb_array_length(h.names::jsonb) < ${NAMES} then (h.names::jsonb || to_jsonb(${function_name}::text))::text
        else h.names end
    returning h.further
  `.execute(tx);
  return rows[0]?.further === 0;
}

/** Takes the matches above the limit of one trigger, whose hour is over; its event is the first of the next hour. */
export async function takeFurther(tx: Tx): Promise<Further | undefined> {
  const { rows } = await sql<Further>`
    with due as (
      select account_id, trigger_id, began_at, further, names from code_match_hours
      where further > 0 and began_at <= clock_timestamp() - ${HOUR}
      order by began_at limit 1 for update skip locked
    ), taken as (
      update code_match_hours h set began_at = clock_timestamp(), events = 1, further = 0, names = '[]'
      from due where h.account_id = due.account_id and h.trigger_id = due.trigger_id
      returning due.*
    )
    select taken.account_id, taken.trigger_id, taken.began_at, taken.further, taken.names::json as names,
      t.status = 'ENABLED' as is_enabled, s.saved_search_id, s.name, s.q, s.owner
    from taken
    join triggers t on t.account_id = taken.account_id and t.trigger_id = taken.trigger_id
    join saved_searches s on s.account_id = t.account_id and strpos(t.parameters, s.saved_search_id::text) > 0
  `.execute(tx);
  return rows[0];
}

/** Whether the matches of a trigger are to be reported. Reads a table with a row for each trigger that had a match. */
export async function isFurtherDue(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from code_match_hours where further > 0 and began_at <= clock_timestamp() - ${HOUR} limit 1`.execute(db);
  return rows.length > 0;
}

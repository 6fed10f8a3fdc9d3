/**
 * A trigger with its destinations, as events and deliveries use it. Its version shows whether a cached route is
 * current: each change of a trigger or of one of its destinations changes an `updated_at`.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TriggerStatus } from '../../../../contract/states.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';
import type { Target } from '../destinations/destinations.ts';

export type RouteKey = { account_id: string; trigger_id: string };
export type RouteVersion = RouteKey & { version: string };
/** The columns of a destination are null if the trigger has none. */
export type RouteRow = Omit<Target, 'destination_id'> &
  RouteVersion & { destination_id: string | null; trigger_status: TriggerStatus; trigger_filter: string | null };

/** The version of the trigger `t`. */
const VERSION = sql<string>`t.updated_at::text || coalesce((
  select max(v.updated_at)::text || count(*) from destinations v
  where v.account_id = t.account_id and v.trigger_id = t.trigger_id), '')`;

/** One row per destination of these triggers, in order, and one for a trigger without destinations. */
export async function find(db: Db | Tx, keys: RouteKey[]): Promise<RouteRow[]> {
  const { rows } = await sql<RouteRow>`
    select d.*, t.account_id, t.trigger_id, t.name as trigger_name, t.source, t.event_type, t.status as trigger_status,
      t.filter as trigger_filter, ${VERSION} as version
    from json_to_recordset(${JSON.stringify(keys)}::json) as r(account_id uuid, trigger_id uuid)
    join triggers t using (account_id, trigger_id)
    left join destinations d using (account_id, trigger_id)
    order by d.destination_id
  `.execute(db);
  return rows;
}

/** Part of a statement: `stale`, those of these triggers that were changed or deleted since. */
export const staleOf = (versions: RouteVersion[]): RawBuilder<unknown> => sql`stale as materialized (
  select r.trigger_id
  from json_to_recordset(${JSON.stringify(versions)}::json) as r(account_id uuid, trigger_id uuid, version text)
  left join triggers t using (account_id, trigger_id)
  where r.version is distinct from ${VERSION}
)`;

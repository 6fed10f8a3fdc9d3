import { type Kysely, sql } from 'kysely';

/** Order of a destination's deliveries: the setting, the key of each delivery, and the deliveries that have a place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table destinations add column order_by text, add column order_path text, add column order_end text`,
  `drop index destinations_limited`,
  `create index destinations_limited on destinations (destination_id)
    where paused_at is not null or rate_requests is not null or max_in_flight is not null or order_by is not null`,
  `alter table deliveries add column order_key uuid`,
  // Only deliveries of destinations with an order have a row, which is deleted when the next one may be sent.
  `create table ordered_deliveries (
    account_id uuid not null, event_id uuid not null, delivery_id uuid not null,
    destination_id uuid not null, order_key uuid not null,
    primary key (account_id, event_id, delivery_id))
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000)`,
  `create unique index ordered_deliveries_places on ordered_deliveries (destination_id, order_key, event_id)`,
];

import { type Kysely, sql } from 'kysely';

/** Waiting deliveries of all days are listed in one small separate table; leases are indexed by node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Rows are inserted and deleted constantly, so vacuum often: dead rows slow down the scan for the first due row.
  `create table waiting_deliveries (
    account_id uuid not null, event_id uuid not null, delivery_id uuid not null,
    destination_id uuid not null, next_at timestamptz not null,
    primary key (account_id, event_id, delivery_id))
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000)`,
  `create index waiting_deliveries_due on waiting_deliveries (destination_id, next_at, event_id)`,
  `insert into waiting_deliveries
    select account_id, event_id, delivery_id, destination_id, next_at from deliveries
    where next_at is not null and leased_by is null`,
  `drop index deliveries_due`,
  `create index deliveries_leased on deliveries (leased_by) where leased_by is not null`,

  // Every change of a delivery is written to each of its indexes: merge two equivalent ones, and exclude SUCCEEDED, the
  // most frequent status.
  `alter table deliveries drop constraint deliveries_pkey,
    drop constraint deliveries_account_id_event_id_destination_id_key`,
  `alter table deliveries add primary key (account_id, event_id, destination_id)`,
  `drop index deliveries_status`,
  `create index deliveries_status on deliveries (account_id, status, event_id) where status <> 'SUCCEEDED'`,
];

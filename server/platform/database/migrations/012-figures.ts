import { type Kysely, sql } from 'kysely';

/** Outcomes of events are rolled up by minute, and minutes into the buckets of the charts; see store/figures.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Rows of the account (no trigger), of a trigger (no destination), of a destination.
  `create table event_figures (
    account_id uuid not null, seconds integer not null, at_ms bigint not null, trigger_id uuid, destination_id uuid,
    events bigint not null, succeeded bigint not null, failed bigint not null, open bigint not null, skipped bigint not null)`,
  `create index event_figures_at on event_figures (account_id, seconds, at_ms, trigger_id, destination_id)`,
  `create table attempt_figures (
    account_id uuid not null, seconds integer not null, at_ms bigint not null, trigger_id uuid, destination_id uuid,
    made_ms bigint not null, response_status integer, reason text, failed boolean not null,
    attempts bigint not null, durations integer[] not null, counts bigint[] not null)`,
  `create index attempt_figures_at on attempt_figures (account_id, seconds, at_ms, trigger_id, destination_id)`,
  // Without a key, so that writers of the same minute do not wait for each other. Rows are inserted and deleted
  // constantly.
  `create table stale_figures (account_id uuid not null, at_ms bigint not null)
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `create table figures_state (until_ms bigint not null)`,
  `insert into figures_state (until_ms) values (0)`,
];

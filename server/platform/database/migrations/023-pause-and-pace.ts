import { type Kysely, sql } from 'kysely';

/** Pause, rate limit, concurrency and timeout of a destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table destinations add column paused_at timestamptz, add column rate_requests integer,
    add column rate_per text, add column max_in_flight integer, add column timeout_seconds integer`,
  // Every claim excludes these destinations, which are few.
  `create index destinations_limited on destinations (destination_id)
    where paused_at is not null or rate_requests is not null or max_in_flight is not null`,
  // The rows are updated about once per second while their destination is sent to.
  `create table destination_leases (
    account_id uuid not null, destination_id uuid not null, node_id uuid, reserved_at timestamptz,
    primary key (account_id, destination_id),
    foreign key (account_id, destination_id) references destinations on delete cascade)
    with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
];

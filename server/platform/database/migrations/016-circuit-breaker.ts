import { type Kysely, sql } from 'kysely';

/** Until when the circuit breaker of a destination is open, and since when the destination is disabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table destinations add column circuit_open_until timestamptz, add column disabled_at timestamptz`,
  `update destinations set disabled_at = updated_at where status = 'DISABLED'`,
  // Counts the deliveries that a destination missed while it was disabled.
  `create index deliveries_missed on deliveries (account_id, destination_id, finished_at)
    where status = 'SKIPPED' and reason = 'DESTINATION_DISABLED'`,
];

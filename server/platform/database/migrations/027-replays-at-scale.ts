import { type Kysely, sql } from 'kysely';

/** The rate of a bulk replay, what it changes in its requests, and its waiting deliveries by destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table replays add column current_rate double precision, add column function_id uuid,
    add column function_version integer, add column body_template text`,
  `create index replay_items_waiting on replay_items (account_id, replay_id, destination_id, event_id)
    where state = 'WAITING'`,
];

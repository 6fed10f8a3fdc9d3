import { type Kysely, sql } from 'kysely';

/** Edited copies of an event are found by it; hardly any event is one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index events_copies on events (account_id, replay_of, event_id) where replay_of is not null`.execute(
    db,
  );
}

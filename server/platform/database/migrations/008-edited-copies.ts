import { type Kysely, sql } from 'kysely';

/** An index of edited copies by their original event; few events are copies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index events_copies on events (account_id, replay_of, event_id) where replay_of is not null`.execute(
    db,
  );
}

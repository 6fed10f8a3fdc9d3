import { type Kysely, sql } from 'kysely';

/** The start type of a run's process and its timing, for the timeline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column start text, add column ready_ms real, add column loaded_ms real,
    add column answer_ms real`.execute(db);
}

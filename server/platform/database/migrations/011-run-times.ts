import { type Kysely, sql } from 'kysely';

/** How a run came by its process and how soon, for its time line. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column start text, add column ready_ms real, add column loaded_ms real,
    add column answer_ms real`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The deliveries of a large replay are gathered in many steps; see store/replay-gathering.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table replays add column gather_before uuid`.execute(db);
}

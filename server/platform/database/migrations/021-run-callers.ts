import { type Kysely, sql } from 'kysely';

/** What started a run. Earlier runs say it only where a delivery did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column caller text`.execute(db);
}

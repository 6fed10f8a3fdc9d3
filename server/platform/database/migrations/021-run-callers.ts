import { type Kysely, sql } from 'kysely';

/** The caller of a run. For earlier runs it is known only if a delivery started them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column caller text`.execute(db);
}

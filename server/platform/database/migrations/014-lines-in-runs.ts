import { type Kysely, sql } from 'kysely';

/** The first lines of a run are stored in its row; see store/run-lines.ts. Those of older runs stay where they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column log text`.execute(db);
}

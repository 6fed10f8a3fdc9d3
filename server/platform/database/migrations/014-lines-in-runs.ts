import { type Kysely, sql } from 'kysely';

/** The first log lines of a run are stored in its row; see store/run-lines.ts. Lines of older runs are not moved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column log text`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The payload of an event is kept once, not again with each request that had it in its body. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempts add column payload_at integer`.execute(db);
}

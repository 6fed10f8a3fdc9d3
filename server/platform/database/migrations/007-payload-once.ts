import { type Kysely, sql } from 'kysely';

/** The payload of an event is stored once, not again with each request whose body contains it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempts add column payload_at integer`.execute(db);
}

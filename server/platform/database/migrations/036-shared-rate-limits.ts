import { type Kysely, sql } from 'kysely';

/**
 * Token buckets that the nodes of a cluster share. Unlogged: after a crash of the database all buckets are full. Each
 * row is updated many times a second, so its page has room for the new versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_limits (
      name text not null, key text not null, tokens float8 not null, granted integer not null, at timestamptz not null,
      primary key (name, key)
    ) with (fillfactor = 40)
  `.execute(db);
}

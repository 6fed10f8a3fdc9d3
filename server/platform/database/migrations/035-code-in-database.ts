import { type Kysely, sql } from 'kysely';

/**
 * The code of functions is in the database; the `blobs` folder of each node is a cache. The code of before is read from
 * that folder after the start (platform/blobs/import-code.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table blobs (
      sha256 text primary key,
      size integer not null,
      put_at timestamptz not null default now(),
      bytes bytea not null
    )
  `.execute(db);
}

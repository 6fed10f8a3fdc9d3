import { type Kysely, sql } from 'kysely';

/**
 * Details of a connection besides its status: the last failed attempt to connect, whether the app confirmed its
 * credentials, the number of consecutive 401 responses, and the link that completed it. For clients: how they
 * authenticate.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections
    add column last_error text, add column unconfirmed text,
    add column refusals integer not null default 0, add column completed_link text`.execute(db);
  await sql`alter table app_credentials add column raw_basic boolean not null default false`.execute(db);
}

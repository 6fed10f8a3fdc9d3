import { type Kysely, sql } from 'kysely';

/**
 * The request of a source, with each event that it created, and whole rejected requests. Destinations that send headers
 * and body of that request on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table event_requests (
    account_id uuid not null, event_id uuid not null, request text not null, body bytea, body_of uuid,
    primary key (account_id, event_id)) partition by range (event_id)`,
  `alter table rejections add column request text, add column whole_body bytea, add column event_id uuid`,
  `alter table destinations add column forward_headers text, add column body_source text not null default 'EVENT'`,
];

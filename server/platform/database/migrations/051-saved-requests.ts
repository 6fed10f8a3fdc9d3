import { type Kysely, sql } from 'kysely';

/** Requests to an app that members saved, with their secrets masked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table saved_requests (
    account_id uuid not null references accounts, saved_request_id uuid not null, app text not null, name text not null,
    method text not null, path text not null, headers text not null, body_kind text not null, body text not null,
    created_by text not null, created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, saved_request_id))`,
  `create unique index saved_requests_name on saved_requests (account_id, app, lower(name))`,
];

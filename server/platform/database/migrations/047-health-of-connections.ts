import { type Kysely, sql } from 'kysely';

/** Scheduled checks of credentials, checks of device authorizations, what needs attention, and the text that the list of connections searches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table connections
    add column check_every_minutes integer, add column check_at timestamptz, add column check_result text,
    add column check_failures integer not null default 0, add column credentials_expire_at timestamptz,
    add column missing_scopes text, add column denied_calls integer not null default 0,
    add column search_text text generated always as (lower(
      coalesce(name, '') || chr(10) || app || chr(10) || tags || chr(10) || coalesce(end_user_id, '') || chr(10)
      || coalesce(end_user_email, '') || chr(10) || coalesce(end_user_name, ''))) stored`,
  `alter table connect_flows add column next_at timestamptz`,
  `create index connections_check on connections (check_at) where check_at is not null`,
  `create table app_checks (
    account_id uuid not null references accounts, app text not null, every_minutes integer not null,
    updated_at timestamptz not null, primary key (account_id, app))`,
];

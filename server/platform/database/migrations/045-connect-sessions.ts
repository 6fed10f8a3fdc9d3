import { type Kysely, sql } from 'kysely';

/** Connect sessions of end users, and the account's settings of the connect window. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table connect_sessions (
    account_id uuid not null references accounts, session_id uuid not null, token_hash text not null,
    apps text not null, parameters text not null, end_user text, tags text not null,
    redirect_url text, state text, allowed_origins text not null, accent text,
    created_at timestamptz not null, expires_at timestamptz not null,
    max_uses integer not null, uses integer not null, started text not null, connections text not null,
    primary key (account_id, session_id))`,
  `create unique index connect_sessions_token on connect_sessions (token_hash)`,
  `create index connect_sessions_age on connect_sessions (expires_at)`,
  `create table connect_settings (
    account_id uuid primary key references accounts, allowed_origins text not null, accent text, logo text,
    updated_at timestamptz not null)`,
];

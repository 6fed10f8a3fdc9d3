import { type Kysely, sql } from 'kysely';

/**
 * Columns for connections without an API key: tokens that expire, the account's clients, flows through a provider,
 * calls.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table connections
    add column token_expires_at timestamptz, add column refreshed_at timestamptz,
    add column refresh_at timestamptz, add column refresh_failing_since timestamptz`,
  `create index connections_refresh on connections (refresh_at) where refresh_at is not null`,
  `create table app_credentials (
    account_id uuid not null references accounts, app text not null, method text not null, client_id text not null,
    client_secret text, scopes text, created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, app, method))`,
  `create table connect_flows (
    account_id uuid not null, state_hash text not null, connection_id uuid not null, method text not null, browser_hash text not null,
    sealed text not null, expires_at timestamptz not null,
    primary key (account_id, state_hash),
    foreign key (account_id, connection_id) references connections on delete cascade)`,
  `create unique index connect_flows_state on connect_flows (state_hash)`,
  `create index connect_flows_age on connect_flows (expires_at)`,
  `create table gateway_calls (
    account_id uuid not null, call_id uuid not null, connection_id uuid not null, run_id uuid, app text not null,
    method text not null, path text not null, status integer, duration_ms double precision not null, request_bytes bigint not null, response_bytes bigint not null, error text,
    primary key (account_id, call_id)) partition by range (call_id)`,
  `create index gateway_calls_connection on gateway_calls (account_id, connection_id, call_id)`,
  `create index gateway_calls_run on gateway_calls (account_id, run_id, call_id) where run_id is not null`,
];

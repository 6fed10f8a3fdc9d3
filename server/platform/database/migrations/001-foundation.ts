import { type Kysely, sql } from 'kysely';

/**
 * `account_id` leads every primary key: it is the tenant guard, and the distribution column of a sharded PostgreSQL.
 * Tables that grow without limit are partitioned by ranges of their UUIDv7 (see partitions.ts), so retention drops
 * whole days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table settings (name text primary key, value text not null)`,
  `create table nodes (node_id uuid primary key, started_at timestamptz not null, heartbeat_at timestamptz not null)`,

  `create table accounts (account_id uuid primary key, name text not null, created_at timestamptz not null)`,
  `create table users (
    account_id uuid not null references accounts, user_id uuid not null, email text, name text not null, role text not null,
    password_hash text, invite_hash text, invite_expires_at timestamptz, created_at timestamptz not null, last_seen_at timestamptz,
    primary key (account_id, user_id))`,
  `create unique index users_email on users (email)`,
  `create unique index users_invite on users (invite_hash)`,
  `create table sessions (
    account_id uuid not null, token_hash text not null, user_id uuid not null, created_at timestamptz not null, expires_at timestamptz not null,
    primary key (account_id, token_hash), foreign key (account_id, user_id) references users on delete cascade)`,
  `create unique index sessions_token on sessions (token_hash)`,
  `create table api_keys (
    account_id uuid not null references accounts, key_id uuid not null, name text not null, prefix text not null, hash text not null,
    created_by text not null, created_at timestamptz not null, last_used_at timestamptz, expires_at timestamptz,
    primary key (account_id, key_id))`,
  `create unique index api_keys_hash on api_keys (hash)`,
  `create table audit (
    account_id uuid not null, audit_id uuid not null, at timestamptz not null, actor_type text not null, actor_id text, actor_name text not null,
    operation text not null, resource_id text, request_id text not null, ip text,
    primary key (account_id, audit_id))`,
  `create table idempotency (
    account_id uuid not null, operation text not null, key text not null, fingerprint text not null,
    holder uuid not null, answer text, touched_at timestamptz not null,
    primary key (account_id, operation, key))`,
  `create index idempotency_age on idempotency (touched_at)`,

  `create table apps (account_id uuid not null references accounts, app text not null, definition text not null, created_at timestamptz not null,
    primary key (account_id, app))`,
  `create table connections (
    account_id uuid not null references accounts, connection_id uuid not null, app text not null, method text, name text, status text not null,
    metadata text not null, failure text, credentials text, is_default boolean not null default false,
    creation_time timestamptz not null, last_updated_time timestamptz not null, last_used_time timestamptz, completed_at timestamptz,
    primary key (account_id, connection_id))`,
  `create unique index connections_default on connections (account_id, app) where is_default`,

  `create table triggers (
    account_id uuid not null references accounts, trigger_id uuid not null, source text not null, event_type text not null, name text not null,
    description text, parameters text not null, connection_id uuid, status text not null, reason text,
    created_at timestamptz not null, updated_at timestamptz not null, last_event_at timestamptz, next_fire_at timestamptz,
    primary key (account_id, trigger_id))`,
  `create index triggers_due on triggers (next_fire_at) where next_fire_at is not null`,
  `create table destinations (
    account_id uuid not null, destination_id uuid not null, trigger_id uuid not null, url text not null, method text not null, name text not null,
    headers text, signing_secret text not null, body_template text, status text not null, reason text,
    created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, destination_id), foreign key (account_id, trigger_id) references triggers on delete cascade)`,
  `create index destinations_trigger on destinations (account_id, trigger_id)`,

  `create table events (
    account_id uuid not null, event_id uuid not null, trigger_id uuid not null, received_at timestamptz not null, payload text not null,
    xid xid8 not null default pg_current_xact_id(),
    primary key (account_id, event_id)) partition by range (event_id)`,
  `create index events_trigger on events (account_id, trigger_id, event_id)`,
  `create table deliveries (
    account_id uuid not null, event_id uuid not null, delivery_id uuid not null, trigger_id uuid not null, destination_id uuid not null,
    destination_name text not null, destination_url text not null, destination_method text not null,
    status text not null, reason text, attempts integer not null default 0, step integer not null default 0, generation integer not null default 0,
    origin text not null, next_at timestamptz, leased_by uuid,
    last_response_status integer, last_response_body text, last_response_duration integer, last_error_message text,
    last_run_id uuid, last_function_id uuid, last_attempt_at timestamptz, created_at timestamptz not null, finished_at timestamptz,
    primary key (account_id, event_id, delivery_id), unique (account_id, event_id, destination_id)) partition by range (event_id)`,
  `create index deliveries_due on deliveries (destination_id, next_at) where next_at is not null`,
  `create index deliveries_status on deliveries (account_id, status, event_id)`,
  `create table attempts (
    account_id uuid not null, event_id uuid not null, delivery_id uuid not null, number integer not null, origin text not null,
    started_at timestamptz not null, duration_ms integer not null, request_method text not null, request_url text not null,
    request_headers text not null, request_body text, response_status integer, response_headers text, response_body text,
    response_truncated boolean not null default false, reason text, error_message text, run_id uuid, function_id uuid,
    primary key (account_id, event_id, delivery_id, number)) partition by range (event_id)`,

  `create table functions (
    account_id uuid not null references accounts, function_id uuid not null, name text not null, label text not null, description text not null,
    runtime text not null, visibility text not null, invoke_access text not null, network_policy text not null, allowed_hosts text not null,
    timeout_seconds integer not null, version integer not null, last_version integer not null,
    star_count integer not null default 0, view_count integer not null default 0, created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, function_id))`,
  `create unique index functions_label on functions (label)`,
  `create index functions_public on functions (function_id) where visibility = 'PUBLIC'`,
  `create index functions_text on functions using gin ((
    setweight(to_tsvector('simple', translate(name, '-_./:@#', '       ')), 'A') ||
    setweight(to_tsvector('simple', translate(description, '-_./:@#', '       ')), 'B')))`,
  `create table function_versions (
    account_id uuid not null, function_id uuid not null, version integer not null, handler text not null, runtime text not null,
    code_sha256 text not null, code_size integer not null, build_sha256 text not null, map_sha256 text not null,
    message text, created_by text not null, created_at timestamptz not null,
    primary key (account_id, function_id, version), foreign key (account_id, function_id) references functions on delete cascade)`,
  `create table env_variables (
    account_id uuid not null, function_id uuid not null, key text not null, type text not null, value text not null,
    created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, function_id, key), foreign key (account_id, function_id) references functions on delete cascade)`,
  `create table stars (account_id uuid not null, function_id uuid not null, primary key (account_id, function_id))`,
  `create index stars_function on stars (function_id)`,
  `create table runs (
    account_id uuid not null, run_id uuid not null, function_id uuid not null, version integer not null, status text not null,
    method text not null, path text not null, request text not null,
    response_status integer, response_headers text, response_body text, response_base64 boolean not null default false,
    response_truncated boolean not null default false, error text,
    trigger_id uuid, event_id uuid, delivery_id uuid, attempt integer, node_id uuid not null,
    created_at timestamptz not null, started_at timestamptz, ended_at timestamptz, duration_ms double precision,
    primary key (account_id, run_id)) partition by range (run_id)`,
  `create index runs_function on runs (account_id, function_id, run_id)`,
  `create index runs_going_on on runs (node_id) where status = 'RUNNING'`,
  `create table run_logs (
    account_id uuid not null, run_id uuid not null, seq integer not null, at_ms bigint not null, level text not null, message text not null,
    primary key (account_id, run_id, seq)) partition by range (run_id)`,
];

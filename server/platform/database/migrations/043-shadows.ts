import { type Kysely, sql } from 'kysely';

/** Shadows: versions that are tried on stored requests before they become live; and gradual deploys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table gradual_deploys (
    account_id uuid not null, function_id uuid not null, version integer not null, live_version integer not null,
    status text not null, percent integer not null, window_minutes integer not null, min_calls integer not null,
    max_failed_percent integer not null, reason text, started_at timestamptz not null, ended_at timestamptz,
    check_at timestamptz,
    primary key (account_id, function_id),
    foreign key (account_id, function_id) references functions on delete cascade)`,
  `create index gradual_deploys_due on gradual_deploys (check_at) where check_at is not null`,
  `create table shadows (
    account_id uuid not null, shadow_id uuid not null, function_id uuid not null, version integer not null,
    live_version integer not null, status text not null, reason text, verdict text, findings text not null default '[]',
    last integer not null, filter text not null, budget text not null, deploy boolean not null, deployed_at timestamptz,
    total integer not null, created_by text not null, created_at timestamptz not null, ended_at timestamptz,
    node_id uuid, next_at timestamptz,
    primary key (account_id, shadow_id),
    foreign key (account_id, function_id) references functions on delete cascade)`,
  `create index shadows_function on shadows (account_id, function_id, shadow_id)`,
  `create unique index shadows_running on shadows (account_id, function_id) where status = 'RUNNING'`,
  `create index shadows_due on shadows (next_at) where next_at is not null`,
  `create index shadows_age on shadows (created_at)`,
  // One row for each stored request. The stored runs may be removed before the shadow is.
  `create table shadow_requests (
    account_id uuid not null, shadow_id uuid not null, run_id uuid not null, state text not null, reason text,
    method text not null, path text not null, received_at timestamptz not null,
    stored_outcome text not null, stored_version integer not null, stored_status integer,
    before_outcome text, after_outcome text, before_ms double precision, after_ms double precision,
    before_hosts text, after_hosts text, response text, log text, differs boolean not null default false,
    before_result text, after_result text,
    primary key (account_id, shadow_id, run_id),
    foreign key (account_id, shadow_id) references shadows on delete cascade)`,
];

import { type Kysely, sql } from 'kysely';

/** Sources that push and that are polled, rejected requests, filters, overlapping secrets, health, bulk replays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table triggers
    add column filter text, add column ingress_hash text, add column ingress_token text, add column source_secret text,
    add column hook text, add column position text, add column next_poll_at timestamptz, add column failing_since timestamptz`,
  `create unique index triggers_ingress on triggers (ingress_hash)`,
  `create index triggers_poll on triggers (next_poll_at) where next_poll_at is not null`,
  // No foreign key: it would lock the trigger's row for every event, and fail a whole batch while one of its triggers
  // is being deleted. Rows are deleted by age.
  `create table ingress_keys (
    account_id uuid not null, trigger_id uuid not null, key text not null, event_id uuid not null, at timestamptz not null,
    primary key (account_id, trigger_id, key))`,
  `create index ingress_keys_age on ingress_keys (at)`,
  `create table rejections (
    account_id uuid not null, rejection_id uuid not null, trigger_id uuid not null, cause text not null, message text not null,
    method text not null, headers text not null, body text, bytes bigint not null, ip text,
    primary key (account_id, rejection_id)) partition by range (rejection_id)`,
  `create index rejections_trigger on rejections (account_id, trigger_id, rejection_id)`,

  `alter table destinations
    add column filter text, add column retry_schedule text, add column previous_secret text,
    add column previous_secret_until timestamptz, add column failing_since timestamptz, add column exhausted_at timestamptz,
    add column warned integer not null default 0`,

  `alter table events add column replay_of uuid`,
  `alter table deliveries add column replay_id uuid, add column webhook_id text`,
  `create index deliveries_destination on deliveries (account_id, destination_id, event_id)`,
  `alter table attempts add column replay_id uuid, add column webhook_id text`,
  `create table replays (
    account_id uuid not null references accounts, replay_id uuid not null, status text not null, reason text, request text not null,
    rate_per_second double precision not null, canary integer, total integer not null, done integer not null default 0,
    succeeded integer not null default 0, failed integer not null default 0, skipped integer not null default 0,
    created_by text not null, created_at timestamptz not null, updated_at timestamptz not null, finished_at timestamptz,
    node_id uuid, next_at timestamptz,
    primary key (account_id, replay_id))`,
  `create index replays_due on replays (next_at) where next_at is not null`,
  `create table replay_items (
    account_id uuid not null, replay_id uuid not null, event_id uuid not null, delivery_id uuid not null, destination_id uuid not null,
    trigger_id uuid not null, before_status text not null, before_response_status integer,
    after_status text, after_response_status integer, state text not null, generation integer, finished_at timestamptz,
    primary key (account_id, replay_id, event_id, delivery_id),
    foreign key (account_id, replay_id) references replays on delete cascade)`,
  `create index replay_items_state on replay_items (account_id, replay_id, state, event_id)`,
];

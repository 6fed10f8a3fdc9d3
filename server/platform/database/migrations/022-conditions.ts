import { type Kysely, sql } from 'kysely';

/** Conditions that triggers of the source `sluice` have reported, and the state that they are detected from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // The key is unique for a trigger, so a condition is reported once however many nodes detect it.
  `create table conditions (
    account_id uuid not null, trigger_id uuid not null, key text not null, condition_id uuid not null, type text not null,
    since timestamptz not null, opened_at timestamptz not null, closed_at timestamptz, calm_since timestamptz,
    reopened integer not null default 0, resource text not null,
    primary key (account_id, trigger_id, key),
    foreign key (account_id, trigger_id) references triggers on delete cascade)`,
  `create index conditions_open on conditions (account_id, trigger_id) where closed_at is null`,
  `create index conditions_closed on conditions (closed_at) where closed_at is not null`,
  `create index triggers_watching on triggers (next_poll_at) where source = 'sluice' and next_poll_at is not null`,
  `alter table triggers add column missed_at timestamptz, add column missed text`,
  `alter table destinations add column failures integer not null default 0, add column last_exhausted_at timestamptz`,
  `alter table nodes add column host text, add column storage_free bigint, add column storage_total bigint`,
  `create index replays_finished on replays (account_id, finished_at) where finished_at is not null`,
];

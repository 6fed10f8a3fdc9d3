import { type Kysely, sql } from 'kysely';

/** The format of the bodies of a destination, saved filters of the list of events, and pinned events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table destinations add column body_format text not null default 'JSON'`,
  `create table saved_filters (
    account_id uuid not null references accounts, saved_filter_id uuid not null, name text not null, filter text not null,
    created_by text not null, created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, saved_filter_id))`,
  `create unique index saved_filters_name on saved_filters (account_id, lower(name))`,
  `create table pinned_events (
    account_id uuid not null references accounts, event_id uuid not null, trigger_id uuid not null, note text,
    pinned_by text not null, pinned_at timestamptz not null, primary key (account_id, event_id))`,
];

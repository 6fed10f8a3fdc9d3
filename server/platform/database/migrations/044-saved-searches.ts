import { type Kysely, sql } from 'kysely';

/** Saved searches, and the functions whose serving version or visibility changed since they were compared with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table saved_searches (
    account_id uuid not null references accounts, saved_search_id uuid not null, name text not null, q text not null,
    owner text not null, match_case text not null, created_by text not null, created_at timestamptz not null,
    updated_at timestamptz not null, primary key (account_id, saved_search_id))`,
  `create unique index saved_searches_name on saved_searches (account_id, lower(name))`,
  // Without from_version: a new function.
  `create table serving_changes (
    account_id uuid not null, function_id uuid not null, change_id uuid not null, from_version int,
    from_visibility text, changed_at timestamptz not null, due_at timestamptz not null, attempts int not null,
    primary key (account_id, function_id),
    foreign key (account_id, function_id) references functions on delete cascade)`,
  `create index serving_changes_due on serving_changes (due_at)`,
];

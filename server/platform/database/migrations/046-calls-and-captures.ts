import { type Kysely, sql } from 'kysely';
import { addIndex } from '../add-index.ts';

/** The calls of an account by app and key, refused calls, and captured requests and responses. */
export async function outside(db: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES) await sql.raw(statement).execute(db);
  await sql`alter table gateway_calls add column if not exists replay_of uuid`.execute(db);
  for (const { name, on } of INDEXES) await addIndex(db, { table: 'gateway_calls', name, on });
}

const TABLES = [
  // A row stands for all calls of a few minutes that were refused for the same reason.
  `create table if not exists refused_calls (
    account_id uuid not null references accounts, call_id uuid not null, connection_id uuid, run_id uuid, key_id uuid,
    key_name text, app text, method text not null, path text not null, status integer not null, error text not null,
    request_id text, calls bigint not null, last_at timestamptz not null,
    primary key (account_id, call_id))`,
  `create index if not exists refused_calls_age on refused_calls (call_id)`,
  `create table if not exists captures (
    account_id uuid not null references accounts, capture_id uuid not null, connection_id uuid, app text,
    percent integer not null, created_by text not null, created_at timestamptz not null, until timestamptz not null,
    primary key (account_id, capture_id),
    foreign key (account_id, connection_id) references connections on delete cascade)`,
  `create index if not exists captures_connection on captures (account_id, connection_id)`,
  `create index if not exists captures_age on captures (until)`,
  `create table if not exists captured_calls (
    account_id uuid not null references accounts, call_id uuid not null, connection_id uuid not null,
    request text not null, response text, bytes integer not null,
    primary key (account_id, call_id),
    foreign key (account_id, connection_id) references connections on delete cascade)`,
  `create index if not exists captured_calls_connection on captured_calls (account_id, connection_id)`,
  `create index if not exists captured_calls_age on captured_calls (call_id)`,
];

const INDEXES = [
  { name: 'gateway_calls_app', on: '(account_id, app, call_id)' },
  { name: 'gateway_calls_key', on: '(account_id, key_id, call_id) where key_id is not null' },
  {
    name: 'gateway_calls_unwell',
    on: '(account_id, call_id) where status is null or status >= 400 or error is not null',
  },
  { name: 'gateway_calls_slow', on: '(account_id, call_id) where duration_ms >= 1000' },
];

import { type Kysely, sql } from 'kysely';
import { addIndex } from '../add-index.ts';

/**
 * Problems, their failures, and the order in which failures are read: `xid` is the transaction that stored a row, null
 * in rows of before. The indexes have only the failures.
 */
export async function outside(db: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES) await sql.raw(statement).execute(db);
  for (const { table, where } of READ) {
    await sql.raw(`alter table ${table} add column if not exists xid xid8`).execute(db);
    await sql.raw(`alter table ${table} alter column xid set default pg_current_xact_id()`).execute(db);
    await addIndex(db, { table, name: `${table}_failed`, on: `(xid) where xid is not null and ${where}` });
  }
  await addIndex(db, {
    table: 'connections',
    name: 'connections_failing',
    on: `(account_id) where status = 'FAILED' or refresh_failing_since is not null`,
  });
}

const READ = [
  { table: 'attempts', where: 'reason is not null' },
  { table: 'runs', where: `status in ('ERROR', 'TIMEOUT')` },
  { table: 'gateway_calls', where: '(status is null or status >= 400)' },
  { table: 'rejections', where: 'true' },
];

const TABLES = [
  `create table if not exists problem_reader (one boolean primary key default true check (one), positions text not null,
    since timestamptz not null, checked_at timestamptz not null)`,
  `create table if not exists problems (
    account_id uuid not null references accounts, problem_id uuid not null, fingerprint text not null, base text not null,
    is_base boolean not null, kind text not null, title text not null, signature text not null, code text, status integer,
    frame text, app text, state text not null, state_by text, state_note text, state_at timestamptz,
    ignored_until timestamptz, ignored_above bigint, resolved_as text,
    first_seen_at timestamptz not null, last_seen_at timestamptz not null, opened_at timestamptz not null,
    regressed_at timestamptz, regressions integer not null default 0, first_version integer, last_version integer,
    failures bigint not null, counts text not null, check_at timestamptz,
    primary key (account_id, problem_id), unique (account_id, fingerprint))`,
  `create index if not exists problems_base on problems (account_id, base)`,
  `create index if not exists problems_seen on problems (account_id, state, last_seen_at desc, problem_id)`,
  `create index if not exists problems_opened on problems (account_id, first_seen_at)`,
  `create index if not exists problems_check on problems (check_at) where check_at is not null`,
  // One row for each delivery, run, call, … of a problem.
  `create table if not exists problem_failures (
    account_id uuid not null, problem_id uuid not null, subject_id uuid not null, kind text not null, at timestamptz not null,
    last_at timestamptz not null, failures integer not null, event_id uuid, trigger_id uuid, delivery_id uuid,
    destination_id uuid, run_id uuid, function_id uuid, version integer, call_id uuid, connection_id uuid,
    primary key (account_id, problem_id, subject_id),
    foreign key (account_id, problem_id) references problems on delete cascade)`,
  `create index if not exists problem_failures_age on problem_failures using brin (last_at)`,
  `create table if not exists problem_hours (
    account_id uuid not null, problem_id uuid not null, at_ms bigint not null, failures integer not null,
    primary key (account_id, problem_id, at_ms),
    foreign key (account_id, problem_id) references problems on delete cascade)`,
  `create table if not exists problem_parts (
    account_id uuid not null, problem_id uuid not null, kind text not null, resource_id uuid not null, name text not null,
    failures bigint not null, last_at timestamptz not null,
    primary key (account_id, problem_id, kind, resource_id),
    foreign key (account_id, problem_id) references problems on delete cascade)`,
];

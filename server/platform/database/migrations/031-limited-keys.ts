import { type Kysely, sql } from 'kysely';

/** Limits, rotation and use of API keys; the key of each gateway call and run; the connections of functions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Keys of before have full access: no limits.
  `alter table api_keys add column limits text, add column last_used_ip text,
    add column old_hash text, add column old_prefix text, add column old_expires_at timestamptz`,
  `create unique index api_keys_old_hash on api_keys (old_hash) where old_hash is not null`,
  `create table api_key_uses (
    account_id uuid not null, key_id uuid not null, day date not null, operation text not null,
    function_id uuid, ip text not null, calls bigint not null)`,
  `create unique index api_key_uses_key on api_key_uses
    (account_id, key_id, day, operation, ip, coalesce(function_id, '00000000-0000-0000-0000-000000000000'))`,
  `create index api_key_uses_day on api_key_uses (day)`,
  // Uses of before were not recorded.
  `insert into settings (name, value) values ('key_uses_since', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`,
  `alter table gateway_calls add column key_id uuid, add column key_name text`,
  `alter table runs add column key_id uuid, add column key_name text`,
  // Functions of before may use every connection.
  `alter table functions add column gateway_policy text not null default 'ALLOW_ALL',
    add column gateway_grants text not null default '[]'`,
];

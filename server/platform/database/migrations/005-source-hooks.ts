import { type Kysely, sql } from 'kysely';

/** Webhook registrations at apps. A row outlives its trigger until the app has deleted the registration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table source_hooks (
    account_id uuid not null references accounts, hook_id uuid not null, trigger_id uuid not null, app text not null,
    connection_id uuid, ingress_hash text not null, wanted text not null, state text not null, remote_id text, message text,
    tries integer not null default 0, leased boolean not null default false, next_at timestamptz,
    created_at timestamptz not null, updated_at timestamptz not null,
    primary key (account_id, hook_id))`,
  `create index source_hooks_trigger on source_hooks (account_id, trigger_id)`,
  // A trigger has one current registration, and any number that are being removed.
  `create unique index source_hooks_current on source_hooks (account_id, trigger_id) where state <> 'REMOVING'`,
  `create index source_hooks_due on source_hooks (next_at) where next_at is not null`,
];

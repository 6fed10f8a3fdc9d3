import { type Kysely, sql } from 'kysely';

/**
 * Sessions that their user can distinguish and end, failed sign-ins in the audit log, and the throttle of sign-ins for
 * all nodes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table sessions
    add column session_id uuid not null default gen_random_uuid(), add column last_used_at timestamptz,
    add column confirmed_at timestamptz, add column ip text, add column user_agent text`,
  `alter table audit add column outcome text not null default 'SUCCEEDED'`,
  `create table sign_in_limits (scope text primary key, tokens double precision not null, at timestamptz not null)`,
];

import { type Kysely, sql } from 'kysely';

/** Tags and end users of connections, and the refreshes of their tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table connections add column tags text not null default '[]',
    add column end_user_id text, add column end_user_email text, add column end_user_name text`,
  `create index connections_tags on connections using gin ((tags::jsonb) jsonb_path_ops)`,
  `create index connections_end_user on connections (account_id, end_user_id, connection_id) where end_user_id is not null`,
  `create index connections_app on connections (account_id, app, connection_id)`,
  `create index triggers_connection on triggers (account_id, connection_id) where connection_id is not null`,
  // Refreshes of before were not recorded.
  `create table connection_refreshes (
    account_id uuid not null, connection_id uuid not null, at timestamptz not null, outcome text not null, message text,
    primary key (account_id, connection_id, at),
    foreign key (account_id, connection_id) references connections on delete cascade)`,
];

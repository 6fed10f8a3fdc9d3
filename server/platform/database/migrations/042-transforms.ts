import { type Kysely, sql } from 'kysely';

/** Functions that turn events into the requests of a destination, and what transformed each attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table destinations add column transform_function_id uuid, add column transform_version int`,
  `alter table attempts add column transform_function_id uuid, add column transform_version int,
    add column transform_run_id uuid`,
  `alter table deliveries add column transform_then boolean`,
  `alter table replays add column transform_then boolean not null default false`,
];

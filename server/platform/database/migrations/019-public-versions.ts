import { type Kysely, sql } from 'kysely';

/**
 * Other accounts can read the versions of a PUBLIC function that were live while it was PUBLIC; these are marked. The
 * history before this migration is unknown, so only the live versions are marked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table function_versions add column is_public boolean not null default false`.execute(db);
  await sql`
    update function_versions v set is_public = true from functions f
    where f.visibility = 'PUBLIC' and f.account_id = v.account_id and f.function_id = v.function_id and f.version = v.version
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The paths of a custom app, as its OpenAPI document lists them: JSON, read only when a request is written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table apps add column paths text').execute(db);
}

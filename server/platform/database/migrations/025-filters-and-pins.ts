import { type Kysely, sql } from 'kysely';

/** The format of the bodies of a destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [`alter table destinations add column body_format text not null default 'JSON'`];

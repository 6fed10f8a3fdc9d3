import { type Kysely, sql } from 'kysely';

/**
 * What the code of functions defines and uses, by document. Code of before is read after the start
 * (functions/facts/facts-worker.ts). A fact is removed with its blob, by any version of the service.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table code_documents (
      code_id bigint generated always as identity primary key,
      code_sha256 text not null unique references blobs (sha256) on delete cascade,
      reader integer not null,
      is_whole boolean not null,
      read_at timestamptz not null default now()
    )
  `.execute(db);
  await sql`
    create table code_facts (
      code_id bigint not null references code_documents (code_id) on delete cascade,
      kind text not null,
      name text not null,
      version text,
      places jsonb not null
    )
  `.execute(db);
  await sql`create index code_facts_by_name on code_facts (kind, lower(name) text_pattern_ops)`.execute(db);
  await sql`create index code_facts_by_document on code_facts (code_id)`.execute(db);
}

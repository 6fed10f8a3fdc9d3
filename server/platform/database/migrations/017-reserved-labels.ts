import { type Kysely, sql } from 'kysely';

/** Labels of deleted and renamed functions stay reserved for their account; see store/reserved-labels.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table reserved_labels (
    account_id uuid not null references accounts, label text primary key, released_at timestamptz not null)`.execute(
    db,
  );
  await sql`create index reserved_labels_released on reserved_labels (released_at)`.execute(db);
}

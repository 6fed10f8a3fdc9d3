import { type Kysely, sql } from 'kysely';

/** Matches of saved searches within an hour, by trigger: those above the limit are one event at its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table code_match_hours (
        account_id uuid not null, trigger_id uuid not null, began_at timestamptz not null, events int not null,
        further int not null, names text not null, primary key (account_id, trigger_id),
        foreign key (account_id, trigger_id) references triggers on delete cascade)`,
    )
    .execute(db);
}

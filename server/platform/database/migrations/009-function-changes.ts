import { type Kysely, sql } from 'kysely';

/** Recently changed functions, for the code index, which also contains the words of names and descriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // One row per function that ever changed, with its latest change. No foreign key: a deletion is a change, too.
  `create table function_changes (
    account_id uuid not null, function_id uuid not null, xid xid8 not null,
    primary key (account_id, function_id))`,
  `create index function_changes_xid on function_changes (xid)`,
  `drop index functions_text`,
];

import { type Kysely, sql } from 'kysely';

/** Log lines are read by function and time, across its runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table run_logs add column function_id uuid`,
  `update run_logs l set function_id = r.function_id from runs r
    where r.account_id = l.account_id and r.run_id = l.run_id`,
  // Their run was already deleted.
  `delete from run_logs where function_id is null`,
  `alter table run_logs alter column function_id set not null`,
  `create index run_logs_function on run_logs (account_id, function_id, at_ms, run_id, seq)`,
];

import { sql } from 'kysely';
import type { RunLogsTable } from './function-tables.ts';
import type { Db } from './schema.ts';

export type RunLogLine = Omit<RunLogsTable, 'account_id' | 'run_id'>;

/** Adds lines of one run in one statement. */
export async function insert(db: Db, account_id: string, run_id: string, lines: RunLogLine[]): Promise<void> {
  await sql`
    insert into run_logs (account_id, run_id, seq, at_ms, level, message)
    select ${account_id}, ${run_id}, l.* from unnest(
      ${lines.map((line) => line.seq)}::int[],
      ${lines.map((line) => line.at_ms)}::bigint[],
      ${lines.map((line) => line.level)}::text[],
      ${lines.map((line) => line.message)}::text[]
    ) l
  `.execute(db);
}

export type LogWindow = { from_ms?: number | undefined; to_ms?: number | undefined };

/** Lines of a run, oldest first, after `after` when it is given. */
export async function list(
  db: Db,
  account_id: string,
  run_id: string,
  { from_ms, to_ms }: LogWindow,
  page: { limit: number; after?: number | undefined },
): Promise<RunLogsTable[]> {
  let query = db.selectFrom('run_logs').selectAll().where('account_id', '=', account_id).where('run_id', '=', run_id);
  if (from_ms !== undefined) query = query.where('at_ms', '>=', from_ms);
  if (to_ms !== undefined) query = query.where('at_ms', '<=', to_ms);
  if (page.after !== undefined) query = query.where('seq', '>', page.after);
  return query.orderBy('seq').limit(page.limit).execute();
}

import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Timestamp } from '../../platform/database/tables/column-types.ts';

type Since = { function_id: string; since_ms: number };
const recentRuns = (account_id: string, { function_id, since_ms }: Since): RawBuilder<unknown> =>
  sql`account_id = ${account_id} and function_id = ${function_id} and run_id >= ${firstIdAt(since_ms)}`;

/** Counts runs since then, up to `limit`, and how many of them a delivery caused. */
export async function countRuns(
  db: Db,
  account_id: string,
  since: Since,
  limit: number,
): Promise<{ runs: number; deliveries: number }> {
  const { rows } = await sql<{ runs: number; deliveries: number }>`
    select count(*) as runs, count(trigger_id) as deliveries
    from (select trigger_id from runs where ${recentRuns(account_id, since)} limit ${limit}) recentRuns
  `.execute(db);
  return rows[0] ?? { runs: 0, deliveries: 0 };
}

export type Caller = { source_ip: string; user_agent: string; runs: number; last_at: Timestamp };

/** Reading a field decodes the whole JSON text, which fails for a NUL in a body or query. */
const READABLE = sql.raw(String.raw`replace(request, '\u0000', '\ufffd')::json`);

/** The most frequent callers, except deliveries, among the newest `looked` calls. */
export async function callers(
  db: Db,
  account_id: string,
  since: Since,
  { looked, limit }: { looked: number; limit: number },
): Promise<Caller[]> {
  const { rows } = await sql<Caller>`
    select request->>'source_ip' as source_ip, left(request->>'user_agent', 200) as user_agent,
      count(*) as runs, max(created_at) as last_at
    from (select ${READABLE} as request, created_at from runs where ${recentRuns(account_id, since)} and trigger_id is null
      order by run_id desc limit ${looked}) newest
    group by 1, 2 order by runs desc, last_at desc limit ${limit}
  `.execute(db);
  return rows;
}

/** Counts the stars of other accounts. */
export async function starsElsewhere(db: Db, account_id: string, function_id: string): Promise<number> {
  const { rows } = await sql<{ stars: number }>`
    select count(*) as stars from stars where function_id = ${function_id} and account_id <> ${account_id}
  `.execute(db);
  return rows[0]?.stars ?? 0;
}

/** Gradual deploys: the latest of each function; see versions/gradual.ts. */
import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { GradualDeploysTable } from '../../platform/database/tables/function-tables.ts';

/** The gradual deploy of a function; undefined without one, or if another version became live since. */
export async function find(
  db: Db | Tx,
  account_id: string,
  function_id: string,
): Promise<GradualDeploysTable | undefined> {
  const { rows } = await sql<GradualDeploysTable>`
    select g.* from gradual_deploys g join functions f using (account_id, function_id)
    where g.account_id = ${account_id} and g.function_id = ${function_id} and g.live_version = f.version
  `.execute(db);
  return rows[0];
}

export async function put(tx: Tx, row: GradualDeploysTable): Promise<void> {
  await tx
    .insertInto('gradual_deploys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'function_id']).doUpdateSet(row))
    .execute();
}

/** Returns whether there was one. */
export async function remove(tx: Tx, account_id: string, function_id: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('gradual_deploys')
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .returning('function_id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Ends one that serves this version; returns whether it did. */
export async function rollBack(
  tx: Tx,
  { account_id, function_id, version, started_at }: GradualDeploysTable,
  reason: string,
  at: string,
): Promise<boolean> {
  const ended = await tx
    .updateTable('gradual_deploys')
    .set({ status: 'ROLLED_BACK', reason, ended_at: at, check_at: null })
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .where('version', '=', version)
    .where('started_at', '=', started_at)
    .where('status', '=', 'RUNNING')
    .returning('function_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Gradual deploys that are due for a check, for this node alone until the next one. */
export async function claim(db: Db, everyMs: number, limit: number): Promise<GradualDeploysTable[]> {
  const { rows } = await sql<GradualDeploysTable>`
    update gradual_deploys g set check_at = now() + ${everyMs} * interval '1 millisecond'
    from (
      select account_id, function_id from gradual_deploys where check_at <= now() order by check_at limit ${limit}
      for update skip locked
    ) due, functions f
    where g.account_id = due.account_id and g.function_id = due.function_id and f.account_id = g.account_id
      and f.function_id = g.function_id and f.version = g.live_version
    returning g.*
  `.execute(db);
  return rows;
}

const CALLS_MAX = 20_000;

export type Calls = { calls: number; failed: number };

/** Calls of both versions by URL and by events, since the start and within the window. */
export async function calls(
  db: Db,
  { account_id, function_id, version, live_version, started_at, window_minutes }: GradualDeploysTable,
): Promise<{ live: Calls; version: Calls }> {
  const sinceMs = Math.max(Date.parse(started_at), Date.now() - window_minutes * 60_000);
  const { rows } = await sql<Calls & { version: number }>`
    select version, count(*)::int as calls,
      count(*) filter (where status in ('ERROR', 'TIMEOUT') or response_status >= 500)::int as failed
    from (
      select version, status, response_status from runs
      where account_id = ${account_id} and function_id = ${function_id} and run_id >= ${firstIdAt(sinceMs)}
        and caller in ('KEY', 'ANYONE', 'EVENT') and status <> 'RUNNING'
      order by run_id desc limit ${CALLS_MAX}
    ) r where version in (${version}, ${live_version}) group by version
  `.execute(db);
  const of = (number: number): Calls => {
    const row = rows.find((each) => each.version === number);
    return { calls: row?.calls ?? 0, failed: row?.failed ?? 0 };
  };
  return { live: of(live_version), version: of(version) };
}

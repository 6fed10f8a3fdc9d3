/** Whether the resources of a problem succeed again. */

import { sql } from 'kysely';
import type { ProblemPartKind } from '../../../contract/states.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Tx } from '../../platform/database/schema.ts';
import type { ProblemsTable } from '../../platform/database/tables/problem-tables.ts';

type Problem = Pick<ProblemsTable, 'account_id' | 'problem_id'>;

/** Problems to check now, locked. */
export async function lockDue(tx: Tx, limit: number): Promise<ProblemsTable[]> {
  return tx
    .selectFrom('problems')
    .selectAll()
    .where('check_at', '<=', sql<string>`now()`)
    .orderBy('check_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}

export async function checkIn(tx: Tx, { account_id, problem_id }: Problem, ms: number): Promise<void> {
  await sql`
    update problems set check_at = now() + ${ms} * interval '1 millisecond'
    where account_id = ${account_id} and problem_id = ${problem_id}
  `.execute(tx);
}

export async function resolve(
  tx: Tx,
  { account_id, problem_id }: Problem,
  end: 'SUCCESSES' | 'REPLAYED' | 'DELETED',
): Promise<void> {
  await sql`
    update problems set state = 'RESOLVED', resolved_as = ${end}, state_at = now(), state_by = null, state_note = null,
      ignored_until = null, ignored_above = null, check_at = null
    where account_id = ${account_id} and problem_id = ${problem_id}
  `.execute(tx);
}

/** Whether a replay of the problem runs, or has completed and its receipt is not stored yet. */
export async function isReplayed(tx: Tx, { account_id, problem_id }: Problem): Promise<boolean> {
  const { rows } = await sql`
    select from replays where account_id = ${account_id} and problem_id = ${problem_id}
      and (status = 'RUNNING' or status = 'COMPLETED' and receipt is null) limit 1
  `.execute(tx);
  return rows.length > 0;
}

const PARTS = 20;

/** The ids of the resources that failed last. */
export async function newestParts(
  tx: Tx,
  { account_id, problem_id }: Problem,
  kind: ProblemPartKind,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('problem_parts')
    .select('resource_id')
    .where('account_id', '=', account_id)
    .where('problem_id', '=', problem_id)
    .where('kind', '=', kind)
    .orderBy('last_at', 'desc')
    .limit(PARTS)
    .execute();
  return rows.map(({ resource_id }) => resource_id);
}

const TABLES = {
  DESTINATION: ['destinations', 'destination_id'],
  FUNCTION: ['functions', 'function_id'],
  CONNECTION: ['connections', 'connection_id'],
  TRIGGER: ['triggers', 'trigger_id'],
} as const satisfies Record<ProblemPartKind, unknown>;

/** Which of these resources exist. */
export async function existing(tx: Tx, account_id: string, kind: ProblemPartKind, ids: string[]): Promise<string[]> {
  const [table, column] = TABLES[kind];
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)} as id from ${sql.table(table)}
    where account_id = ${account_id} and ${sql.ref(column)} = any(${ids}::uuid[])
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deliveries, runs and calls of each resource that are read, the newest ones. */
const NEWEST = 200;

/** Whether one of these resources has succeeded since the problem was seen last. */
export async function hasSucceeded(
  tx: Tx,
  { account_id, kind, last_seen_at }: ProblemsTable,
  part: ProblemPartKind,
  ids: string[],
): Promise<boolean> {
  const since = sql`${last_seen_at}::timestamptz`;
  const from = firstIdAt(Date.parse(last_seen_at));
  const own = sql`account_id = ${account_id}`;
  const succeeded = {
    DESTINATION: sql`exists (select from (
        select status, last_attempt_at from deliveries where ${own} and destination_id = i.id
        order by event_id desc limit ${NEWEST}
      ) d where status = 'SUCCEEDED' and last_attempt_at > ${since})`,
    FUNCTION: sql`exists (select from (
        select status from runs where ${own} and function_id = i.id and run_id > ${from}::uuid
        order by run_id desc limit ${NEWEST}
      ) r where status = 'OK')`,
    CONNECTION:
      kind === 'RENEWAL'
        ? sql`exists (select from connections where ${own} and connection_id = i.id and status = 'ACTIVE'
            and refresh_failing_since is null and greatest(refreshed_at, completed_at) > ${since})`
        : sql`exists (select from (
            select status from gateway_calls where ${own} and connection_id = i.id and call_id > ${from}::uuid
            order by call_id desc limit ${NEWEST}
          ) c where status < 400)`,
    TRIGGER: sql`exists (select from triggers where ${own} and trigger_id = i.id
        and ${kind === 'POLL' ? sql`failing_since is null` : sql`last_event_at > ${since}`})`,
  }[part];
  const { rows } = await sql`select from unnest(${ids}::uuid[]) as i(id) where ${succeeded} limit 1`.execute(tx);
  return rows.length > 0;
}

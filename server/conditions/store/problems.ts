import { sql } from 'kysely';
import type { Tx } from '../../platform/database/schema.ts';
import type { ProblemsTable } from '../../platform/database/tables/problem-tables.ts';

export type ProblemState = Pick<
  ProblemsTable,
  | 'problem_id'
  | 'title'
  | 'state'
  | 'signature'
  | 'opened_at'
  | 'regressions'
  | 'failures'
  | 'resolved_as'
  | 'last_version'
>;
const COLUMNS = [
  'problem_id',
  'title',
  'state',
  'signature',
  'opened_at',
  'regressions',
  'failures',
  'resolved_as',
  'last_version',
] as const;

/**
 * A problem that only deliveries of the source `sluice` have is not reported: its event could fail in the same way. The
 * console lists it.
 */
const IS_REPORTED = sql<boolean>`(
  not exists (
    select from problem_parts p
    where p.account_id = problems.account_id and p.problem_id = problems.problem_id and p.kind = 'TRIGGER')
  or exists (
    select from problem_parts p
    join triggers t on t.account_id = p.account_id and t.trigger_id = p.resource_id
    where p.account_id = problems.account_id and p.problem_id = problems.problem_id and p.kind = 'TRIGGER'
      and t.source <> 'sluice'))`;

/** OPEN problems besides these that were opened after `since`, the first opened first. */
export async function opened(
  tx: Tx,
  account_id: string,
  { besides, since, limit }: { besides: string[]; since: string; limit: number },
): Promise<ProblemState[]> {
  let query = tx
    .selectFrom('problems')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('state', '=', 'OPEN')
    .where('opened_at', '>', since)
    .where(IS_REPORTED);
  if (besides.length > 0) query = query.where('problem_id', 'not in', besides);
  return query.orderBy('opened_at').limit(limit).execute();
}

export async function withIds(tx: Tx, account_id: string, ids: string[]): Promise<ProblemState[]> {
  if (ids.length === 0) return [];
  return tx
    .selectFrom('problems')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('problem_id', 'in', ids)
    .execute();
}

/** Transformations of attempts in the shape of the API. */
import type { Reply } from '../../../contract/operations.ts';
import * as functionStore from '../../functions/store/functions.ts';
import type { Ctx } from '../../platform/context.ts';
import type { AttemptRow } from '../store/queue/attempts.ts';
import type { TransformRun } from './transform.ts';

type Shown = Reply<'attemptList'>['attempts'][number]['transform'];

/** What transformed an attempt; null if nothing did. */
export const transformOf = (row: AttemptRow): TransformRun | null =>
  row.transform_function_id === null
    ? null
    : { function_id: row.transform_function_id, version: row.transform_version, run_id: row.transform_run_id };

/** The same with the names of the functions, which are read once for all. */
export async function describeRuns(ctx: Ctx, runs: (TransformRun | null)[]): Promise<Shown[]> {
  const ids = [...new Set(runs.flatMap((run) => (run ? [run.function_id] : [])))];
  if (ids.length === 0) return runs.map(() => null);
  const names = await functionStore.namesOf(ctx.db, ctx.account_id, ids);
  return runs.map((run) => run && { ...run, function_name: names.get(run.function_id) ?? null });
}

export async function describeRun(ctx: Ctx, run: TransformRun | null): Promise<Shown> {
  return (await describeRuns(ctx, [run]))[0] ?? null;
}

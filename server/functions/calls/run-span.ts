import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import { traceOfPairs } from '../../platform/tracing/trace.ts';
import type { OpenSpan, Tracing } from '../../platform/tracing/tracing.ts';
import type { Finish } from '../../runtime/watch-run.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** Starts the span of a run, which continues the trace of its request. */
export function startRunSpan(
  tracing: Tracing,
  { account_id, function_id }: FunctionsTable,
  version: number,
  run_id: string,
  headers: Headers,
): OpenSpan {
  return tracing.start('function run', 'SERVER', traceOfPairs(headers), { account_id, function_id, version, run_id });
}

/** Ends the span of a run. `status`: of its response; undefined without one. */
export function endRunSpan(span: OpenSpan, { outcome }: Finish, status?: number): void {
  span.end({ status, outcome }, outcome !== 'OK');
}

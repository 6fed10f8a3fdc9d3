import type { Input, Reply } from '../../contract/operations.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { compileFilterPattern } from '../search/filter-pattern.ts';
import { PatternError } from '../search/pattern-reader.ts';
import type { RunLogsTable } from '../store/function-tables.ts';
import * as store from '../store/run-logs.ts';
import * as runStore from '../store/runs.ts';
import type { Ctx } from './context.ts';
import { closePage, openPage } from './paging.ts';

const READ_AT_ONCE = 1000;

/** Lines of a run, oldest first; those that `filter_pattern` takes, within `start_time` and `end_time` (both included). */
export async function list(ctx: Ctx, input: Input<'runLogList'>): Promise<Reply<'runLogList'>> {
  const { filter_pattern = '', start_time: from_ms, end_time: to_ms } = input.query;
  const matches = compile(filter_pattern);
  const { limit, after } = openPage(ctx, input);
  const run = await runStore.find(ctx.db, ctx.account_id, input.params.function_id, input.params.run_id);
  if (!run) throw notFound('Run');
  const found: RunLogsTable[] = [];
  let last = after?.[0] === undefined ? undefined : Number(after[0]);
  while (found.length <= limit) {
    const lines = await store.list(
      ctx.db,
      ctx.account_id,
      run.run_id,
      { from_ms, to_ms },
      { limit: READ_AT_ONCE, after: last },
    );
    found.push(...lines.filter(({ message }) => matches(message)));
    last = lines.at(-1)?.seq;
    if (lines.length < READ_AT_ONCE) break;
  }
  const { rows, next_token } = closePage(ctx, input, found, (row) => [String(row.seq)]);
  return { events: rows.map(({ at_ms, message, level }) => ({ timestamp: at_ms, message, level })), next_token };
}

function compile(pattern: string): (message: string) => boolean {
  try {
    return compileFilterPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw badRequest(`filter_pattern: ${error.message}`);
    throw error;
  }
}

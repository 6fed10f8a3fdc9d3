import { isAtLeastLevel } from '../../../contract/log-level.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { LogLevel } from '../../../contract/states.ts';
import { notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import { closePage, openPage, pageToken } from '../../platform/paging.ts';
import { getOwn } from '../hosted-function.ts';
import { findSettled } from '../runs/settled-run.ts';
import type { FunctionLogLine, LogKey } from '../store/function-logs.ts';
import * as functionStore from '../store/function-logs.ts';
import type { RunLogLine } from '../store/run-lines.ts';
import * as store from '../store/run-logs.ts';
import { compilePattern } from './log-pattern.ts';

const READ_AT_ONCE = 1000;
/** Limits of lines and time per request; the next request continues where it stopped. */
const LOOK_AT_MOST = 20_000;
const LOOK_MS = 1000;

/** Lines of a run, oldest first, that match `filter_pattern`, from `start_time` to `end_time` (both included). */
export async function list(ctx: Ctx, input: Input<'runLogList'>): Promise<Reply<'runLogList'>> {
  const { filter_pattern, start_time: from_ms, end_time: to_ms } = input.query;
  const pattern = compilePattern(filter_pattern);
  const { limit, after } = openPage(ctx, input);
  const run = await findSettled(ctx, input.params);
  if (!run) throw notFound('Run');
  const found: RunLogLine[] = [];
  let last = after?.[0] === undefined ? undefined : Number(after[0]);
  while (found.length <= limit) {
    const lines = await store.list(
      ctx.db,
      ctx.account_id,
      run,
      { from_ms, to_ms },
      { limit: READ_AT_ONCE, after: last },
    );
    found.push(...lines.filter(({ message }) => pattern.test(message)));
    last = lines.at(-1)?.seq;
    if (lines.length < READ_AT_ONCE) break;
  }
  const { rows, next_token } = closePage(ctx, input, found, (row) => [String(row.seq)]);
  return { events: rows.map(({ at_ms, message, level }) => ({ timestamp: at_ms, message, level })), next_token };
}

/** Lines of all runs of a function by time, oldest first by default. */
export async function listOfFunction(ctx: Ctx, input: Input<'functionLogList'>): Promise<Reply<'functionLogList'>> {
  const { filter_pattern, start_time: from_ms, end_time: to_ms, version, order, show, level } = input.query;
  const lens = openLens({ filter_pattern, show, level });
  const { limit, after } = openPage(ctx, input);
  const { function_id } = await getOwn(ctx, input.params.function_id);
  await ctx.memory.runs.settle((key) => key.function_id === function_id, ctx.settings.runPatience.manyMs);
  const until = performance.now() + LOOK_MS;
  const found: FunctionLogLine[] = [];
  let last = after && { at_ms: Number(after[0]), run_id: after[1] ?? '', seq: Number(after[2]) };
  let looked = 0;
  for (;;) {
    // Without a filter, one page and one line are enough.
    const most = lens.hides ? READ_AT_ONCE : limit + 1 - found.length;
    const lines = await functionStore.listOfFunction(
      ctx.db,
      ctx.account_id,
      function_id,
      { from_ms, to_ms, version, order },
      { limit: most, after: last },
    );
    for (const line of lines) if (lens.takes(line)) found.push(line);
    last = lines.at(-1) ?? last;
    looked += lines.length;
    if (found.length > limit || lines.length < most) break;
    if ((looked >= LOOK_AT_MOST || performance.now() > until) && last)
      return { events: found.map(lens.show), next_token: pageToken(ctx, input, keyOf(last)) };
  }
  const { rows, next_token } = closePage(ctx, input, found, keyOf);
  return { events: rows.map(lens.show), next_token };
}

const keyOf = ({ at_ms, run_id, seq }: LogKey) => [String(at_ms), run_id, String(seq)];

type Lens = { filter_pattern: string | undefined; show: 'matches' | 'all'; level: LogLevel | undefined };

/** Which lines of a function are shown, and how. */
export function openLens({ filter_pattern, show, level: least }: Lens) {
  const pattern = compilePattern(filter_pattern);
  const hasPattern = filter_pattern !== undefined && filter_pattern.trim() !== '';
  const hides = hasPattern && show === 'matches';
  return {
    /** A filter excludes some lines. */
    hides: hides || least !== undefined,
    takes: (line: Pick<FunctionLogLine, 'message' | 'level'>) =>
      (least === undefined || isAtLeastLevel(line, least)) && (!hides || pattern.test(line.message)),
    show({ at_ms, message, level, run_id, version, seq }: FunctionLogLine) {
      const line = { timestamp: at_ms, message, level, run_id, version, seq };
      if (!hasPattern) return line;
      const matches = hides || pattern.test(message);
      const marks = matches ? pattern.marks(message).map(([from, to]): [number, number] => [from, to]) : [];
      return { ...line, ...(marks.length > 0 ? { marks } : {}), ...(hides ? {} : { matches }) };
    },
  };
}

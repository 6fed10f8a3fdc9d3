/**
 * Follows the log of a function over all runs and nodes. Live changes report which runs begin and end; their lines are
 * read from the table, run by run, each from the last position. So no line is missed when lines are stored late, when
 * another node runs them, or when the reader is slow: then reading pauses, not logging.
 *
 * A message's id is the time of the read. A reader that reconnects with it receives lines from a little earlier: some
 * may be repeated, and `run_id` and `seq` identify them.
 */
import { TAIL_EVENTS } from '../../../contract/live.ts';
import type { Input } from '../../../contract/operations.ts';
import type { Feed, FeedMessage, FeedStart } from '../../lib/feed.ts';
import type { Ctx } from '../../platform/context.ts';
import type { LiveBatch } from '../../platform/live.ts';
import { getOwn } from '../hosted-function.ts';
import type { FollowedRun } from '../store/run-logs.ts';
import * as store from '../store/run-logs.ts';
import { openLens } from './logs.ts';

/** Interval of reads for runs in progress. With the recorder's delay, this is the delay of the tail. */
const LOOK_EVERY_MS = 100;
/** Lines may be stored this long after they were written, when the database was unavailable or busy. */
const LATE_MS = 5000;
/** Older lines are read by pages. */
const FURTHEST_BACK_MS = 300_000;
const RUNS_MAX = 2000;
const RUNS_AT_ONCE = 200;
const LINES_AT_ONCE = 500;

/** Streams stored lines that match `filter_pattern`, optionally of one version. */
export async function open(ctx: Ctx, input: Input<'functionLogTail'>, from: FeedStart): Promise<Feed> {
  const { filter_pattern, version, show, level, start_time } = input.query;
  const lens = openLens({ filter_pattern, show, level });
  const { function_id } = await getOwn(ctx, input.params.function_id);
  const asked = sinceOf(from.lastId) ?? start_time ?? Date.now();
  return follow(ctx, { function_id, version, lens, asked, signal: from.signal });
}

type Following = {
  function_id: string;
  version: number | undefined;
  lens: ReturnType<typeof openLens>;
  asked: number;
  signal: AbortSignal;
};

async function* follow(ctx: Ctx, following: Following): AsyncGenerator<FeedMessage> {
  const { function_id, version, lens, asked, signal } = following;
  const changes = listen(ctx, function_id, signal);
  const runs = new Map<string, FollowedRun>();
  /** Ids of runs that were read completely: a late message may still name them. */
  const done = new Set<string>();
  const add = (found: FollowedRun[]) => {
    for (const run of found) if (!runs.has(run.run_id)) runs.set(run.run_id, run);
  };
  const catchUp = async (since_ms: number) => {
    const found = await store.runsToFollow(ctx.db, ctx.account_id, function_id, { since_ms, version }, RUNS_MAX);
    add(found);
    return found.length < RUNS_MAX;
  };

  let readAt = Date.now();
  const since = Math.max(asked, readAt - FURTHEST_BACK_MS);
  const whole = (await catchUp(since)) && since === asked;
  yield { event: TAIL_EVENTS.hello, data: {}, id: String(readAt) };
  if (!whole) yield { event: TAIL_EVENTS.gap, data: {}, id: String(readAt) };

  while (!signal.aborted) {
    const { begun, ended, missed } = changes.take();
    if (missed && !(await catchUp(readAt - LATE_MS))) yield { event: TAIL_EVENTS.gap, data: {}, id: String(readAt) };
    const unknown = [...begun, ...ended].filter((run_id) => !runs.has(run_id) && !done.has(run_id));
    for (let at = 0; at < unknown.length; at += RUNS_AT_ONCE) {
      const run_ids = unknown.slice(at, at + RUNS_AT_ONCE);
      add(await store.runsToFollow(ctx.db, ctx.account_id, function_id, { run_ids, version }, RUNS_AT_ONCE));
    }
    for (const run_id of ended) {
      const run = runs.get(run_id);
      if (run) run.ended = true;
    }
    if (done.size > RUNS_MAX) done.clear();
    readAt = Date.now();
    let more = false;
    const all = [...runs.values()];
    for (let at = 0; at < all.length; at += RUNS_AT_ONCE) {
      const some = all.slice(at, at + RUNS_AT_ONCE);
      const { lines, over, full } = await readOn(ctx, some);
      more ||= full;
      for (const run_id of over) {
        runs.delete(run_id);
        done.add(run_id);
      }
      const taken = lines.filter(lens.takes).map(lens.show);
      if (taken.length > 0) yield { event: TAIL_EVENTS.lines, data: taken, id: String(readAt) };
    }
    if (!more) await changes.wait(runs.size > 0 ? LOOK_EVERY_MS : undefined);
  }
}

/** The next lines of these runs. A run that had ended before the read, and has no more lines, is removed. */
async function readOn(ctx: Ctx, runs: FollowedRun[]) {
  const ended = runs.filter((run) => run.ended);
  const byId = new Map(runs.map((run) => [run.run_id, { run, count: 0 }]));
  const read = await store.linesAfter(ctx.db, ctx.account_id, runs, LINES_AT_ONCE);
  const lines = read.map((line) => {
    const entry = byId.get(line.run_id);
    if (entry) {
      entry.count += 1;
      entry.run.after = Math.max(entry.run.after, line.seq);
    }
    return { ...line, version: entry?.run.version ?? 0 };
  });
  const isFull = (run_id: string) => (byId.get(run_id)?.count ?? 0) >= LINES_AT_ONCE;
  const over = ended.map(({ run_id }) => run_id).filter((run_id) => !isFull(run_id));
  return { lines, over, full: runs.some(({ run_id }) => isFull(run_id)) };
}

/** Collects the runs of a function that began or ended since the last read. */
function listen(ctx: Ctx, function_id: string, signal: AbortSignal) {
  let begun = new Set<string>();
  let ended = new Set<string>();
  let missed = false;
  let wake = () => {};
  const onBatch = ({ changes, resync }: LiveBatch) => {
    for (const change of changes) {
      if (change.noun !== 'run' || change.function_id !== function_id) continue;
      (change.status === 'RUNNING' ? begun : ended).add(change.run_id);
    }
    // With more changes than this, the reader reloads the list instead.
    if (begun.size + ended.size > 2 * RUNS_MAX) {
      begun.clear();
      ended.clear();
      missed = true;
    }
    if (resync) missed = true;
    if (missed || begun.size + ended.size > 0) wake();
  };
  const { stop } = ctx.live.subscribe(ctx.account_id, undefined, onBatch);
  signal.addEventListener('abort', () => {
    stop();
    wake();
  });
  return {
    take() {
      const taken = { begun, ended, missed };
      begun = new Set();
      ended = new Set();
      missed = false;
      return taken;
    },
    /** Resolves when a change arrives, or after this time. */
    async wait(mostMs: number | undefined): Promise<void> {
      if (signal.aborted || missed || begun.size + ended.size > 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** The time in an id, minus a margin. */
function sinceOf(lastId: string | undefined): number | undefined {
  return lastId !== undefined && /^\d{1,15}$/.test(lastId) ? Number(lastId) - LATE_MS : undefined;
}

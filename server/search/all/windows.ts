/**
 * A search of all functions: the functions that the query could cover are read from the database by id, some at a time,
 * and each such *window* is searched separately. So the search continues after the last function of a window, on this
 * node or another, whatever is deployed meanwhile: a function that exists the whole time is searched exactly once. It
 * yields to other searches, survives the loss of a thread, and ends soon after its caller has left, as each window is
 * short. Its size follows from the time that the one before it took.
 */
import type { Ctx } from '../../platform/context.ts';
import { sharedClockMs } from '../messages.ts';
import { asMistake, type Found, type Question, visibleAnswer } from '../search.ts';
import * as store from '../store/function-search.ts';

/** Where a search is, over all of its pages. `after`: the last function searched. */
export type Position = {
  after: string | undefined;
  searched: number;
  found: number;
  hits: number;
  /** Functions whose code could not be searched whole. */
  incomplete: number;
};
export const START: Position = { after: undefined, searched: 0, found: 0, hits: 0, incomplete: 0 };

/** What one window has found, by function id, and the position after it. `isLast`: all functions have been searched. */
export type Part = { functions: Found[]; position: Position; isLast: boolean };
/** `untilMs` is of the shared clock. `limit`: functions found. `hits`: those kept of a function. */
export type Bounds = { untilMs: number; signal: AbortSignal; limit: number; hits: number };

const SIZE = { first: 200, most: 20_000 };
/** A window that took less is followed by a larger one. */
const SHORT_MS = 250;
/** A window is stopped after this time, and the next one begins where it stopped. */
const LONG_MS = 5_000;
/** A function whose search fails this often, without being late, is counted as incomplete. */
const MOST_FAILURES = 3;
/** A deploy during a window repeats the search of that function: at most this often. */
const MOST_AGAIN = 3;
/** A page ends after this many characters of hits. */
const PAGE_CHARS = 4_000_000;

/** Searches from a position on until a bound is reached, or the signal aborts. Throws 400 for an invalid query. */
export async function* searchWindows(
  ctx: Ctx,
  question: Question,
  from: Position,
  bounds: Bounds,
): AsyncGenerator<Part, void> {
  let position = from;
  let left = bounds.limit;
  let chars = 0;
  let size = SIZE.first;
  let failures = 0;
  const isOver = () => left <= 0 || chars >= PAGE_CHARS || sharedClockMs() >= bounds.untilMs || bounds.signal.aborted;
  while (!isOver()) {
    const asked = size;
    const ids = await store.idsAfter(ctx.db, ctx.account_id, question.order.scope, position.after, asked);
    const startMs = sharedClockMs();
    const untilMs = Math.min(bounds.untilMs, startMs + LONG_MS);
    const given = { ...question.order, limit: left };
    if (ids.length === 0 && position.searched > 0) return yield { functions: [], position, isLast: true };
    // Without functions, too: it checks the query.
    const window = await searchWindow(ctx, { ...question, order: given }, ids, { ...bounds, untilMs });
    const tookMs = sharedClockMs() - startMs;
    failures = window.searched === 0 && ids.length === 1 && sharedClockMs() < untilMs ? failures + 1 : 0;
    if (failures === MOST_FAILURES) {
      failures = 0;
      window.searched = 1;
      window.incomplete = 1;
    }
    size = nextSize(ids.length, window.searched, tookMs);
    left -= window.functions.length;
    chars += window.chars;
    position = {
      after: ids[window.searched - 1] ?? position.after,
      searched: position.searched + window.searched,
      found: position.found + window.functions.length,
      hits: window.functions.reduce((sum, { hit_count }) => sum + hit_count, position.hits),
      incomplete: position.incomplete + window.incomplete,
    };
    const isLast = ids.length < asked && window.searched === ids.length;
    yield { functions: window.functions, position, isLast };
    if (isLast) return;
  }
}

/** Grows after a short window; after one that was stopped, fits what it has searched. */
function nextSize(asked: number, searched: number, tookMs: number): number {
  if (searched === 0) return Math.max(1, Math.floor(asked / 8));
  if (searched < asked) return searched;
  return tookMs < SHORT_MS ? Math.min(2 * asked, SIZE.most) : asked;
}

/** `searched`: the number of ids, from the first one, that have been searched. `chars`: the size of the hits. */
type Window = { functions: Found[]; searched: number; incomplete: number; chars: number };

async function searchWindow(ctx: Ctx, question: Question, ids: string[], bounds: Bounds): Promise<Window> {
  const first = await search(ctx, question, ids, bounds);
  const functions = new Map(first.functions.map((each) => [each.function_id, each]));
  let { incomplete } = first;
  // Deployed meanwhile: searched again, or counted as incomplete.
  let deployed = first.stale;
  for (let again = 0; deployed.length > 0 && again < MOST_AGAIN; again++) {
    const newer = await search(ctx, question, deployed, bounds);
    for (const each of newer.functions) functions.set(each.function_id, each);
    incomplete += newer.incomplete;
    deployed = [...newer.stale, ...deployed.slice(newer.searched)];
  }
  return {
    functions: [...functions.values()].sort((a, b) => (a.function_id < b.function_id ? -1 : 1)),
    searched: first.searched,
    incomplete: incomplete + deployed.length,
    chars: first.chars,
  };
}

/** `stale`: functions found that are not in the result, if one of them has another live version now. */
async function search(ctx: Ctx, question: Question, ids: string[], { hits, untilMs, signal }: Bounds) {
  try {
    const window = { ids, hits };
    const { found, reached } = await ctx.search.searchWindow(question.order, window, untilMs, signal);
    const known = found.filter(({ place }) => place <= reached);
    const matches = known.filter(({ partial }) => partial !== 'NOT_FOUND');
    const { functions, isStale } = await visibleAnswer(ctx, question, { found: matches, truncated: false });
    const visible = new Set(functions.map(({ function_id }) => function_id));
    const missing = matches.map(({ function_id }) => function_id).filter((each) => !visible.has(each));
    return {
      functions,
      stale: isStale ? missing : [],
      searched: Math.min(reached + 1, ids.length),
      incomplete: known.filter(({ partial }) => partial).length,
      chars: known.reduce((sum, each) => sum + each.hits.length, 0),
    };
  } catch (error) {
    throw asMistake(question, error);
  }
}

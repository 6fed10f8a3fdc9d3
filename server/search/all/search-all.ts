import { SEARCH_ALL_SECONDS, SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import { SEARCH_EVENTS } from '../../../contract/live.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Feed, FeedMessage, FeedStart } from '../../lib/feed.ts';
import type { Ctx } from '../../platform/context.ts';
import { openPage, pageToken } from '../../platform/paging.ts';
import { sharedClockMs, treeOf } from '../messages.ts';
import { type Found, type Question, read, withOwners } from '../search.ts';
import * as store from '../store/function-search.ts';
import { type Part, type Position, START, searchWindows } from './windows.ts';

type Answer = Reply<'functionSearchAll'>;
type Asked = Input<'functionSearchAll'>['query'];

/** How long results are collected before an event of a stream. */
const EVERY_MS = 100;

/**
 * Searches the code of all functions, by function id, until a page is full or time is up; `next_token` continues there.
 */
export async function search(ctx: Ctx, { query }: Input<'functionSearchAll'>, signal?: AbortSignal): Promise<Answer> {
  let last: Answer | undefined;
  const functions: Found[] = [];
  for await (const part of parts(ctx, query, signal ?? AbortSignal.any([]))) {
    functions.push(...part.functions);
    last = part;
  }
  return pageOf(last, functions);
}

/** Streams a search: each event has what was found since the one before, the last one the complete page. */
export async function follow(ctx: Ctx, { query }: Input<'functionSearchAll'>, { signal }: FeedStart): Promise<Feed> {
  const events = parts(ctx, query, signal);
  // Invalid queries are rejected here, before the stream opens.
  let next = await events.next();
  return emit();

  async function* emit(): AsyncGenerator<FeedMessage> {
    const functions: Found[] = [];
    let last: Answer | undefined;
    let unsent: Found[] = [];
    let sentMs = 0;
    for (; !next.done; next = await events.next()) {
      last = next.value;
      functions.push(...last.functions);
      unsent.push(...last.functions);
      if (performance.now() - sentMs < EVERY_MS) continue;
      sentMs = performance.now();
      yield { event: SEARCH_EVENTS.results, data: pageOf(last, unsent) };
      unsent = [];
    }
    yield { event: SEARCH_EVENTS.done, data: pageOf(last, functions) };
  }
}

function pageOf(last: Answer | undefined, functions: Found[]): Answer {
  if (!last) throw new Error('a search of all functions has at least one part');
  return { ...last, functions, count: functions.length };
}

/** The parts of a page, each as a reply with only what it has found. */
async function* parts(ctx: Ctx, asked: Asked, signal: AbortSignal): AsyncGenerator<Answer, void> {
  const untilMs = sharedClockMs() + (asked.max_seconds ?? SEARCH_ALL_SECONDS) * 1000;
  const from = positionOf(ctx, asked);
  const free = ctx.memory.searchesOfAll.take(ctx.account_id, null);
  // A stream that its reader leaves is not read to its end.
  signal.addEventListener('abort', free);
  let isWhole = false;
  try {
    const question = await questionOf(ctx, asked);
    const scope_count = await store.countWithin(ctx.db, ctx.account_id, question.order.scope);
    const replyOf = ({ functions, position, isLast }: Part): Answer => ({
      query: question.query,
      mode: question.mode,
      count: functions.length,
      functions,
      scope_count,
      searched_count: position.searched,
      found_count: position.found,
      hit_count: position.hits,
      incomplete_count: position.incomplete,
      total: isLast && position.incomplete === 0 ? position.found : null,
      next_token: isLast ? null : pageToken(ctx, listOf(asked), keyOf(position)),
    });
    const bounds = { untilMs, signal, limit: asked.limit, hits: SEARCH_HITS_PER_FUNCTION };
    for await (const part of searchWindows(ctx, question, from, bounds)) {
      isWhole = part.isLast;
      yield replyOf(part);
    }
  } finally {
    free();
    ctx.measures.count('searches', { outcome: isWhole ? 'complete' : 'truncated' });
  }
}

type CodeQuestion = Pick<Asked, 'q' | 'owner' | 'visibility' | 'case' | 'context' | 'history'>;

/** Reads the query, and the accounts that it names. 400 unless it searches code. */
export async function questionOf(ctx: Ctx, asked: CodeQuestion): Promise<Question> {
  const { q, owner, visibility, case: choice, context, history } = asked;
  const limit = 1;
  const arrangement = { copies: 'all', sort: 'relevance' } as const;
  const question = read(ctx, { q, owner, visibility, case: choice, context, history, limit, ...arrangement });
  if (question.mode === 'ranked')
    throw badRequest('q: expected a code search: a text in quotes, an expression between slashes, or several terms');
  const named = await withOwners(ctx, question);
  const lacks = treeOf(named)?.lacks;
  // Its total is exact.
  if (lacks === 'UNREAD')
    throw new Failure(503, 'The code of some functions has not been read yet. Try again shortly.');
  if (lacks) throw badRequest('q: a filter finds too much code, or code that was read in part; search with a limit');
  return { ...question, order: named };
}

/** A page is bound to everything except its size, its time and its position. */
function listOf({ max_seconds: _, ...query }: Asked) {
  return { params: {}, query };
}

const keyOf = ({ after, searched, found, hits, incomplete }: Position) => [
  after ?? '',
  ...[searched, found, hits, incomplete].map(String),
];

function positionOf(ctx: Ctx, asked: Asked): Position {
  const key = openPage(ctx, listOf(asked)).after;
  if (!key) return START;
  const [after, ...counts] = key;
  const [searched = 0, found = 0, hits = 0, incomplete = 0] = counts.map(Number);
  return { after: after || undefined, searched, found, hits, incomplete };
}

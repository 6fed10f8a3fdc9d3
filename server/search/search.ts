import { setTimeout } from 'node:timers/promises';
import { SEARCH_EVENTS } from '../../contract/live.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { filtersIn, type QueryTree } from '../../contract/search/query-tree.ts';
import { isCaseSensitive, readQuery, typedPosition } from '../../contract/search/search-query.ts';
import { assertScope, describe } from '../functions/hosted-function.ts';
import { publicVersions } from '../functions/store/versions.ts';
import { badRequest } from '../lib/failure.ts';
import type { Feed, FeedMessage, FeedStart } from '../lib/feed.ts';
import type { Ctx } from '../platform/context.ts';
import { idsOf, readArrangement, visibleCopies, withoutRepeats } from './copies.ts';
import { facetsOf } from './facets.ts';
import { findCodeFacts } from './fact-filters.ts';
import { type FoundFunction, type SearchOrder, treeOf } from './messages.ts';
import { RegexError } from './query/regex.ts';
import type { HistoryHit } from './query/scan.ts';
import type { TreeQuery } from './query/tree.ts';
import * as store from './store/function-search.ts';
import type { Answer as FoundAll, SearchOptions } from './threads/searchers.ts';

type Answer = Reply<'functionSearch'>;
export type Found = Answer['functions'][number];
type Asked = Input<'functionSearch'>['query'];

/**
 * Finds functions: by words in names and descriptions, or by a literal or a regular expression in the code of the live
 * version, or of all versions. Access is checked in the database, whatever the index contains.
 */
export async function search(
  ctx: Ctx,
  { query: asked }: Input<'functionSearch'>,
  signal?: AbortSignal,
): Promise<Answer> {
  const question = read(ctx, asked);
  return currentAnswer(ctx, question, find(ctx, question, { signal }), { signal });
}

/** A deploy during a search repeats it: at most this often, and only within this time. */
const MOST_AGAIN = 3;
const AGAIN_MS = 500;

/**
 * Returns the result. If a function in it was deployed meanwhile, the search is repeated; after the last attempt the
 * result is truncated.
 */
async function currentAnswer(
  ctx: Ctx,
  question: Question,
  first: Promise<FoundAll>,
  options?: SearchOptions,
): Promise<Answer> {
  const startMs = performance.now();
  let found = await first;
  for (let again = 0; ; again++) {
    const { isStale, ...answer } = await visibleAnswer(ctx, question, found);
    if (!isStale) return await withFacets(ctx, question, answer);
    if (again === MOST_AGAIN || performance.now() - startMs > AGAIN_MS) return { ...answer, truncated: true };
    found = await find(ctx, question, options);
  }
}

/** Adds the facets, except to a search in one function, whose results have no others to choose from. */
async function withFacets(ctx: Ctx, { asked }: Question, answer: Answer): Promise<Answer> {
  return asked.function_id === undefined ? { ...answer, facets: await facetsOf(ctx, answer.functions) } : answer;
}

/** How long results are collected before the first event, and before each later one. */
const FIRST_MS = 15;
const EVERY_MS = 100;
/** Sending events takes at most this share of the time. */
const EMIT_SHARE = 0.1;

/** Streams a search: each event contains the best results so far, the last one the complete response. */
export async function follow(
  ctx: Ctx,
  { query: asked }: Input<'functionSearch'>,
  { signal }: FeedStart,
): Promise<Feed> {
  const question = read(ctx, asked);
  let look = (): FoundFunction[] => [];
  let found = Promise.withResolvers<void>();
  const first = find(ctx, question, {
    signal,
    onFound(given) {
      look = given;
      found.resolve();
    },
  });
  // Invalid queries are rejected here, before the stream opens.
  await Promise.race([first, found.promise]);
  return emit();

  async function* emit(): AsyncGenerator<FeedMessage> {
    for (let pause = FIRST_MS; ; ) {
      const more = setTimeout(pause).then(() => found.promise);
      if (await Promise.race([first, more])) break;
      found = Promise.withResolvers();
      const startMs = performance.now();
      const { isStale: _, ...best } = await visibleAnswer(ctx, question, { found: look(), truncated: true });
      yield { event: SEARCH_EVENTS.results, data: best };
      pause = Math.max(EVERY_MS, (performance.now() - startMs) / EMIT_SHARE);
    }
    if (!signal.aborted)
      yield { event: SEARCH_EVENTS.done, data: await currentAnswer(ctx, question, first, { signal }) };
  }
}

export type Question = {
  asked: Asked;
  mode: Answer['mode'];
  query: string;
  owner: string | undefined;
  order: SearchOrder;
};

/** Searches within the account's share of concurrent searches. */
async function find(ctx: Ctx, { asked, owner, order }: Question, options?: SearchOptions) {
  const free = ctx.memory.searches.take(ctx.account_id, null);
  try {
    const named = await withOwners(ctx, { owner, order });
    const startMs = performance.now();
    const answer = await ctx.search.search(named, options);
    const found = { ...answer, truncated: answer.truncated || treeOf(named)?.lacks !== undefined };
    ctx.measures.count('searches', { outcome: found.truncated ? 'truncated' : 'complete' });
    ctx.measures.observe('search_seconds', {}, (performance.now() - startMs) / 1000);
    return found;
  } catch (error) {
    throw asMistake({ asked, order }, error);
  } finally {
    free();
  }
}

/**
 * The order with the accounts that the query names, and the code that has what its filters ask for; with a hash, only
 * that document.
 */
export async function withOwners(
  ctx: Pick<Ctx, 'db'>,
  { owner, order }: Pick<Question, 'owner' | 'order'>,
  code_sha256?: string,
): Promise<SearchOrder> {
  const accounts = owner === undefined ? undefined : await store.accountsNamed(ctx.db, owner);
  await nameOwners(ctx, order);
  await findCodeFacts(ctx, order, code_sha256);
  return { ...order, scope: { ...order.scope, accounts } };
}

/** An invalid expression as a 400; any other error unchanged. */
export function asMistake({ asked, order }: Pick<Question, 'asked' | 'order'>, error: unknown): unknown {
  if (!(error instanceof RegexError)) return error;
  const isPlaced = treeOf(order) !== undefined;
  return mistake(asked.q, error.message, isPlaced ? error.position : typedPosition(asked.q, error.position));
}

/** A 400 with the place in the query, in characters: an emoji is one. */
function mistake(q: string, message: string, at: number) {
  return badRequest(`q: ${message} (at character ${[...q.slice(0, at)].length + 1})`);
}

/** Looks up the accounts that the owner filters of a tree name. */
async function nameOwners(ctx: Pick<Ctx, 'db'>, order: SearchOrder): Promise<void> {
  const query = treeOf(order);
  if (!query) return;
  const names = new Set(filtersIn(query.tree).flatMap(({ filter }) => (filter.name === 'owner' ? [filter.part] : [])));
  query.owners = [];
  for (const name of names) query.owners.push([name, await store.accountsNamed(ctx.db, name)]);
}

/** Returns those results that the caller may see now. `isStale`: a function in them now has another live version. */
export async function visibleAnswer(
  ctx: Ctx,
  { asked, mode, query, order }: Question,
  { found, truncated }: Pick<FoundAll, 'found' | 'truncated'>,
): Promise<Answer & { isStale: boolean }> {
  const ids = idsOf(found);
  const rows = ids.length === 0 ? [] : await store.withIds(ctx.db, ctx.account_id, order.scope, ids);
  const byId = new Map(rows.map((row) => [row.function_id, row]));
  const isVersioned = asked.history || asked.version !== undefined;
  const others = isVersioned ? rows.filter((row) => row.account_id !== ctx.account_id) : [];
  const readable =
    others.length === 0
      ? undefined
      : await publicVersions(
          ctx.db,
          others.map((row) => row.function_id),
        );
  let isStale = false;
  const functions = withoutRepeats(found).flatMap((each) => {
    const row = byId.get(each.function_id);
    const isHidden =
      row && readable && row.account_id !== ctx.account_id && !isReadable(each, readable.get(row.function_id));
    isStale ||= isHidden === true;
    if (isHidden) return [];
    const isOther = row !== undefined && row.version !== each.version && mode !== 'ranked' && !isVersioned;
    isStale ||= isOther;
    const { isStale: areCopiesStale, ...copies } = visibleCopies(each, byId);
    isStale ||= areCopiesStale || (each.copies !== undefined && row === undefined);
    return row && !isOther ? [{ ...describe(ctx, row), ...hitsOf(each), ...copies }] : [];
  });
  return { query, mode, count: functions.length, truncated, functions, isStale };
}

/** Whether other accounts may still read every version that a hit names: some may have been hidden since. */
function isReadable({ hits, first_version, last_version }: FoundFunction, versions = new Set<number>()): boolean {
  const named = readHits(hits).flatMap((hit) => [hit.first_version, hit.last_version]);
  return [first_version, last_version, ...named].every((version) => version === undefined || versions.has(version));
}

/** Reads the parameters of a search. 400 for a mistake in them. */
export function read(ctx: Pick<Ctx, 'account_id'>, asked: Asked): Question {
  assertScope(asked);
  const query = readQuery(asked.q);
  if (query.mistake) throw mistake(asked.q, query.mistake.said, query.mistake.at);
  const { mode, query: text, paths = [], runtime, owner, where, tree } = query;
  const isFiltered = paths.length > 0 || runtime !== undefined || owner !== undefined || where !== undefined;
  if (text === '' && (mode !== 'ranked' || !isFiltered)) throw badRequest('q: expected something to search for');
  const common = {
    scope: {
      account_id: ctx.account_id,
      owner: asked.owner,
      visibility: asked.visibility,
      function_id: asked.function_id,
    },
    paths,
    runtime,
    limit: asked.limit,
    ...readArrangement(asked),
  };
  assertOneFunction(asked, mode);
  const asTree = (root: QueryTree): TreeQuery => ({
    mode: 'boolean',
    tree: root,
    typed: asked.q,
    case: asked.case,
    account_id: ctx.account_id,
    owners: [],
    facts: [],
  });
  if (mode === 'ranked') {
    const filters = where && asTree(all(where));
    return { asked, mode, query: text, owner, order: { ...common, words: text, where: filters } };
  }
  const code = tree
    ? asTree(tree)
    : mode !== 'boolean' && where
      ? asTree(all([...where, textTerm(asked.q, mode, text)]))
      : {
          mode: mode === 'regex' ? mode : ('literal' as const),
          query: text,
          caseSensitive: isCaseSensitive(query, asked.case),
        };
  return {
    asked,
    mode,
    query: text,
    owner,
    order: { ...common, code, context: asked.context ?? 0, history: asked.history === true, version: asked.version },
  };
}

function assertOneFunction({ function_id, version, history }: Asked, mode: Answer['mode']): void {
  if (function_id !== undefined && mode === 'ranked')
    throw badRequest('function_id: expected a code search in q, as a text in quotes or an expression between slashes');
  if (version === undefined) return;
  if (function_id === undefined) throw badRequest('version: expected function_id with it');
  if (history) throw badRequest('version: expected no version with history, which searches all of them');
}

function all(parts: QueryTree[]): QueryTree {
  const [only, more] = parts;
  return only && !more ? only : { kind: 'and', parts, at: 0, end: 0 };
}

/** The one literal or expression of a query with filters. */
function textTerm(q: string, kind: 'literal' | 'regex', text: string): QueryTree {
  const at = typedPosition(q, 0) - 1;
  return { kind, text, at, end: q.length };
}

function hitsOf({ hit_count, hits, first_version, last_version }: FoundFunction) {
  const versions = first_version === undefined ? {} : { first_version, last_version };
  return { hit_count, hits: readHits(hits), ...versions };
}

/** Parses the hits, which a search thread has serialized. */
function readHits(hits: string): HistoryHit[] {
  return JSON.parse(hits);
}

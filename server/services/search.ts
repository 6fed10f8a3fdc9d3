import type { Input, Reply } from '../../contract/operations.ts';
import { isCaseSensitive, readQuery, typedPosition } from '../../contract/search-query.ts';
import { badRequest } from '../lib/failure.ts';
import type { SearchOrder } from '../search/code-search.ts';
import { RegexError } from '../search/matcher.ts';
import type { FoundFunction } from '../search/messages.ts';
import * as store from '../store/function-search.ts';
import type { Ctx } from './context.ts';
import { assertScope, describe } from './hosted-function.ts';

type Answer = Reply<'functionSearch'>;
type Asked = Input<'functionSearch'>['query'];

/**
 * Finds functions: by words in name and description, or by a literal or a regular expression in their serving code, or
 * in that of all versions. Whatever the index says, only what the caller may see now leaves.
 */
export async function search(ctx: Ctx, { query: asked }: Input<'functionSearch'>): Promise<Answer> {
  assertScope(asked);
  const { mode, query, order } = read(ctx, asked);
  const { found, truncated } = await ctx.search.search(order).catch((error: unknown) => {
    if (!(error instanceof RegexError)) throw error;
    const at = typedPosition(asked.q, error.position);
    throw badRequest(`q: ${error.message} (at character ${at + 1})`);
  });
  const ids = found.map((each) => each.function_id);
  const rows = ids.length === 0 ? [] : await store.withIds(ctx.db, ctx.account_id, order.scope, ids);
  const byId = new Map(rows.map((row) => [row.function_id, row]));
  const functions = found.flatMap((each) => {
    const row = byId.get(each.function_id);
    // Another version serves since the code was looked at.
    const isStale = row?.version !== each.version && mode !== 'ranked' && !asked.history;
    return row && !isStale ? [{ ...describe(ctx, row), ...hitsOf(each) }] : [];
  });
  return { query, mode, count: functions.length, truncated, functions };
}

function read(ctx: Ctx, asked: Asked): { mode: Answer['mode']; query: string; order: SearchOrder } {
  const query = readQuery(asked.q);
  const { mode, query: text, paths = [], runtime } = query;
  const isFiltered = paths.length > 0 || runtime !== undefined;
  if (text === '' && (mode !== 'ranked' || !isFiltered)) throw badRequest('q: expected something to search for');
  const common = {
    scope: { account_id: ctx.account_id, owner: asked.owner, visibility: asked.visibility },
    paths,
    runtime,
    limit: asked.limit,
  };
  if (mode === 'ranked') return { mode, query: text, order: { ...common, words: text } };
  if (text.includes('\n')) throw badRequest('q: expected one line, as code is searched line by line');
  const code = { mode, query: text, caseSensitive: isCaseSensitive(query, asked.case) };
  return {
    mode,
    query: text,
    order: { ...common, code, context: asked.context ?? 0, history: asked.history === true },
  };
}

function hitsOf({ hit_count, hits, first_version, last_version }: FoundFunction) {
  const versions = first_version === undefined ? {} : { first_version, last_version };
  return { hit_count, hits, ...versions };
}

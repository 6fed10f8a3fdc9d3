import type { Input, Reply } from '../../contract/operations.ts';
import { isCaseSensitive, type ReadQuery, readQuery } from '../../contract/search-query.ts';
import { badRequest } from '../lib/failure.ts';
import { type CodeQuery, compileMatcher, RegexError } from '../search/matcher.ts';
import * as store from '../store/function-search.ts';
import type { Ctx } from './context.ts';
import { assertScope, describe } from './hosted-function.ts';

type Answer = Reply<'functionSearch'>;

/** Finds functions: by words in name and description, or by a literal or a regular expression in their serving code. */
export async function search(ctx: Ctx, { query: asked }: Input<'functionSearch'>): Promise<Answer> {
  assertScope(asked);
  const read = readQuery(asked.q);
  if (read.query === '') throw badRequest('q: expected something to search for');
  return read.mode === 'ranked' ? ranked(ctx, asked, read.query) : inCode(ctx, asked, read);
}

type Asked = Input<'functionSearch'>['query'];

async function ranked(ctx: Ctx, { owner, visibility, limit }: Asked, query: string): Promise<Answer> {
  const rows = await store.ranked(ctx.db, ctx.account_id, { owner, visibility }, query, limit + 1);
  const functions = rows.slice(0, limit).map((row) => ({ ...describe(ctx, row), hit_count: 0, hits: [] }));
  return { query, mode: 'ranked', count: functions.length, truncated: rows.length > limit, functions };
}

async function inCode(ctx: Ctx, asked: Asked, { mode, query }: ReadQuery): Promise<Answer> {
  if (mode === 'ranked') throw new Error('ranked queries search no code');
  if (query.includes('\n')) throw badRequest('q: expected one line, as code is searched line by line');
  const code: CodeQuery = { mode, query, caseSensitive: isCaseSensitive({ mode, query }, asked.case) };
  assertCompiles(code, asked.q);
  const scope = { owner: asked.owner, visibility: asked.visibility };
  const candidates = await store.candidates(ctx.db, ctx.account_id, scope);
  const { found, truncated } = await ctx.search.scan({
    query: code,
    context: asked.context ?? 0,
    limit: asked.limit,
    bundles: candidates.map((each) => each.code_sha256),
  });
  const hits = found.flatMap(({ index, found }) => {
    const candidate = candidates[index];
    return candidate ? [{ function_id: candidate.function_id, ...found }] : [];
  });
  // Read after the scan: what was made private or deleted meanwhile is left out.
  const rows = await store.withIds(
    ctx.db,
    ctx.account_id,
    scope,
    hits.map((hit) => hit.function_id),
  );
  const byId = new Map(rows.map((row) => [row.function_id, row]));
  const functions = hits.flatMap(({ function_id, hit_count, hits }) => {
    const row = byId.get(function_id);
    return row ? [{ ...describe(ctx, row), hit_count, hits }] : [];
  });
  return { query, mode, count: functions.length, truncated, functions };
}

function assertCompiles(query: CodeQuery, typed: string): void {
  try {
    compileMatcher(query);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    // The position in what was typed: after the opening slash and the spaces before it.
    const at = typed.indexOf('/') + 1 + error.position;
    throw badRequest(`q: ${error.message} (at character ${at + 1})`);
  }
}

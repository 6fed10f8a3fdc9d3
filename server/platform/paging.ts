import { badRequest } from '../lib/failure.ts';
import type { Ctx } from './context.ts';

type Paged = {
  params: Record<string, unknown>;
  query: Record<string, unknown> & { limit: number; next_token?: string | undefined };
};

/** The start of a page: query `limit + 1` rows after the key `after`. A token of another list is a 400. */
export function openPage(ctx: Ctx, input: Paged): { limit: number; after: string[] | undefined } {
  const { limit, next_token } = input.query;
  if (next_token === undefined) return { limit, after: undefined };
  const text = ctx.vault.openToken('cursor', bound(ctx, input), next_token);
  if (text === null) throw badRequest('next_token: expected a token of this list with the same filters');
  return { limit, after: JSON.parse(text) as string[] };
}

/** The page and the token of the next one, null on the last. `keyOf`: the sort key of the list. */
export function closePage<R>(
  ctx: Ctx,
  input: Paged,
  found: R[],
  keyOf: (row: R) => string[],
): { rows: R[]; next_token: string | null } {
  const rows = found.slice(0, input.query.limit);
  const last = rows.at(-1);
  if (found.length <= input.query.limit || last === undefined) return { rows, next_token: null };
  return { rows, next_token: pageToken(ctx, input, keyOf(last)) };
}

/** The token of the page after this key. */
export const pageToken = (ctx: Ctx, input: Paged, key: string[]): string =>
  ctx.vault.sealToken('cursor', bound(ctx, input), JSON.stringify(key));

/** The context of a cursor: everything except the page's size and position, so that it fits only its list. */
function bound(ctx: Ctx, input: Paged): string {
  const { limit: _, next_token: __, ...filters } = input.query;
  return JSON.stringify([ctx.operation, ctx.account_id, input.params, filters]);
}

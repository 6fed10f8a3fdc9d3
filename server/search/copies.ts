/** Copies and the order of the results, as a request asks for them and as the reply has them. */
import type { Input, Reply } from '../../contract/operations.ts';
import type { SeenFunction } from '../functions/store/functions.ts';
import { badRequest } from '../lib/failure.ts';
import type { FoundFunction, SearchOrder } from './messages.ts';

type Asked = Input<'functionSearch'>['query'];
type Copies = NonNullable<Reply<'functionSearch'>['functions'][number]['copies']>;

/** Reads `copies` and `sort`. Throws a 400 where they have no meaning, or would reveal runs of other accounts. */
export function readArrangement(asked: Asked): Pick<SearchOrder, 'sort' | 'isFolded'> {
  const { copies, sort, owner, history, function_id } = asked;
  const isFolded = copies === 'fold';
  if (isFolded && (history || function_id !== undefined))
    throw badRequest('copies: expected all with history or function_id, as copies are folded by their live versions');
  if (sort === 'runs' && owner === 'ALL')
    throw badRequest('sort: expected relevance, stars or deployed when owner is ALL; runs sorts own functions only');
  return { ...(isFolded ? { isFolded } : {}), ...(sort === 'relevance' ? {} : { sort }) };
}

/** The ids of all functions that were found, including copies. */
export const idsOf = (found: readonly FoundFunction[]): string[] =>
  found.flatMap(({ function_id, copies }) => [
    function_id,
    ...(copies?.functions.map((each) => each.function_id) ?? []),
  ]);

/**
 * The copies of a function that the account may see now, by the rows that were read. `isStale`: one of them is gone or
 * has another live version.
 */
export function visibleCopies(
  { copies }: FoundFunction,
  rows: ReadonlyMap<string, SeenFunction>,
): { copies?: Copies; isStale: boolean } {
  if (!copies) return { isStale: false };
  const functions = copies.functions.flatMap(({ function_id, version }) => {
    const row = rows.get(function_id);
    if (row?.version !== version) return [];
    const { name, account_id, account_name } = row;
    return [{ function_id, name, account_id, account_name, version }];
  });
  const isStale = functions.length < copies.functions.length;
  if (functions.length === 0) return { isStale };
  return { copies: { count: functions.length, has_more: copies.isMore, functions }, isStale };
}

/** Leaves each group of copies once: threads may have disagreed about it while a function was deployed. */
export function withoutRepeats(found: readonly FoundFunction[]): FoundFunction[] {
  const seen = new Set<string>();
  return found.filter(({ copies }) => {
    if (!copies) return true;
    if (seen.has(copies.likeness)) return false;
    seen.add(copies.likeness);
    return true;
  });
}

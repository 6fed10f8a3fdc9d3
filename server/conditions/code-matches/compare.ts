/** Whether one version of a function matches a saved search, by the search of code in one function. */
import { readNow } from '../../functions/facts/code-reader.ts';
import { filesOf } from '../../functions/versions/publish.ts';
import type { Services } from '../../platform/context.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../../platform/database/tables/function-tables.ts';
import { treeOf } from '../../search/messages.ts';
import type { HistoryHit } from '../../search/query/scan.ts';
import { read, withOwners } from '../../search/search.ts';
import type { WatchedSearch } from '../store/code-watchers.ts';

/** Hits of an event. */
const HITS_SHOWN = 5;
const TEXT_CHARS = 300;

export type Match = { hit_count: number; hits: { path: string; line: number; text: string }[] };

/**
 * The match of a version, null without one, or `later` while its code is not read or searched whole. The owner of the
 * search has to be allowed to see the function: that is not checked here.
 */
export async function matchOf(
  services: Services,
  fn: FunctionsTable,
  version: FunctionVersionsTable,
  { account_id, q, match_case }: Pick<WatchedSearch, 'account_id' | 'q' | 'match_case'>,
): Promise<Match | null | 'later'> {
  const asked = {
    q,
    case: match_case,
    owner: 'SELF',
    history: false,
    copies: 'all',
    sort: 'relevance',
    limit: 1,
  } as const;
  const question = read(fn, { ...asked, function_id: fn.function_id, version: version.version });
  const { owner, order } = question;
  const query = treeOf(order);
  if (query) {
    query.account_id = account_id;
    await readNow({ ...services, account_id: fn.account_id }, version.code_sha256, () => filesOf(services, version));
  }
  const named = await withOwners(services, { owner, order }, version.code_sha256);
  const { found, truncated } = await services.search.search(named);
  const [first] = found;
  if (first) {
    const hits = JSON.parse(first.hits) as HistoryHit[];
    return {
      hit_count: Math.max(first.hit_count, 1),
      hits: hits.slice(0, HITS_SHOWN).map(({ path, line, text }) => ({ path, line, text: text.slice(0, TEXT_CHARS) })),
    };
  }
  return truncated || treeOf(named)?.lacks !== undefined ? 'later' : null;
}

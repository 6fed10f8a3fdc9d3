/**
 * Filters of what code defines and uses: `symbol:`, `imports:`, `host:`, `env:`. They are looked up in the stored facts of
 * the documents that the caller may read, and given to the search threads as documents with lines.
 */
import { type FactFilter, isFactFilter } from '../../contract/search/query-filters.ts';
import { filtersIn } from '../../contract/search/query-tree.ts';
import { isInRange } from '../../contract/search/version-range.ts';
import { type FactScope, type FoundFact, findFacts } from '../functions/store/code-facts.ts';
import type { Ctx } from '../platform/context.ts';
import { gapIn } from './fact-gaps.ts';
import { type SearchOrder, treeOf } from './messages.ts';
import { type FactPlace, type FoundFacts, factKey } from './query/tree-filters.ts';

/** Facts per filter: of more, the search is truncated. */
const MOST_FACTS = 20_000;
/** Lines of one document that are shown as hits. */
const MOST_LINES = 100;

/**
 * Looks up the filters of an order, and whether some code in its scope was not read, or too much was found; with a hash,
 * of that document only.
 */
export async function findCodeFacts(ctx: Pick<Ctx, 'db'>, order: SearchOrder, code_sha256?: string): Promise<void> {
  const query = treeOf(order);
  if (!query) return;
  const terms = new Map(
    filtersIn(query.tree)
      .filter(({ filter }) => isFactFilter(filter))
      .map((term) => [factKey(term), term]),
  );
  query.facts = [];
  query.lacks = undefined;
  if (terms.size === 0) return;
  const isHistory = 'code' in order && (order.history || order.version !== undefined);
  const scope: FactScope = {
    account_id: order.scope.owner === 'ALL' ? undefined : order.scope.account_id,
    isHistory,
    code_sha256,
  };
  query.lacks = await gapIn(ctx.db, scope);
  for (const [key, { filter }] of terms) {
    if (!isFactFilter(filter)) continue;
    const rows = await findFacts(ctx.db, scope, { kind: filter.name, part: filter.part }, MOST_FACTS);
    if (rows.length === MOST_FACTS) query.lacks ??= 'CUT';
    query.facts.push([key, documentsOf(rows, filter)]);
  }
}

function documentsOf(rows: FoundFact[], filter: FactFilter): FoundFacts[number][1] {
  const documents = new Map<string, FactPlace[]>();
  for (const { code_sha256, version, places } of rows) {
    if (filter.name === 'imports' && filter.ranges && !isInRange(version ?? '', filter.ranges)) continue;
    const kind = filter.name === 'symbol' ? filter.kind : undefined;
    const here = places.filter((place) => kind === undefined || place[3] === kind);
    if (here.length === 0) continue;
    const known = documents.get(code_sha256) ?? [];
    documents.set(code_sha256, known);
    for (const [path, line] of here) if (known.length < MOST_LINES) known.push([path, line]);
  }
  return [...documents];
}

/**
 * Filters of what code defines and uses: `symbol:`, `imports:`, `host:`, `env:`. They are looked up in the stored facts of
 * the documents that the caller may read, and given to the search threads as documents with lines.
 */
import { type FactFilter, isFactFilter } from '../../contract/search/query-filters.ts';
import type { FilterTerm, QueryTree } from '../../contract/search/query-tree.ts';
import { isInRange } from '../../contract/search/version-range.ts';
import { type FactScope, type FoundFact, findFacts, isIncomplete } from '../functions/store/code-facts.ts';
import type { Ctx } from '../platform/context.ts';
import { type SearchOrder, treeOf } from './messages.ts';
import { type FactPlace, type FoundFacts, factKey } from './query/tree-filters.ts';

/** Facts per filter: of more, the search is truncated. */
const MOST_FACTS = 20_000;
/** Lines of one document that are shown as hits. */
const MOST_LINES = 100;

/** Looks up the filters of an order; returns false when some code in its scope was not read, or too much was found. */
export async function findCodeFacts(ctx: Pick<Ctx, 'db'>, order: SearchOrder): Promise<boolean> {
  const query = treeOf(order);
  if (!query) return true;
  const terms = new Map(factTerms(query.tree).map((term) => [factKey(term), term]));
  query.facts = [];
  if (terms.size === 0) return true;
  const isHistory = 'code' in order && (order.history || order.version !== undefined);
  const scope: FactScope = { account_id: order.scope.owner === 'ALL' ? undefined : order.scope.account_id, isHistory };
  let isComplete = !(await isIncomplete(ctx.db, scope));
  for (const [key, { filter }] of terms) {
    if (!isFactFilter(filter)) continue;
    const rows = await findFacts(ctx.db, scope, { kind: filter.name, part: filter.part }, MOST_FACTS);
    isComplete &&= rows.length < MOST_FACTS;
    query.facts.push([key, documentsOf(rows, filter)]);
  }
  return isComplete;
}

function factTerms(tree: QueryTree): FilterTerm[] {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.parts.flatMap(factTerms);
  if (tree.kind === 'not') return factTerms(tree.part);
  return tree.kind === 'filter' && isFactFilter(tree.filter) ? [tree] : [];
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

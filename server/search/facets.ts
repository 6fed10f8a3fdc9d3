/**
 * Facets of a search: what the live code of its functions defines and uses. A document may define thousands of names, and
 * the same documents are found again and again, so their facts are cached. They never change: code that is read again
 * gets another id.
 */
import type { Reply } from '../../contract/operations.ts';
import { type FactName, factNames, liveDocuments } from '../functions/store/code-facts.ts';
import type { Ctx } from '../platform/context.ts';
import type { Db } from '../platform/database/schema.ts';

/** Values per facet. */
const MOST_VALUES = 10;
/** Values of all documents in the cache; the least recently used document is evicted first. */
const MOST_CACHED = 100_000;

type Facets = NonNullable<Reply<'functionSearch'>['facets']>;
type Cache = { documents: Map<string, FactName[]>; values: number };

const caches = new WeakMap<Db, Cache>();

/** What the live code of the functions of a result defines and uses, with the number of functions of each. */
export async function facetsOf(
  { db }: Pick<Ctx, 'db'>,
  functions: readonly { function_id: string }[],
): Promise<Facets> {
  const facets: Facets = { symbol: [], imports: [], host: [], env: [] };
  if (functions.length === 0) return facets;
  const live = await liveDocuments(
    db,
    functions.map(({ function_id }) => function_id),
  );
  const known = await namesIn(db, [...new Set(live.map(({ code_id }) => code_id))]);
  const names = live.flatMap(({ code_id }) => known.get(code_id) ?? []);
  for (const [kind, ofKind] of Map.groupBy(names, (each) => each.kind))
    facets[kind] = [...Map.groupBy(ofKind, (each) => each.value)]
      .map(([value, { length: count }]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_VALUES);
  return facets;
}

async function namesIn(db: Db, code_ids: string[]): Promise<ReadonlyMap<string, FactName[]>> {
  const cache = caches.get(db) ?? { documents: new Map(), values: 0 };
  caches.set(db, cache);
  const found = new Map<string, FactName[]>();
  for (const code_id of code_ids) {
    const names = cache.documents.get(code_id);
    if (!names) continue;
    found.set(code_id, names);
    // Moves it to the end, as the first is evicted first.
    cache.documents.delete(code_id);
    cache.documents.set(code_id, names);
  }
  const missing = code_ids.filter((code_id) => !found.has(code_id));
  if (missing.length === 0) return found;
  const read = Map.groupBy(await factNames(db, missing), ({ code_id }) => code_id);
  for (const code_id of missing) {
    const names = read.get(code_id) ?? [];
    found.set(code_id, names);
    if (cache.documents.has(code_id)) continue;
    cache.documents.set(code_id, names);
    cache.values += names.length + 1;
  }
  for (const [oldest, names] of cache.documents) {
    if (cache.values <= MOST_CACHED) break;
    cache.documents.delete(oldest);
    cache.values -= names.length + 1;
  }
  return found;
}

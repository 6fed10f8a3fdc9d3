/** Facets of the results with counts, as filters that are written into the query. */
import { type QueryFilter, queryParts, typedFrom } from '../../../../contract/search/search-query.ts';
import type { SearchReply } from '../../../api/entities.ts';

export type FacetOption = { readonly value: string; readonly count: number; readonly chosen: boolean };
export type Facet = {
  readonly label: string;
  readonly name: QueryFilter['name'];
  /** The counted values. */
  readonly counted: 'functions' | 'hits';
  readonly options: readonly FacetOption[];
};

/** Maximum number of values per facet. */
const MOST = 8;

type Found = SearchReply['functions'];

/** Facets by runtime, by owner if there are several, and by file location. */
export function facetsOf(functions: Found, typed: string, owners: boolean): readonly Facet[] {
  const { filters } = queryParts(typed);
  const chosen = (name: QueryFilter['name']) => filters.filter((each) => each.name === name).map(({ value }) => value);
  const hits = functions.flatMap((each) => each.hits);
  const folders = count(hits.flatMap(({ path }) => (path.includes('/') ? [`${path.split('/', 1)[0]}/`] : [])));
  const kinds = count(hits.flatMap(({ path }) => /\.[^./]+$/.exec(path.toLowerCase())?.[0] ?? []));
  const inPath = chosen('path');
  const facets: Facet[] = [
    facet('Runtime', 'runtime', 'functions', count(functions.map(({ runtime }) => runtime)), chosen('runtime')),
    ...(owners
      ? [facet('Owner', 'owner', 'functions', count(functions.map((each) => each.account_name)), chosen('owner'))]
      : []),
    facet(
      'Folder',
      'path',
      'hits',
      folders,
      inPath.filter((value) => value.endsWith('/')),
    ),
    facet(
      'Kind of file',
      'path',
      'hits',
      kinds,
      inPath.filter((value) => value.startsWith('.')),
    ),
  ];
  return facets.filter(({ options }) => options.length > 0);
}

function facet(
  label: string,
  name: QueryFilter['name'],
  counted: Facet['counted'],
  counts: ReadonlyMap<string, number>,
  chosen: readonly string[],
): Facet {
  const isChosen = (value: string) => chosen.includes(asFilter(value).toLowerCase());
  const found = [...counts]
    .filter(([value]) => asFilter(value) !== '')
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .map(([value, times]) => ({ value, count: times, chosen: isChosen(value) }));
  // a selected value stays and can be removed, even with no results
  const gone = chosen
    .filter((value) => !found.some((each) => asFilter(each.value).toLowerCase() === value))
    .map((value) => ({ value, count: 0, chosen: true }));
  const kept = found.filter((option, index) => option.chosen || index < MOST);
  return { label, name, counted, options: [...gone, ...kept] };
}

function count(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** A filter cannot contain a quote; the part before it is enough, as filters match prefixes or parts. */
const asFilter = (value: string): string => value.split('"', 1)[0]?.trimEnd() ?? '';

/**
 * The query with one filter added or removed. It has at most one runtime and owner, and one of each folder and file
 * kind.
 */
export function toggled(typed: string, name: QueryFilter['name'], chosen: string): string {
  const { text, filters } = queryParts(typed);
  const value = asFilter(chosen);
  const same = (filter: QueryFilter) => filter.name === name && filter.value === value.toLowerCase();
  if (filters.some(same)) return typedFrom({ text, filters: filters.filter((filter) => !same(filter)) });
  const rival = (filter: QueryFilter) =>
    filter.name === name && (name !== 'path' || filter.value.endsWith('/') === value.endsWith('/'));
  return typedFrom({ text, filters: [...filters.filter((filter) => !rival(filter)), { name, value }] });
}

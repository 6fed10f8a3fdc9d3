/** Facets of the results with counts, as filters that are written into the query. */
import { isFactName } from '../../../../contract/search/query-filters.ts';
import { filtersOf, type QueryTree } from '../../../../contract/search/query-tree.ts';
import { type QueryFilter, queryParts, readQuery, typedFrom } from '../../../../contract/search/search-query.ts';
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
type Facts = SearchReply['facets'];

/** Facets by runtime, by owner if there are several, and by file location. */
export function facetsOf(functions: Found, typed: string, owners: boolean, facts?: Facts): readonly Facet[] {
  const filters = appliedFilters(typed);
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
    ...(facts ? factFacets(facts, chosen) : []),
  ];
  return facets.filter(({ options }) => options.length > 0);
}

/** By definitions and uses of the code, as the service has counted them. */
function factFacets(facts: NonNullable<Facts>, chosen: (name: QueryFilter['name']) => string[]): Facet[] {
  const counts = (list: NonNullable<Facts>['env'], end = '') =>
    new Map(list.map(({ value, count }): [string, number] => [`${value}${end}`, count]));
  return [
    facet('Definitions', 'symbol', 'functions', counts(facts.symbol, ':*'), chosen('symbol')),
    facet('Imports', 'imports', 'functions', counts(facts.imports), chosen('imports')),
    facet('Hosts', 'host', 'functions', counts(facts.host), chosen('host')),
    facet('Environment', 'env', 'functions', counts(facts.env), chosen('env')),
  ];
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

/** The filters of the whole query that are not negated. */
function appliedFilters(typed: string): readonly QueryFilter[] {
  const { tree } = readQuery(typed);
  if (!tree) return queryParts(typed).filters.filter(({ isNegated }) => !isNegated);
  return filtersOf(tree).map(({ filter, value }) => ({ name: filter.name, value: value.toLowerCase() }));
}

/** The same for a query of several terms, which is otherwise left as it is typed. */
function toggledInTree(typed: string, tree: QueryTree, name: QueryFilter['name'], value: string): string {
  const here = filtersOf(tree).find(
    (term) => term.filter.name === name && term.value.toLowerCase() === value.toLowerCase(),
  );
  if (here) {
    const before = typed.slice(0, here.at).replace(/(?:\s+AND)?\s*$/, '');
    return `${before} ${typed.slice(here.end).trimStart()}`.replace(/^\s*AND\s+/, '').trim();
  }
  const whole = tree.kind === 'or' ? `(${typed.trim()})` : typed.trim();
  return typedFrom({ text: whole, filters: [{ name, value }] });
}

/**
 * The query with one filter added or removed. It has at most one runtime and owner, and one of each folder and file
 * kind.
 */
export function toggled(typed: string, name: QueryFilter['name'], chosen: string): string {
  const value = asFilter(chosen);
  const { tree } = readQuery(typed);
  if (tree) return toggledInTree(typed, tree, name, value);
  const { text, filters } = queryParts(typed);
  const same = (filter: QueryFilter) =>
    filter.name === name && !filter.isNegated && filter.value === value.toLowerCase();
  if (filters.some(same)) return typedFrom({ text, filters: filters.filter((filter) => !same(filter)) });
  const isAlike = (filter: QueryFilter) =>
    !isFactName(name) && (name !== 'path' || filter.value.endsWith('/') === value.endsWith('/'));
  const rival = (filter: QueryFilter) =>
    filter.name === name && (filter.isNegated ? filter.value === value.toLowerCase() : isAlike(filter));
  return typedFrom({ text, filters: [...filters.filter((filter) => !rival(filter)), { name, value }] });
}

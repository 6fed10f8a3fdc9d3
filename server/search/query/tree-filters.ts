/** The filters of a boolean query, over functions and over the paths of their files. */
import { RE2JS } from 're2js';
import { isFactName } from '../../../contract/search/query-filters.ts';
import type { FilterTerm, QueryTree } from '../../../contract/search/query-tree.ts';
import type { Entry } from '../table/entry.ts';
import { compileRegex, RegexError } from './regex.ts';

export type FactPlace = [path: string, line: number];
/**
 * By the text of a filter, such as `symbol:fetchorders`: the documents that have it, and where. A document is given by
 * its digest, and to a search thread by its number.
 */
export type FoundFacts = [filter: string, documents: [document: string | number, places: FactPlace[]][]][];

/** UNREAD: code was not read yet. CUT: it has more than is stored, or too much was found. */
export type Gap = 'UNREAD' | 'CUT';

type FilterQuery = {
  tree: QueryTree;
  account_id: string;
  owners: [name: string, account_ids: string[]][];
  facts: FoundFacts;
};

export type TreeFilters = {
  /** Whether a file with this path passes a tree that `isOfFile`. */
  passesPath(node: QueryTree, path: string): boolean;
  /** Where a document has what a filter of definitions or uses asks for. */
  placesOf(term: FilterTerm, code: number): readonly FactPlace[];
  /** Whether a function passes a filter; `versions`: those with the files at hand. */
  passes(term: FilterTerm, entry: Entry, versions: readonly number[]): boolean;
  /** Whether a function with these paths in its live version passes a tree of filters. */
  match(node: QueryTree, entry: Entry, paths: readonly string[]): boolean;
  /** False when no version of the function can match, judged without its code. */
  mayMatchEntry(node: QueryTree, entry: Entry): boolean;
};

/** Throws RegexError, at the position of the filter in the typed query. */
export function compileFilters({ tree, account_id, owners, facts }: FilterQuery): TreeFilters {
  const found = new Map(facts.map(([filter, documents]) => [filter, new Map(documents)]));
  const paths = new Map<FilterTerm, (path: string) => boolean>();
  compile(tree);
  return { passesPath, placesOf, passes, match, mayMatchEntry };

  function placesOf(term: FilterTerm, code: number): readonly FactPlace[] {
    return found.get(factKey(term))?.get(code) ?? [];
  }

  function ownersOf(name: string): readonly string[] {
    return owners.find(([each]) => each === name)?.[1] ?? [];
  }

  function compile(node: QueryTree): void {
    if (node.kind === 'and' || node.kind === 'or') node.parts.forEach(compile);
    else if (node.kind === 'not') compile(node.part);
    else if (node.kind === 'filter' && node.filter.name === 'path') paths.set(node, pathTest(node));
  }

  function match(node: QueryTree, entry: Entry, within: readonly string[]): boolean {
    if (isOfFile(node)) return within.some((path) => passesPath(node, path));
    if (node.kind === 'filter' && isFact(node))
      return placesOf(node, entry.code).some(([path]) => within.includes(path));
    if (node.kind === 'filter') return passes(node, entry, [entry.version]);
    if (node.kind === 'not') return !match(node.part, entry, within);
    if (node.kind === 'or') return node.parts.some((part) => match(part, entry, within));
    if (node.kind !== 'and') return true;
    const ofFile = node.parts.filter(isOfFile);
    const paths = within.filter((path) => ofFile.every((part) => passesPath(part, path)));
    return paths.length > 0 && node.parts.every((part) => isOfFile(part) || match(part, entry, paths));
  }

  function hasFact(term: FilterTerm, code: number): boolean {
    return found.get(factKey(term))?.has(code) ?? false;
  }

  function passesPath(node: QueryTree, path: string): boolean {
    if (node.kind === 'and') return node.parts.every((part) => passesPath(part, path));
    if (node.kind === 'or') return node.parts.some((part) => passesPath(part, path));
    if (node.kind === 'not') return !passesPath(node.part, path);
    if (node.kind !== 'filter') return true;
    if (node.filter.name === 'lang') return node.filter.endings.includes(endingOf(path));
    return paths.get(node)?.(path) ?? true;
  }

  function passes({ filter }: FilterTerm, entry: Entry, versions: readonly number[]): boolean {
    const within = (value: number) => 'range' in filter && value >= filter.range.from && value <= filter.range.to;
    if (filter.name === 'runtime') return entry.runtime.startsWith(filter.part);
    if (filter.name === 'name') return entry.name.toLowerCase().includes(filter.part);
    if (filter.name === 'owner') return ownersOf(filter.part).includes(entry.account_id);
    if (filter.name === 'visibility') return entry.visibility === filter.visibility;
    // How much others use their functions is theirs to know.
    if (filter.name === 'runs') return entry.account_id === account_id && within(entry.runs ?? 0);
    if (filter.name === 'deployed') return within(entry.deployed_ms ?? 0);
    return filter.name === 'version' && versions.some(within);
  }

  function mayMatchEntry(node: QueryTree, entry: Entry): boolean {
    if (node.kind === 'and') return node.parts.every((part) => mayMatchEntry(part, entry));
    if (node.kind === 'or') return node.parts.some((part) => mayMatchEntry(part, entry));
    if (node.kind === 'filter' && isFact(node))
      return [entry.code, ...entry.versions.map(([, code]) => code)].some((code) => hasFact(node, code));
    if (node.kind === 'filter') return isOfFile(node) || node.filter.name === 'version' || passes(node, entry, []);
    if (node.kind !== 'not') return true;
    const { part } = node;
    const isSure = part.kind === 'filter' && !isOfFile(part) && !isFact(part) && part.filter.name !== 'version';
    return !isSure || !passes(part, entry, []);
  }
}

/** The text by which `facts` has a filter. */
export const factKey = ({ filter, value }: FilterTerm): string => `${filter.name}:${value.toLowerCase()}`;

/** Whether a filter is about definitions or uses. */
export const isFact = ({ filter }: FilterTerm): boolean => isFactName(filter.name);

/** Whether a tree has filters by file, and nothing else. */
export function isOfFile(node: QueryTree): boolean {
  if (node.kind === 'filter') return node.filter.name === 'path' || node.filter.name === 'lang';
  if (node.kind === 'not') return isOfFile(node.part);
  return (node.kind === 'and' || node.kind === 'or') && node.parts.every(isOfFile);
}

function pathTest({ filter, at }: FilterTerm): (path: string) => boolean {
  if (filter.name !== 'path') return () => true;
  if ('part' in filter) return (path) => path.toLowerCase().includes(filter.part);
  const expression = compiled(filter.expression, at);
  return (path) => expression.test(path);
}

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

function compiled(expression: string, at: number): RE2JS {
  try {
    return compileRegex(expression, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw error instanceof RegexError ? new RegexError(error.message, at) : error;
  }
}

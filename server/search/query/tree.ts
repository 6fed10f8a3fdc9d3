/**
 * Boolean queries over the files of a function. A function matches when its terms are found in its files, whichever has
 * them. A filter by file (path, lang) applies to the AND that contains it: the other terms of that group, and the groups
 * in it, are looked for in those files only. Hits are the lines of terms that are asked for, not of excluded ones.
 */
import { type QueryTree, type TextTerm, typedPlace } from '../../../contract/search/query-tree.ts';
import { isCaseSensitive } from '../../../contract/search/search-query.ts';
import type { Entry } from '../table/entry.ts';
import type { MayContinue } from './cpu-budget.ts';
import type { Matcher } from './finder.ts';
import { matcherOfLines } from './line-matcher.ts';
import { compileMatcher } from './matcher.ts';
import type { Need } from './needs.ts';
import { RegexError } from './regex.ts';
import type { SourceFile } from './scan.ts';
import { compileFilters, type FoundFacts, type Gap, isFact, isOfFile } from './tree-filters.ts';

/**
 * `account_id`: who searches. `owners`: the values of owner filters, each with the accounts that have such a name.
 * `facts`: what was found for the filters of definitions and uses; `lacks`: why that may not be all.
 */
export type TreeQuery = {
  mode: 'boolean';
  tree: QueryTree;
  typed: string;
  case: 'auto' | 'yes' | 'no';
  account_id: string;
  owners: [name: string, account_ids: string[]][];
  facts: FoundFacts;
  lacks?: Gap | undefined;
};

/** A function in one version, with the number of its document. `versions`: all those with these files. */
export type Candidate = { entry: Entry; versions: readonly number[]; code: number; files: readonly SourceFile[] };

export type TreeMatcher = {
  need: Need;
  mayMatchBytes(bytes: Buffer): boolean;
  /** False when no version of the function can match, judged without its code. */
  mayMatchEntry(entry: Entry): boolean;
  /**
   * The files with hits and what to look for in each; undefined when the function does not match. `mayContinue` returns
   * false when time is up: then the result is not known, and undefined.
   */
  match(candidate: Candidate, mayContinue: MayContinue): Map<SourceFile, Matcher> | undefined;
};

/** Compiles the expressions in it; throws RegexError with a position in the typed query. */
export function compileTree(query: TreeQuery): TreeMatcher {
  const { tree, typed, case: choice } = query;
  const matchers = new Map<TextTerm, Matcher>();
  const filters = compileFilters(query);
  compile(tree);
  return {
    need: needOfTree(tree),
    mayMatchBytes: (bytes) => mayHold(tree, bytes),
    mayMatchEntry: (entry) => filters.mayMatchEntry(tree, entry),
    match(candidate, mayContinue) {
      const known = new Map<TextTerm, Map<SourceFile, boolean>>();
      let isCut = false;
      const hasTime: MayContinue = (aheadMs) => {
        const isYes = mayContinue(aheadMs);
        isCut ||= !isYes;
        return isYes;
      };
      const has = (term: TextTerm, file: SourceFile): boolean => {
        const files = known.get(term) ?? new Map<SourceFile, boolean>();
        known.set(term, files);
        const before = files.get(file);
        if (before !== undefined) return before;
        const found = !isCut && hasLine(matcherOf(term), file[1], hasTime);
        files.set(file, found);
        return found;
      };
      if (!holds(tree, candidate, candidate.files, has) || isCut) return undefined;
      const terms = new Map<SourceFile, Set<Matcher>>();
      collect(tree, candidate, candidate.files, has, (matcher, file) => {
        const those = terms.get(file);
        if (those) those.add(matcher);
        else terms.set(file, new Set([matcher]));
      });
      // In the order of the files, as in every search.
      const sorted = candidate.files.flatMap((file): [SourceFile, Matcher][] => {
        const those = terms.get(file);
        return those ? [[file, together([...those])]] : [];
      });
      return isCut ? undefined : new Map(sorted);
    },
  };

  function compile(node: QueryTree): void {
    if (node.kind === 'and' || node.kind === 'or') node.parts.forEach(compile);
    else if (node.kind === 'not') compile(node.part);
    else if (node.kind !== 'filter') matchers.set(node, compiled(node));
  }

  /** Errors of an expression are placed in the whole query. */
  function compiled(term: TextTerm): Matcher {
    try {
      return compileMatcher(textQueryOf(term, choice));
    } catch (error) {
      throw error instanceof RegexError
        ? new RegexError(error.message, typedPlace(typed, term, error.position))
        : error;
    }
  }

  function matcherOf(term: TextTerm): Matcher {
    const matcher = matchers.get(term);
    if (!matcher) throw new Error('a term was not compiled');
    return matcher;
  }

  function needOfTree(node: QueryTree): Need {
    if (node.kind === 'filter' || node.kind === 'not') return null;
    if (node.kind === 'or') {
      const needs = node.parts.map(needOfTree);
      return needs.includes(null) ? null : { any: needs };
    }
    if (node.kind !== 'and') return matcherOf(node).need;
    const needs = node.parts.map(needOfTree).filter((need) => need !== null);
    return needs.length === 0 ? null : { all: needs };
  }

  function mayHold(node: QueryTree, bytes: Buffer): boolean {
    if (node.kind === 'filter' || node.kind === 'not') return true;
    if (node.kind === 'and') return node.parts.every((part) => mayHold(part, bytes));
    if (node.kind === 'or') return node.parts.some((part) => mayHold(part, bytes));
    return matcherOf(node).mayMatchBytes(bytes);
  }

  function holds(node: QueryTree, of: Candidate, files: readonly SourceFile[], has: Has): boolean {
    if (isOfFile(node)) return files.some(([path]) => filters.passesPath(node, path));
    if (node.kind === 'filter' && isFact(node))
      return filters.placesOf(node, of.code).some(([path]) => files.some(([each]) => each === path));
    if (node.kind === 'filter') return filters.passes(node, of.entry, of.versions);
    if (node.kind === 'not') return !holds(node.part, of, files, has);
    if (node.kind === 'or') return node.parts.some((part) => holds(part, of, files, has));
    if (node.kind !== 'and') return files.some((file) => has(node, file));
    const within = filesWithin(node.parts, files);
    return within.length > 0 && node.parts.every((part) => isOfFile(part) || holds(part, of, within, has));
  }

  function collect(
    node: QueryTree,
    of: Candidate,
    files: readonly SourceFile[],
    has: Has,
    take: (matcher: Matcher, file: SourceFile) => void,
  ): void {
    if (node.kind === 'filter' && isFact(node)) {
      const places = filters.placesOf(node, of.code);
      for (const file of files) {
        const lines = places.flatMap(([path, line]) => (path === file[0] ? [line] : []));
        if (lines.length > 0) take(matcherOfLines(lines), file);
      }
      return;
    }
    if (node.kind === 'filter' || node.kind === 'not') return;
    if (node.kind === 'and') {
      const within = filesWithin(node.parts, files);
      for (const part of node.parts) collect(part, of, within, has, take);
    } else if (node.kind === 'or') {
      for (const part of node.parts) if (holds(part, of, files, has)) collect(part, of, files, has, take);
    } else for (const file of files) if (has(node, file)) take(matcherOf(node), file);
  }

  function filesWithin(parts: readonly QueryTree[], files: readonly SourceFile[]): readonly SourceFile[] {
    const asked = parts.filter(isOfFile);
    if (asked.length === 0) return files;
    return files.filter(([path]) => asked.every((part) => filters.passesPath(part, path)));
  }
}

type Has = (term: TextTerm, file: SourceFile) => boolean;

function textQueryOf({ kind, text }: TextTerm, choice: TreeQuery['case']) {
  const mode = kind === 'regex' ? 'regex' : 'literal';
  return { mode, query: text, caseSensitive: isCaseSensitive({ mode, query: text }, choice) } as const;
}

function hasLine(matcher: Matcher, text: string, mayContinue: MayContinue): boolean {
  if (!matcher.mayMatch(text)) return false;
  let found = false;
  const visit = () => {
    found = true;
    return false;
  };
  matcher.eachLine(text, visit, mayContinue);
  return found;
}

/** A matcher of the lines that one of several matches. */
function together(matchers: readonly Matcher[]): Matcher {
  const [only, more] = matchers;
  if (only && !more) return only;
  return {
    need: null,
    test: (line) => matchers.some((each) => each.test(line)),
    mayMatchBytes: () => true,
    mayMatch: () => true,
    eachLine(text, visit, mayContinue) {
      const lines = new Map<number, { end: number; matchEnd: number | undefined }>();
      for (const each of matchers) {
        const take = (start: number, end: number, matchEnd?: number) => {
          const before = lines.get(start)?.matchEnd ?? 0;
          lines.set(start, { end, matchEnd: Math.max(before, matchEnd ?? 0) || undefined });
          return mayContinue?.() ?? true;
        };
        if (each.mayMatch(text)) each.eachLine(text, take, mayContinue);
      }
      for (const [start, { end, matchEnd }] of [...lines].sort(([a], [b]) => a - b))
        if (!visit(start, end, matchEnd)) return;
    },
    indexIn(line) {
      const matching = matchers.find((each) => each.test(line));
      return matching?.indexIn(line) ?? 0;
    },
  };
}

/** What a code query does with the code of a function: one text or expression, or a tree of several. */
import { SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import type { Entry } from '../table/entry.ts';
import type { MayContinue } from './cpu-budget.ts';
import type { TextQuery } from './finder.ts';
import { compileMatcher } from './matcher.ts';
import type { Need } from './needs.ts';
import { type Found, type Seen, type SourceFile, scanFiles } from './scan.ts';
import { type Candidate, compileTree, type TreeQuery } from './tree.ts';

type Ways = { context: number; mayContinue: MayContinue; most?: number | undefined; isNew?: Seen | undefined };

export type Scanner = {
  /** What the code must contain, for the index. */
  need: Need;
  /** Whether it takes time in proportion to the code; an expression may take much more. */
  isPlain: boolean;
  /** False when no version of the function can match, judged without its code. */
  mayMatchEntry(entry: Entry): boolean;
  /** False when no file can match: cheaper than decoding the text. */
  mayMatchBytes(bytes: Buffer): boolean;
  /** False when no file of this text can match. */
  mayMatch(text: string): boolean;
  /** The hits; undefined when the function does not match. A tree may match without hits. */
  scan(candidate: Candidate, ways: Ways): Found | undefined;
};

/** A file's path must contain all `paths`. Throws RegexError. */
export function createScanner(code: TextQuery | TreeQuery, paths: readonly string[]): Scanner {
  const within = (files: readonly SourceFile[]) =>
    paths.length === 0 ? files : files.filter(([path]) => hasAll(path, paths));
  if (code.mode !== 'boolean') {
    const matcher = compileMatcher(code);
    return {
      ...matcher,
      isPlain: code.mode === 'literal',
      mayMatchEntry: () => true,
      scan({ files }, { context, ...ways }) {
        const found = scanFiles(within(files), matcher, context, ways);
        return found.hit_count > 0 ? found : undefined;
      },
    };
  }
  const tree = compileTree(code);
  return {
    ...tree,
    isPlain: false,
    mayMatch: () => true,
    scan({ files, ...of }, { context, mayContinue, most = SEARCH_HITS_PER_FUNCTION, isNew }) {
      const matched = tree.match({ ...of, files: within(files) }, mayContinue);
      if (!matched) return undefined;
      const all: Found = { hit_count: 0, hits: [] };
      for (const [file, matcher] of matched) {
        const left = most - all.hits.length;
        const found = scanFiles([file], matcher, context, { mayContinue, isNew, most: left });
        all.hit_count += found.hit_count;
        all.hits.push(...found.hits);
      }
      return all;
    },
  };
}

/** Whether a path contains all of these parts, which are in lower case. */
export function hasAll(path: string, parts: readonly string[]): boolean {
  const lower = path.toLowerCase();
  return parts.every((part) => lower.includes(part));
}

import type { SearchReply } from '../../../api/entities.ts';

export type Hit = SearchReply['functions'][number]['hits'][number];
/**
 * A line with a hit. `words`: for a search in all versions, those that contain the line. `endLine`: the last line of a
 * match that has several.
 */
export type HitLine = { readonly words: string | undefined; readonly endLine?: number | undefined };
/** Adjacent lines of a file, with their hits. */
export type Snippet = {
  readonly path: string;
  /** The version of these lines. */
  readonly version: number;
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly hitLines: ReadonlyMap<number, HitLine>;
};

/** Longer snippets are split, so that the first hits can be shown without the rest. */
const MOST_LINES = 20;

/** Merges hits of the same version whose lines overlap or touch. Hits are ordered by file, then by line. */
export function snippetsOf(hits: readonly Hit[], serving: number): readonly Snippet[] {
  const made: (Omit<Snippet, 'lines' | 'hitLines'> & { lines: string[]; hitLines: Map<number, HitLine> })[] = [];
  for (const hit of hits) {
    const version = hit.last_version ?? serving;
    const from = hit.line - hit.before.length;
    const lines = [...hit.before, hit.text, ...hit.after];
    const hitLine = { words: versionWords(hit, serving), endLine: hit.end_line };
    const last = made.at(-1);
    const next = last && last.firstLine + last.lines.length;
    const joins =
      last?.path === hit.path &&
      last.version === version &&
      !last.hitLines.has(hit.line) &&
      last.lines.length < MOST_LINES;
    if (last && next !== undefined && joins && from >= last.firstLine && from <= next) {
      last.lines.push(...lines.slice(Math.max(0, next - from)));
      last.hitLines.set(hit.line, hitLine);
    } else {
      // split from the previous snippet: no line is shown twice
      const isSame = last?.path === hit.path && last.version === version && !last.hitLines.has(hit.line);
      const isParted = isSame && next !== undefined && from >= last.firstLine && from < next;
      const start = isParted ? hit.line : from;
      if (start > from) last?.lines.splice(start - last.firstLine);
      const known = new Map([[hit.line, hitLine]]);
      made.push({ path: hit.path, version, firstLine: start, lines: lines.slice(start - from), hitLines: known });
    }
  }
  return made;
}

/** `v2 to v5`; undefined for a search in the live versions. */
export function versionWords(
  {
    first_version: first,
    last_version: last,
  }: { first_version?: number | undefined; last_version?: number | undefined },
  serving: number,
): string | undefined {
  if (first === undefined || last === undefined) return undefined;
  if (last >= serving) return `since v${first}`;
  return first === last ? `only in v${first}` : `v${first} to v${last}`;
}

/** The number of files with hits. */
export function filesIn(hits: readonly Pick<Hit, 'path'>[]): number {
  return new Set(hits.map(({ path }) => path)).size;
}

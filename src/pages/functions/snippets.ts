import type { SearchReply } from '../../api/entities.ts';

export type Hit = SearchReply['functions'][number]['hits'][number];
/** Lines of a file that stand together, with the hits among them. */
export type Snippet = {
  readonly path: string;
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly hitLines: ReadonlySet<number>;
};

/** Joins hits whose lines overlap or touch. Hits come by file, then by line. */
export function snippetsOf(hits: readonly Hit[]): readonly Snippet[] {
  const made: { path: string; firstLine: number; lines: string[]; hitLines: Set<number> }[] = [];
  for (const hit of hits) {
    const from = hit.line - hit.before.length;
    const lines = [...hit.before, hit.text, ...hit.after];
    const last = made.at(-1);
    const next = last && last.firstLine + last.lines.length;
    if (last && next !== undefined && last.path === hit.path && from >= last.firstLine && from <= next) {
      last.lines.push(...lines.slice(Math.max(0, next - from)));
      last.hitLines.add(hit.line);
    } else {
      made.push({ path: hit.path, firstLine: from, lines, hitLines: new Set([hit.line]) });
    }
  }
  return made;
}

/** How many files the hits are in. */
export function filesIn(hits: readonly Hit[]): number {
  return new Set(hits.map(({ path }) => path)).size;
}

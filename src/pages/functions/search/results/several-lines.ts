import { type Marker, noMarks } from '../../../../lib/search-marks.ts';
import type { Range } from '../../../../ui/code/code-tokens.ts';
import type { Snippet } from '../../code/snippets.ts';

type Marks = readonly Range[] | undefined;

/** By line of a snippet: the marks of matches that span several lines; undefined for lines without such a match. */
export function marksOfSeveral({ firstLine, lines, hitLines }: Snippet, marker: Marker): readonly Marks[] {
  const marks = new Array<Range[] | undefined>(lines.length).fill(undefined);
  for (const [line, { endLine }] of hitLines) {
    if (endLine === undefined) continue;
    const from = line - firstLine;
    const matched = lines.slice(from, endLine - firstLine + 1);
    // without all lines of the match, its columns are unknown
    const isPart = matched.length <= endLine - line && marker !== noMarks;
    let start = 0;
    const ranges = marker(matched.join('\n'));
    for (const [at, text] of matched.entries()) {
      const end = start + text.length;
      const own = ranges
        .filter(([first, last]) => first < end && last > start)
        .map(([first, last]): Range => [Math.max(first, start) - start, Math.min(last, end) - start]);
      marks[from + at] = isPart && ranges.length === 0 ? [[0, text.length]] : own;
      start = end + 1;
    }
  }
  return marks;
}

/** Looks through the files of one function version, line by line, as ripgrep would. */
import { SEARCH_HITS_PER_FUNCTION } from '../../contract/limits.ts';
import type { Matcher } from './matcher.ts';

type Hit = { path: string; line: number; text: string; before: string[]; after: string[] };
/** `hit_count` counts every line that matches; `hits` are the first of them. */
export type Found = { hit_count: number; hits: Hit[] };
/** Path and text, in the order they are looked through. */
export type SourceFile = readonly [path: string, text: string];

/** A line is shown up to here; a longer one as the part around its match. */
const SHOWN_CHARS = 1000;
const LEAD_CHARS = 200;

/** Counts the matching lines of all files and keeps the first with `context` lines around each. */
export function scanFiles(files: readonly SourceFile[], matcher: Matcher, context: number): Found {
  const found: Found = { hit_count: 0, hits: [] };
  for (const [path, text] of files) {
    if (!matcher.mayMatch(text)) continue;
    const lines = linesOf(text);
    for (const [index, line] of lines.entries()) {
      if (!matcher.test(line)) continue;
      found.hit_count += 1;
      if (found.hits.length < SEARCH_HITS_PER_FUNCTION) found.hits.push(hitAt(path, lines, index, matcher, context));
    }
  }
  return found;
}

/** Lines end with a newline, so after the last one there is no empty line. A carriage return is part of its line. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function hitAt(path: string, lines: string[], index: number, matcher: Matcher, context: number): Hit {
  const line = lines[index] ?? '';
  return {
    path,
    line: index + 1,
    text: line.length > SHOWN_CHARS ? excerpt(line, matcher.indexIn(line)) : line,
    before: lines.slice(Math.max(0, index - context), index).map((each) => excerpt(each, 0)),
    after: lines.slice(index + 1, index + 1 + context).map((each) => excerpt(each, 0)),
  };
}

function excerpt(line: string, at: number): string {
  if (line.length <= SHOWN_CHARS) return line;
  const from = Math.max(0, Math.min(at - LEAD_CHARS, line.length - SHOWN_CHARS));
  const to = from + SHOWN_CHARS;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

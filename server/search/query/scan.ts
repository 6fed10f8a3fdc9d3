/**
 * Scans the code of one version line by line, like ripgrep; or of all versions of a function, where a line counts once,
 * with the first and the last version that has it.
 */
import { hash } from 'node:crypto';
import { SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import type { MayContinue } from './cpu-budget.ts';
import type { Matcher } from './finder.ts';

/** `end_line`: the last line of a match that has several. */
export type Hit = {
  path: string;
  line: number;
  end_line?: number;
  text: string;
  before: string[];
  after: string[];
};
/** In history: the first and the last version that have the line. */
export type HistoryHit = Hit & { first_version?: number; last_version?: number };
/** `hit_count` is the number of matching lines; `hits` are the first of them. */
export type Found = { hit_count: number; hits: Hit[] };
/** Path and text of a file. */
export type SourceFile = readonly [path: string, text: string];
/** Whether a matching line counts. */
export type Seen = (path: string, line: string) => boolean;
type Ways = { mayContinue?: MayContinue; most?: number | undefined; isNew?: Seen | undefined };

/** Longer lines are shortened to the part around the match. */
const SHOWN_CHARS = 1000;
const LEAD_CHARS = 200;

/**
 * Counts the matching lines of all files, and keeps the first `most` with `context` lines around each. Ends early with
 * the current result when `mayContinue` returns false. It is called for every file, every matching line, and at
 * intervals.
 */
export function scanFiles(
  files: Iterable<SourceFile>,
  matcher: Matcher,
  context: number,
  { mayContinue = () => true, most = SEARCH_HITS_PER_FUNCTION, isNew }: Ways = {},
): Found {
  const found: Found = { hit_count: 0, hits: [] };
  let isGoing = true;
  const ask: MayContinue = (aheadMs) => {
    const isYes = mayContinue(aheadMs);
    // A line that would take too long is skipped, but the scan continues.
    if (aheadMs === undefined) isGoing = isYes;
    return isYes;
  };
  for (const [path, text] of files) {
    if (!isGoing || !ask()) break;
    let line = 1;
    let counted = 0;
    if (!matcher.mayMatch(text)) continue;
    const visit = (start: number, end: number, matchEnd = end) => {
      if (isNew && !isNew(path, text.slice(start, end))) return ask();
      found.hit_count += 1;
      if (found.hits.length < most) {
        for (; counted < start; counted = text.indexOf('\n', counted) + 1) line += 1;
        found.hits.push(hitAt(path, text, { line, start, end, matchEnd }, matcher, context));
      }
      return ask();
    };
    matcher.eachLine(text, visit, ask);
  }
  return found;
}

type Place = { line: number; start: number; end: number; matchEnd: number };

function hitAt(
  path: string,
  text: string,
  { line, start, end, matchEnd }: Place,
  matcher: Matcher,
  context: number,
): Hit {
  const shown = text.slice(start, end);
  const more = matchEnd > end ? newlinesIn(text, end, matchEnd) : 0;
  return {
    path,
    line,
    ...(more > 0 ? { end_line: line + more } : {}),
    text: shown.length > SHOWN_CHARS ? excerpt(shown, matcher.indexIn(shown)) : shown,
    before: linesBefore(text, start, context),
    after: linesAfter(text, end, context),
  };
}

/** A newline at the end of a match begins no line of it. */
function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to - 1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function linesBefore(text: string, start: number, most: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; lines.length < most && end >= 0; ) {
    const from = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.unshift(excerpt(text.slice(from, end), 0));
    end = from - 1;
  }
  return lines;
}

/** A final newline ends the last line, so no empty line follows it. A carriage return is part of its line. */
function linesAfter(text: string, end: number, most: number): string[] {
  const lines: string[] = [];
  for (let from = end + 1; lines.length < most && from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    lines.push(excerpt(text.slice(from, to), 0));
    from = to + 1;
  }
  return lines;
}

function excerpt(line: string, at: number): string {
  if (line.length <= SHOWN_CHARS) return line;
  const from = whole(line, Math.max(0, Math.min(at - LEAD_CHARS, line.length - SHOWN_CHARS)));
  const to = whole(line, from + SHOWN_CHARS);
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

/** Moves a position that would split a surrogate pair. */
function whole(line: string, at: number): number {
  const isBetween = (line.codePointAt(at - 1) ?? 0) > 0xffff && line.charCodeAt(at) >>> 10 === 0xdc00 >>> 10;
  return isBetween ? at - 1 : at;
}

/** The characters of all lines of hits, including context. */
export function charsOf(hits: readonly Hit[]): number {
  let chars = 0;
  for (const { text, before, after } of hits) {
    chars += text.length;
    for (const line of before) chars += line.length;
    for (const line of after) chars += line.length;
  }
  return chars;
}

/** Limit of distinct lines per function. */
const MOST_LINES = 50_000;
/** Longer lines are compared by their hashes. */
const LONG_CHARS = 200;

type Versioned = readonly (readonly [version: number, code: number, ...rest: unknown[]])[];
type Versions = { first_version: number; last_version: number };
/** `isWhole`: no line was omitted. */
type FoundInHistory = { hit_count: number; hits: HistoryHit[]; isWhole: boolean } & Partial<Versions>;

/**
 * Scans documents from the newest to the oldest, one per step. `scan` keeps up to `most` hits of lines for which
 * `isNew` returns true.
 */
export function* historyOf(
  versions: Versioned,
  scan: (code: number, most: number, isNew: Seen) => Found,
  isStopped: () => boolean,
  mostHits = SEARCH_HITS_PER_FUNCTION,
): Generator<undefined, FoundInHistory> {
  const lines = new Map<string, Versions>();
  const hits: HistoryHit[] = [];
  let isWhole = true;
  for (const [code, { first_version, last_version }] of codesOf(versions)) {
    const isNew = (path: string, line: string) => {
      const key = keyOf(path, line);
      const known = lines.get(key);
      if (known) known.first_version = Math.min(known.first_version, first_version);
      else if (lines.size < MOST_LINES) lines.set(key, { first_version, last_version });
      else isWhole = false;
      return !known && isWhole;
    };
    const found = scan(code, mostHits - hits.length, isNew);
    // Cloned, as a substring would retain the whole text, and there may be many versions.
    hits.push(...structuredClone(found.hits));
    if (isStopped()) break;
    yield;
  }
  const spans = [...lines.values()];
  if (spans.length === 0) return { hit_count: 0, hits: [], isWhole };
  return {
    hit_count: spans.length,
    hits: hits.map((hit, at) => ({ ...hit, ...spans[at] })),
    first_version: spans.reduce((first, each) => Math.min(first, each.first_version), Number.POSITIVE_INFINITY),
    last_version: spans.reduce((last, each) => Math.max(last, each.last_version), 0),
    isWhole,
  };
}

/** Each document once, with the first and the last version that has it; that of the newest version first. */
function codesOf(versions: Versioned): Iterable<[code: number, Versions]> {
  const codes = new Map<number, Versions>();
  for (const [version, code] of versions.toReversed()) {
    const known = codes.get(code);
    if (known) known.first_version = version;
    else codes.set(code, { first_version: version, last_version: version });
  }
  return codes;
}

const keyOf = (path: string, line: string): string =>
  `${path}\n${line.length > LONG_CHARS ? `${line.length} ${hash('sha256', line)}` : line}`;

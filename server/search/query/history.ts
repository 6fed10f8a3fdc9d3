/** Search over all versions of a function: a line counts once, with the first and the last version that has it. */
import { hash } from 'node:crypto';
import { SEARCH_HITS_PER_FUNCTION } from '../../../contract/limits.ts';
import type { FoundFunction, HistoryHit } from '../messages.ts';
import type { Found, Seen } from './scan.ts';

/** Distinct lines counted per function. */
const MOST_LINES = 50_000;
/** A longer one is distinguished from others by its hash. */
const LONG_CHARS = 200;

type Versions = { first_version: number; last_version: number };
/** `isWhole`: no line was left out. */
type FoundInHistory = Pick<FoundFunction, 'hit_count' | 'first_version' | 'last_version'> & {
  hits: HistoryHit[];
  isWhole: boolean;
};

/** Goes from the newest code to the oldest, a step for each; `scan` keeps this many hits of the lines that `isNew` says yes to. */
export function* historyOf(
  versions: readonly [version: number, code: number][],
  scan: (code: number, most: number, isNew: Seen) => Found,
  isStopped: () => boolean,
  mostLines = MOST_LINES,
): Generator<undefined, FoundInHistory> {
  const lines = new Map<string, Versions>();
  const hits: HistoryHit[] = [];
  let isWhole = true;
  for (const [code, { first_version, last_version }] of codesOf(versions)) {
    const isNew = (path: string, line: string) => {
      const key = keyOf(path, line);
      const known = lines.get(key);
      if (known) known.first_version = Math.min(known.first_version, first_version);
      else if (lines.size < mostLines) lines.set(key, { first_version, last_version });
      else isWhole = false;
      return !known && isWhole;
    };
    const found = scan(code, SEARCH_HITS_PER_FUNCTION - hits.length, isNew);
    // As copies: a part of a text holds all of it, and there may be many versions.
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

/** Each code once, with the first and the last version that has it; that of the newest version first. */
function codesOf(versions: readonly [version: number, code: number][]): Iterable<[code: number, Versions]> {
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

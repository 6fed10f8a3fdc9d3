/** Finds the matches within a line. The service returns the matching lines; the same rules locate the matches here. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FactFilter, isFactFilter } from '../../contract/search/query-filters.ts';
import { filtersIn, type TextTerm, textsIn } from '../../contract/search/query-tree.ts';
import { isCaseSensitive, type ReadQuery, readQuery } from '../../contract/search/search-query.ts';
import { toRe2 } from '../../contract/text/re2-syntax.ts';
import { foldWord, SPACELESS, wordsOf } from '../../contract/text/search-words.ts';
import type { Range } from '../ui/code/code-tokens.ts';

export type Marker = (line: string) => readonly Range[];

const MARKS_MAX = 100;
const LINE_MAX_CHARS = 200_000;
export const noMarks: Marker = () => [];

type CaseChoice = 'auto' | 'yes' | 'no';

/**
 * Marks words, a literal, a regular expression, or the texts of a boolean query. The regex engine loads on demand; until
 * then nothing is marked.
 */
export function useMarker({ mode, query }: ReadQuery, choice: CaseChoice): Marker {
  const isLate = mode === 'regex' || mode === 'boolean';
  const late = useQuery({
    queryKey: ['marker', mode, query, choice],
    queryFn: () =>
      mode === 'regex' ? regexMarker(query, isCaseSensitive({ mode, query }, choice)) : treeMarker(query, choice),
    enabled: isLate,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const plain = useMemo(
    () => (mode === 'literal' ? literalMarker(query, isCaseSensitive({ mode, query }, choice)) : wordMarker(query)),
    [mode, query, choice],
  );
  return isLate ? (late.data ?? noMarks) : plain;
}

async function treeMarker(typed: string, choice: CaseChoice): Promise<Marker> {
  const { tree } = readQuery(typed);
  if (!tree) return noMarks;
  const texts = await Promise.all(textsIn(tree).map((term) => termMarker(term, choice)));
  const facts = filtersIn(tree).flatMap(({ filter }) => (isFactFilter(filter) ? [factMarker(filter)] : []));
  const markers = [...texts, ...facts];
  return (line) => disjoint(markers.flatMap((marker) => marker(line)));
}

async function termMarker({ kind, text }: TextTerm, choice: CaseChoice): Promise<Marker> {
  const mode = kind === 'regex' ? kind : 'literal';
  const caseSensitive = isCaseSensitive({ mode, query: text }, choice);
  return mode === 'regex' ? regexMarker(text, caseSensitive) : literalMarker(text, caseSensitive);
}

/** Marks the name that a filter asks for, where code defines or uses it; the name alone, not as a part of another. */
export function factMarker({ name, part }: Pick<FactFilter, 'name' | 'part'>): Marker {
  if (!/[^*]/.test(part)) return noMarks;
  const inName = name === 'host' ? '[\\w.-]' : name === 'imports' ? '[\\w@/.-]' : '[\\w$]';
  const source = part
    .replace(/^node:/, '')
    .split('*')
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join(`${inName}*`);
  return allOf(new RegExp(`(?<![\\p{L}\\w$])${source}(?![\\p{L}\\w$])`, 'giu'));
}

/** The ranges in order, joined where they overlap. */
function disjoint(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], end)];
    else joined.push([start, end]);
  }
  return joined;
}

/** Marks words that contain a query word; short ones only at the start of a word. Fuzzy matches are not marked. */
export function wordMarker(query: string): Marker {
  const words = wordsOf(query);
  if (words.length === 0) return noMarks;
  const parts = words
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length < 3 && !SPACELESS.test(word) ? `(?<![\\p{L}\\p{M}\\p{N}])${word}` : word));
  const marked = allOf(new RegExp(parts.join('|'), 'gu'));
  return (line) => {
    const { text, places } = folded(line);
    return marked(text).map(([start, end]) => [places[start] ?? 0, places[end] ?? line.length]);
  };
}

/** The line folded for comparison, with the offset of each folded character in the line. */
function folded(line: string): { text: string; places: readonly number[] } {
  let text = '';
  const places: number[] = [];
  let at = 0;
  for (const char of line) {
    const letters = foldWord(char);
    text += letters;
    for (let n = 0; n < letters.length; n++) places.push(at);
    at += char.length;
  }
  return { text, places };
}

export function literalMarker(query: string, caseSensitive: boolean): Marker {
  return allOf(new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), caseSensitive ? 'gu' : 'giu'));
}

/** For patterns built from plain text only. */
function allOf(pattern: RegExp): Marker {
  return (line) => {
    const found = [...line.slice(0, LINE_MAX_CHARS).matchAll(pattern)].slice(0, MARKS_MAX);
    return found.map((match) => [match.index, match.index + match[0].length]);
  };
}

/** Uses RE2 like the service, so that no expression can hang the page. */
export async function regexMarker(source: string, caseSensitive: boolean): Promise<Marker> {
  const { RE2JS } = await import('re2js');
  const pattern = RE2JS.compile(toRe2(source).text, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  return (line) => {
    const matcher = pattern.matcher(line.slice(0, LINE_MAX_CHARS));
    const ranges: Range[] = [];
    while (ranges.length < MARKS_MAX && matcher.find()) {
      if (matcher.end() > matcher.start()) ranges.push([matcher.start(), matcher.end()]);
    }
    return ranges;
  };
}

/** Where in a line the matches are. The service says which lines; the marks are found here by the same rules. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toRe2 } from '../../contract/text/re2-syntax.ts';
import type { ReadQuery } from '../../contract/text/search-query.ts';
import { foldWord, SPACELESS, wordsOf } from '../../contract/text/search-words.ts';
import type { Range } from '../ui/code/code-tokens.ts';

export type Marker = (line: string) => readonly Range[];

const MARKS_MAX = 100;
const LINE_MAX_CHARS = 200_000;
export const noMarks: Marker = () => [];

/** Marks of words or a literal; of a regular expression once its engine is here (it is loaded only for that). */
export function useMarker({ mode, query }: ReadQuery, caseSensitive: boolean): Marker {
  const regex = useQuery({
    queryKey: ['marker', query, caseSensitive],
    queryFn: () => regexMarker(query, caseSensitive),
    enabled: mode === 'regex',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const plain = useMemo(
    () => (mode === 'ranked' ? wordMarker(query) : literalMarker(query, caseSensitive)),
    [mode, query, caseSensitive],
  );
  return mode === 'regex' ? (regex.data ?? noMarks) : plain;
}

/** Words that begin so, or have it within; what was typed nearly right is not marked. */
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

/** The line as words are compared, and where each letter of it is in the line itself. */
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

/** Of a pattern made here, which is nothing but plain text. */
function allOf(pattern: RegExp): Marker {
  return (line) => {
    const found = [...line.slice(0, LINE_MAX_CHARS).matchAll(pattern)].slice(0, MARKS_MAX);
    return found.map((match) => [match.index, match.index + match[0].length]);
  };
}

/** RE2, as the service has it: what a person typed must never hang the page. */
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

/** Where in a line the matches are. The service says which lines; the marks are found here by the same rules. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReadQuery } from '../../../contract/search-query.ts';
import type { Range } from '../../ui/code-tokens.ts';

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
  const words = query.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return noMarks;
  const parts = [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length < 3 ? `(?<![\\p{L}\\p{M}\\p{N}])${word}` : word));
  return allOf(new RegExp(parts.join('|'), 'giu'));
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
  const rewritten = source.replace(
    /\\(?:u([0-9A-Fa-f]{4})|u(\{[0-9A-Fa-f]{1,6}\})|.)/gs,
    (pair, four?: string, braced?: string) => (four ? `\\x{${four}}` : braced ? `\\x${braced}` : pair),
  );
  const pattern = RE2JS.compile(rewritten, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  return (line) => {
    const matcher = pattern.matcher(line.slice(0, LINE_MAX_CHARS));
    const ranges: Range[] = [];
    while (ranges.length < MARKS_MAX && matcher.find()) {
      if (matcher.end() > matcher.start()) ranges.push([matcher.start(), matcher.end()]);
    }
    return ranges;
  };
}

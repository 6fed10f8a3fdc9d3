/** A matcher of given lines of a file: where code defines or uses something. */
import type { Matcher } from './finder.ts';

/** `lines` count from 1. A carriage return before a newline is part of its line, as everywhere in a search. */
export function matcherOfLines(lines: readonly number[]): Matcher {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  return {
    need: null,
    test: () => true,
    mayMatchBytes: () => true,
    mayMatch: () => true,
    eachLine(text, visit) {
      let start = 0;
      let number = 1;
      for (const line of sorted) {
        for (; number < line; number++) {
          const newline = text.indexOf('\n', start);
          if (newline < 0) return;
          start = newline + 1;
        }
        const newline = text.indexOf('\n', start);
        if (!visit(start, newline < 0 ? text.length : newline)) return;
      }
    },
    indexIn: () => 0,
  };
}

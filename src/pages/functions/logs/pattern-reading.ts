import { readFilterPattern } from '../../../../contract/filter-pattern/pattern.ts';
import { PatternError, type RegexEngine } from '../../../../contract/filter-pattern/reader.ts';

/** Describes what a filter pattern matches, or its syntax error with the position. */
export type PatternReading = { readonly words: string } | { readonly mistake: string; readonly at: number | undefined };

/** The pattern is only parsed here; the service does the matching. */
const idle: RegexEngine = () => ({ test: () => false, spans: () => [] });

export function readingOf(pattern: string): PatternReading {
  try {
    return { words: readFilterPattern(pattern, idle).words };
  } catch (error) {
    if (error instanceof PatternError) return mistakeIn(error.message);
    throw error;
  }
}

/** The same for an error of the service, which also checks regular expressions. */
export function mistakeIn(message: string): { readonly mistake: string; readonly at: number | undefined } {
  const [, said = message, character] = /^(?:filter_pattern: )?(.*?)(?: \(at character (\d+)\))?$/s.exec(message) ?? [];
  return {
    mistake: said.charAt(0).toUpperCase() + said.slice(1),
    at: character === undefined ? undefined : Number(character) - 1,
  };
}

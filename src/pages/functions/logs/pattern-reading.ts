import { readFilterPattern } from '../../../../contract/filter-pattern/pattern.ts';
import { PatternError, type RegexEngine } from '../../../../contract/filter-pattern/reader.ts';

/** What a filter pattern takes, in words; or what is wrong with it, and where. */
export type PatternReading = { readonly words: string } | { readonly mistake: string; readonly at: number | undefined };

/** Nothing is matched here: the service does that. */
const idle: RegexEngine = () => ({ test: () => false, spans: () => [] });

export function readingOf(pattern: string): PatternReading {
  try {
    return { words: readFilterPattern(pattern, idle).words };
  } catch (error) {
    if (error instanceof PatternError) return mistakeIn(error.message);
    throw error;
  }
}

/** The same of what the service refused, which also knows what is wrong inside of a regular expression. */
export function mistakeIn(message: string): { readonly mistake: string; readonly at: number | undefined } {
  const [, said = message, character] = /^(?:filter_pattern: )?(.*?)(?: \(at character (\d+)\))?$/s.exec(message) ?? [];
  return {
    mistake: said.charAt(0).toUpperCase() + said.slice(1),
    at: character === undefined ? undefined : Number(character) - 1,
  };
}

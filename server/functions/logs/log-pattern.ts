/** Filter patterns of the log service, using RE2. */
import { RE2JS } from 're2js';
import { readFilterPattern } from '../../../contract/filter-pattern/pattern.ts';
import type { FilterPattern } from '../../../contract/filter-pattern/reader.ts';
import { PatternError, type RegexEngine, type Span } from '../../../contract/filter-pattern/reader.ts';
import { MARKS_MAX } from '../../../contract/filter-pattern/terms.ts';
import { badRequest } from '../../lib/failure.ts';

/** RE2 takes much longer to locate matches than to detect one. */
const MARKED_MAX_CHARS = 16 * 1024;

const re2: RegexEngine = (source) => {
  const compiled = RE2JS.compile(source);
  return {
    test: (text) => compiled.test(text),
    spans(text) {
      const spans: Span[] = [];
      if (text.length > MARKED_MAX_CHARS) return spans;
      const matcher = compiled.matcher(text);
      while (spans.length < MARKS_MAX && matcher.find())
        if (matcher.end() > matcher.start()) spans.push([matcher.start(), matcher.end()]);
      return spans;
    },
  };
};

/** Compiles a pattern; throws PatternError. */
export const readPattern = (text: string): FilterPattern => readFilterPattern(text, re2);

/** Compiles a pattern of a request; 400 when it is invalid. */
export function compilePattern(pattern = ''): FilterPattern {
  try {
    return readPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw badRequest(`filter_pattern: ${error.message}`);
    throw error;
  }
}

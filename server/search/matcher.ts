/** What a code query finds in a line. Only RE2 runs a user's expression; V8 runs nothing but escaped text. */
import { RE2JS } from 're2js';

export type CodeQuery = { mode: 'literal' | 'regex'; query: string; caseSensitive: boolean };

export type Matcher = {
  /** Whether a line, without its newline, has a match. */
  test(line: string): boolean;
  /** False when no line of the text can match; saves splitting it. */
  mayMatch(text: string): boolean;
  /** Where the first match begins; 0 when that would take long to find. */
  indexIn(line: string): number;
};

/** A regular expression that RE2 doesn't take. `position` counts its characters from 0. */
export class RegexError extends Error {
  override name = 'RegexError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Compiles a query; throws RegexError. */
export function compileMatcher({ mode, query, caseSensitive }: CodeQuery): Matcher {
  if (mode === 'regex') return regexMatcher(query, caseSensitive);
  if (caseSensitive) {
    const test = (text: string) => text.includes(query);
    return { test, mayMatch: test, indexIn: (line) => Math.max(0, line.indexOf(query)) };
  }
  const folded = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const test = (text: string) => folded.test(text);
  return { test, mayMatch: test, indexIn: (line) => Math.max(0, line.search(folded)) };
}

/** Finding where a match is takes RE2 far longer than finding that there is one. */
const POSITION_MAX_CHARS = 64 * 1024;
/** Where the whole text could miss what a line has: anchors of the text, and flags set within the expression. */
const LINE_ONLY = /\\[AzZ]|\(\?/;

function regexMatcher(source: string, caseSensitive: boolean): Matcher {
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const line = compile(source, flags);
  const whole = LINE_ONLY.test(source) ? undefined : compile(source, flags | RE2JS.MULTILINE);
  return {
    test: (text) => line.test(text),
    mayMatch: (text) => whole?.test(text) ?? true,
    indexIn(text) {
      if (text.length > POSITION_MAX_CHARS) return 0;
      const matcher = line.matcher(text);
      return matcher.find() ? matcher.start() : 0;
    },
  };
}

/** JavaScript's \u0041 and \u{1F600}, as RE2 writes them. */
const UNICODE = /\\(?:u([0-9A-Fa-f]{4})|u(\{[0-9A-Fa-f]{1,6}\})|.)/gs;

function compile(source: string, flags: number): RE2JS {
  const rewritten = source.replace(UNICODE, (pair, four?: string, braced?: string) =>
    four ? `\\x{${four}}` : braced ? `\\x${braced}` : pair,
  );
  try {
    return RE2JS.compile(rewritten, flags);
  } catch (error) {
    throw explained(errorWithoutFlags(rewritten) ?? error, source, rewritten);
  }
}

/** RE2JS writes flags into the expression that its errors quote. */
function errorWithoutFlags(rewritten: string): unknown {
  try {
    RE2JS.compile(rewritten);
    return undefined;
  } catch (error) {
    return error;
  }
}

function explained(error: unknown, source: string, rewritten: string): RegexError {
  const look = source.search(/(?<!\\)(?:\\\\)*\(\?<?[=!]/);
  if (look >= 0) return new RegexError('look-ahead and look-behind are not supported: the engine is RE2', look);
  const { why, part } = detailOf(error);
  if (part && /^\\[1-9]/.test(part))
    return new RegexError('back-references are not supported: the engine is RE2', Math.max(0, source.indexOf(part)));
  // What is missing is missing at the end; anything else is named by the part that can't be read.
  const at = part === null || part === rewritten ? rewritten.length : Math.max(0, rewritten.indexOf(part));
  const longer = [...rewritten.slice(0, at).matchAll(/\\x\{[0-9A-Fa-f]{4}\}/g)].length * 2;
  const shift = rewritten.length === source.length ? 0 : Math.min(longer, rewritten.length - source.length);
  return new RegexError(part && part !== rewritten ? `${why}: ${part}` : why, Math.min(at - shift, source.length));
}

function detailOf(error: unknown): { why: string; part: string | null } {
  if (!(error instanceof Error)) return { why: 'the expression does not compile', part: null };
  const why = 'error' in error && typeof error.error === 'string' ? error.error : error.message;
  return { why, part: 'input' in error && typeof error.input === 'string' ? error.input : null };
}

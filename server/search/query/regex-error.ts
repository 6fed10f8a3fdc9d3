/** What RE2 says of an expression that it doesn't take, and where in it. */
import { RE2JS } from 're2js';
import { toRe2 } from '../../../contract/text/re2-syntax.ts';

/** A regular expression that RE2 doesn't take. `position` is a place in it, as of its string, counted from 0. */
export class RegexError extends Error {
  override name = 'RegexError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

export function compileRegex(source: string, flags: number): RE2JS {
  const expression = toRe2(source);
  try {
    return RE2JS.compile(expression.text, flags);
  } catch (error) {
    // RE2JS writes flags into the expression that its errors quote.
    throw explained(errorOf(expression.text) ?? detailOf(error), source, expression);
  }
}

type Detail = { why: string; part: string | null };

function errorOf(text: string): Detail | undefined {
  try {
    RE2JS.compile(text);
    return undefined;
  } catch (error) {
    return detailOf(error);
  }
}

function detailOf(error: unknown): Detail {
  if (!(error instanceof Error)) return { why: 'the expression does not compile', part: null };
  const why = 'error' in error && typeof error.error === 'string' ? error.error : error.message;
  return { why, part: 'input' in error && typeof error.input === 'string' ? error.input : null };
}

function explained({ why, part }: Detail, source: string, { text, sourceAt }: ReturnType<typeof toRe2>): RegexError {
  // What is missing is missing at the end; anything else is named by the part that can't be read.
  const isNamed = part !== null && why !== 'missing closing )';
  const at = isNamed ? placeOf(part, why, text) : text.length;
  const position = sourceAt(at);
  if (/^\(\?<?[=!]/.test(text.slice(at)))
    return new RegexError('look-ahead and look-behind are not supported: the engine is RE2', position);
  if (/^(?:\\[1-9gk]|\(\?P=)/.test(text.slice(at)))
    return new RegexError('back-references are not supported: the engine is RE2', position);
  const typed = part && !source.includes(part) ? part.replace('\\x{', '\\u{') : part;
  return new RegexError(isNamed && part !== text ? `${why}: ${typed}` : why, position);
}

/** The position at which the part that an error names has the meaning the error refers to, not within something else. */
function placeOf(part: string, why: string, text: string): number {
  // It is all from the bracket on.
  if (why === 'missing closing ]') return text.length - part.length;
  if (why === 'duplicate capture group name') return firstRefused(`<${part}>`, why, text) + 1;
  return firstRefused(why === 'unexpected )' ? ')' : part, why, text);
}

/** The first of the places of `part` up to behind which the expression is refused for the same reason. */
function firstRefused(part: string, why: string, text: string): number {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  let first = 0;
  // Reading goes from left to right: where it is refused, it is with whatever follows.
  for (let last = places.length - 1; first < last; ) {
    const middle = (first + last) >> 1;
    if (errorOf(text.slice(0, places[middle + 1]))?.why === why) last = middle;
    else first = middle + 1;
  }
  return places[first] ?? 0;
}

/**
 * Regular expressions: compiled by RE2, with error positions; and parsed into a tree, as far as needed to see which
 * characters a match must contain. The parser returns `ANY` for a part that it does not support, or rejects the whole
 * expression, so it never requires characters that a match may lack.
 */
import { RE2JS } from 're2js';
import { toRe2 } from '../../../contract/text/re2-syntax.ts';

/** A regular expression that RE2 rejects. `position` is an index into its string. */
export class RegexError extends Error {
  override name = 'RegexError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Compiles an expression with RE2; throws RegexError. */
export function compileRegex(source: string, flags: number): RE2JS {
  const expression = toRe2(source);
  try {
    return RE2JS.compile(expression.text, flags);
  } catch (error) {
    // RE2JS prepends the flags to the expression, and its errors would quote them: compile without flags for the
    // message.
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
  // A missing parenthesis is reported where it was opened; any other error at the part that RE2 quotes.
  const isNamed = part !== null && why !== 'missing closing )';
  const at = isNamed ? placeOf(part, why, text) : why === 'missing closing )' ? openedAt(text) : text.length;
  const position = sourceAt(at);
  if (/^\(\?<?[=!]/.test(text.slice(at)))
    return new RegexError('look-ahead and look-behind are not supported: the engine is RE2', position);
  if (/^(?:\\[1-9gk]|\(\?P=)/.test(text.slice(at)))
    return new RegexError('back-references are not supported: the engine is RE2', position);
  const typed = part && !source.includes(part) ? part.replace('\\x{', '\\u{') : part;
  return new RegexError(isNamed && part !== text ? `${why}: ${typed}` : why, position);
}

/** What has no groups: quoted and escaped characters, and sets of characters. */
const NO_GROUPS = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|[()]/gs;

/** The position of the last parenthesis that is not closed. */
function openedAt(text: string): number {
  const open: number[] = [];
  for (const { 0: found, index } of text.matchAll(NO_GROUPS)) {
    if (found === '(') open.push(index);
    else if (found === ')') open.pop();
  }
  return open.at(-1) ?? text.length;
}

/** The position of the quoted part where it causes the error, as the same text may occur elsewhere. */
function placeOf(part: string, why: string, text: string): number {
  // RE2 quotes everything from the bracket on.
  if (why === 'missing closing ]') return text.length - part.length;
  if (why === 'duplicate capture group name') return firstRefused(`<${part}>`, why, text) + 1;
  return firstRefused(why === 'unexpected )' ? ')' : part, why, text);
}

/** The first occurrence of `part` after which the expression fails for the same reason. */
function firstRefused(part: string, why: string, text: string): number {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  let first = 0;
  // RE2 parses from left to right, so an error does not depend on what follows: binary search.
  for (let last = places.length - 1; first < last; ) {
    const middle = (first + last) >> 1;
    if (errorOf(text.slice(0, places[middle + 1]))?.why === why) last = middle;
    else first = middle + 1;
  }
  return places[first] ?? 0;
}

/** `fold`: ignore case. */
export type Node =
  /** One character, of the set `of` if known. */
  | { kind: 'any'; of?: string }
  /** No character; `edge`: at a word boundary, or another condition on the place. */
  | { kind: 'empty'; edge: 'word' | 'other' }
  | { kind: 'chars'; chars: string[]; fold: boolean }
  | { kind: 'cat'; parts: Node[] }
  | { kind: 'alt'; parts: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number };

const ANY: Node = { kind: 'any' };
const WORD_EDGE: Node = { kind: 'empty', edge: 'word' };
const EDGE: Node = { kind: 'empty', edge: 'other' };
const CLASS_MAX_CHARS = 8;
const MAX_DEPTH = 200;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** RE2 limits these classes to ASCII. */
const KNOWN: Record<string, string> = { d: DIGITS, s: ' \t\f\r', w: `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}_` };
/** The last ASCII character. */
const LAST = 127;
const CONTROL: Record<string, string> = { a: '\u0007', f: '\f', t: '\t', n: '\n', r: '\r', v: '\v' };

class Unreadable extends Error {
  override name = 'Unreadable';
}

/** Parses an expression into a tree; undefined when it has a part that this parser does not support. */
export function readRegex(source: string, fold: boolean): Node | undefined {
  try {
    const reader = new Reader(source);
    const node = reader.alternatives(fold, 0);
    return reader.done ? node : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Reader {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get done(): boolean {
    return this.at >= this.source.length;
  }

  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }

  char(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += char.length;
    return char;
  }

  alternatives(outerFold: boolean, depth: number): Node {
    if (depth > MAX_DEPTH) throw new Unreadable();
    const branches: Node[][] = [[]];
    let fold = outerFold;
    while (!this.done && this.source[this.at] !== ')') {
      if (this.match(/\|/y)) {
        branches.push([]);
        continue;
      }
      const flags = this.match(/\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?\)/y);
      if (flags) fold = foldAfter(flags, fold);
      else branches.at(-1)?.push(...this.repeated(fold, depth));
    }
    const parts = branches.map((each): Node => ({ kind: 'cat', parts: each }));
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'alt', parts };
  }

  /** One item with its repetition. A quoted text is several items, of which the last is repeated. */
  repeated(fold: boolean, depth: number): Node[] {
    const items = this.item(fold, depth);
    const last = items.pop();
    if (!last) return items;
    const times = this.match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (!times) return [...items, last];
    const [, sign, low, comma, high] = times;
    const min = sign ? (sign === '+' ? 1 : 0) : Number(low);
    const most = sign ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : comma ? Number(high || Infinity) : min;
    return [...items, { kind: 'repeat', part: last, min, max: most }];
  }

  item(fold: boolean, depth: number): Node[] {
    const group = this.match(/\((?:\?P?<\w+>|\?([a-zA-Z]*)(?:-([a-zA-Z]*))?:)?/y);
    if (group) {
      if (this.source[this.at] === '?') throw new Unreadable();
      const node = this.alternatives(foldAfter(group, fold), depth + 1);
      if (!this.match(/\)/y)) throw new Unreadable();
      return [node];
    }
    if (this.match(/[.]/y)) return [ANY];
    if (this.match(/[\^$]/y)) return [EDGE];
    if (this.match(/\[/y)) return [this.class(fold)];
    if (this.match(/[*+?]|\{\d+(?:,\d*)?\}/y)) throw new Unreadable();
    const quoted = this.match(/\\Q((?:(?!\\E)[\s\S])*)(?:\\E)?/y);
    if (quoted) return [...(quoted[1] ?? '')].map((char) => chars([char], fold));
    if (this.source[this.at] === '\\') return [this.escape(fold)];
    return [chars([this.char()], fold)];
  }

  escape(fold: boolean): Node {
    if (this.match(/\\b/y)) return WORD_EDGE;
    if (this.match(/\\[BAz]/y)) return EDGE;
    const known = this.match(/\\([dsw])/y);
    if (known) return { kind: 'any', of: KNOWN[known[1] ?? ''] ?? '' };
    if (this.match(/\\[DSW]|\\[pP](?:\{[^}]*\}|.)/suy)) return ANY;
    const char = this.escapedChar();
    if (char === undefined) throw new Unreadable();
    return chars([char], fold);
  }

  /** The character that an escape represents; undefined for any other escape. */
  escapedChar(): string | undefined {
    const hex = this.match(/\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/y);
    if (hex) return String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? '', 16));
    const octal = this.match(/\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/y);
    if (octal) return String.fromCodePoint(Number.parseInt(octal[1] ?? '', 8));
    const control = this.match(/\\([aftnrv])/y);
    if (control) return CONTROL[control[1] ?? ''];
    return this.match(/\\([^0-9A-Za-z])/uy)?.[1];
  }

  class(fold: boolean): Node {
    const negated = this.match(/\^/y) !== null;
    const found = new Set<string>();
    let isLarge = negated;
    let isKnown = !negated;
    for (let first = true; first || this.source[this.at] !== ']'; first = false) {
      if (this.done) throw new Unreadable();
      const known = this.match(/\\([dsw])/y);
      for (const char of KNOWN[known?.[1] ?? ''] ?? '') found.add(char);
      if (known) continue;
      if (this.match(/\[:\^?\w+:\]|\\[DSW]|\\[pP](?:\{[^}]*\}|.)/suy)) {
        isLarge = true;
        isKnown = false;
        continue;
      }
      const low = this.classChar();
      const high = this.match(/-(?!\])/y) ? this.classChar() : low;
      const [from = 0, to = 0] = [low.codePointAt(0), high.codePointAt(0)];
      if (to > LAST) isKnown = false;
      if (to > LAST && to - from >= CLASS_MAX_CHARS) isLarge = true;
      else for (let code = from; code <= to; code++) found.add(String.fromCodePoint(code));
    }
    this.at += 1;
    const isSmall = !isLarge && found.size > 0 && found.size <= CLASS_MAX_CHARS;
    return isSmall
      ? chars([...found], fold)
      : isKnown
        ? { kind: 'any', of: fold ? withCases([...found].join('')) : [...found].join('') }
        : ANY;
  }

  classChar(): string {
    if (this.source[this.at] !== '\\') return this.char();
    const char = this.escapedChar();
    if (char === undefined) throw new Unreadable();
    return char;
  }
}

/** These characters in both cases. */
export const withCases = (of: string): string => of + of.toLowerCase() + of.toUpperCase();

const foldAfter = ([, on = '', off = '']: RegExpExecArray, fold: boolean): boolean =>
  off.includes('i') ? false : fold || on.includes('i');

const chars = (given: string[], fold: boolean): Node => ({ kind: 'chars', chars: given, fold });

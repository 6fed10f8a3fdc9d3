/**
 * What a code query finds in a line. Only RE2 runs a user's expression; V8 runs nothing but escaped text, and escaped
 * characters in rows of bounded length (rows.ts).
 */
import { RE2JS } from 're2js';
import { type Finder, finderOf, isAscii, lowerOf, type Text } from './finder.ts';
import { type Need, needOf, prefilterOf } from './needs.ts';
import { rowsOf } from './rows.ts';

export type CodeQuery = { mode: 'literal' | 'regex'; query: string; caseSensitive: boolean };

export type Matcher = {
  /** What a line must hold to match, for the index. */
  need: Need;
  /** Whether a line, without its newline, has a match. */
  test(line: string): boolean;
  /** False when no line of a text with these bytes, in UTF-8, can match; says so where it costs less than the text. */
  mayMatchBytes(bytes: Buffer): boolean;
  /** False when no line of the text can match; saves looking at them one by one. */
  mayMatch(text: string): boolean;
  /** Visits the lines of a text that match, in order, until `visit` answers false, or `goOn`, which is asked now and then. */
  eachLine(text: string, visit: (start: number, end: number) => boolean, goOn?: () => boolean): void;
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
  const need = { text: query, fold: !caseSensitive };
  const { find, mayHave } = finderOf([need]);
  const test = (text: string) => find(text, 0) >= 0;
  return {
    need,
    test,
    mayMatchBytes: mayHave,
    mayMatch: test,
    eachLine: (text, visit) => eachLineWith(find, text, visit),
    indexIn: (line) => Math.max(0, find(line, 0)),
  };
}

/** Finding where a match is takes RE2 far longer than finding that there is one. */
const POSITION_MAX_CHARS = 64 * 1024;
/** More than this isn't looked through in one go; and so often a search asks whether it is to go on. */
const WHOLE_MAX_CHARS = 256 * 1024;
const ASK_CHARS = 32 * 1024;
/** Texts as long as this say all that the index is asked for; shorter than that, a row of characters is looked for. */
const TOLD_CHARS = 5;
const LEAST_CHARS = 3;
/** Where the whole text could miss what a line has: anchors of the text, and flags set within the expression. */
const LINE_ONLY = /\\[AzZ]|\(\?/;

function regexMatcher(source: string, caseSensitive: boolean): Matcher {
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const line = compile(source, flags);
  const need = needOf(rewrite(source), !caseSensitive);
  const texts = prefilterOf(need);
  const rows = rowsOf(rewrite(source), !caseSensitive);
  const isTold = texts.length > 0 && texts.every(({ text }) => text.length >= TOLD_CHARS);
  const common = {
    // Where a text says enough, what stands in a row says little more.
    need: isTold || rows.need === null ? need : need === null ? rows.need : { all: [need, rows.need] },
    test: (text: string) => line.test(text),
    indexIn(text: string) {
      if (text.length > POSITION_MAX_CHARS) return 0;
      const matcher = line.matcher(text);
      return matcher.find() ? matcher.start() : 0;
    },
  };
  // A row of characters tells more than a text of one or two.
  const isShort = texts.every(({ text }) => text.length < LEAST_CHARS);
  const byRow = isShort ? rows.find : undefined;
  const whole = isShort && !LINE_ONLY.test(source) ? compile(source, flags | RE2JS.MULTILINE) : undefined;
  const mayMatchWhole = (text: string) => text.length > WHOLE_MAX_CHARS || (whole?.test(text) ?? true);
  if (byRow || texts.length > 0) {
    const found = finderOf(texts);
    const [only, more] = texts;
    const mayFollow = only && !more && isAscii(only.text) ? rows.mayFollow(only) : undefined;
    const find = byRow ?? (only && mayFollow ? findFollowed(found.find, only.text.length, mayFollow) : found.find);
    const mayHave = byRow ? () => true : found.mayHave;
    const mayHold = othersOf(need, texts);
    return {
      ...common,
      mayMatchBytes: mayHave,
      mayMatch: (text) => find(text, 0) >= 0 && (!byRow || mayMatchWhole(text)),
      eachLine(text, visit, goOn) {
        const mayGoOn = nowAndThen(goOn);
        eachLineWith(find, text, (start, end) => {
          const each = text.slice(start, end);
          if (mayHold(each) && line.test(each) && !visit(start, end)) return false;
          return mayGoOn(end - start);
        });
      },
    };
  }
  return {
    ...common,
    mayMatchBytes: () => true,
    mayMatch: mayMatchWhole,
    eachLine(text, visit, goOn) {
      const mayGoOn = nowAndThen(goOn);
      for (let start = 0; start < text.length; ) {
        const end = endOfLine(text, start);
        if (line.test(text.slice(start, end)) && !visit(start, end)) return;
        if (!mayGoOn(end - start)) return;
        start = end + 1;
      }
    },
  };
}

function findFollowed(find: Finder['find'], length: number, mayFollow: (code: string, behind: number) => boolean) {
  return (text: string, from: number) => {
    let at = find(text, from);
    while (at >= 0 && !mayFollow(text, at + length)) at = find(text, at + 1);
    return at;
  };
}

/** Asks once for so many characters. */
function nowAndThen(goOn: () => boolean = () => true): (chars: number) => boolean {
  let since = 0;
  return (chars) => {
    since += chars + 1;
    if (since < ASK_CHARS) return true;
    since = 0;
    return goOn();
  };
}

/** Whether a line that has one of `texts` has what else it needs; RE2 takes longer to say that it hasn't. */
function othersOf(need: Need, texts: readonly Text[]): (line: string) => boolean {
  if (need === null || !('all' in need)) return () => true;
  const others = need.all.filter((each): each is Text => each !== null && 'text' in each && !texts.includes(each));
  const asIs = others
    .filter(({ text, fold }) => !fold || !/[^\0-\x40\x5b-\x60\x7b-\x7f]/.test(text))
    .map(({ text }) => text);
  const lowered = others
    .filter(({ text, fold }) => fold && isAscii(text) && !asIs.includes(text))
    .map(({ text }) => text.toLowerCase());
  return (line) => {
    if (!asIs.every((text) => line.includes(text))) return false;
    if (lowered.length === 0) return true;
    const lower = lowerOf(line);
    return lower === undefined || lowered.every((text) => lower.includes(text));
  };
}

function eachLineWith(find: Finder['find'], text: string, visit: (start: number, end: number) => boolean): void {
  for (let at = find(text, 0); at >= 0; ) {
    const end = endOfLine(text, at);
    if (!visit(text.lastIndexOf('\n', at - 1) + 1, end) || end >= text.length) return;
    at = find(text, end + 1);
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** JavaScript's \u0041 and \u{1F600}, as RE2 writes them. */
const UNICODE = /\\(?:u([0-9A-Fa-f]{4})|u(\{[0-9A-Fa-f]{1,6}\})|.)/gs;

const rewrite = (source: string): string =>
  source.replace(UNICODE, (pair, four?: string, braced?: string) =>
    four ? `\\x{${four}}` : braced ? `\\x${braced}` : pair,
  );

function compile(source: string, flags: number): RE2JS {
  const rewritten = rewrite(source);
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
  const { why, part } = detailOf(error);
  // What is missing is missing at the end; anything else is named by the part that can't be read.
  const isNamed = part !== null && why !== 'missing closing )';
  const at = isNamed ? placeOf(part, why, rewritten) : rewritten.length;
  const longer = [...rewritten.slice(0, at).matchAll(/\\x\{[0-9A-Fa-f]{4}\}/g)].length * 2;
  const shift = rewritten.length === source.length ? 0 : Math.min(longer, rewritten.length - source.length);
  const position = Math.min(at - shift, source.length);
  if (part && /^\(\?<?[=!]/.test(part))
    return new RegexError('look-ahead and look-behind are not supported: the engine is RE2', position);
  if (part && /^\\[1-9]/.test(part))
    return new RegexError('back-references are not supported: the engine is RE2', position);
  const typed = part && !source.includes(part) ? part.replace('\\x{', '\\u{') : part;
  return new RegexError(isNamed && part !== rewritten ? `${why}: ${typed}` : why, position);
}

/** What is escaped or quoted, a class as a whole, or one character. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|./gs;

/** Where the part that an error names stands as what the error takes it for, not within something else. */
function placeOf(part: string, why: string, source: string): number {
  if (why === 'duplicate capture group name') return source.lastIndexOf(`<${part}>`) + 1;
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (why === 'unexpected )') {
      depth += token === '(' ? 1 : token === ')' ? -1 : 0;
      if (depth < 0) return index;
    } else if (source.startsWith(part, index)) return index;
    else if (token.startsWith('[') && /^[^(*+?{]/.test(part) && token.includes(part))
      return index + token.indexOf(part);
  }
  return Math.max(0, source.indexOf(part));
}

function detailOf(error: unknown): { why: string; part: string | null } {
  if (!(error instanceof Error)) return { why: 'the expression does not compile', part: null };
  const why = 'error' in error && typeof error.error === 'string' ? error.error : error.message;
  return { why, part: 'input' in error && typeof error.input === 'string' ? error.input : null };
}

/**
 * The likeness of a document: a hash of its code without comments, without formatting, without prose files, and without
 * the name and the version in a package.json. Documents with the same likeness are copies of each other. The indentation
 * of Python and YAML stays, as it has a meaning. Strings are compared as they are written.
 */
import { hash } from 'node:crypto';

export const LIKENESS_BYTES = 8;

type Syntax = {
  /** Line comments begin with it. */
  line?: '//' | '#';
  /** Has comments between slash and asterisk. */
  hasBlocks?: boolean;
  hasStrings?: boolean;
  isIndented?: boolean;
};

const C_LIKE: Syntax = { line: '//', hasBlocks: true, hasStrings: true };
const SCRIPT: Syntax = { line: '#', hasStrings: true };
const SYNTAXES = new Map<string, Syntax>(
  Object.entries({
    js: C_LIKE,
    mjs: C_LIKE,
    cjs: C_LIKE,
    jsx: C_LIKE,
    ts: C_LIKE,
    mts: C_LIKE,
    cts: C_LIKE,
    tsx: C_LIKE,
    css: { hasBlocks: true, hasStrings: true },
    json: { hasStrings: true },
    py: { ...SCRIPT, isIndented: true },
    yaml: { ...SCRIPT, isIndented: true },
    yml: { ...SCRIPT, isIndented: true },
    sh: SCRIPT,
    toml: SCRIPT,
  }),
);
const PROSE = /\.(?:md|markdown|txt|rst)$|^(?:.*\/)?(?:LICENSE|NOTICE)$/i;

/** Returns the likeness of files, in any order. */
export function likenessOf(files: readonly { path: string; bytes: Buffer }[]): Buffer {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const codes = inOrder.flatMap(({ path, bytes }) => {
    if (PROSE.test(path)) return [];
    const code = normalised(withoutName(path, bytes), SYNTAXES.get(endingOf(path)) ?? {});
    return code.length > 0 ? [Buffer.from(path), ZERO, code, ZERO] : [];
  });
  // Documents without code are copies only if they are equal.
  const parts = codes.length > 0 ? codes : inOrder.flatMap(({ path, bytes }) => [Buffer.from(path), ZERO, bytes, ZERO]);
  return Buffer.from(hash('sha256', Buffer.concat(parts), 'buffer').subarray(0, LIKENESS_BYTES));
}

const ZERO = Buffer.from([0]);
const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** A package.json without what names the function. */
function withoutName(path: string, bytes: Buffer): Buffer {
  if (path !== 'package.json') return bytes;
  try {
    const { name: _, version: __, description: ___, ...rest } = JSON.parse(bytes.toString());
    return Buffer.from(JSON.stringify(rest));
  } catch {
    return bytes;
  }
}

const [TAB, NEWLINE, RETURN, BLANK, QUOTE, HASH, APOSTROPHE, ASTERISK, SLASH, COLON, BACKSLASH, BACKTICK] = [
  ...Buffer.from('\t\n\r "#\'*/:\\`'),
] as [number, number, number, number, number, number, number, number, number, number, number, number];

const isSpace = (byte: number) => byte === BLANK || byte === NEWLINE || byte === TAB || byte === RETURN;
/** By byte: 1 for letters, digits, underscore, dollar sign and all bytes beyond ASCII. */
const WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[\w$]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * The code with one space where only a space separates two words, and no other: a new array. A loop over bytes, as the
 * build of the index runs it over all code.
 */
function normalised(code: Buffer, syntax: Syntax): Buffer {
  const { hasBlocks = false, hasStrings = false, isIndented = false } = syntax;
  const mark = syntax.line === '#' ? HASH : syntax.line === '//' ? SLASH : -1;
  const out = Buffer.allocUnsafe(code.length);
  let length = 0;
  /** Where the white space before the next byte begins; -1 for none. */
  let space = 0;
  let at = 0;
  while (at < code.length) {
    const byte = code[at] ?? 0;
    if (isSpace(byte)) {
      if (space < 0) space = at;
      at += 1;
      continue;
    }
    const end = commentEnd(code, at, mark, hasBlocks);
    if (end > at) {
      if (space < 0) space = at;
      at = end;
      continue;
    }
    if (space >= 0) {
      const indent = isIndented ? indentBefore(code, space, at) : -1;
      if (indent >= 0) {
        if (length > 0) out[length++] = NEWLINE;
        length += code.copy(out, length, indent, at);
      } else if (length > 0 && WORD[out[length - 1] ?? 0] === 1 && WORD[byte] === 1) out[length++] = BLANK;
      space = -1;
    }
    const isString = hasStrings && (byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK);
    // An escape outside of a string is part of an expression: what follows begins neither a comment nor a string.
    const next = isString ? stringEnd(code, at) : byte === BACKSLASH ? at + 2 : at + 1;
    if (next === at + 1) out[length++] = byte;
    else length += code.copy(out, length, at, next);
    at = next;
  }
  return out.subarray(0, length);
}

/** Where the comment at a position ends; the position itself when there is none. */
function commentEnd(code: Buffer, at: number, mark: number, hasBlocks: boolean): number {
  const byte = code[at];
  if (byte === HASH && mark === HASH) return lineEnd(code, at);
  if (byte !== SLASH) return at;
  const next = code[at + 1];
  // A URL in the text of a page is no comment.
  if (next === SLASH && mark === SLASH && code[at - 1] !== COLON) return lineEnd(code, at);
  if (next !== ASTERISK || !hasBlocks) return at;
  const end = code.indexOf('*/', at + 2);
  return end < 0 ? at : end + 2;
}

function lineEnd(code: Buffer, at: number): number {
  const end = code.indexOf(NEWLINE, at);
  return end < 0 ? code.length : end;
}

/** Where the string at a position ends: at its quote, or at the end of the line. */
function stringEnd(code: Buffer, from: number): number {
  const quote = code[from] ?? 0;
  if (quote !== BACKTICK && code[from + 1] === quote && code[from + 2] === quote) {
    const end = code.indexOf(Buffer.from([quote, quote, quote]), from + 3);
    return end < 0 ? code.length : end + 3;
  }
  for (let at = from + 1; at < code.length; at++) {
    const byte = code[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === quote) return at + 1;
    else if (byte === NEWLINE && quote !== BACKTICK) return at;
  }
  return code.length;
}

/** Where the indentation of the line begins, if only white space and comments separate it from the previous one. */
function indentBefore(code: Buffer, space: number, at: number): number {
  const newline = at === 0 ? -1 : code.lastIndexOf(NEWLINE, at - 1);
  return newline >= space || (space === 0 && newline < 0) ? newline + 1 : -1;
}

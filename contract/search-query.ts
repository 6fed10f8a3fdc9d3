/**
 * How a search query is read. Zod-free and without any engine: the console shows by it what the service will do.
 *
 *   order sync          ranked   words, on name and description
 *   "fetch('/orders"    literal  code, as it stands between the quotes; only \" and \\ are escapes there
 *   /fetch\(.*retry/    regex    code, RE2 syntax; \/ is a slash
 *
 * A query is literal or regex when it begins with the sign and ends with it; the signs between are part of it. One that
 * isn't closed (or whose last sign is escaped) is still being typed, or is a path such as /api/orders: it is read as
 * words, and the reply's `mode` says so.
 */
export type SearchMode = 'ranked' | 'literal' | 'regex';
export type ReadQuery = { mode: SearchMode; query: string };

const LITERAL = /^"((?:[^\\]|\\.)*)"$/s;
const REGEX = /^\/((?:[^\\]|\\.)*)\/$/s;

/** Reads what a person typed. The query comes back without its signs; it may be empty, which finds nothing. */
export function readQuery(typed: string): ReadQuery {
  const text = typed.trim();
  const literal = LITERAL.exec(text)?.[1];
  if (literal !== undefined) return { mode: 'literal', query: literal.replace(/\\(["\\])/g, '$1') };
  const regex = REGEX.exec(text)?.[1];
  if (regex !== undefined)
    return { mode: 'regex', query: regex.replace(/\\(.)/gs, (pair, char) => (char === '/' ? '/' : pair)) };
  return { mode: 'ranked', query: text };
}

/** Parts of a regular expression whose upper-case letters are not letters to be found: \S, \p{Lu}, (?P<Name>. */
const NOT_LETTERS = /\\[pPx]\{[^}]*\}|\\.|\(\?P?<\w+>/gs;

/** `auto` heeds case only when the pattern has an upper-case letter. */
export function isCaseSensitive({ mode, query }: ReadQuery, choice: 'auto' | 'yes' | 'no'): boolean {
  if (choice !== 'auto') return choice === 'yes';
  return /\p{Lu}/u.test(mode === 'regex' ? query.replace(NOT_LETTERS, '') : query);
}

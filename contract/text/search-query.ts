/**
 * Parser of search queries. Zod-free and without a regex engine: the console uses it to show how a query is read.
 *
 *   order sync          ranked   words, on name and description
 *   "fetch('/orders"    literal  code, exactly as written between the quotes; only \" and \\ are escapes there
 *   /fetch\(.*retry/    regex    code, RE2 syntax; \/ is a slash
 *
 * A query that begins and ends with the delimiter is literal or regex; delimiters in between are part of it. A query
 * without a closing delimiter (or with an escaped one) is incomplete, or a path such as /api/orders: it is read as
 * words, and the reply's `mode` is `ranked`.
 *
 * Filters precede or follow the query: `path:src/` (part of a file's path; all of several must match), `runtime:nodejs`
 * (prefix of the function's runtime) and `owner:acme` (prefix of its account's name). A value with spaces needs double
 * quotes.
 *
 * Filters take precedence: `/x/ path:lib/` is the expression x with a filter, although the whole text begins and ends
 * with a slash. To search it as one expression, write `/x\/ path:lib/`; as one literal, `"x\" path:"`.
 */
export type SearchMode = 'ranked' | 'literal' | 'regex';
/** Filter values are in lower case. */
export type ReadQuery = { mode: SearchMode; query: string; paths?: string[]; runtime?: string; owner?: string };
export type QueryFilter = { name: 'path' | 'runtime' | 'owner'; value: string };
type Filters = Pick<ReadQuery, 'paths' | 'runtime' | 'owner'>;

const LITERAL = /^"((?:[^\\]|\\.)*)"$/s;
const REGEX = /^\/((?:[^\\]|\\.)*)\/$/s;
/** One filter, as an expression. */
export const FILTER = '(?:path|runtime|owner):(?:"[^"]*"|[^\\s"]\\S*)';
const BEFORE = new RegExp(`^(?:${FILTER}\\s+)*`);
/** Filters after a closing delimiter. */
const AFTER = new RegExp(`(?<=["/])(?:\\s+${FILTER})+$`);
/** Filters after a literal: its closing quote is not part of a filter value. */
const AFTER_QUOTE = /(?<=")(?:\s+(?:path|runtime|owner):(?:"[^"]*"|[^\s"]+))+$/;
const ANYWHERE = new RegExp(`(?<!\\S)${FILTER}(?!\\S)`, 'g');

/** Parses a typed query. The result has no delimiters. It may be empty, which matches nothing. */
export function readQuery(typed: string): ReadQuery {
  const { text, filters } = part(typed);
  const literal = LITERAL.exec(text)?.[1];
  if (literal !== undefined) return { mode: 'literal', query: literal.replace(/\\(["\\])/g, '$1'), ...filters };
  const regex = REGEX.exec(text)?.[1];
  if (regex !== undefined)
    return { mode: 'regex', query: regex.replace(/\\(.)/gs, (pair, char) => (char === '/' ? '/' : pair)), ...filters };
  return { mode: 'ranked', query: text, ...filters };
}

/** Maps a position in the parsed regular expression to the typed text; both count from 0. */
export function typedPosition(typed: string, position: number): number {
  const { text, at } = part(typed);
  let from = 1;
  for (let read = 0; read < position && from < text.length - 1; ) {
    const isPair = text[from] === '\\';
    read += isPair && text[from + 1] !== '/' ? 2 : 1;
    from += isPair ? 2 : 1;
  }
  return at + from;
}

/** Splits a typed query into its text with delimiters and its filters. */
export function queryParts(typed: string): { text: string; filters: QueryFilter[] } {
  const { text, filters } = part(typed);
  return {
    text,
    filters: [
      ...(filters.paths ?? []).map((value) => ({ name: 'path', value }) as const),
      ...(filters.runtime === undefined ? [] : [{ name: 'runtime', value: filters.runtime } as const]),
      ...(filters.owner === undefined ? [] : [{ name: 'owner', value: filters.owner } as const]),
    ],
  };
}

/** Inverse of `queryParts`. Filters come first, where they can't be read as part of a literal or an expression. */
export function typedFrom({ text, filters }: { text: string; filters: readonly QueryFilter[] }): string {
  const written = filters.map(({ name, value }) => `${name}:${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`);
  return [...written, text].filter(Boolean).join(' ');
}

/** The query's text with delimiters, its position in the typed text, and its filters. */
function part(typed: string): { text: string; at: number; filters: Filters } {
  const start = typed.length - typed.trimStart().length;
  const whole = typed.trim();
  const before = BEFORE.exec(whole)?.[0] ?? '';
  const rest = whole.slice(before.length);
  const at = start + before.length;
  const after = (rest.startsWith('"') && isDelimited(rest) ? AFTER_QUOTE : AFTER).exec(rest)?.[0] ?? '';
  const middle = rest.slice(0, rest.length - after.length);
  if (isDelimited(middle)) return { text: middle, at, filters: filtersIn(`${before} ${after}`) };
  if (isDelimited(rest)) return { text: rest, at, filters: filtersIn(before) };
  const words = whole.replace(ANYWHERE, ' ').replace(/\s+/g, ' ').trim();
  const found = whole.match(ANYWHERE)?.join(' ') ?? '';
  return found ? { text: words, at, filters: filtersIn(found) } : { text: whole, at: start, filters: {} };
}

const isDelimited = (text: string) => LITERAL.test(text) || REGEX.test(text);

function filtersIn(text: string): Filters {
  const paths: string[] = [];
  const filters: Filters = {};
  for (const [filter] of text.matchAll(ANYWHERE)) {
    const value = filter
      .slice(filter.indexOf(':') + 1)
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase();
    if (filter.startsWith('path:')) paths.push(value);
    else if (filter.startsWith('owner:')) filters.owner = value;
    else filters.runtime = value;
  }
  return { ...(paths.length > 0 ? { paths } : {}), ...filters };
}

/**
 * Syntax of a regular expression whose letters are not searched for: \S, \p{Lu}, \pL, (?P<Name>, (?U). A character
 * written by its number, \x4a or \u004A, is captured and decoded.
 */
const PARTS =
  /\\(?:[xu]\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[pP](?:\{[^}]*\}|.)|.)|\(\?P?<\w+>|\(\?[a-zA-Z-]+[:)]/gs;
const LAST_CHARACTER = 0x10ffff;

/** `auto` is case-sensitive if the query has an upper-case letter. */
export function isCaseSensitive({ mode, query }: ReadQuery, choice: 'auto' | 'yes' | 'no'): boolean {
  if (choice !== 'auto') return choice === 'yes';
  return /\p{Lu}/u.test(mode === 'regex' ? lettersOf(query) : query);
}

function lettersOf(expression: string): string {
  return expression.replace(PARTS, (_, braced?: string, two?: string, four?: string) => {
    const number = Number.parseInt(braced ?? two ?? four ?? '', 16);
    return number <= LAST_CHARACTER ? String.fromCodePoint(number) : '';
  });
}

import { FILTER_NAMES, type FilterName, readFilter } from './query-filters.ts';
import { type FilterTerm, QueryMistake, type QueryTree, readTree, typedPlace } from './query-tree.ts';

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
 *   "a" OR ("b" -"c")   boolean  several terms (query-tree.ts)
 *
 * Filters precede or follow the query: `path:src/` (part of a file's path; all of several must match), `runtime:nodejs`
 * (prefix of the function's runtime), `owner:acme` (prefix of its account's name) and others (query-filters.ts). A value
 * with spaces needs double quotes. A minus before a filter negates it.
 *
 * Filters take precedence: `/x/ path:lib/` is the expression x with a filter, although the whole text begins and ends
 * with a slash. To search it as one expression, write `/x\/ path:lib/`; as one literal, `"x\" path:"`.
 */
export type SearchMode = 'ranked' | 'literal' | 'regex' | 'boolean';
/**
 * `paths`, `runtime` and `owner` are in lower case. `where` has the other filters, all of which must hold. In the mode
 * `boolean`, `tree` has everything and `query` is as typed.
 */
export type ReadQuery = {
  mode: SearchMode;
  query: string;
  paths?: string[];
  runtime?: string;
  owner?: string;
  where?: QueryTree[];
  tree?: QueryTree;
  /** What is wrong with a boolean query or a filter, and where in the typed text. */
  mistake?: { said: string; at: number };
};
export type QueryFilter = { name: FilterName; value: string; isNegated?: true };
type Filters = Pick<ReadQuery, 'paths' | 'runtime' | 'owner' | 'where'>;

const LITERAL = /^"((?:[^\\]|\\.)*)"$/s;
const REGEX = /^\/((?:[^\\]|\\.)*)\/$/s;
/** One filter, as an expression. */
export const FILTER = `-?(?:${FILTER_NAMES.join('|')}):(?:"[^"]*"|[^\\s"]\\S*)`;
const BEFORE = new RegExp(`^(?:${FILTER}\\s+)*`);
/** Filters after a closing delimiter. */
const AFTER = new RegExp(`(?<=["/])(?:\\s+${FILTER})+$`);
/** Filters after a literal: its closing quote is not part of a filter value. */
const AFTER_QUOTE = new RegExp(`(?<=")(?:\\s+-?(?:${FILTER_NAMES.join('|')}):(?:"[^"]*"|[^\\s"]+))+$`);
const ANYWHERE = new RegExp(`(?<!\\S)${FILTER}(?!\\S)`, 'g');

/** Parses a typed query. The result has no delimiters. It may be empty, which matches nothing. */
export function readQuery(typed: string): ReadQuery {
  try {
    return readParts(typed);
  } catch (error) {
    if (!(error instanceof QueryMistake)) throw error;
    return { mode: 'boolean', query: typed.trim(), mistake: { said: error.message, at: error.at } };
  }
}

function readParts(typed: string): ReadQuery {
  const { text, written } = part(typed);
  const tree = readTree(typed, isDelimited(text));
  if (tree) return { mode: 'boolean', query: typed.trim(), tree };
  const filters = filtersOf(written, typed);
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
  return typedPlace(typed, { at, end: at + text.length }, position);
}

/** Splits a typed query into its text with delimiters and its filters. */
export function queryParts(typed: string): { text: string; filters: QueryFilter[] } {
  const { text, written } = part(typed);
  const order = (name: FilterName) => FILTER_NAMES.indexOf(name);
  return { text, filters: listed(written).sort((a, b) => order(a.name) - order(b.name)) };
}

/** Inverse of `queryParts`. Filters come first, where they can't be read as part of a literal or an expression. */
export function typedFrom({ text, filters }: { text: string; filters: readonly QueryFilter[] }): string {
  const written = filters.map(
    ({ name, value, isNegated }) => `${isNegated ? '-' : ''}${name}:${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`,
  );
  return [...written, text].filter(Boolean).join(' ');
}

/** The query's text with delimiters, its position in the typed text, and its filters as written. */
function part(typed: string): { text: string; at: number; written: string } {
  const start = typed.length - typed.trimStart().length;
  const whole = typed.trim();
  const before = BEFORE.exec(whole)?.[0] ?? '';
  const rest = whole.slice(before.length);
  const at = start + before.length;
  const after = (rest.startsWith('"') && isDelimited(rest) ? AFTER_QUOTE : AFTER).exec(rest)?.[0] ?? '';
  const middle = rest.slice(0, rest.length - after.length);
  if (isDelimited(middle)) return { text: middle, at, written: `${before} ${after}` };
  if (isDelimited(rest)) return { text: rest, at, written: before };
  const words = whole.replace(ANYWHERE, ' ').replace(/\s+/g, ' ').trim();
  const found = whole.match(ANYWHERE)?.join(' ') ?? '';
  return found ? { text: words, at, written: found } : { text: whole, at: start, written: '' };
}

const isDelimited = (text: string) => LITERAL.test(text) || REGEX.test(text);

function listed(written: string): QueryFilter[] {
  return [...written.matchAll(ANYWHERE)].flatMap(([filter]): QueryFilter[] => {
    const [, minus, typedName, given = ''] = /^(-?)(\w+):(.*)$/s.exec(filter) ?? [];
    const name = FILTER_NAMES.find((each) => each === typedName);
    if (!name) return [];
    const value = given.replace(/^"(.*)"$/, '$1');
    // \D in an expression is not \d.
    const read = isPattern(name, value) ? value : value.toLowerCase();
    return [{ name, value: read, ...(minus ? { isNegated: true as const } : {}) }];
  });
}

const isPattern = (name: FilterName, value: string) => name === 'path' && /^\/.+\/$|[*?]/s.test(value);

function filtersOf(written: string, typed: string): Filters {
  const paths: string[] = [];
  const filters: Filters = {};
  const where: QueryTree[] = [];
  for (const { name, value, isNegated } of listed(written)) {
    const isPlain = !isNegated && !isPattern(name, value);
    if (isPlain && name === 'path') paths.push(value);
    else if (isPlain && name === 'owner') filters.owner = value;
    else if (isPlain && name === 'runtime') filters.runtime = value;
    else where.push(termOf({ name, value, ...(isNegated ? { isNegated } : {}) }, typed));
  }
  return { ...(paths.length > 0 ? { paths } : {}), ...filters, ...(where.length > 0 ? { where } : {}) };
}

function termOf({ name, value, isNegated }: QueryFilter, typed: string): QueryTree {
  const filter = readFilter(name, value);
  const at = Math.max(0, typed.toLowerCase().indexOf(`${name}:${value.toLowerCase()}`));
  const end = at + name.length + 1 + value.length;
  if (typeof filter === 'string') throw new QueryMistake(filter, at);
  const term: FilterTerm = { kind: 'filter', value, filter, at, end };
  return isNegated ? { kind: 'not', part: term, at, end } : term;
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

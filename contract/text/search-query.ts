/**
 * How a search query is read. Zod-free and without any engine: the console shows by it what the service will do.
 *
 *   order sync          ranked   words, on name and description
 *   "fetch('/orders"    literal  code, exactly as written between the quotes; only \" and \\ are escapes there
 *   /fetch\(.*retry/    regex    code, RE2 syntax; \/ is a slash
 *
 * A query is literal or regex when it begins with the sign and ends with it; the signs between are part of it. One that
 * isn't closed (or whose last sign is escaped) is still being typed, or is a path such as /api/orders: it is read as
 * words, and the reply's `mode` says so.
 *
 * Before it and after it may come filters: `path:src/` (a part of a file's path; several must all be in it),
 * `runtime:nodejs` (how the function's runtime begins) and `owner:acme` (how the name of its account begins). A value
 * with spaces is written in double quotes.
 *
 * Filters win: `/x/ path:lib/` is the expression x in such files, though all of it begins and ends with a slash. As one
 * expression it is written `/x\/ path:lib/`; as one literal, `"x\" path:"`.
 */
export type SearchMode = 'ranked' | 'literal' | 'regex';
/** What filters ask for is in lower case. */
export type ReadQuery = { mode: SearchMode; query: string; paths?: string[]; runtime?: string; owner?: string };
export type QueryFilter = { name: 'path' | 'runtime' | 'owner'; value: string };
type Filters = Pick<ReadQuery, 'paths' | 'runtime' | 'owner'>;

const LITERAL = /^"((?:[^\\]|\\.)*)"$/s;
const REGEX = /^\/((?:[^\\]|\\.)*)\/$/s;
/** One filter, as an expression. */
export const FILTER = '(?:path|runtime|owner):(?:"[^"]*"|[^\\s"]\\S*)';
const BEFORE = new RegExp(`^(?:${FILTER}\\s+)*`);
/** After a sign that closes. */
const AFTER = new RegExp(`(?<=["/])(?:\\s+${FILTER})+$`);
/** The same where all of it could be one literal, too: its own quote isn't a filter's. */
const AFTER_QUOTE = /(?<=")(?:\s+(?:path|runtime|owner):(?:"[^"]*"|[^\s"]+))+$/;
const ANYWHERE = new RegExp(`(?<!\\S)${FILTER}(?!\\S)`, 'g');

/** Reads what a person typed. The query comes back without its signs; it may be empty, which finds nothing. */
export function readQuery(typed: string): ReadQuery {
  const { text, filters } = part(typed);
  const literal = LITERAL.exec(text)?.[1];
  if (literal !== undefined) return { mode: 'literal', query: literal.replace(/\\(["\\])/g, '$1'), ...filters };
  const regex = REGEX.exec(text)?.[1];
  if (regex !== undefined)
    return { mode: 'regex', query: regex.replace(/\\(.)/gs, (pair, char) => (char === '/' ? '/' : pair)), ...filters };
  return { mode: 'ranked', query: text, ...filters };
}

/** The position in what was typed of a position in the regular expression that was read from it; both count from 0. */
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

/** The query with its signs, and the filters around it. */
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

/** The other way round. Filters come first: there nothing can be taken for a part of a literal or an expression. */
export function typedFrom({ text, filters }: { text: string; filters: readonly QueryFilter[] }): string {
  const written = filters.map(({ name, value }) => `${name}:${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`);
  return [...written, text].filter(Boolean).join(' ');
}

/** The query itself, where it begins in what was typed, and the filters around it. */
function part(typed: string): { text: string; at: number; filters: Filters } {
  const start = typed.length - typed.trimStart().length;
  const whole = typed.trim();
  const before = BEFORE.exec(whole)?.[0] ?? '';
  const rest = whole.slice(before.length);
  const at = start + before.length;
  const after = (rest.startsWith('"') && isSigned(rest) ? AFTER_QUOTE : AFTER).exec(rest)?.[0] ?? '';
  const middle = rest.slice(0, rest.length - after.length);
  if (isSigned(middle)) return { text: middle, at, filters: filtersIn(`${before} ${after}`) };
  if (isSigned(rest)) return { text: rest, at, filters: filtersIn(before) };
  const words = whole.replace(ANYWHERE, ' ').replace(/\s+/g, ' ').trim();
  const found = whole.match(ANYWHERE)?.join(' ') ?? '';
  return found ? { text: words, at, filters: filtersIn(found) } : { text: whole, at: start, filters: {} };
}

const isSigned = (text: string) => LITERAL.test(text) || REGEX.test(text);

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
 * Parts of a regular expression whose letters are not letters to be found: \S, \p{Lu}, \pL, (?P<Name>, (?U). Of a
 * character written as its number, \x4a or \u004A, it is that character.
 */
const PARTS =
  /\\(?:[xu]\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[pP](?:\{[^}]*\}|.)|.)|\(\?P?<\w+>|\(\?[a-zA-Z-]+[:)]/gs;
const LAST_CHARACTER = 0x10ffff;

/** `auto` heeds case only when the pattern has an upper-case letter. */
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

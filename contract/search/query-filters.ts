/** Filters of a search query, such as `path:src/` or `-lang:python`: their names, and how their values are read. */
import { FACT_KINDS, type FactKind, SYMBOL_KINDS, type SymbolKind, VISIBILITIES, type Visibility } from '../states.ts';
import { readVersionRange, type VersionRange } from './version-range.ts';

export const FILTER_NAMES = [
  'path',
  'lang',
  'runtime',
  'owner',
  'name',
  'version',
  'deployed',
  'runs',
  'visibility',
  ...FACT_KINDS,
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Languages by the endings of their files. The first name of each is shown, the others are read too. */
const LANGUAGES: readonly (readonly [names: readonly string[], endings: readonly string[]])[] = [
  [
    ['javascript', 'js'],
    ['js', 'mjs', 'cjs', 'jsx'],
  ],
  [
    ['typescript', 'ts'],
    ['ts', 'mts', 'cts', 'tsx'],
  ],
  [
    ['python', 'py'],
    ['py', 'pyi'],
  ],
  [['json'], ['json', 'jsonc', 'json5']],
  [
    ['markdown', 'md'],
    ['md', 'markdown'],
  ],
  [['html'], ['html', 'htm']],
  [['css'], ['css', 'scss']],
  [
    ['yaml', 'yml'],
    ['yaml', 'yml'],
  ],
  [['toml'], ['toml']],
  [['sql'], ['sql']],
  [
    ['shell', 'sh', 'bash'],
    ['sh', 'bash'],
  ],
  [['xml'], ['xml', 'svg']],
  [['text', 'txt'], ['txt']],
];

/** `from` and `to` are inclusive. */
export type Range = { from: number; to: number };
/** What a filter requires. `path`: `part` in lower case, or an expression in RE2 syntax that ignores case. */
export type Filter =
  | { name: 'path'; part: string }
  | { name: 'path'; expression: string; offset: number }
  | { name: 'lang'; endings: readonly string[] }
  | { name: 'runtime' | 'owner' | 'name'; part: string }
  | { name: 'version' | 'deployed' | 'runs'; range: Range }
  | { name: 'visibility'; visibility: Visibility }
  | FactFilter;
/** What the code of a version has. `part`: a name in lower case, in which `*` stands for any text. */
export type FactFilter =
  | { name: 'symbol'; part: string; kind?: SymbolKind }
  | { name: 'imports'; part: string; ranges?: VersionRange[] }
  | { name: 'host' | 'env'; part: string };

/** Reads the value of a filter; returns a sentence when it can't be read. `offset` counts from the value's start. */
export function readFilter(name: FilterName, value: string): Filter | string {
  if (name === 'path') return pathFilter(value);
  if (name === 'lang') {
    const known = LANGUAGES.find(([names]) => names.includes(value.toLowerCase()));
    if (known) return { name, endings: known[1] };
    return `there is no language ${value}: expected one of ${LANGUAGES.map(([[first]]) => first).join(', ')}`;
  }
  if (name === 'visibility') {
    const visibility = VISIBILITIES.find((each) => each === value.toUpperCase());
    return visibility ? { name, visibility } : `expected visibility:${VISIBILITIES.join(', ').toLowerCase()}`;
  }
  if (name === 'symbol') return symbolFilter(value);
  if (name === 'imports') return importsFilter(value);
  if (name === 'runtime' || name === 'owner' || name === 'name' || name === 'host' || name === 'env')
    return { name, part: value.toLowerCase() };
  const range = name === 'deployed' ? readRange(value, dayOf) : readRange(value, wholeOf);
  if (range) return { name, range };
  return name === 'deployed'
    ? 'expected a date, such as deployed:>2026-11-01 or deployed:2026-11-01..2026-11-30'
    : `expected a number, such as ${name}:>100 or ${name}:1..5`;
}

/** Whether a filter is about what the code defines or uses. */
export const isFactFilter = (filter: Filter): filter is FactFilter => isFactName(filter.name);

/** The same for the name of a filter. */
export const isFactName = (name: FilterName): name is FactKind => FACT_KINDS.some((kind) => kind === name);

/** `fetchOrders`, or with its kind: `class:Order`. */
function symbolFilter(value: string): Filter | string {
  const [, named, rest] = /^([a-z]+):(.*)$/is.exec(value) ?? [];
  if (named === undefined) return { name: 'symbol', part: value.toLowerCase() };
  const kind = SYMBOL_KINDS.find((each) => each === named.toLowerCase());
  if (kind && rest) return { name: 'symbol', part: rest.toLowerCase(), kind };
  return kind
    ? `expected a name after symbol:${kind}:, or * for each`
    : `there is no kind of symbol ${named}: expected one of ${SYMBOL_KINDS.join(', ')}`;
}

/** `stripe`, or with versions: `stripe@<14`, `@acme/sdk@^2`. */
function importsFilter(value: string): Filter | string {
  const at = value.indexOf('@', 1);
  if (at < 0) return { name: 'imports', part: value.toLowerCase() };
  const ranges = readVersionRange(value.slice(at + 1));
  if (ranges) return { name: 'imports', part: value.slice(0, at).toLowerCase(), ranges };
  return 'expected versions after the @, such as imports:stripe@<14 or imports:stripe@^13.2';
}

function pathFilter(value: string): Filter {
  const [, expression] = /^\/(.+)\/$/s.exec(value) ?? [];
  if (expression !== undefined) return { name: 'path', expression, offset: 1 };
  if (!/[*?]/.test(value)) return { name: 'path', part: value.toLowerCase() };
  return { name: 'path', expression: ofGlob(value), offset: 0 };
}

/** `*` and `?` do not match a slash, `**` does. A glob begins at the start of the path, or of a folder or file in it. */
function ofGlob(glob: string): string {
  const parts = glob.replace(/^\//, '').match(/\*\*\/?|[*?]|[^*?]+/g) ?? [];
  const written = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return `${glob.startsWith('/') ? '^' : '(?:^|/)'}${written.join('')}$`;
}

type Span = { first: number; last: number };

function readRange(value: string, read: (text: string) => Span | undefined): Range | undefined {
  const [, sign = '', one = '', other] = /^(>=|<=|>|<|=)?([^.]*?)(?:\.\.(.*))?$/s.exec(value) ?? [];
  const span = read(one);
  if (!span) return undefined;
  if (other !== undefined) {
    const end = read(other);
    return end && sign === '' ? { from: span.first, to: end.last } : undefined;
  }
  if (sign === '>') return { from: span.last + 1, to: Number.POSITIVE_INFINITY };
  if (sign === '>=') return { from: span.first, to: Number.POSITIVE_INFINITY };
  if (sign === '<') return { from: Number.NEGATIVE_INFINITY, to: span.first - 1 };
  if (sign === '<=') return { from: Number.NEGATIVE_INFINITY, to: span.last };
  return { from: span.first, to: span.last };
}

function wholeOf(text: string): Span | undefined {
  return /^\d{1,12}$/.test(text) ? { first: Number(text), last: Number(text) } : undefined;
}

const DAY_MS = 86_400_000;

/** A day in UTC, in milliseconds since the epoch. */
function dayOf(text: string): Span | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const first = Date.parse(`${text}T00:00:00Z`);
  const isDay = Number.isFinite(first) && new Date(first).toISOString().startsWith(text);
  return isDay ? { first, last: first + DAY_MS - 1 } : undefined;
}

/** Names of filters in other code search tools, with those here. */
const FOREIGN: Readonly<Record<string, FilterName>> = {
  language: 'lang',
  l: 'lang',
  file: 'path',
  filename: 'path',
  extension: 'path',
  repo: 'name',
  repository: 'name',
  function: 'name',
  user: 'owner',
  org: 'owner',
  author: 'owner',
  account: 'owner',
  is: 'visibility',
  def: 'symbol',
  class: 'symbol',
  import: 'imports',
  package: 'imports',
  requires: 'imports',
  url: 'host',
  domain: 'host',
  hostname: 'host',
  environment: 'env',
  variable: 'env',
};

/** The filter that someone who writes this name probably means; undefined when it is like none of them. */
export function nearestFilter(name: string): FilterName | undefined {
  const lower = name.toLowerCase();
  const foreign = Object.hasOwn(FOREIGN, lower) ? FOREIGN[lower] : undefined;
  return foreign ?? FILTER_NAMES.find((each) => lower.length > 2 && distance(lower, each) <= (each.length > 5 ? 2 : 1));
}

/** The number of letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

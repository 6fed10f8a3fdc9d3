/**
 * Boolean search queries, as a tree. Free of a regex engine: the console uses it to show how a query is read.
 *
 *   "import os" "subprocess"      both texts in a function's files
 *   axios OR "node-fetch"         OR binds weaker than the AND between terms, which may be written
 *   "fetch(" NOT /gateway/i       also -"…", -/…/, -(…), -path:…, and -word beside another term
 *   (a OR b) path:lib/            parentheses; a filter applies to its group
 *
 * A term's closing quote or slash is followed by a blank, the end, or the parenthesis that closes its group.
 */
import { FILTER_NAMES, type Filter, type FilterName, isFactName, nearestFilter, readFilter } from './query-filters.ts';

/** `at` and `end` are positions in the typed query. */
type Placed = { at: number; end: number };
/** `text` of a literal has no escapes; that of a regex is in RE2 syntax; a word is searched for as a literal. */
export type TextTerm = Placed & { kind: 'literal' | 'regex' | 'word'; text: string };
export type FilterTerm = Placed & { kind: 'filter'; value: string; filter: Filter };
export type QueryTree =
  | TextTerm
  | FilterTerm
  | (Placed & { kind: 'and'; parts: QueryTree[] })
  | (Placed & { kind: 'or'; parts: QueryTree[] })
  | (Placed & { kind: 'not'; part: QueryTree });

/** All filters of a query, also those that are negated. */
export function filtersIn(tree: QueryTree): FilterTerm[] {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.parts.flatMap(filtersIn);
  if (tree.kind === 'not') return filtersIn(tree.part);
  return tree.kind === 'filter' ? [tree] : [];
}

/** A query that is meant as a boolean one and can't be read. `at` is a position in the typed query. */
export class QueryMistake extends Error {
  override name = 'QueryMistake';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** The message for a quote without an end. */
export const UNCLOSED = 'this quote is not closed';
export const MOST_TERMS = 50;
export const MOST_DEPTH = 20;

type Sign = Placed & { kind: '(' | ')' | 'AND' | 'OR' | 'NOT' | '-' };
type Unknown = Placed & { kind: 'unknown'; name: string; nearest: FilterName };
type Unclosed = Placed & { kind: 'unclosed' };
type FilterToken = Placed & { kind: 'filter'; name: FilterName; value: string; valueAt: number };
type Token = Sign | TextTerm | FilterToken | Unknown | Unclosed;

const OPERATORS = new Set(['AND', 'OR', 'NOT']);

/**
 * The tree of a boolean query; undefined when it is none: words, or one literal or expression, each with or without
 * filters. `isOneText`: the query can also be read as one literal or expression, as it begins and ends with the same
 * delimiter; then words between delimiters, as in `"a" + "b"`, belong to that. Throws QueryMistake.
 */
export function readTree(typed: string, isOneText = false): QueryTree | undefined {
  const tokens = tokensOf(typed);
  if (!isBoolean(tokens, isOneText)) return undefined;
  const unclosed = tokens.find(({ kind }) => kind === 'unclosed');
  if (unclosed) throw new QueryMistake(UNCLOSED, unclosed.at);
  const terms = tokens.filter(({ kind }) => ['literal', 'regex', 'word', 'filter'].includes(kind));
  if (terms.length > MOST_TERMS) {
    throw new QueryMistake(
      `expected at most ${MOST_TERMS} terms, this query has ${terms.length}`,
      terms[MOST_TERMS]?.at ?? 0,
    );
  }
  const reader = new Reader(tokens, typed.length);
  const tree = reader.read();
  if (!hasPositive(tree)) {
    throw new QueryMistake('expected something to search for beside what is excluded', tree.at);
  }
  return tree;
}

/** The filters that hold for the whole of a tree, without negated ones. */
export function filtersOf(tree: QueryTree): FilterTerm[] {
  if (tree.kind === 'filter') return [tree];
  return tree.kind === 'and' ? tree.parts.filter((part) => part.kind === 'filter') : [];
}

/** The texts that a tree asks for: what is marked in its results. */
export function textsIn(tree: QueryTree): TextTerm[] {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.parts.flatMap(textsIn);
  return tree.kind === 'filter' || tree.kind === 'not' ? [] : [tree];
}

/** Whether something in it is asked for, not only excluded. */
function hasPositive(tree: QueryTree): boolean {
  if (tree.kind === 'not') return false;
  if (tree.kind === 'and') return tree.parts.some(hasPositive);
  if (tree.kind === 'or') return tree.parts.every(hasPositive);
  return true;
}

/** Whether the tokens are more than words, or than one literal or expression with filters. */
function isBoolean(tokens: readonly Token[], isOneText: boolean): boolean {
  const count = (...kinds: Token['kind'][]) => tokens.filter(({ kind }) => kinds.includes(kind)).length;
  if (tokens.some((_, at) => isOperator(tokens, at))) return true;
  const texts = count('literal', 'regex');
  const words = count('word', 'unknown');
  // Filters alone are a boolean query when one of them finds lines of code.
  const isOfFilters = tokens.every(({ kind }) => kind === 'filter' || kind === '-');
  if (isOfFilters && tokens.some((token, at) => isPositiveFact(token, tokens[at - 1]))) return true;
  if (texts === 0 || count('unclosed') > 0) return false;
  return isOneText ? texts > 1 && words === 0 : texts > 1 || words > 0;
}

const isPositiveFact = (token: Token, before: Token | undefined) =>
  token.kind === 'filter' && isFactName(token.name) && before?.kind !== '-';

/**
 * Whether the token makes the query a boolean one: AND or OR between terms, NOT before one, or a minus before a quote,
 * an expression or a group. A minus before a word or a filter does not: `tar -x` are words.
 */
function isOperator(tokens: readonly Token[], at: number): boolean {
  const kind = tokens[at]?.kind;
  const next = tokens[at + 1]?.kind;
  const isName = kind === 'AND' || kind === 'OR' || kind === 'NOT';
  // Behind a quote or an expression, it waits for its term.
  if (next === undefined) return isName && at > 0 && tokens.some((token) => isText(token));
  if (kind === '-') return next === 'literal' || next === 'regex' || next === '(';
  if (kind === 'NOT') return at > 0 || next !== 'word';
  return isName && at > 0;
}

const isText = ({ kind }: Token) => kind === 'literal' || kind === 'regex';

class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  read(): QueryTree {
    const tree = this.#either();
    const left = this.#tokens[this.#next];
    if (left) throw new QueryMistake('this ) closes nothing', left.at);
    return tree;
  }

  #peek(): Token['kind'] | undefined {
    return this.#tokens[this.#next]?.kind;
  }

  #either(): QueryTree {
    const parts = [this.#all()];
    while (this.#peek() === 'OR') {
      this.#next += 1;
      parts.push(this.#all());
    }
    return joined('or', parts);
  }

  #all(): QueryTree {
    const parts = [this.#one()];
    for (;;) {
      const kind = this.#peek();
      if (kind === undefined || kind === ')' || kind === 'OR') return joined('and', parts);
      if (kind === 'AND') this.#next += 1;
      parts.push(this.#one());
    }
  }

  #one(): QueryTree {
    const token = this.#tokens[this.#next];
    if (!token) throw new QueryMistake('expected a term after this', Math.max(0, this.#tokens.at(-1)?.at ?? this.#end));
    this.#next += 1;
    if (token.kind === 'NOT' || token.kind === '-') {
      const part = this.#nested(token, () => this.#one());
      return { kind: 'not', part, at: token.at, end: part.end };
    }
    if (token.kind === '(') {
      const inner = this.#nested(token, () => this.#either());
      const close = this.#tokens[this.#next];
      if (close?.kind !== ')') throw new QueryMistake('this ( is not closed', token.at);
      this.#next += 1;
      return inner;
    }
    if (token.kind === 'literal' || token.kind === 'regex' || token.kind === 'word') {
      if (token.text === '') throw new QueryMistake('expected something to search for', token.at);
      return token;
    }
    if (token.kind === 'filter') return filterTerm(token);
    if (token.kind === 'unknown')
      throw new QueryMistake(`there is no filter ${token.name}: (did you mean ${token.nearest}:?)`, token.at);
    throw new QueryMistake(`expected a term before this ${token.kind}`, token.at);
  }

  #nested(token: Token, read: () => QueryTree): QueryTree {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH)
      throw new QueryMistake(`expected at most ${MOST_DEPTH} groups in each other`, token.at);
    const tree = read();
    this.#depth -= 1;
    return tree;
  }
}

function filterTerm({ name, value, valueAt, at, end }: FilterToken): FilterTerm {
  const filter = readFilter(name, value);
  if (typeof filter === 'string') throw new QueryMistake(filter, valueAt);
  return { kind: 'filter', value, filter, at, end };
}

function joined(kind: 'and' | 'or', parts: QueryTree[]): QueryTree {
  const [first, ...more] = parts;
  const last = parts.at(-1);
  if (!first || !last) throw new Error('a group has no parts');
  if (more.length === 0) return first;
  const placed = { at: first.at, end: last.end };
  return kind === 'and' ? { kind, parts, ...placed } : { kind, parts, ...placed };
}

/** In a group, its parenthesis may follow. */
const LITERAL = {
  alone: /"((?:[^"\\]|\\.|"(?=\S))*)"(?=\s|$)/sy,
  grouped: /"((?:[^"\\]|\\.|"(?=[^\s)]))*)"(?=[\s)]|$)/sy,
};
const REGEX = {
  alone: /\/((?:[^/\\]|\\.|\/(?=\S))*)\/(?=\s|$)/sy,
  grouped: /\/((?:[^/\\]|\\.|\/(?=[^\s)]))*)\/(?=[\s)]|$)/sy,
};
const NAMED = /([A-Za-z]+):(?=\S)/y;
const QUOTED_VALUE = /"([^"]*)"(?=[\s)]|$)/y;
const BARE_VALUE = /[^\s"]\S*/y;
const WORD = /\S+/y;

/** Splits a query. It never fails: what is no term is a word. */
function tokensOf(typed: string): Token[] {
  const tokens: Token[] = [];
  let open = 0;
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    return expression.exec(typed);
  };
  const sign = (kind: Sign['kind'], length: number) => {
    tokens.push({ kind, at, end: at + length });
    at += length;
  };
  /** Without the parentheses at its end that close groups. */
  const bare = (text: string): string => {
    let length = text.length;
    let extra = count(text, ')') - count(text, '(');
    for (let left = open; extra > 0 && left > 0 && text[length - 1] === ')'; extra--, left--) length -= 1;
    return text.slice(0, length);
  };
  const text = (kind: 'literal' | 'regex', found: RegExpExecArray) => {
    const inner = found[1] ?? '';
    const unescaped = kind === 'literal' ? inner.replace(/\\(["\\])/g, '$1') : inner.replace(/\\(.)/gs, slashes);
    tokens.push({ kind, text: unescaped, at, end: at + found[0].length });
    at += found[0].length;
  };
  const filter = (name: FilterName, from: number) => {
    at += from;
    const valueAt = at;
    const quoted = take(QUOTED_VALUE);
    const value = quoted ? (quoted[1] ?? '') : bare(take(BARE_VALUE)?.[0] ?? '');
    at += quoted ? quoted[0].length : value.length;
    tokens.push({ kind: 'filter', name, value, valueAt: valueAt + (quoted ? 1 : 0), at: valueAt - from, end: at });
  };
  const word = () => {
    const whole = bare(take(WORD)?.[0] ?? '') || typed.charAt(at);
    const named = take(NAMED);
    const name = FILTER_NAMES.find((each) => each === named?.[1]?.toLowerCase());
    if (named && name) return filter(name, named[0].length);
    const nearest = named ? nearestFilter(named[1] ?? '') : undefined;
    if (OPERATORS.has(whole)) return sign(whole as 'AND' | 'OR' | 'NOT', whole.length);
    const placed = { at, end: at + whole.length };
    tokens.push(
      nearest
        ? { kind: 'unknown', name: named?.[1] ?? '', nearest, ...placed }
        : { kind: 'word', text: whole, ...placed },
    );
    at += whole.length;
  };
  while (at < typed.length) {
    const char = typed.charAt(at);
    if (/\s/.test(char)) at += 1;
    else if (char === '(') {
      open += 1;
      sign('(', 1);
    } else if (char === ')') {
      open = Math.max(0, open - 1);
      sign(')', 1);
    } else if (char === '-' && /\S/.test(typed.charAt(at + 1))) sign('-', 1);
    else if (char === '"') {
      const found = take(open > 0 ? LITERAL.grouped : LITERAL.alone);
      if (found) text('literal', found);
      else {
        tokens.push({ kind: 'unclosed', at, end: typed.length });
        return tokens;
      }
    } else {
      const found = char === '/' ? take(open > 0 ? REGEX.grouped : REGEX.alone) : null;
      if (found) text('regex', found);
      else word();
    }
  }
  return tokens;
}

const count = (text: string, char: string) => text.split(char).length - 1;
const slashes = (pair: string, char: string) => (char === '/' ? '/' : pair);

/** Maps a position in a term's expression to the typed query. */
export function typedPlace(typed: string, { at, end }: Placed, position: number): number {
  let from = at + 1;
  for (let read = 0; read < position && from < end - 1; ) {
    const isPair = typed[from] === '\\';
    read += isPair && typed[from + 1] !== '/' ? 2 : 1;
    from += isPair ? 2 : 1;
  }
  return from;
}

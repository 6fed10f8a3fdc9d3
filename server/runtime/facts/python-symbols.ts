/** The definitions in a Python file, and what it uses, from its tokens: as the parser of Python has them. */
import type { CodeSymbol, FactPlace } from './facts.ts';
import { type LogicalLine, linesOf, type Token } from './python-tokens.ts';

type Found = {
  symbol(symbol: CodeSymbol): void;
  imports(name: string, place: FactPlace): void;
  host(text: string, isWhole: boolean, place: FactPlace): void;
  env(name: string, place: FactPlace): void;
};
type Block = { indent: number; name: string; kind: 'function' | 'class' | 'other'; symbol?: CodeSymbol };

export function readPython(path: string, text: string, found: Found): void {
  /** The blocks around the line, the outermost first. */
  const blocks: Block[] = [];
  let lastLine = 1;
  const close = (indent: number) => {
    for (let last = blocks.at(-1); last && last.indent >= indent; last = blocks.at(-1)) {
      if (last.symbol) last.symbol.end_line = lastLine;
      blocks.pop();
    }
  };
  const symbols: CodeSymbol[] = [];
  for (const line of linesOf(text)) {
    close(line.indent);
    lastLine = line.endLine;
    readUses(path, line, found);
    for (const part of statementsOf(line)) {
      const made = symbolsOfStatement(path, part, blocks);
      symbols.push(...made);
      const opened = blockOf(part, line.indent, made[0]);
      if (opened) blocks.push(opened);
    }
  }
  close(0);
  for (const symbol of symbols) found.symbol(symbol);
}

type Statement = { tokens: Token[]; line: number; endLine: number };

/** Splits a line at its semicolons, and behind the colon of `if x: y = 1`. */
function statementsOf({ tokens, endLine }: LogicalLine): Statement[] {
  const parts: Statement[] = [];
  let from = 0;
  let depth = 0;
  const take = (to: number) => {
    const first = tokens[from];
    if (first && to > from) parts.push({ tokens: tokens.slice(from, to), line: first.line, endLine });
    from = to;
  };
  const isBlock = (at: number) => {
    const first = tokens[from]?.text === 'async' ? tokens[from + 1] : tokens[from];
    return tokens[at]?.text === ':' && first?.kind === 'name' && opensBlock(tokens, from);
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === 'name' && token.text === 'lambda') at = behindLambda(tokens, at);
    else if (token?.kind !== 'operator') continue;
    else if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
    else if (depth === 0 && token.text === ';') {
      take(at);
      from = at + 1;
    } else if (depth === 0 && isBlock(at)) take(at + 1);
  }
  take(tokens.length);
  return parts;
}

/** The position of the colon that ends the parameters of a lambda. */
function behindLambda(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let next = at + 1; next < tokens.length; next++) {
    const { text, kind } = tokens[next] as Token;
    if (kind !== 'operator') continue;
    if ('([{'.includes(text)) depth += 1;
    else if (')]}'.includes(text)) depth -= 1;
    if (depth < 0) return next - 1;
    if (depth === 0 && text === ':') return next;
  }
  return at;
}

const BLOCKS = new Set([
  'if',
  'elif',
  'else',
  'for',
  'while',
  'try',
  'except',
  'finally',
  'with',
  'def',
  'class',
  'match',
  'case',
  'async',
]);

/** Whether a statement opens a block: `match` and `case` are names elsewhere. */
function opensBlock(tokens: readonly Token[], from: number): boolean {
  const [first, second] = tokens.slice(from, from + 2);
  if (!first || !BLOCKS.has(first.text)) return false;
  if (first.text !== 'match' && first.text !== 'case') return true;
  return second !== undefined && !/^[=.:,)\]]$/.test(second.text);
}

function blockOf({ tokens }: Statement, indent: number, symbol: CodeSymbol | undefined): Block | undefined {
  const [first, second] = tokens[0]?.text === 'async' ? tokens.slice(1) : tokens;
  if (!first || tokens.at(-1)?.text !== ':' || !opensBlock(tokens, 0)) return undefined;
  if (first.text !== 'def' && first.text !== 'class') return undefined;
  const kind = first.text === 'def' ? 'function' : 'class';
  return { indent, name: second?.text ?? '', kind, ...(symbol ? { symbol } : {}) };
}

function symbolsOfStatement(path: string, { tokens, endLine }: Statement, blocks: readonly Block[]): CodeSymbol[] {
  const isAsync = tokens[0]?.text === 'async';
  const [first, second] = isAsync ? tokens.slice(1) : tokens;
  const parent = blocks.at(-1);
  const common = { path, end_line: endLine, container: parent?.name ?? null, exported: false };
  const isTop = parent === undefined;
  if (first?.kind === 'name' && second?.kind === 'name' && (first.text === 'def' || first.text === 'class')) {
    const inClass = parent?.kind === 'class' ? 'method' : 'function';
    const kind = first.text === 'class' ? 'class' : inClass;
    // As in Python, the line of the keyword.
    const { line } = tokens[0] as Token;
    return [{ ...common, name: second.text, kind, line, exported: isTop && !second.text.startsWith('_') }];
  }
  if (blocks.some(({ kind }) => kind === 'function')) return [];
  const kind = isAlias(tokens) ? 'type' : parent?.kind === 'class' ? 'property' : 'variable';
  return targetsOf(tokens).map(({ text, line }) => ({
    ...common,
    name: text,
    kind,
    line,
    exported: isTop && !text.startsWith('_'),
  }));
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** `type A = B`: `type` is a name elsewhere. */
const isAlias = ([first, second, ...rest]: readonly Token[]) =>
  first?.text === 'type' && second?.kind === 'name' && rest.some(({ text }) => text === '=');

/** The names that an assignment binds: `a = b = 1`, `a, (b, *c) = d`, `a: int`. */
function targetsOf(tokens: readonly Token[]): Token[] {
  const [first, second] = tokens;
  if (!first || KEYWORDS.has(first.text)) return [];
  if (first.kind === 'name' && second?.text === ':' && tokens.length > 2) return [first];
  if (second && isAlias(tokens)) return [second];
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'operator' && '([{'.includes(token.text)) depth += 1;
    else if (token.kind === 'operator' && ')]}'.includes(token.text)) depth -= 1;
    if (depth === 0 && token.kind === 'operator' && token.text === '=') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.slice(0, -1).flatMap(boundNames);
}

/** The names in a target; none of `a.b`, `a[0]` and `a()`. */
function boundNames(tokens: readonly Token[]): Token[] {
  const names: Token[] = [];
  /** Brackets that are open: of a subscript or a call, or of a list of targets. */
  const open: ('use' | 'list')[] = [];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (token.kind === 'operator' && '([{'.includes(token.text)) {
      const isUse = before !== undefined && (before.kind !== 'operator' || ')]}'.includes(before.text));
      open.push(isUse ? 'use' : 'list');
    } else if (token.kind === 'operator' && ')]}'.includes(token.text)) open.pop();
    else if (token.kind === 'name' && !KEYWORDS.has(token.text) && !open.includes('use')) {
      const after = tokens[at + 1]?.text ?? '';
      if (before?.text !== '.' && !/^[.([]$/.test(after)) names.push(token);
    }
  }
  return names;
}

const HOST = /^(?:https?|wss?):\/\//i;

function readUses(path: string, { tokens }: LogicalLine, found: Found): void {
  const placeOf = ({ line }: Token): FactPlace => ({ path, line });
  for (const statement of statementsOf({ indent: 0, line: 0, endLine: 0, tokens }))
    readImports(statement, found, placeOf);
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'text' && HOST.test(token.text))
      found.host(token.value ?? token.text, token.value !== undefined, placeOf(token));
    if (token.kind !== 'name') continue;
    const words = tokens.slice(at, at + 5).map(({ text }) => text);
    const isMember = tokens[at - 1]?.text === '.' && tokens[at - 2]?.text !== 'os';
    if (isMember) continue;
    const skipped = token.text === 'environ' ? 1 : token.text === 'getenv' ? 1 : 0;
    if (skipped === 0) continue;
    const [opening, name] =
      words[1] === '.' && /^(get|pop|setdefault)$/.test(words[2] ?? '') ? [at + 3, at + 4] : [at + 1, at + 2];
    if (!/^[([]$/.test(tokens[opening]?.text ?? '')) continue;
    const value = tokens[name]?.value;
    if (value !== undefined) found.env(value, placeOf(token));
  }
}

function readImports({ tokens }: Statement, found: Found, placeOf: (token: Token) => FactPlace): void {
  const [first, ...rest] = tokens;
  if (first?.kind !== 'name') return;
  if (first.text === 'from' && rest[0]?.kind === 'name') found.imports(rest[0].text, placeOf(first));
  if (first.text !== 'import') return;
  for (const [at, token] of rest.entries())
    if (token.kind === 'name' && (at === 0 || rest[at - 1]?.text === ',')) found.imports(token.text, placeOf(token));
}

import type { TokenStream } from 'prismjs';
import { Prism } from './prism.ts';

/** The six colours of code, and three for terminal output. Other text has the default colour. */
export type Ink = 'key' | 'str' | 'num' | 'kw' | 'fn' | 'com' | 'ok' | 'warn' | 'bad';
export interface Piece {
  readonly text: string;
  readonly ink: Ink | undefined;
}
export interface CodeLine {
  /** Counted from 0. */
  readonly index: number;
  readonly pieces: readonly Piece[];
}
export type CodeLanguage = 'json' | 'javascript' | 'typescript' | 'python' | 'bash' | 'text';

const INK: Readonly<Record<string, Ink>> = {
  property: 'key',
  'literal-property': 'key',
  string: 'str',
  'template-string': 'str',
  'string-interpolation': 'str',
  'triple-quoted-string': 'str',
  regex: 'str',
  number: 'num',
  boolean: 'num',
  null: 'num',
  keyword: 'kw',
  decorator: 'kw',
  function: 'fn',
  'class-name': 'fn',
  builtin: 'fn',
  comment: 'com',
};

// beyond this size, highlighting is too slow
const MOST_COLOURED = 300_000;

const BY_EXTENSION: Readonly<Record<string, CodeLanguage>> = {
  json: 'json',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  sh: 'bash',
};

/** The language of a file, by its extension. */
export function languageOf(path: string): CodeLanguage {
  return BY_EXTENSION[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'text';
}

/** Splits code into lines of coloured pieces. Concatenated, the pieces are the code, line breaks apart. */
export function codeLines(code: string, language: CodeLanguage): readonly CodeLine[] {
  const grammar = code.length > MOST_COLOURED ? undefined : Prism.languages[language];
  const lines: Piece[][] = [[]];
  const put = (text: string, ink: Ink | undefined) => {
    const [first = '', ...rest] = text.split(/\r?\n/);
    const line = lines.at(-1);
    const last = line?.at(-1);
    // merge pieces of equal colour, because each rendered piece has a cost
    if (first && line && last && last.ink === ink) line[line.length - 1] = { text: last.text + first, ink };
    else if (first) line?.push({ text: first, ink });
    for (const line of rest) lines.push(line ? [{ text: line, ink }] : []);
  };
  const walk = (stream: TokenStream, ink: Ink | undefined) => {
    if (typeof stream === 'string') put(stream, ink);
    else if (Array.isArray(stream)) for (const part of stream) walk(part, ink);
    else if (stream.type === 'interpolation') walk(stream.content, undefined);
    else walk(stream.content, INK[stream.type] ?? ink);
  };
  walk(grammar && language !== 'text' ? Prism.tokenize(code, grammar) : code, undefined);
  return lines.map((pieces, index) => ({ index, pieces }));
}

export type Range = readonly [start: number, end: number];

/** Splits the pieces of a line at the edges of marks. Offsets are UTF-16 units of the line. */
export function markPieces(
  pieces: readonly Piece[],
  ranges: readonly Range[],
): readonly (Piece & { readonly marked: boolean; readonly at: number })[] {
  const cut: (Piece & { marked: boolean; at: number })[] = [];
  let at = 0;
  for (const { text, ink } of pieces) {
    const end = at + text.length;
    const edges = new Set([at, end]);
    for (const range of ranges) for (const edge of range) if (edge > at && edge < end) edges.add(edge);
    const sorted = [...edges].sort((a, b) => a - b);
    for (const [index, from] of sorted.entries()) {
      const to = sorted[index + 1];
      if (to === undefined) break;
      const marked = ranges.some(([start, stop]) => start <= from && stop >= to);
      cut.push({ text: text.slice(from - at, to - at), ink, marked, at: from });
    }
    at = end;
  }
  return cut;
}

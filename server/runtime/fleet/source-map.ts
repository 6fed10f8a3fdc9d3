/**
 * Looks up positions in a source map (https://tc39.es/ecma426/). The decoded mappings of 10 MB of hostile code would
 * fill a gigabyte, so they are decoded on demand, from the nearest of a few marks set in a first pass.
 */

/** A position in a file: 1-based line and column. */
export type SourcePlace = { file: string; line: number; column: number };

export type SourceMap = {
  sources: readonly string[];
  /** The original of a position in the built code (1-based line and column), if known. */
  find(line: number, column: number): SourcePlace | undefined;
};

/** A mapping, 0-based: its positions in the built code and in a source (-1: none). `at` is the end of its text. */
type Segment = { at: number; line: number; column: number; source: number; sourceLine: number; sourceColumn: number };

const MARK_CHARS = 16 * 1024;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, BASE64.indexOf(String.fromCharCode(code))));
const COMMA = 44;
const SEMICOLON = 59;

export function readSourceMap(text: string): SourceMap {
  const { sources = [], mappings = '' }: { sources?: string[]; mappings?: string } = JSON.parse(text);
  let marks: Segment[] | undefined;

  const find = (line: number, column: number): SourcePlace | undefined => {
    marks ??= marksOf(mappings);
    const start = markBefore(marks, line - 1, column - 1);
    let found = start.line === line - 1 && start !== START ? start : undefined;
    readSegments(mappings, start, (segment) => {
      if (segment.line > line - 1 || (segment.line === line - 1 && segment.column > column - 1)) return false;
      if (segment.line === line - 1) found = { ...segment };
      return true;
    });
    const file = found && sources[found.source];
    return found && file !== undefined
      ? { file, line: found.sourceLine + 1, column: found.sourceColumn + 1 }
      : undefined;
  };
  return { sources, find };
}

const START: Segment = { at: 0, line: 0, column: 0, source: 0, sourceLine: 0, sourceColumn: 0 };

function marksOf(mappings: string): Segment[] {
  const marks: Segment[] = [];
  let next = MARK_CHARS;
  readSegments(mappings, START, (segment) => {
    if (segment.at < next) return true;
    marks.push({ ...segment });
    next = segment.at + MARK_CHARS;
    return true;
  });
  return marks;
}

/** The last mark before a position. */
function markBefore(marks: Segment[], line: number, column: number): Segment {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const mark = marks[middle];
    if (mark && (mark.line < line || (mark.line === line && mark.column < column))) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1] ?? START;
}

/** Decodes mappings from `start` until `visit` returns false. It reuses one object: copy it. */
function readSegments(mappings: string, start: Segment, visit: (segment: Segment) => boolean): void {
  const segment = { ...start };
  const values = [0, 0, 0, 0];
  let source = Math.max(0, start.source);
  let at = start.at;
  while (at < mappings.length) {
    let code = mappings.charCodeAt(at);
    if (code === SEMICOLON || code === COMMA) {
      at += 1;
      if (code === COMMA) continue;
      segment.line += 1;
      segment.column = 0;
      continue;
    }
    // Column, source, its line and column; then an optional name, which is not needed.
    let count = 0;
    while (at < mappings.length && code !== COMMA && code !== SEMICOLON) {
      let value = 0;
      let digit = 32;
      for (let shift = 0; digit >= 32 && at < mappings.length; shift += 5) {
        digit = DIGITS[mappings.charCodeAt(at++) & 127] ?? 0;
        value |= (digit & 31) << shift;
      }
      if (count < 4) values[count++] = value & 1 ? -(value >>> 1) : value >>> 1;
      code = mappings.charCodeAt(at);
    }
    segment.column += values[0] ?? 0;
    segment.source = -1;
    if (count === 4) {
      source += values[1] ?? 0;
      segment.source = source;
      segment.sourceLine += values[2] ?? 0;
      segment.sourceColumn += values[3] ?? 0;
    }
    segment.at = at;
    if (!visit(segment)) return;
  }
}

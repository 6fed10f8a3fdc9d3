/** Maps positions in the bundle to positions in the version's files. */
import { readSourceMap, type SourceMap } from './source-map.ts';

/** A module loaded from a Blob has no name: it appears as blob:null/<uuid>, followed by line and column. */
const PLACE = /blob:null\/[0-9a-f-]{36}(?::(\d+):(\d+))?/g;
const INNER_FRAME = /\n[ \t]+at [^\n]*(?:ext:|file:\/\/\/)[^\n]*/g;
/** A stack has ten frames, but text of a function may contain any number of positions. */
const PLACES_MAX = 100;

/** Converts text for the function's author: "src/index.ts:2:9" for positions, without frames of the sandbox. */
export type Mapper = (text: string) => string;

export function createMapper(map: string): Mapper {
  let read: SourceMap | undefined;
  const place = (line?: string, column?: string) => {
    read ??= readSourceMap(map);
    if (!line || !column) return read.sources[0] ?? 'index.js';
    const found = read.find(Number(line), Number(column));
    return found ? `${found.file}:${found.line}:${found.column}` : `bundle:${line}:${column}`;
  };
  return (text) => {
    const shown = text.includes('\n    at ') ? text.replace(INNER_FRAME, '') : text;
    if (!shown.includes('blob:null/')) return shown;
    let count = 0;
    return shown.replace(PLACE, (whole, line, column) => (++count > PLACES_MAX ? whole : place(line, column)));
  };
}

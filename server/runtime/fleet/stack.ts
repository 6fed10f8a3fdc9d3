/** From places in the bundle to places in the version's own files. */
import { readSourceMap, type SourceMap } from './source-map.ts';

/** A module made from a Blob has no name: it shows as blob:null/<uuid>, with line and column behind. */
const PLACE = /blob:null\/[0-9a-f-]{36}(?::(\d+):(\d+))?/g;
const INNER_FRAME = /\n[ \t]+at [^\n]*(?:ext:|file:\/\/\/)[^\n]*/g;
/** A stack has ten frames. Text of a function may name any number of places. */
const PLACES_MAX = 100;

/** Text as the function's author knows it: "src/index.ts:2:9" for places, without the sandbox's own frames. */
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

/** From places in the bundle to places in the version's own files. */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';

/** A module made from a Blob has no name of its own: it shows as blob:null/<uuid>, with line and column behind. */
const PLACE = /blob:null\/[0-9a-f-]{36}(?::(\d+):(\d+))?/g;
const INNER_FRAME = /\n\s+at [^\n]*(?:ext:|file:\/\/\/)[^\n]*/g;

/** Text as the function's author knows it: "src/index.ts:2:9" for places, without the sandbox's own frames. */
export type Mapper = (text: string) => string;

export function createMapper(map: string): Mapper {
  let trace: TraceMap | undefined;
  const place = (line?: string, column?: string) => {
    trace ??= new TraceMap(map);
    if (!line || !column) return trace.sources[0] ?? 'index.js';
    const found = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 });
    return found.source === null ? `bundle:${line}:${column}` : `${found.source}:${found.line}:${found.column + 1}`;
  };
  return (text) => {
    const shown = text.includes('\n    at ') ? text.replace(INNER_FRAME, '') : text;
    return shown.includes('blob:null/') ? shown.replace(PLACE, (_, line, column) => place(line, column)) : shown;
  };
}

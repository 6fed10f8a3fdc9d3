/**
 * Log lines outside React: thousands may arrive per second, and they are rendered once per frame. Overlapping lines of
 * stored and streamed responses are removed here, so that none is shown twice or lost.
 */
import type { FunctionLogEvent } from '../../../api/entities.ts';
import { readTerminal } from '../../../components/deliveries/terminal-text.ts';
import type { Piece } from '../../../ui/code/code-tokens.ts';

/** Its message has no terminal escape codes; `pieces` has the text with colors. */
export type LogLine = FunctionLogEvent & { readonly key: string; readonly pieces?: readonly Piece[] };
export interface LogBuffer {
  readonly get: () => readonly LogLine[];
  readonly subscribe: (onChange: () => void) => () => void;
  readonly add: (events: readonly FunctionLogEvent[]) => void;
  readonly clear: () => void;
}

/** Older lines beyond this limit are dropped, and loaded again on demand. */
export const LINES_MAX = 100_000;

/** `soon` schedules a callback before the next frame. */
export function createLogBuffer(soon: (flush: () => void) => void): LogBuffer {
  let lines: readonly LogLine[] = [];
  let waiting: LogLine[] = [];
  let scheduled = false;
  const known = new Set<string>();
  const listeners = new Set<() => void>();

  function flush() {
    scheduled = false;
    if (waiting.length === 0) return;
    lines = merge(lines, waiting.sort(byTime));
    waiting = [];
    if (lines.length > LINES_MAX) {
      for (const { key } of lines.slice(0, lines.length - LINES_MAX)) known.delete(key);
      lines = lines.slice(-LINES_MAX);
    }
    notify();
  }
  function notify() {
    for (const listener of listeners) listener();
  }

  return {
    get: () => lines,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    add(events) {
      for (const event of events) {
        const key = `${event.run_id}.${event.seq}`;
        if (known.has(key)) continue;
        known.add(key);
        waiting.push(lineOf(event, key));
      }
      if (scheduled || waiting.length === 0) return;
      scheduled = true;
      soon(flush);
    },
    clear() {
      known.clear();
      waiting = [];
      lines = [];
      notify();
    },
  };
}

function lineOf(event: FunctionLogEvent, key: string): LogLine {
  const { text, pieces, placeOf } = readTerminal(event.message);
  if (text === event.message) return { ...event, key };
  const marks = event.marks?.map(([from, to]): [number, number] => [placeOf(from), placeOf(to)]);
  return { ...event, key, message: text, ...(marks && { marks }), ...(pieces && { pieces }) };
}

/** The service's order: by time, then by run, then by line number. */
function byTime(a: LogLine, b: LogLine): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  if (a.run_id !== b.run_id) return a.run_id < b.run_id ? -1 : 1;
  return a.seq - b.seq;
}

/** New lines are nearly always the latest; otherwise only the end is sorted again. */
function merge(lines: readonly LogLine[], fresh: readonly LogLine[]): readonly LogLine[] {
  const first = fresh[0];
  const last = lines.at(-1);
  if (!first || !last || byTime(last, first) < 0) return lines.concat(fresh);
  const place = lines.findLastIndex((line) => byTime(line, first) < 0) + 1;
  return lines.slice(0, place).concat([...lines.slice(place), ...fresh].sort(byTime));
}

/**
 * Lines of a log outside React: they come in by the thousand a second and are shown once a frame. No line comes in
 * twice, and none is lost between reading stored lines and following new ones: overlapping lines are left out here.
 */
import type { FunctionLogEvent } from '../../../api/entities.ts';
import { readTerminal } from '../../../components/deliveries/terminal-text.ts';
import type { Piece } from '../../../ui/code/code-tokens.ts';

/** Its message has no codes of terminals any more; `pieces` is it in their colours. */
export type LogLine = FunctionLogEvent & { readonly key: string; readonly pieces?: readonly Piece[] };
export interface LogBuffer {
  readonly get: () => readonly LogLine[];
  readonly subscribe: (onChange: () => void) => () => void;
  readonly add: (events: readonly FunctionLogEvent[]) => void;
  readonly clear: () => void;
}

/** More than these are asked for again when somebody wants them. */
export const LINES_MAX = 100_000;

/** `soon` calls back before the next frame is drawn. */
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

/** The order of the service: by time, then by run, then by the line's number. */
function byTime(a: LogLine, b: LogLine): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  if (a.run_id !== b.run_id) return a.run_id < b.run_id ? -1 : 1;
  return a.seq - b.seq;
}

/** What is new nearly always comes last: only where it doesn't is the end sorted again. */
function merge(lines: readonly LogLine[], fresh: readonly LogLine[]): readonly LogLine[] {
  const first = fresh[0];
  const last = lines.at(-1);
  if (!first || !last || byTime(last, first) < 0) return lines.concat(fresh);
  const place = lines.findLastIndex((line) => byTime(line, first) < 0) + 1;
  return lines.slice(0, place).concat([...lines.slice(place), ...fresh].sort(byTime));
}

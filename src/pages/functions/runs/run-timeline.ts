import { readJsonLine, shownLevel } from '../../../../contract/log-level.ts';
import type { GatewayCall, LogEvent, Run } from '../../../api/entities.ts';

/** One phase of a run, in milliseconds since the call. */
export interface Span {
  readonly key: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly look: 'quiet' | 'load' | 'work' | 'call' | 'bad';
  /** Part of the handler's time. */
  readonly call?: GatewayCall;
}
export interface Tick {
  /** A fraction of the total, from 0 to 1. */
  readonly at: number;
  readonly level: LogEvent['level'];
}
export interface RunTimeline {
  readonly total: number;
  readonly spans: readonly Span[];
  readonly ticks: readonly Tick[];
}

const START_WORDS = { WARM: 'Warm start', SPARE: 'Prewarmed start', COLD: 'Cold start' } as const;
/** Maximum number of ticks; more would not be distinguishable. */
const TICKS = 150;
const GRAVITY = { debug: 0, info: 1, warn: 2, error: 3 } as const;

/** The phases of a run, or undefined while it is in progress. */
export function timelineOf(
  run: Run,
  calls: readonly GatewayCall[],
  lines: readonly LogEvent[],
): RunTimeline | undefined {
  const { timing, duration_ms } = run;
  if (duration_ms === null) return undefined;
  // log lines and calls are placed by wall-clock time; the first line marks the start of the run
  const zero = lines[0]?.timestamp ?? Date.parse(run.started_at ?? run.created_at);
  const since = (ms: number) => Math.min(Math.max(ms - zero, 0), duration_ms);
  const { ready_ms = null, loaded_ms = null, answer_ms = null } = timing ?? {};
  const begins = loaded_ms ?? ready_ms ?? 0;
  const answers = answer_ms ?? duration_ms;
  const spans: Span[] = [];
  if (timing && ready_ms !== null)
    spans.push({ key: 'start', name: START_WORDS[timing.start], from: 0, to: ready_ms, look: 'quiet' });
  if (loaded_ms !== null)
    spans.push({ key: 'load', name: 'Loading the code', from: ready_ms ?? 0, to: loaded_ms, look: 'load' });
  const failed = run.status !== 'OK';
  spans.push({ key: 'handler', name: 'Handler', from: begins, to: answers, look: failed ? 'bad' : 'work' });
  for (const call of calls) {
    const from = since(Date.parse(call.at));
    const look = call.status !== null && call.status < 400 ? 'call' : 'bad';
    const name = `${call.method} ${call.app} ${call.path}`;
    spans.push({ key: call.call_id, name, from, to: Math.min(from + call.duration_ms, duration_ms), look, call });
  }
  if (answer_ms !== null)
    spans.push({
      key: 'answer',
      name: failed ? 'Error response' : 'Response',
      from: answers,
      to: duration_ms,
      look: 'quiet',
    });
  return { total: duration_ms, spans, ticks: ticksOf(lines, (ms) => (duration_ms > 0 ? since(ms) / duration_ms : 0)) };
}

/** Groups lines of the same moment into one tick, with the highest level among them. */
function ticksOf(lines: readonly LogEvent[], shareAt: (ms: number) => number): readonly Tick[] {
  const found = new Map<number, LogEvent['level']>();
  for (const { timestamp, message, level: given } of lines) {
    const level = shownLevel(given, readJsonLine(message));
    const slot = Math.round(shareAt(timestamp) * TICKS);
    const there = found.get(slot);
    if (there === undefined || GRAVITY[level] > GRAVITY[there]) found.set(slot, level);
  }
  return [...found].map(([slot, level]) => ({ at: slot / TICKS, level }));
}

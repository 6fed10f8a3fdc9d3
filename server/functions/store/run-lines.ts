/**
 * Lines of runs. Those that a run has logged when it is first stored are in its own row (`runs.log`): most runs are
 * over by then, and writing their lines one by one would cost more than all the rest of the record. What is said later,
 * or doesn't fit, has rows of `run_logs`. The lines that each run has, about its start and its end, are kept as marks
 * and spelled when they are read.
 */
import type { LogLevel, RunStatus } from '../../../contract/states.ts';
import { msOf } from '../../lib/ids.ts';
import type { RunLogsTable, RunsTable } from '../../platform/database/function-tables.ts';

export type RunLogLine = Pick<RunLogsTable, 'seq' | 'at_ms' | 'level' | 'message'>;
/** Between which moments lines are asked for. */
export type LogWindow = { from_ms?: number | undefined; to_ms?: number | undefined };
export type Mark = 'START' | 'END' | 'REPORT';
/** A line as it waits to be stored. */
export type SaidLine = RunLogLine | { seq: number; at_ms: number; mark: Mark };

/** What a mark is spelled with. */
type Spelled = { run_id: string; version: number; status: RunStatus; duration_ms: number | null };
/** JSON: milliseconds after the moment in the run's id, and a mark, or level and message. */
type Kept = [afterMs: number, mark: Mark] | [afterMs: number, level: LogLevel, message: string];

/**
 * Lines in a run's row are no later than this after its id, so who reads by time knows which runs can have some. Lines
 * of longer runs are found by the times in run_logs.
 */
export const KEPT_SPAN_MS = 100;
/** A row of more than 2 KB is packed and split by PostgreSQL, which costs more than it saves soon after. */
const KEPT_CHARS = 4096;

/** As many of the lines, from the first, as a run's row takes: as text, and how many they are. */
export function keepLines(run_id: string, lines: readonly SaidLine[]): { log: string | null; kept: number } {
  const fromMs = msOf(run_id);
  let log = '';
  let kept = 0;
  for (const line of lines) {
    const afterMs = line.at_ms - fromMs;
    if (line.seq !== kept || afterMs < 0 || afterMs > KEPT_SPAN_MS || log.length > KEPT_CHARS) break;
    const text = 'mark' in line ? `"${line.mark}"` : `"${line.level}",${quoted(line.message, KEPT_CHARS - log.length)}`;
    if (text.endsWith(',')) break;
    log += `${kept === 0 ? '[' : ','}[${afterMs},${text}]`;
    kept += 1;
  }
  return kept === 0 ? { log: null, kept } : { log: `${log}]`, kept };
}

/** Nothing where it is too long. */
const quoted = (message: string, mostChars: number) => (message.length > mostChars ? '' : JSON.stringify(message));

/** The lines in a run's row, and whether it has no others. */
export function keptLines(run: Spelled & Pick<RunsTable, 'log'>): { lines: RunLogLine[]; isWhole: boolean } {
  if (run.log === null) return { lines: [], isWhole: false };
  const fromMs = msOf(run.run_id);
  const kept = JSON.parse(run.log) as Kept[];
  const lines = kept.map(([afterMs, what, message], seq) =>
    message === undefined
      ? spelled({ seq, at_ms: fromMs + afterMs, mark: what as Mark }, run)
      : { seq, at_ms: fromMs + afterMs, level: what as LogLevel, message },
  );
  const last = kept.at(-1);
  return { lines, isWhole: last?.length === 2 && last[1] === 'REPORT' };
}

/** A line as it is read. */
export function spelled(line: SaidLine, { run_id, version, status, duration_ms }: Spelled): RunLogLine {
  if (!('mark' in line)) return line;
  const { seq, at_ms, mark } = line;
  const outcome = status === 'OK' ? '' : ` Status: ${status}`;
  const more = {
    START: () => ` Version: ${version}`,
    END: () => '',
    REPORT: () => ` Duration: ${(duration_ms ?? 0).toFixed(2)} ms${outcome}`,
  } satisfies Record<Mark, () => string>;
  return { seq, at_ms, level: 'info', message: `${mark} RunId: ${run_id}${more[mark]()}` };
}

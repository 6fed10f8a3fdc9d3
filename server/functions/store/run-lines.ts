/**
 * Lines of runs. Lines logged before a run is first stored are in its row (`runs.log`): most runs are over by then, and
 * a row for each line would cost more than the rest of the record. Later lines, and those that do not fit, are rows of
 * `run_logs`. The lines about start and end, which every run has, are stored as marks and formatted when they are read.
 */
import type { LogLevel, RunStatus } from '../../../contract/states.ts';
import { msOf } from '../../lib/ids.ts';
import type { RunLogsTable, RunsTable } from '../../platform/database/tables/function-tables.ts';

export type RunLogLine = Pick<RunLogsTable, 'seq' | 'at_ms' | 'level' | 'message'>;
/** The time range of a query. */
export type LogWindow = { from_ms?: number | undefined; to_ms?: number | undefined };
export type Mark = 'START' | 'END' | 'REPORT';
/** A line that is not stored yet. */
export type SaidLine = RunLogLine | { seq: number; at_ms: number; mark: Mark };

/** The values in the text of a mark. */
type Spelled = { run_id: string; version: number; status: RunStatus; duration_ms: number | null };
/** JSON: milliseconds after the time in the run's id, and a mark, or level and message. */
type Kept = [afterMs: number, mark: Mark] | [afterMs: number, level: LogLevel, message: string];

/**
 * Lines in a run's row are at most this much later than its id, so a query by time knows which runs may have some.
 * Lines of longer runs are found by their times in run_logs.
 */
export const KEPT_SPAN_MS = 100;
/** PostgreSQL compresses and splits rows above 2 KB, which costs more than it saves for recent runs. */
const KEPT_CHARS = 4096;

/** Encodes as many of the first lines as fit into a run's row: returns the text and their number. */
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

/** Empty when the message is too long. */
const quoted = (message: string, mostChars: number) => (message.length > mostChars ? '' : JSON.stringify(message));

/** The lines in a run's row, and whether they are all of its lines. */
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

/** Formats a line for a reader. */
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

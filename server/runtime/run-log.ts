/** The log of one run: positions mapped to the author's files, and limited in size. */
import type { LogLevel } from '../../contract/states.ts';
import { LOG_MAX_CHARS, LOG_MAX_LINES } from './fleet/frames.ts';
import type { Mapper } from './fleet/stack.ts';

/** `timestamp` in milliseconds since the epoch. A message may have several lines. */
export type LogLine = { timestamp: number; level: LogLevel; message: string };

export type RunLog = {
  /** Returns whether the log took the line, or said that it is full. */
  line(line: LogLine): boolean;
  /** The last line of a run, written by the service; not subject to the limit. */
  verdict(message: string): void;
};

export function openRunLog(onLog: (line: LogLine) => void, mapper: Mapper): RunLog {
  let lines = 0;
  let chars = 0;
  let full = false;
  /** Timestamps never decrease: direct output is stamped on arrival, console output when it is written. */
  let last = 0;
  return {
    line({ timestamp, level, message }) {
      if (full) return false;
      last = Math.max(last, Math.min(timestamp, Date.now()));
      lines += 1;
      chars += message.length;
      full = lines > LOG_MAX_LINES || chars > LOG_MAX_CHARS;
      if (full)
        onLog({
          timestamp: last,
          level: 'warn',
          message: `Log truncated: a run keeps ${LOG_MAX_LINES} lines or ${LOG_MAX_CHARS / 1024} KB`,
        });
      else onLog({ timestamp: last, level, message: mapper(message) });
      return true;
    },
    verdict: (message) => onLog({ timestamp: Date.now(), level: 'error', message }),
  };
}

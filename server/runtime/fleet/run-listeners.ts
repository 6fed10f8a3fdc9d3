/** The runs of one process, and the pings that wait until its output was passed on to them. */
import type { LogLevel } from '../../../contract/states.ts';
import { ChurnMap } from '../../lib/churn-map.ts';
import type { Order, Report, Thrown } from './frames.ts';

/** Why a process ended, worded for the function's author. */
export type Ending = { name: string; message: string };

/** Callbacks of a run. */
export type RunListener = {
  /** Returns whether the line was of use. */
  onLog(line: { timestamp: number; level: LogLevel; message: string }): boolean;
  onLoaded(): void;
  onThrow(thrown: Thrown): void;
  onEnd(): void;
  onClosed(ending: Ending): void;
};

type Ping = Extract<Order, ['ping', ...unknown[]]>;
type RunReport = Exclude<Report, ['ready' | 'answer' | 'stream', ...unknown[]]>;

export class RunListeners {
  readonly runs = new ChurnMap<string, RunListener>();
  readonly #pings = new Map<number, (live: boolean) => void>();
  #turns = 0;

  /** Returns whether the report was of use. Those that a function could repeat without end are not. */
  onReport(report: RunReport): boolean {
    switch (report[0]) {
      case 'pong':
        this.#pings.get(report[2])?.(report[1]);
        return this.#pings.delete(report[2]);
      case 'log':
        return this.#log(report[1], report[2], report[3], report[4]);
      case 'throw':
        this.runs.get(report[1])?.onThrow(report[2]);
        return false;
      case 'loaded':
        this.runs.get(report[1])?.onLoaded();
        return false;
      case 'end': {
        const run = this.runs.get(report[1]);
        run?.onEnd();
        return run !== undefined;
      }
    }
  }

  /** Text that the function wrote directly to stdout. Returns whether it was of use. */
  onText(level: LogLevel, message: string): boolean {
    return this.#log('', Date.now(), level, message);
  }

  /** Output outside of any run belongs to the only run in flight; with several, it cannot be attributed. */
  #log(runId: string, timestamp: number, level: LogLevel, message: string): boolean {
    const run = runId || this.runs.size !== 1 ? this.runs.get(runId) : [...this.runs.values()][0];
    return run?.onLog({ timestamp, level, message }) ?? false;
  }

  /** Creates a ping. Its answer is whether the run is in progress: from the pong, or false when the process ends. */
  ask(runId: string): { ping: Ping; answer: Promise<boolean> } {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#turns += 1;
    this.#pings.set(this.#turns, resolve);
    return { ping: ['ping', runId, this.#turns], answer: promise };
  }

  /** The process has ended. */
  close(ending: Ending): void {
    for (const run of this.runs.values()) run.onClosed(ending);
    for (const done of this.#pings.values()) done(false);
    this.#pings.clear();
  }
}

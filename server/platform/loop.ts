import type { Logger } from 'pino';
import { errorFields } from '../lib/outage-log.ts';

/** A worker without input: it polls the tables and does what is due. */
export type Worker = {
  start(): Promise<void>;
  /** Starts the next round now. */
  nudge(): void;
  /** Finishes the round in progress and starts no other. */
  drain(): Promise<void>;
};

/**
 * Calls `work` repeatedly: after the milliseconds it returns, at most `everyMs`, and immediately after a nudge. Calls
 * never overlap. An error is logged, and the next round retries.
 */
export function createLoop(options: {
  name: string;
  log: Logger;
  everyMs: number;
  work: () => Promise<number | undefined>;
}): Worker {
  const { name, log, everyMs, work } = options;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  let stopped = true;

  async function round(): Promise<void> {
    again = false;
    let waitMs = everyMs;
    try {
      waitMs = Math.min((await work()) ?? everyMs, everyMs);
    } catch (error) {
      if (!stopped) log.error({ ...errorFields(error) }, `${name} failed, retrying`);
    }
    running = undefined;
    if (stopped) return;
    if (again) look();
    else timer = setTimeout(look, Math.max(1, waitMs));
  }

  function look() {
    clearTimeout(timer);
    running ??= round();
  }

  return {
    async start() {
      stopped = false;
      look();
      await running;
    },
    nudge() {
      if (stopped) return;
      if (running !== undefined) again = true;
      else look();
    },
    async drain() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

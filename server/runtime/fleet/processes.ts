/** All running processes, and the spare ones, which have booted in advance. */
import type { Logger } from 'pino';
import type { RunStart } from '../../../contract/states.ts';
import { type Isolate, startIsolate } from './isolate.ts';
import { type Needs, needsKey } from './needs.ts';
import type { Ending } from './run-listeners.ts';
import type { Home } from './sandbox-home.ts';
import type { Watchdog } from './watchdog.ts';

export type Processes = {
  /** Returns a spare process, or a new one. */
  take(needs: Needs): { isolate: Isolate; start: RunStart };
  /** Boots missing spare processes. */
  fill(needs: Needs): void;
  spares(): number;
  /** Kills all processes and boots no more. Resolves when they have ended. */
  close(because: Ending): Promise<void>;
};

const REFILL_AFTER_MS = 50;

/** `most`: spare processes per kind of needs, unless the language wants fewer. */
export function createProcesses(home: Home, watchdog: Watchdog, log: Logger, most: number): Processes {
  const spares = new Map<string, Set<Isolate>>();
  const all = new Set<Isolate>();
  let closing = false;

  function start(needs: Needs): Isolate {
    const isolate = startIsolate(home, needs, watchdog, log);
    all.add(isolate);
    void isolate.closed.then((ending) => {
      all.delete(isolate);
      for (const pool of spares.values()) pool.delete(isolate);
      if (!closing) log.debug({ pid: isolate.pid, ending }, 'runtime: process ended');
    });
    return isolate;
  }

  /** An allowlist belongs to one function; for the other policies, spares are kept after the first use. */
  function fill(needs: Needs): void {
    if (closing || needs.policy === 'ALLOW_LIST') return;
    const pool = spares.get(needsKey(needs)) ?? new Set();
    spares.set(needsKey(needs), pool);
    const enough = needs.language.limits.spares(most);
    while (pool.size < enough) pool.add(start(needs));
  }

  return {
    take(needs) {
      const [spare] = spares.get(needsKey(needs)) ?? [];
      if (spare) spares.get(needsKey(needs))?.delete(spare);
      // Delayed, as the boot of the next spare would compete with the run that took this one.
      setTimeout(fill, REFILL_AFTER_MS, needs).unref();
      return spare ? { isolate: spare, start: 'SPARE' } : { isolate: start(needs), start: 'COLD' };
    },
    fill,
    spares: () => [...spares.values()].reduce((sum, pool) => sum + pool.size, 0),
    async close(because) {
      closing = true;
      const ends = [...all].map((isolate) => isolate.closed);
      for (const isolate of all) isolate.kill(because);
      await Promise.all(ends);
    },
  };
}

import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isAlive } from '../../../lib/is-alive.ts';
import type { Programs } from './binaries.ts';
import type { Lock } from './lock.ts';
import type { Place } from './place.ts';
import { adoptOrClear, launch } from './postmaster.ts';
import { until } from './processes.ts';
import { clearLeftovers, stopPostmaster } from './stop.ts';
import { startWatchdog } from './watch.ts';

const LOOK_EVERY_MS = 100;
const RESTART_PAUSE_MAX_MS = 5_000;

/**
 * Adopts or starts the postmaster, then keeps it and its watchdog running until stopped. Polls for its process, which
 * also works for an adopted postmaster, which is not a child.
 */
export async function supervise(place: Place, programs: Programs, lock: Lock, log: Pick<Logger, 'warn' | 'error'>) {
  const ending = new AbortController();
  let watchdog: ChildProcess = startWatchdog(lock, place.cluster);
  let pid: number;
  let adopted: boolean;
  try {
    const survivor = await adoptOrClear(place);
    adopted = survivor !== undefined;
    pid = survivor ?? (await launch(place, programs));
  } catch (error) {
    await dismiss(watchdog);
    throw error;
  }

  async function restart(): Promise<void> {
    log.error({ pid }, 'database stopped unexpectedly, restarting');
    for (let pauseMs = 100; !ending.signal.aborted; pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MAX_MS)) {
      try {
        await clearLeftovers(place);
        pid = await launch(place, programs);
        log.warn({ pid }, 'database restarted');
        return;
      } catch (error) {
        log.error({ err: error }, 'database could not be restarted');
        await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      }
    }
  }

  async function keepAlive(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      if (ending.signal.aborted) return;
      if (!isAlive(pid)) await restart();
      if (watchdog.exitCode !== null || watchdog.signalCode !== null) watchdog = startWatchdog(lock, place.cluster);
    }
  }

  const keeping = keepAlive();
  return {
    adopted,
    /** Stops the database cleanly, after every client is closed or disconnected. */
    async stop(): Promise<void> {
      ending.abort();
      await keeping;
      await stopPostmaster(pid, place);
      await dismiss(watchdog);
    },
  };
}

async function dismiss(watchdog: ChildProcess): Promise<void> {
  watchdog.kill('SIGKILL');
  const pid = watchdog.pid;
  if (pid !== undefined) await until(() => !isAlive(pid), 1_000);
}

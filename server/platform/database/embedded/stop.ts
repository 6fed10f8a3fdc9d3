import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../lib/is-alive.ts';
import type { Place } from './place.ts';
import { clusterProcesses, signal, until } from './processes.ts';

const FAST_STOP_MS = 10_000;
const KILL_MS = 5_000;
const STALE_FILES = ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'];

type Stopping = Pick<Place, 'cluster' | 'socketDir'>;

/**
 * Stops a postmaster: fast shutdown, then immediate shutdown, then SIGKILL. Crash recovery makes even the last one
 * safe.
 */
export async function stopPostmaster(pid: number, place: Stopping): Promise<void> {
  if (clusterProcesses(place.cluster).includes(pid)) {
    signal(pid, 'SIGINT');
    if (!(await until(() => !isAlive(pid), FAST_STOP_MS))) {
      signal(pid, 'SIGQUIT');
      await until(() => !isAlive(pid), KILL_MS);
    }
  }
  await clearLeftovers(place);
}

/**
 * After a postmaster is killed, its sessions may run for a while, and no new postmaster can start beside them. Files
 * that name the dead one would also prevent a start, if its process id belongs to another program by then or to a
 * zombie that is not reaped (a container whose first process does not reap).
 */
export async function clearLeftovers(place: Stopping): Promise<void> {
  if (!(await until(() => clusterProcesses(place.cluster).length === 0, 250))) {
    await until(() => {
      const left = clusterProcesses(place.cluster);
      for (const pid of left) signal(pid, 'SIGKILL');
      return left.length === 0;
    }, KILL_MS);
  }
  for (const stale of STALE_FILES) rmSync(join(place.socketDir, stale), { force: true });
  rmSync(join(place.cluster, 'postmaster.pid'), { force: true });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../lib/is-alive.ts';
import { readOwner } from './lock.ts';
import { clusterProcesses, readPostmasterFile, signal, until } from './processes.ts';

// The watchdog after the end of its service; watch.ts starts it.
const [ownerFile = '', generation = '', cluster = ''] = process.argv.slice(2);
const ADOPTION_GRACE_MS = 1_000;
const FAST_STOP_MS = 10_000;

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {});
await sleep(ADOPTION_GRACE_MS);
const pid = postmaster();
if (pid !== undefined && !replaced()) {
  signal(pid, 'SIGINT');
  await until(() => !isAlive(pid) || replaced(), FAST_STOP_MS);
  if (isAlive(pid) && !replaced()) signal(pid, 'SIGQUIT');
}

/** Whether a new service holds the data folder and is responsible for the database. */
function replaced(): boolean {
  const owner = readOwner(ownerFile);
  return owner !== undefined && owner.generation !== generation;
}

/** The process id, also for a cluster that was removed with its data folder. */
function postmaster(): number | undefined {
  const running = clusterProcesses(cluster);
  const known = readPostmasterFile(cluster)?.pid;
  return known === undefined ? running[0] : running.find((pid) => pid === known);
}

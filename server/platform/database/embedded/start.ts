import { realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { fileRefusal } from '../file-refusal.ts';
import { findShipped, preparePrograms } from './binaries.ts';
import { DATABASE_USER, ensureCluster } from './cluster.ts';
import { takeLock } from './lock.ts';
import { choosePlace, findPlace } from './place.ts';
import { readPostmasterFile } from './processes.ts';
import { stopPostmaster } from './stop.ts';
import { supervise } from './supervisor.ts';

/**
 * The PostgreSQL that comes with Sluice.
 *
 * Players. The *service* is this process. It holds the data folder's *lock*, one service to a folder. The *postmaster*
 * is the database's first process, a child of the service in its own session, with one process more for each
 * connection. The *watchdog* is a shell that waits for the service to die. The *cluster* is the folder that PostgreSQL
 * keeps its data in; it lies in the *home*, with the socket and the log. As root, the postmaster runs as `nobody`.
 *
 * A start takes the lock and writes a new *generation* beside it, makes the cluster if there is none, starts a
 * watchdog, and then adopts the postmaster that an earlier service left behind, or starts one.
 *
 * After a crash:
 * - The service dies (kill -9): the kernel frees the lock. The watchdog's pipe ends; it waits a second, and unless a
 *   new generation has been written by then, stops the postmaster. A service that starts within that second adopts it.
 * - The postmaster dies: the service sees it within 100 ms, clears away sessions that outlived it and starts another,
 *   which recovers from its log. Nothing acknowledged is lost; clients of the pool fail once and connect again.
 * - Both die, or the machine: the next start finds no one to adopt and starts a postmaster, which recovers.
 * - The watchdog dies: the service starts another.
 * - A start dies while the cluster is being made: it was made under another name; the next start removes it.
 */
export async function startEmbedded(options: {
  dataDir: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  const shipped = findShipped();
  const lock = takeLock(dataDir);
  try {
    const place = choosePlace(dataDir);
    if (dirname(place.home) !== realpathSync(dataDir)) {
      options.log.info({ home: place.home }, 'database stored outside the data folder, which its user cannot access');
    }
    const programs = preparePrograms(shipped, place);
    await ensureCluster(place, programs);
    const database = await supervise(place, programs, lock, options.log);
    let stopped: Promise<void> | undefined;
    return {
      connection: { host: place.socketDir, user: DATABASE_USER, database: 'postgres' },
      adopted: database.adopted,
      stop() {
        stopped ??= database.stop().finally(lock.release);
        return stopped;
      },
    };
  } catch (error) {
    lock.release();
    throw fileRefusal(dataDir, error);
  }
}

export type Embedded = {
  connection: { host: string; user: string; database: string };
  /** True when the database was left running by an earlier service. */
  adopted: boolean;
  stop(): Promise<void>;
};

/** Removes the database of a data folder for good, wherever it lies. Refuses while a service has the folder. */
export async function eraseEmbedded(dataDir: string): Promise<void> {
  const lock = takeLock(resolve(dataDir));
  try {
    const place = findPlace(dataDir);
    const survivor = readPostmasterFile(place.cluster);
    if (survivor) await stopPostmaster(survivor.pid, place);
    for (const path of [place.home, place.socketDir, join(dataDir, 'database.json')]) {
      rmSync(path, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

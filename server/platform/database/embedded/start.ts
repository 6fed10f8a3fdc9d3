import { realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { fileRefusal } from '../file-refusal.ts';
import { findShipped, preparePrograms } from './binaries.ts';
import { DATABASE_USER, ensureCluster } from './cluster.ts';
import { FolderInUse, takeLock } from './lock.ts';
import { choosePlace, findPlace } from './place.ts';
import { readPostmasterFile } from './processes.ts';
import { stopPostmaster } from './stop.ts';
import { supervise } from './supervisor.ts';

/**
 * The PostgreSQL that is shipped with Sluice.
 *
 * Parts. The *service* is this process. It holds the *lock* of the data folder; one service per folder. The
 * *postmaster* is the main process of the database, a child of the service in its own session, with one process per
 * connection. The *watchdog* is a shell that waits for the end of the service. The *cluster* is the folder with
 * PostgreSQL's data; it is in the *home*, with the socket and the log. As root, the postmaster runs as `nobody`.
 *
 * A start takes the lock and stores a new *generation* beside it, creates the cluster if it does not exist, starts a
 * watchdog, and then adopts the postmaster of an earlier service or starts a new one.
 *
 * After a crash:
 * - The service dies (kill -9): the kernel releases the lock. The watchdog's pipe closes. It waits a second and stops
 *   the postmaster, unless a new generation has been stored. A service that starts within that second adopts it.
 * - The postmaster dies: the service detects it within 100 ms, ends sessions that outlived it and starts a new
 *   postmaster, which recovers from its log. Nothing acknowledged is lost; clients of the pool fail once and reconnect.
 * - Both die, or the machine: the next start finds no postmaster to adopt and starts one, which recovers.
 * - The watchdog dies: the service starts a new one.
 * - A start dies while it creates the cluster: the next start removes the partial cluster, which has another name.
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
  /** Whether the database was still running from an earlier service. */
  adopted: boolean;
  stop(): Promise<void>;
};

/**
 * As `startEmbedded`; while a service uses the folder, connects to its running database, which `stop` leaves running.
 */
export async function openEmbedded(options: Parameters<typeof startEmbedded>[0]): Promise<Embedded> {
  try {
    return await startEmbedded(options);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const { socketDir } = findPlace(options.dataDir);
    return {
      connection: { host: socketDir, user: DATABASE_USER, database: 'postgres' },
      adopted: true,
      stop: () => Promise.resolve(),
    };
  }
}

/** Permanently removes the database of a data folder, at any location. Refuses while a service holds the folder. */
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

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { isAlive } from '../../../lib/is-alive.ts';
import { diskFull } from '../file-refusal.ts';
import { Refusal } from '../refusal.ts';
import type { Programs } from './binaries.ts';
import { DATABASE_USER } from './cluster.ts';
import type { Place } from './place.ts';
import { clusterProcesses, readPostmasterFile, until } from './processes.ts';
import { serverSettings } from './server-settings.ts';
import { clearLeftovers, stopPostmaster } from './stop.ts';

const LOG_KEPT_BYTES = 1_000_000;
const ANSWER_TIMEOUT_MS = 3_000;

/** Starts a postmaster and returns its process id once it accepts connections, or throws the error it logged. */
export async function launch(place: Place, programs: Programs): Promise<number> {
  const log = openLog(place.logFile);
  const logStart = statSync(place.logFile).size;
  const child = spawn(programs.postgres, serverSettings(place), {
    ...place.account.spawn,
    env: programs.env,
    cwd: '/',
    stdio: ['ignore', log, log],
    // A separate session: Ctrl-C in the terminal must reach the service first, which stops the database last.
    detached: true,
  });
  closeSync(log);
  child.unref();
  const end: { error?: Error } = {};
  child.once('error', (error) => {
    end.error = error;
  });
  child.once('exit', (code, name) => {
    end.error = new Error(`exit ${code ?? name}`);
  });
  // Recovery after a crash may take long; a postmaster that is alive will be ready eventually.
  while (!end.error) {
    const file = readPostmasterFile(place.cluster);
    if (file?.pid === child.pid && file?.status === 'ready') return file.pid;
    await sleep(10);
  }
  throw launchRefusal(place, end.error, logStart);
}

/**
 * Looks for a postmaster that outlived its service. Returns its process id if it accepts connections; otherwise removes
 * its remains, so that a new one can start.
 */
export async function adoptOrClear(place: Place): Promise<number | undefined> {
  const file = readPostmasterFile(place.cluster);
  if (file && clusterProcesses(place.cluster).includes(file.pid)) {
    await until(() => readPostmasterFile(place.cluster)?.status !== 'starting' || !isAlive(file.pid), 60_000);
    if (readPostmasterFile(place.cluster)?.status !== 'ready') await stopPostmaster(file.pid, place);
    else if (await answers(place)) return file.pid;
  }
  await clearLeftovers(place);
  return undefined;
}

async function answers(place: Place): Promise<boolean> {
  const client = new Client({
    host: place.socketDir,
    user: DATABASE_USER,
    database: 'postgres',
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // An error such as "too many connections" is a response, too.
    return error instanceof DatabaseError;
  } finally {
    await client.end().catch(() => {});
  }
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_KEPT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function launchRefusal(place: Place, failure: Error, logStart: number): Refusal {
  const said = readFileSync(place.logFile).subarray(logStart).toString();
  if (/No space left on device|Disk quota exceeded/.test(said)) return diskFull(place.home, failure);
  const reason = said.match(/(?:FATAL|PANIC): +(.*)/)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return new Refusal(
    `PostgreSQL did not start in ${place.cluster}: ${reason || failure.message}.`,
    `Its log is ${place.logFile}.`,
    { cause: failure },
  );
}

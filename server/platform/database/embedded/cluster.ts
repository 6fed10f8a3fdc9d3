import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { diskFull } from '../file-refusal.ts';
import { Refusal } from '../refusal.ts';
import { requireName } from './account.ts';
import { MAJOR_VERSION, type Programs } from './binaries.ts';
import type { Place } from './place.ts';

export const DATABASE_USER = 'sluice';

/** An initdb that outlived its service may still write there for a moment. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

/** A new cluster takes 40 MB, and its first log segments 32 MB. */
const ROOM_TO_START_BYTES = 96 * 2 ** 20;

/**
 * Creates the cluster if it does not exist; refuses one of another major version. It is created under another name and
 * renamed when complete, so that an interrupted start leaves no partial cluster.
 */
export async function ensureCluster(place: Place, programs: Programs): Promise<void> {
  if (existsSync(place.cluster)) return refuseOtherVersion(place);
  requireName(place.account);
  for (const name of readdirSync(place.home)) {
    if (name.startsWith('cluster.new-')) rmSync(join(place.home, name), REMOVE);
  }
  const disk = statfsSync(place.home);
  if (disk.bavail * disk.bsize < ROOM_TO_START_BYTES) throw diskFull(place.home);
  const half = join(place.home, `cluster.new-${process.pid}`);
  await initdb(half, place, programs);
  renameSync(half, place.cluster);
  const home = openSync(place.home, 'r');
  fsyncSync(home);
  closeSync(home);
}

function refuseOtherVersion(place: Place): void {
  const version = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new Refusal(
    `The database in ${place.cluster} was made by PostgreSQL ${version}, and this Sluice ships PostgreSQL ${MAJOR_VERSION}.`,
    'Start the Sluice version that made it and move the data with its export command, then import it here.',
  );
}

function initdb(cluster: string, place: Place, programs: Programs): Promise<void> {
  const args = ['-D', cluster, '-U', DATABASE_USER, '-E', 'UTF8', '--locale=C', '--locale-provider=builtin'];
  args.push('--builtin-locale=C.UTF-8', '--auth-local=trust', '--auth-host=reject');
  const options = { ...place.account.spawn, env: programs.env, cwd: '/' };
  return new Promise((resolve, reject) => {
    execFile(programs.initdb, args, options, (error, stdout, stderr) => {
      if (!error) return resolve();
      rmSync(cluster, REMOVE);
      reject(initdbRefusal(place, error, `${stdout}${stderr}`));
    });
  });
}

function initdbRefusal(place: Place, error: Error, output: string): Refusal {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(place.home, error);
  if ('code' in error && typeof error.code === 'string') {
    return new Refusal(
      `The shipped PostgreSQL can't be run here as user ${place.account.uid} (${error.code}).`,
      'Start Sluice as an ordinary user, or set DATABASE_URL to a PostgreSQL server of version 15 or later.',
      { cause: error },
    );
  }
  const cause = output.match(/^.*(?:error|fatal|could not|cannot).*$/im)?.[0] ?? error.message;
  return new Refusal(
    `PostgreSQL could not make a database in ${place.home}: ${cause.trim()}.`,
    'Fix that, or set DATABASE_URL to a PostgreSQL server of version 15 or later.',
    { cause: error },
  );
}

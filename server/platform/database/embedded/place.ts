import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { type Account, databaseAccount, reaches } from './account.ts';
import { giveAll } from './ownership.ts';
import { readPointer, remember } from './pointer.ts';
import { chooseSocketDir } from './socket-dir.ts';

/**
 * The location and the user of the database.
 *
 * `home` is normally `<data folder>/postgres`. If root starts Sluice from a folder that other users cannot traverse (a
 * clone under /root), the database's user cannot access it. The home is then created under /var/lib, and its path is
 * stored in the data folder. The socket is in the home, unless that path is too long for a socket.
 */
export type Place = { home: string; cluster: string; socketDir: string; logFile: string; account: Account };

const OUR_FILES = ['lock.sqlite', 'owner.json', 'database.json', 'master.key', 'blobs', 'runtime', 'postgres'];
const OUTSIDE = ['/var/lib', '/srv', '/opt'];

/** Finds or creates the database's location. Only the process that holds the lock of the data folder may call this. */
export function choosePlace(dataDir: string): Place {
  const folder = realpathSync(dataDir);
  const known = readPointer(folder).home ?? join(folder, 'postgres');
  const existing = statSync(known, { throwIfNoEntry: false });
  const account = databaseAccount(existing);
  const home = readPointer(folder).home ? returnTo(known, folder) : makeHome(known, folder, account);
  if (!reaches(dirname(home), account)) throw unreachable(home, account);
  // The folder was restored from a backup by root.
  if (existing?.uid === 0) giveAll(home, account);
  return {
    home,
    cluster: join(home, 'cluster'),
    socketDir: chooseSocketDir(folder, home, account),
    logFile: join(home, 'postgres.log'),
    account,
  };
}

/** The location of a data folder's database, if it exists. */
export function findPlace(dataDir: string): Pick<Place, 'home' | 'cluster' | 'socketDir'> {
  const folder = realpathSync(dataDir);
  const pointer = readPointer(folder);
  const home = pointer.home ?? join(folder, 'postgres');
  return { home, cluster: join(home, 'cluster'), socketDir: pointer.socket_dir ?? home };
}

/** A home outside the data folder must still exist, and belong to this data folder only. */
function returnTo(home: string, dataDir: string): string {
  const backPointer = join(home, 'data-folder');
  const startAfresh = `remove ${join(dataDir, 'database.json')} to start with an empty database`;
  if (!existsSync(backPointer)) {
    throw new Refusal(`The database of ${dataDir} is missing from ${home}.`, `Restore that folder, or ${startAfresh}.`);
  }
  const owner = readFileSync(backPointer, 'utf8');
  if (owner === dataDir) return home;
  if (readPointer(owner).home === home) {
    throw new Refusal(
      `The database in ${home} belongs to ${owner}, and ${dataDir} is a copy of that folder.`,
      `Set SLUICE_DATA_DIR to ${owner}, or ${startAfresh}.`,
    );
  }
  // The data folder was moved; the database stays where it is.
  writeFileSync(backPointer, dataDir);
  return home;
}

function makeHome(inside: string, dataDir: string, account: Account): string {
  if (existsSync(inside)) return own(inside, account);
  letThrough(dataDir, account);
  if (reaches(dataDir, account)) {
    mkdirSync(inside);
    return own(inside, account);
  }
  const parent = OUTSIDE.find((folder) => existsSync(folder) && reaches(folder, account));
  if (!parent) throw unreachable(inside, account);
  const home = realpathSync(mkdtempSync(join(parent, 'sluice-')));
  writeFileSync(join(home, 'data-folder'), dataDir);
  remember(dataDir, { home });
  return own(home, account);
}

/** Makes a data folder that root created for Sluice (mktemp -d closes it to others) traversable, not listable. */
function letThrough(dataDir: string, account: Account): void {
  const stats = statSync(dataDir);
  const ours = readdirSync(dataDir).every((name) => OUR_FILES.includes(name));
  if (account.spawn.uid !== undefined && stats.uid === 0 && ours) chmodSync(dataDir, stats.mode | 0o011);
}

function own(home: string, account: Account): string {
  try {
    if (account.spawn.uid !== undefined) chownSync(home, account.uid, account.gid);
  } catch (error) {
    throw new Refusal(
      `PostgreSQL can't run as root, and ${home} can't be given to user ${account.uid}.`,
      'Start Sluice as an ordinary user, or set DATABASE_URL to a PostgreSQL server of version 15 or later.',
      { cause: error },
    );
  }
  chmodSync(home, 0o700);
  return home;
}

function unreachable(home: string, account: Account): Refusal {
  return new Refusal(
    `PostgreSQL can't run as root, and user ${account.uid} may not reach ${home}.`,
    'Set SLUICE_DATA_DIR to a folder all users may pass through, start Sluice as an ordinary user, or set DATABASE_URL.',
  );
}

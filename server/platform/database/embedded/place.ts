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
 * Where the database lies and who runs it.
 *
 * `home` is normally `<data folder>/postgres`. When root starts Sluice from a folder no other user may pass through
 * (a clone under /root), the database's own user couldn't get there, so its home is made under /var/lib instead and
 * remembered in the data folder. The socket lies in the home too, unless that path is too long for a socket.
 */
export type Place = { home: string; cluster: string; socketDir: string; logFile: string; account: Account };

const OUR_FILES = ['lock.sqlite', 'owner.json', 'database.json', 'master.key', 'blobs', 'runtime', 'postgres'];
const OUTSIDE = ['/var/lib', '/srv', '/opt'];

/** Finds the database's place, or makes one. Only the process that holds the data folder's lock may call this. */
export function choosePlace(dataDir: string): Place {
  const folder = realpathSync(dataDir);
  const known = readPointer(folder).home ?? join(folder, 'postgres');
  const existing = statSync(known, { throwIfNoEntry: false });
  const account = databaseAccount(existing);
  const home = readPointer(folder).home ? returnTo(known, folder) : makeHome(known, folder, account);
  if (!reaches(dirname(home), account)) throw unreachable(home, account);
  // A folder that root copied back from a backup.
  if (existing?.uid === 0) giveAll(home, account);
  return {
    home,
    cluster: join(home, 'cluster'),
    socketDir: chooseSocketDir(folder, home, account),
    logFile: join(home, 'postgres.log'),
    account,
  };
}

/** Where a data folder's database lies, if there is one. */
export function findPlace(dataDir: string): Pick<Place, 'home' | 'cluster' | 'socketDir'> {
  const folder = realpathSync(dataDir);
  const pointer = readPointer(folder);
  const home = pointer.home ?? join(folder, 'postgres');
  return { home, cluster: join(home, 'cluster'), socketDir: pointer.socket_dir ?? home };
}

/** A home outside the data folder: it must still be there, and belong to this data folder alone. */
function returnTo(home: string, dataDir: string): string {
  const backPointer = join(home, 'data-folder');
  const startAfresh = `remove ${join(dataDir, 'database.json')} to start with an empty database`;
  if (!existsSync(backPointer)) {
    throw new Refusal(
      `The database of ${dataDir} should lie in ${home}, but it isn't there.`,
      `Bring that folder back, or ${startAfresh}.`,
    );
  }
  const owner = readFileSync(backPointer, 'utf8');
  if (owner === dataDir) return home;
  if (readPointer(owner).home === home) {
    throw new Refusal(
      `The database in ${home} belongs to ${owner}, of which ${dataDir} is a copy.`,
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

/** A data folder that root made for Sluice and closed to others (mktemp -d does) may be passed through, not listed. */
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

import { chownSync, existsSync, lstatSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { type Account, reaches } from './account.ts';
import { readPointer, remember } from './pointer.ts';

/** A socket's path has 108 bytes on Linux and 104 on macOS, one of them for the final NUL. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** The folder of the socket: the home, or a private temporary folder if the home's path is too long. */
export function chooseSocketDir(dataDir: string, home: string, account: Account): string {
  if (fits(home)) return home;
  const remembered = readPointer(dataDir).socket_dir;
  if (remembered && isPrivate(remembered, account)) return remembered;
  const parent = [tmpdir(), '/tmp'].find((folder) => usable(folder, account));
  if (!parent) {
    throw new Refusal(
      `The path ${home} is too long for a socket, and no temporary folder is available for it.`,
      'Set SLUICE_DATA_DIR to a folder with a shorter path.',
    );
  }
  const socketDir = mkdtempSync(join(parent, 'sluice-'));
  if (account.spawn.uid !== undefined) chownSync(socketDir, account.uid, account.gid);
  remember(dataDir, { socket_dir: socketDir });
  return socketDir;
}

function usable(folder: string, account: Account): boolean {
  return fits(join(folder, 'sluice-XXXXXX')) && existsSync(folder) && reaches(folder, account);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES;
}

/** In a shared folder, another user may have taken the stored name since. */
function isPrivate(folder: string, account: Account): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === account.uid && (stats.mode & 0o077) === 0;
}

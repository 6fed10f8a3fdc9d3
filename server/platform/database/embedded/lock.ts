import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileRefusal } from '../file-refusal.ts';
import { Refusal } from '../refusal.ts';

/** The process that holds a data folder. A watchdog whose generation differs from the one stored here is replaced. */
export type Owner = { pid: number; generation: string };

/** Another process holds the data folder. */
export class FolderInUse extends Refusal {}

export type Lock = { generation: string; ownerFile: string; release(): void };

/**
 * Locks the data folder for this process, or refuses with the process that holds it.
 *
 * The lock is SQLite's exclusive file lock: the kernel releases it when the process ends in any way, so a lock is never
 * stale. Never open the lock file by other means in this process: closing any descriptor of it would release the lock.
 */
export function takeLock(dataDir: string): Lock {
  const ownerFile = join(dataDir, 'owner.json');
  try {
    // Other users must be able to traverse the folder (not list it): as root, the database runs as another user.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const lock = openExclusively(dataDir, ownerFile);
    const owner: Owner = { pid: process.pid, generation: randomUUID() };
    try {
      writeFileSync(`${ownerFile}.new`, JSON.stringify(owner), { mode: 0o600 });
      renameSync(`${ownerFile}.new`, ownerFile);
    } catch (error) {
      lock.close();
      throw error;
    }
    return { generation: owner.generation, ownerFile, release: () => lock.close() };
  } catch (error) {
    throw fileRefusal(dataDir, error);
  }
}

/** The stored owner; undefined if it cannot be read. */
export function readOwner(ownerFile: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function openExclusively(dataDir: string, ownerFile: string): DatabaseSync {
  accessSync(dataDir, constants.W_OK);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: 0 });
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    if (!(error instanceof Error)) throw error;
    if (!error.message.includes('locked')) {
      throw new Refusal(
        `The lock file ${join(dataDir, 'lock.sqlite')} can't be opened: ${error.message}.`,
        'Give the data folder and all in it to the user who runs Sluice, or set another SLUICE_DATA_DIR.',
        { cause: error },
      );
    }
    const pid = readOwner(ownerFile)?.pid;
    throw new FolderInUse(
      `The data folder ${dataDir} is in use by another Sluice process${pid === undefined ? '' : ` (pid ${pid})`}.`,
      'Stop that process first, or start this one with another SLUICE_DATA_DIR.',
      { cause: error },
    );
  }
}

import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { Refusal } from '../refusal.ts';

/** The system user the database runs as. `spawn` is what a child process needs to become that user. */
export type Account = { uid: number; gid: number; spawn: { uid?: number; gid?: number } };

const NO_NAME_HINT = 'Start Sluice as a user listed in /etc/passwd, or set DATABASE_URL to a PostgreSQL server.';

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the existing database, initially `nobody`. Other
 * users run it as themselves.
 */
export function databaseAccount(home: Stats | undefined): Account {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid !== 0) {
    if (home && home.uid !== uid) {
      throw new Refusal(
        `The database in the data folder belongs to user ${home.uid}, not to the user who starts Sluice (${uid}).`,
        'Start Sluice as that user or as root, or give the whole data folder to the present user with chown -R.',
      );
    }
    return { uid, gid, spawn: {} };
  }
  const account = home && home.uid !== 0 ? { uid: home.uid, gid: home.gid } : unprivilegedUser();
  // Node takes user ids for a child as signed 32-bit numbers; macOS has a negative one.
  return { ...account, spawn: { uid: account.uid | 0, gid: account.gid | 0 } };
}

/** initdb fails with an unclear message for a user without a name, which occurs in containers with random user ids. */
export function requireName(account: Account): void {
  if (account.spawn.uid !== undefined) return;
  try {
    userInfo();
  } catch (error) {
    throw new Refusal(`User ${account.uid} has no entry in /etc/passwd, which PostgreSQL needs.`, NO_NAME_HINT, {
      cause: error,
    });
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  if (process.platform === 'darwin') return { uid: 0xfffffffe, gid: 0xfffffffe };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) {
    throw new Refusal("PostgreSQL can't run as root and /etc/passwd has no user `nobody` to run it as.", NO_NAME_HINT);
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether the account may traverse every folder above `path` and access `path`; a program: execute it. */
export function reaches(path: string, account: Account): boolean {
  // This process has already reached the path as the same user.
  if (account.spawn.uid === undefined) return true;
  for (let step = realpathSync(path); ; step = dirname(step)) {
    if (!mayEnter(statSync(step), account)) return false;
    if (step === dirname(step)) return true;
  }
}

function mayEnter(stats: Stats, account: Account): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & 1) === 1;
}

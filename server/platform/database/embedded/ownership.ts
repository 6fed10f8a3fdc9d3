import { lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** Gives a folder and all in it to the database's user, when that is another user than the one who starts. */
export function giveAll(folder: string, account: Account): void {
  if (account.spawn.uid === undefined) return;
  lchownSync(folder, account.uid, account.gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), account.uid, account.gid);
  }
}

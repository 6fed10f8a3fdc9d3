import { lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** Changes the owner of a folder and its contents to the database's user, if that differs from the current user. */
export function giveAll(folder: string, account: Account): void {
  if (account.spawn.uid === undefined) return;
  lchownSync(folder, account.uid, account.gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), account.uid, account.gid);
  }
}

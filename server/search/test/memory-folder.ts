/** The location of test databases: in memory if there is room, so that tests do not wait for a disk. */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../lib/is-alive.ts';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 2 ** 30;

/** Creates the folder of this process; removes one of the same name that a killed process left. */
export function newMemoryFolder(name: string): string {
  const parent = memoryFolder();
  for (const entry of readdirSync(parent)) {
    const pid = new RegExp(`^${name}-(\\d+)-\\w{6}$`).exec(entry)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, entry), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${name}-${process.pid}-`));
}

function memoryFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadinessCheck } from './readiness.ts';

/** Larger than what fits into a file of a full disk. */
const TEST_BYTES = 64 * 1024;

/**
 * Whether files can be written to the data folder: code, packages and the search index are cached there. Leaves nothing
 * behind.
 */
export function folderCheck(folder: string): ReadinessCheck {
  const path = join(folder, `.readiness-${randomUUID()}`);
  return async () => {
    try {
      await writeFile(path, Buffer.alloc(TEST_BYTES));
      return null;
    } catch (error) {
      return causeOf(error as NodeJS.ErrnoException);
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  };
}

function causeOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk of the data folder is full.';
  if (code === 'ENOENT') return 'The data folder does not exist.';
  if (code === 'EROFS' || code === 'EACCES') return 'The data folder is read-only.';
  return `The data folder can't be written (${code ?? 'unknown error'}).`;
}

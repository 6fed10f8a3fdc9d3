import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Connection } from '../connection.ts';
import { takeLock } from './lock.ts';
import { choosePlace } from './place.ts';
import { readPostmasterFile } from './processes.ts';
import { eraseEmbedded, startEmbedded } from './start.ts';
import { stopPostmaster } from './stop.ts';

/**
 * Replaces the database of a data folder that no service uses. `fill` fills an empty database, which takes the place of
 * the other only if it succeeds: whatever ends a restore before that, the data folder is unchanged. `replaced`: the
 * folder of the database before, which is kept.
 */
export async function restoreEmbedded<T>(
  folder: string,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  fill: (to: Connection) => Promise<T>,
): Promise<{ done: T; replaced: string | undefined }> {
  const dataDir = resolve(folder);
  const lock = takeLock(dataDir);
  const scratch = join(dataDir, 'restoring');
  try {
    const place = choosePlace(dataDir);
    // An earlier restore was killed.
    if (existsSync(scratch)) await eraseEmbedded(scratch);
    const database = await startEmbedded({ dataDir: scratch, log });
    const done = await fill(database.connection).finally(() => database.stop());
    const { cluster } = choosePlace(scratch);
    const survivor = readPostmasterFile(place.cluster);
    if (survivor) await stopPostmaster(survivor.pid, place);
    const hadOne = existsSync(place.cluster);
    const replaced = `${place.cluster}-before-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
    if (hadOne) renameSync(place.cluster, replaced);
    renameSync(cluster, place.cluster);
    // The index of the code of the database before.
    rmSync(join(dataDir, 'search'), { recursive: true, force: true });
    return { done, replaced: hadOne ? replaced : undefined };
  } finally {
    if (existsSync(scratch)) await eraseEmbedded(scratch);
    rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

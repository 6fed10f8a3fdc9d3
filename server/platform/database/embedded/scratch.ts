import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { type Embedded, eraseEmbedded, startEmbedded } from './start.ts';

/** For tests: a silent logger. */
export const silent = pino({ level: 'silent' });

/** For tests: a folder that every user can list, removed after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For tests: a path for a data folder, removed with its database after the test. */
export function scratchDataDir(name = 'data'): string {
  const dataDir = join(scratchFolder(), name);
  onTestFinished(() => eraseEmbedded(dataDir));
  return dataDir;
}

/** For tests: a database for a whole file. `stop` removes it. */
export async function startScratchDatabase(): Promise<Pick<Embedded, 'connection' | 'stop'> & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const { connection, stop } = await startEmbedded({ dataDir, log: silent });
  return {
    dataDir,
    connection,
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** For tests: the same, migrated, with a pool of connections. `close` removes it. */
export async function openScratchDatabase(poolSize = 2): Promise<Database> {
  const { connection, stop } = await startScratchDatabase();
  await migrate(connection, { log: silent });
  const database = openDatabase(connection, { poolSize, log: silent });
  return {
    ...database,
    async close() {
      await database.close();
      await stop();
    },
  };
}

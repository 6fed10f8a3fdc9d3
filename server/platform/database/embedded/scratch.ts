import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { type Embedded, eraseEmbedded, startEmbedded } from './start.ts';

/** For the tests: a log no one reads. */
export const silent = pino({ level: 'silent' });

/** For the tests: a folder that every user may look into, gone when the test is over. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For the tests: where a data folder may come, gone with any database of it when the test is over. */
export function scratchDataDir(name = 'data'): string {
  const dataDir = join(scratchFolder(), name);
  onTestFinished(() => eraseEmbedded(dataDir));
  return dataDir;
}

/** For the tests: a database for a whole file. `stop` removes it. */
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

/** For the tests: the same with the tables in it, and connections to it. `close` removes it. */
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

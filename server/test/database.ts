/**
 * One PostgreSQL for a test run. Each test file creates its own database in it, a copy of a migrated template. Embedded
 * by default, or the server of TEST_DATABASE_URL (scripts/test.ts starts Debian's PostgreSQL 15 for the second round).
 */
import { chmodSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { connectionFrom, openDatabase } from '../platform/database/database.ts';
import { startEmbedded } from '../platform/database/embedded/start.ts';
import { migrate } from '../platform/database/migrate.ts';
import { ensurePartitions } from '../platform/database/partitions.ts';
import { newMemoryFolder } from '../search/test/memory-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server, with the placeholder {database}. */
    databaseUrl: string;
  }
}

/** The template of new databases: migrated, otherwise empty. */
export const TEMPLATE = 'migrated';

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    await makeTemplate(given);
    project.provide('databaseUrl', given);
    return undefined;
  }
  const folder = newMemoryFolder('sluice-test');
  // Lets the database's user traverse the folder when root starts it.
  chmodSync(folder, 0o755);
  const embedded = await startEmbedded({ dataDir: folder, log: console });
  const { host, user } = embedded.connection;
  const databaseUrl = `postgres://${user}@localhost/{database}?host=${encodeURIComponent(host)}`;
  await makeTemplate(databaseUrl);
  project.provide('databaseUrl', databaseUrl);
  return async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(databaseUrl: string): Promise<void> {
  const urlOf = (database: string) => databaseUrl.replace('{database}', database);
  const admin = new Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`).finally(() => admin.end());
  const connection = connectionFrom(urlOf(TEMPLATE));
  const log = { info: () => undefined, warn: console.warn };
  await migrate(connection, { log });
  const { kysely, close } = openDatabase(connection, { poolSize: 1, log });
  await ensurePartitions(kysely).finally(close);
}

/**
 * One PostgreSQL for a whole test run; each test file makes a database of its own in it. The embedded one by default,
 * or the server that TEST_DATABASE_URL names (scripts/test.ts starts Debian's PostgreSQL 15 for the second round).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../store/embedded/start.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the server, with {database} to be filled in. */
    databaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    project.provide('databaseUrl', given);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const embedded = await startEmbedded({ dataDir: folder, log: console });
  const { host, user } = embedded.connection;
  project.provide('databaseUrl', `postgres://${user}@localhost/{database}?host=${encodeURIComponent(host)}`);
  return async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

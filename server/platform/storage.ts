import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Closable, opened } from '../lib/opened.ts';
import type { Blobs } from './blobs/blobs.ts';
import { importCode } from './blobs/import-code.ts';
import { openBlobs } from './blobs/open-blobs.ts';
import type { Connection } from './database/connection.ts';
import { connectionFrom, type Database, openDatabase, versionOf } from './database/database.ts';
import { startEmbedded } from './database/embedded/start.ts';
import { createLocks, type Locks } from './database/locks.ts';
import { migrate } from './database/migrate.ts';
import { ensurePartitions } from './database/partitions.ts';
import { openReadinessProbe } from './database/readiness-probe.ts';
import { folderCheck } from './folder-check.ts';
import { createReadiness, type ReadinessReport } from './readiness.ts';
import { openVault } from './vault/open-vault.ts';
import type { Vault } from './vault/vault.ts';

export type Storage = Closable & {
  connection: Connection;
  database: Database;
  /** Whether the database is the embedded one. */
  embedded: boolean;
  /** Whether other nodes may use the database. */
  shared: boolean;
  /** The version of PostgreSQL. */
  databaseVersion: string;
  vault: Vault;
  locks: Locks;
  blobs: Blobs;
  readiness: () => Promise<ReadinessReport>;
};

export type StorageOptions = {
  databaseUrl: string | undefined;
  /** Of the embedded database, if another process of this machine started it. */
  connection?: Connection | undefined;
  /** Connections for requests and workers. */
  databasePool: number;
  dataDir: string;
  masterKey: string | undefined;
  /** The limit of the folder in which this node caches the code of functions. */
  codeCacheMib: number;
  log: Logger;
  /** Time after which a running statement is looked up on the server; shorter in tests. */
  databaseSilentMs?: number | undefined;
};

/** Opens the database (embedded without a URL), migrates it, and opens the store of code. */
export function createStorage({
  databaseUrl,
  connection: started,
  databasePool,
  dataDir,
  masterKey,
  codeCacheMib,
  log,
  databaseSilentMs,
}: StorageOptions): Promise<Storage> {
  return opened(async (onClose) => {
    const own = databaseUrl === undefined && !started ? await startEmbedded({ dataDir, log }) : undefined;
    if (own) onClose(() => own.stop());
    const connection = started ?? own?.connection ?? connectionFrom(databaseUrl ?? '');
    await migrate(connection, { log });
    const database = openDatabase(connection, { poolSize: databasePool, log, silentMs: databaseSilentMs });
    onClose(() => database.close());
    await ensurePartitions(database.kysely);
    const databaseVersion = await versionOf(database.kysely);
    const vault = await openVault(database.kysely, { dataDir, masterKey });
    const locks = createLocks(connection, log);
    onClose(() => locks.close());
    const probe = openReadinessProbe(connection, log);
    onClose(() => probe.close());
    const folder = join(dataDir, 'blobs');
    const blobs = openBlobs({ db: database.kysely, connection, folder, cacheBytes: codeCacheMib * 1024 * 1024 });
    await importCode(database.kysely, blobs.files, { folder, log });
    const readiness = createReadiness({
      database: probe.database,
      writes: probe.writes,
      folder: folderCheck(dataDir),
    });
    const kind = { embedded: databaseUrl === undefined, shared: own === undefined };
    return { connection, database, ...kind, databaseVersion, vault, locks, blobs, readiness };
  });
}

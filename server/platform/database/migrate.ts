import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { SILENT_MS } from '../cluster/nodes.ts';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import { Refusal } from './refusal.ts';
import { refuseUnfitServer } from './server-checks.ts';

/** The exports of a file in migrations/. There is no way back. */
export type Migration = {
  /** Runs in a transaction. */
  up?(db: Kysely<unknown>): Promise<void>;
  /**
   * Instead of `up`: runs outside of a transaction, for what PostgreSQL does only there, such as an index that is built
   * while nodes write (add-index.ts). It may be interrupted, and is then repeated from its beginning.
   */
  outside?(db: Kysely<unknown>): Promise<void>;
  /** The version before does not work with the result: no node may run. */
  stopsAllNodes?: boolean;
};

/** Any number that all versions of Sluice share: "sluice" in ASCII. */
const LOCK_KEY = 0x736c75696365n;

/** The lock of what runs outside of a transaction. */
const OUTSIDE_LOCK_KEY = LOCK_KEY + 1n;

const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TIMEOUT_MS = 1000;
const PAUSE_MS = 1000;
const TRIED_MS = 5 * 60_000;

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
/** `.ts`, or `.js` in the package, in which migrations are compiled as this file is. */
const EXTENSION = extname(import.meta.url);

/**
 * Migrates the database to the version of this program; returns the names of the applied migrations.
 *
 * Several processes may start at once: each step takes a lock until the end of its transaction, checks whether the step
 * was applied meanwhile, and applies or skips it. The unfinished step of a process that dies is rolled back. While other
 * nodes work, a step waits for the lock of a table for a second at most, because their statements wait behind it; then
 * it is rolled back and tried again.
 */
export async function migrate(connection: Connection, options: MigrateOptions): Promise<string[]> {
  const folder = options.folder ?? MIGRATIONS;
  const names = listMigrations(folder);
  await refuseUnfitServer(connection);
  const { kysely, close } = openDatabase(connection, { poolSize: 1, log: options.log });
  const db = kysely as Kysely<unknown>;
  try {
    await refuseNewerDatabase(db, names);
    const ran: string[] = [];
    for (const name of names) {
      const migration = (await import(pathToFileURL(join(folder, name + EXTENSION)).href)) as Migration;
      if (await whenUnlocked(name, options.log, () => step(db, name, migration))) ran.push(name);
      if (name === options.upTo) break;
    }
    if (ran.length > 0) options.log.info({ migrations: ran }, 'database migrated');
    return ran;
  } finally {
    await close();
  }
}

export type MigrateOptions = {
  log: Pick<Logger, 'info' | 'warn'>;
  folder?: string;
  /** The last migration to apply, for an import of an older export. */
  upTo?: string | undefined;
};

/** The names of the migrations in a folder, in order. Throws unless they are numbered 001, 002, … without a gap. */
export function listMigrations(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(EXTENSION) && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -EXTENSION.length))
    .sort();
  for (const [index, name] of names.entries()) {
    const number = String(index + 1).padStart(3, '0');
    if (!new RegExp(`^${number}-[a-z0-9-]+$`).test(name)) {
      throw new Error(`migration ${name} should be named ${number}-…: numbers go up by one, names are kebab-case`);
    }
  }
  return names;
}

/** The name of the migration that this program needs. */
export const newestMigration = (): string => listMigrations(MIGRATIONS).at(-1) ?? '';

/** Tries a step again while other sessions hold the locks that it needs. Throws their error after some minutes. */
async function whenUnlocked(name: string, log: MigrateOptions['log'], work: () => Promise<boolean>): Promise<boolean> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      if (code !== LOCK_NOT_AVAILABLE || performance.now() - startedMs > TRIED_MS) throw error;
      log.warn({ migration: name }, 'migration waits for a lock that other sessions hold, trying again');
      await new Promise((ok) => setTimeout(ok, PAUSE_MS));
    }
  }
}

/** Whether this call applied it: false if it was applied before. */
async function step(db: Kysely<unknown>, name: string, { up, outside, stopsAllNodes }: Migration): Promise<boolean> {
  try {
    if (outside) return await stepOutside(db, name, outside);
    return await db.transaction().execute(async (tx) => {
      await underLock(tx);
      if (await isApplied(tx, name)) return false;
      if (stopsAllNodes) await refuseRunningNodes(tx, name);
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
      await up?.(tx);
      await note(tx, name);
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`migration ${name} failed${outside ? '' : ' and was rolled back'}: ${why}`, { cause: error });
  }
}

async function stepOutside(
  db: Kysely<unknown>,
  name: string,
  outside: NonNullable<Migration['outside']>,
): Promise<boolean> {
  return db.connection().execute(async (session) => {
    const isLocked = async () => {
      const key = sql.lit(OUTSIDE_LOCK_KEY.toString());
      const { rows } = await sql<{ own: boolean }>`select pg_try_advisory_lock(${key}::bigint) as own`.execute(session);
      return rows[0]?.own;
    };
    // A statement that waits for the lock would be a transaction, and an index in progress waits for transactions.
    while (!(await isLocked())) await new Promise((ok) => setTimeout(ok, PAUSE_MS));
    try {
      if (await isApplied(session, name)) return false;
      await sql`set statement_timeout = 0`.execute(session);
      await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(session);
      await outside(session);
      await note(session, name);
      return true;
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(session);
      await sql`reset statement_timeout`.execute(session);
      await sql`reset lock_timeout`.execute(session);
    }
  });
}

async function isApplied(db: Kysely<unknown>, name: string): Promise<boolean> {
  return (await sql`select from migrations where name = ${name}`.execute(db)).rows.length > 0;
}

async function note(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`insert into migrations (name) values (${name})`.execute(db);
}

async function refuseRunningNodes(tx: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql`
    select from nodes where heartbeat_at > now() - ${SILENT_MS} * interval '1 millisecond'
  `.execute(tx);
  if (rows.length === 0) return;
  throw new Refusal(
    `The migration ${name} needs all nodes to be stopped, and ${rows.length} ${rows.length === 1 ? 'is' : 'are'} running.`,
    'Stop all nodes, then start one. A node that was killed counts as running for 15 seconds.',
  );
}

async function refuseNewerDatabase(db: Kysely<unknown>, names: string[]): Promise<void> {
  const unknown = await db.transaction().execute(async (tx) => {
    await underLock(tx);
    await sql`create table if not exists migrations (
      name text primary key, applied_at timestamptz not null default now()
    )`.execute(tx);
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(tx);
    return rows.map((row) => row.name).filter((name) => !names.includes(name));
  });
  if (unknown.length === 0) return;
  throw new Refusal(
    `The database was migrated by a newer Sluice (${unknown.join(', ')}).`,
    'Start that version or a later one; migrations only go forward.',
  );
}

/** Waits for the lock without a time limit: another process's migration may take long. */
async function underLock(tx: Kysely<unknown>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY.toString())}::bigint)`.execute(tx);
}

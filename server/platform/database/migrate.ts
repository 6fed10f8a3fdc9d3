import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import { Refusal } from './refusal.ts';
import { refuseUnfitServer } from './server-checks.ts';

/** The export of a file in migrations/. It runs in its own transaction, and there is no way back. */
export type Migration = { up(db: Kysely<unknown>): Promise<void> };

/** Any number that all versions of Sluice share: "sluice" in ASCII. */
const LOCK_KEY = 0x736c75696365n;

const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TIMEOUT_MS = 1000;
const PAUSE_MS = 1000;
const TRIED_MS = 5 * 60_000;

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

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
      const { up } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Migration;
      if (await whenUnlocked(name, options.log, () => step(db, name, up))) ran.push(name);
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
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
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
      const { code } = (error as Error).cause as { code?: unknown };
      if (code !== LOCK_NOT_AVAILABLE || performance.now() - startedMs > TRIED_MS) throw error;
      log.warn({ migration: name }, 'migration waits for a lock that other sessions hold, trying again');
      await new Promise((ok) => setTimeout(ok, PAUSE_MS));
    }
  }
}

async function step(db: Kysely<unknown>, name: string, up: Migration['up']): Promise<boolean> {
  try {
    return await db.transaction().execute(async (tx) => {
      await underLock(tx);
      const done = await sql`select from migrations where name = ${name}`.execute(tx);
      if (done.rows.length > 0) return false;
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
      await up(tx);
      await sql`insert into migrations (name) values (${name})`.execute(tx);
      return true;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`migration ${name} failed and was rolled back: ${why}`, { cause: error });
  }
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

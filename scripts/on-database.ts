/** The database of the service for the scripts of operators. Reads the settings of the service, which may be running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, readConfig } from '../server/config.ts';
import { ConfigError } from '../server/lib/config-error.ts';
import type { Connection } from '../server/platform/database/connection.ts';
import { connectionFrom, openDatabase } from '../server/platform/database/database.ts';
import { openEmbedded } from '../server/platform/database/embedded/start.ts';
import { Refusal } from '../server/platform/database/refusal.ts';
import type { Db } from '../server/platform/database/schema.ts';

export const quiet = pino({ level: 'silent' });

/** Runs `use` on the database and closes it. Throws a `Refusal` if there is none. */
export function onDatabase<T>(name: string, use: (db: Db, config: Config) => Promise<T>): Promise<T> {
  return onConnection(async (connection, config) => {
    const database = openDatabase(connection, { poolSize: 1, log: quiet, name: `sluice ${name}` });
    try {
      return await use(database.kysely, config);
    } finally {
      await database.close();
    }
  });
}

/** The same with the location of the database. `isNew`: an embedded one is created if there is none. */
export async function onConnection<T>(
  use: (connection: Connection, config: Config) => Promise<T>,
  { isNew = false } = {},
): Promise<T> {
  const config = readConfig();
  const { dataDir, databaseUrl } = config;
  if (
    !isNew &&
    databaseUrl === undefined &&
    !existsSync(join(dataDir, 'postgres')) &&
    !existsSync(join(dataDir, 'database.json'))
  )
    throw new Refusal(`There is no database in ${dataDir}.`, 'Set SLUICE_DATA_DIR or DATABASE_URL as for the service.');
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, log: quiet }) : undefined;
  try {
    return await use(embedded?.connection ?? connectionFrom(databaseUrl ?? ''), config);
  } finally {
    await embedded?.stop();
  }
}

/** The value of `--name`, if the arguments are that option and nothing else. */
export function theOption(name: string): string | undefined {
  const [, , option, value, ...more] = process.argv;
  const [, joined] = new RegExp(`^--${name}=(.+)$`).exec(option ?? '') ?? [];
  if (joined) return value === undefined ? joined : undefined;
  return option === `--${name}` && more.length === 0 ? value : undefined;
}

/** Runs a script: `main` returns its exit code. Invalid settings and a missing database are messages with code 1. */
export function runScript(main: () => Promise<number>): void {
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      if (!(error instanceof Refusal || error instanceof ConfigError)) throw error;
      console.error(error instanceof Refusal ? `${error.message}\n${error.hint}` : error.message);
      process.exitCode = 1;
    },
  );
}

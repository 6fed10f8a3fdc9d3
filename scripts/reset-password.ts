/**
 * `npm run reset-password -- <email>`: prints a link with which the user of this address sets a new password. With
 * `--second-factor`: removes the user's passkeys, authenticator app and recovery codes instead, for a person who lost
 * them all. Reads the settings of the service, which may be running.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Email } from '../contract/account.ts';
import { PASSWORD_RESET_HOURS } from '../contract/limits.ts';
import { removeAll } from '../server/accounts/factors/factors.ts';
import { createLink } from '../server/accounts/password-changes.ts';
import { type Config, ConfigError, readConfig } from '../server/config.ts';
import { connectionFrom, openDatabase } from '../server/platform/database/database.ts';
import { openEmbedded } from '../server/platform/database/embedded/start.ts';
import { Refusal } from '../server/platform/database/refusal.ts';
import type { Db } from '../server/platform/database/schema.ts';

const log = pino({ level: 'silent' });

const BY = { name: 'npm run reset-password', request_id: '' };

/** Runs a change in the service's database. */
async function inDatabase<T>({ dataDir, databaseUrl }: Config, change: (db: Db) => Promise<T>): Promise<T> {
  if (
    databaseUrl === undefined &&
    !existsSync(join(dataDir, 'postgres')) &&
    !existsSync(join(dataDir, 'database.json'))
  )
    throw new Refusal(`There is no database in ${dataDir}.`, 'Set SLUICE_DATA_DIR or DATABASE_URL as for the service.');
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, log }) : undefined;
  const connection = embedded?.connection ?? connectionFrom(databaseUrl ?? '');
  const database = openDatabase(connection, { poolSize: 1, log, name: 'sluice reset-password' });
  try {
    return await change(database.kysely);
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

async function main(): Promise<number> {
  const [address, option, ...more] = process.argv.slice(2);
  const email = Email.safeParse(address);
  if (!email.success || (option !== undefined && option !== '--second-factor') || more.length > 0) {
    console.error('Expected one email address: npm run reset-password -- ada@example.com [--second-factor]');
    return 2;
  }
  const config = readConfig();
  const done = option ? await removeFactors(config, email.data) : await printLink(config, email.data);
  if (!done) console.error(`No active member has the address ${email.data}.`);
  return done ? 0 : 1;
}

async function printLink(config: Config, email: string): Promise<boolean> {
  const link = await inDatabase(config, (db) => createLink(db, config.addresses, email, BY));
  if (!link) return false;
  console.log(
    `Set a new password within ${PASSWORD_RESET_HOURS} hour, with this link, which works once:\n\n${link.url}`,
  );
  return true;
}

async function removeFactors(config: Config, email: string): Promise<boolean> {
  const removed = await inDatabase(config, (db) => removeAll(db, email, BY));
  if (removed === null) return false;
  console.log(`${removed} second factors of ${email} removed, and all sessions ended. The password was not changed.`);
  return true;
}

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

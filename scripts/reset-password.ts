/**
 * `npm run reset-password -- <email>`: prints a link with which the user of this address sets a new password. Reads the
 * settings of the service, which may be running.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Email } from '../contract/account.ts';
import { PASSWORD_RESET_HOURS } from '../contract/limits.ts';
import { createLink } from '../server/accounts/password-changes.ts';
import { type Config, ConfigError, readConfig } from '../server/config.ts';
import { connectionFrom, openDatabase } from '../server/platform/database/database.ts';
import { openEmbedded } from '../server/platform/database/embedded/start.ts';
import { Refusal } from '../server/platform/database/refusal.ts';

const log = pino({ level: 'silent' });

async function linkFor(email: string, { dataDir, databaseUrl, addresses }: Config): Promise<string | undefined> {
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
    const by = { name: 'npm run reset-password', request_id: '', isOperator: true };
    return (await createLink(database.kysely, addresses, email, by))?.url;
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

async function main(): Promise<number> {
  const email = Email.safeParse(process.argv[2]);
  if (process.argv.length !== 3 || !email.success) {
    console.error('Expected one email address: npm run reset-password -- ada@example.com');
    return 2;
  }
  const link = await linkFor(email.data, readConfig());
  if (!link) {
    console.error(`No active member has the address ${email.data}.`);
    return 1;
  }
  console.log(`Set a new password within ${PASSWORD_RESET_HOURS} hour, with this link, which works once:\n\n${link}`);
  return 0;
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

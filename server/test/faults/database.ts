/** A separate database for a test, on the server of the run. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { TEMPLATE } from '../database.ts';
import { beside } from './world.ts';

const urlOf = (database: string) => inject('databaseUrl').replace('{database}', database);

/** Migrated, or without any tables. */
export async function ownDatabase(template: 'migrated' | 'empty' = 'migrated') {
  const name = `t_${randomBytes(8).toString('hex')}`;
  await asAdmin(`create database ${name}${template === 'migrated' ? ` template ${TEMPLATE}` : ''}`);
  const { client, close } = beside({ connectionString: urlOf(name) });
  return {
    url: urlOf(name),
    client,
    async drop() {
      await close();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../connection.ts';
import { connectionFrom, type Database, openDatabase } from '../database.ts';
import { listMigrations, migrate } from '../migrate.ts';
import { scratchFolder, silent, startScratchDatabase } from './scratch.ts';

let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let admin: Database;
let connection: Connection;
let count = 0;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  admin = openDatabase(scratch.connection, { poolSize: 2, log: silent });
});
afterAll(async () => {
  await admin.close();
  await scratch.stop();
});
beforeEach(async () => {
  const name = `migrated_${++count}`;
  await admin.pool.query(`create database ${name}`);
  connection = { ...(scratch.connection as { host: string; user: string }), database: name };
});

/** A folder of migrations, each given as SQL. */
function migrations(files: Record<string, string>): string {
  const folder = scratchFolder();
  for (const [name, statement] of Object.entries(files)) {
    // Without imports, which would not resolve from the folder: Kysely runs any object that compiles to a query.
    const query = `{ sql: ${JSON.stringify(statement)}, parameters: [], query: { kind: 'RawNode' } }`;
    writeFileSync(join(folder, `${name}.ts`), `export async function up(db) { await db.executeQuery(${query}); }\n`);
  }
  return folder;
}

async function ask(statement: string): Promise<unknown[]> {
  const { pool, close } = openDatabase(connection, { poolSize: 1, log: silent });
  const { rows } = await pool.query(statement).finally(close);
  return rows;
}

it("runs the product's own migrations, once", async () => {
  const ran = await migrate(connection, { log: silent });
  expect(ran[0]).toMatch(/^001-/);
  expect(await migrate(connection, { log: silent })).toEqual([]);
  expect(await ask("select to_regclass('settings')::text as settings")).toEqual([{ settings: 'settings' }]);
});

it('runs added migrations in order', async () => {
  const folder = migrations({ '001-first': 'create table steps (name text)' });
  expect(await migrate(connection, { log: silent, folder })).toEqual(['001-first']);
  const grown = migrations({
    '001-first': 'create table steps (name text)',
    '002-second': "insert into steps values ('second')",
    '003-third': "update steps set name = name || ', third'",
  });
  expect(await migrate(connection, { log: silent, folder: grown })).toEqual(['002-second', '003-third']);
  expect(await ask('select name from steps')).toEqual([{ name: 'second, third' }]);
});

it('runs each once when several processes start at the same time', async () => {
  const folder = migrations({
    '001-first': 'create table steps (name text)',
    '002-slow': "insert into steps select 'slow' from pg_sleep(0.1)",
    '003-third': "insert into steps values ('third')",
  });
  const starts = Array.from({ length: 6 }, () => migrate(connection, { log: silent, folder }));
  const ran = (await Promise.all(starts)).flat();
  expect(ran.toSorted()).toEqual(['001-first', '002-slow', '003-third']);
  expect(await ask('select name from steps')).toEqual([{ name: 'slow' }, { name: 'third' }]);
});

it('rolls back a failed step, keeps those before it, and continues from there when it is fixed', async () => {
  const first = { '001-first': 'create table steps (name text)' };
  const broken = migrations({ ...first, '002-broken': 'create table half (n int); select 1/0' });
  const attempt = migrate(connection, { log: silent, folder: broken });
  await expect(attempt).rejects.toThrow('migration 002-broken failed and was rolled back: division by zero');
  expect(await ask("select to_regclass('half') as half")).toEqual([{ half: null }]);
  const repaired = migrations({ ...first, '002-broken': 'create table half (n int)' });
  expect(await migrate(connection, { log: silent, folder: repaired })).toEqual(['002-broken']);
});

it('does not block others while a session holds a lock that it needs, and continues afterwards', async () => {
  const first = { '001-first': 'create table steps (name text)' };
  await migrate(connection, { log: silent, folder: migrations(first) });
  const holder = openDatabase(connection, { poolSize: 1, log: silent });
  const reader = await holder.pool.connect();
  await reader.query('begin; select from steps');
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: unknown, message?: string) => warnings.push(message ?? '') };
  const folder = migrations({ ...first, '002-second': 'alter table steps add column number int' });
  const migrating = migrate(connection, { log: log as unknown as typeof silent, folder });
  await expect.poll(() => warnings).toContain('migration waits for a lock that other sessions hold, trying again');
  expect(await ask('select * from steps')).toEqual([]);
  await reader.query('commit');
  reader.release();
  expect(await migrating).toEqual(['002-second']);
  await holder.close();
});

it('refuses a database that a newer program has migrated', async () => {
  const newer = migrations({ '001-first': 'select 1', '002-later': 'select 1' });
  await migrate(connection, { log: silent, folder: newer });
  rmSync(join(newer, '002-later.ts'));
  const refused = migrate(connection, { log: silent, folder: newer });
  await expect(refused).rejects.toMatchObject({
    name: 'Refusal',
    message: 'The database was migrated by a newer Sluice (002-later).',
  });
});

it('refuses a server that is too old', async () => {
  // A function of the same name, first on the search path, reports the version.
  await ask(`create schema old; create function old.current_setting(name text) returns text language sql as
    $$ select case name when 'server_version_num' then '140012' else '14.12' end $$`);
  const { host, user, database } = connection as { host: string; user: string; database: string };
  const address = new URL(`postgres://${user}@localhost/${database}`);
  address.searchParams.set('host', host);
  address.searchParams.set('options', '-c search_path=old,pg_catalog');
  await expect(migrate(connectionFrom(address.href), { log: silent })).rejects.toMatchObject({
    name: 'Refusal',
    message: 'The server at DATABASE_URL is PostgreSQL 14.12, and Sluice needs 15 or later.',
  });
});

it.each([
  ['a gap', ['001-first', '003-third']],
  ['a number twice', ['001-first', '001-other']],
  ['a name out of order', ['first']],
])('refuses a folder with %s', (_, names) => {
  const folder = migrations(Object.fromEntries(names.map((name) => [name, 'select 1'])));
  expect(() => listMigrations(folder)).toThrow('numbers go up by one');
});

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

/** A transaction that began with this statement and stays open until `end`. */
async function openTransaction(statement: string): Promise<{ end(): Promise<void> }> {
  const { pool, close } = openDatabase(connection, { poolSize: 1, log: silent });
  const session = await pool.connect();
  await session.query(`begin; ${statement}`);
  return {
    async end() {
      await session.query('commit');
      session.release();
      await close();
    },
  };
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
  const reader = await openTransaction('select from steps');
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: unknown, message?: string) => warnings.push(message ?? '') };
  const folder = migrations({ ...first, '002-second': 'alter table steps add column number int' });
  const migrating = migrate(connection, { log: log as unknown as typeof silent, folder });
  await expect.poll(() => warnings).toContain('migration waits for a lock that other sessions hold, trying again');
  expect(await ask('select * from steps')).toEqual([]);
  await reader.end();
  expect(await migrating).toEqual(['002-second']);
});

/** A migration that adds an index to the table `steps` while nodes write. */
function indexMigration(folder: string): string {
  const { href } = new URL('../add-index.ts', import.meta.url);
  const index = { table: 'steps', name: 'steps_by_name', on: '(name)' };
  writeFileSync(
    join(folder, '002-index.ts'),
    `import { addIndex } from ${JSON.stringify(href)};
    export const outside = (db) => addIndex(db, ${JSON.stringify(index)});`,
  );
  return folder;
}
const PARTITIONED = `create table steps (day int, name text) partition by range (day);
  create table steps_1 partition of steps for values from (0) to (1);
  create table steps_2 partition of steps for values from (1) to (2);
  insert into steps select n % 2, n::text from generate_series(1, 1000) n`;
const INDEXES = `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
  where indrelid::regclass::text like 'steps%' order by 1`;

/** The open transaction keeps seeing the same rows, so an index in progress waits for it. */
const SNAPSHOT = 'set transaction isolation level repeatable read; select 1 from pg_class limit 1';

it('adds an index for each partition while a transaction is open and others write', async () => {
  const folder = migrations({ '001-first': PARTITIONED });
  await migrate(connection, { log: silent, folder });
  const reader = await openTransaction(SNAPSHOT);
  const both = [1, 2].map(() => migrate(connection, { log: silent, folder: indexMigration(folder) }));
  const building = `select from pg_stat_activity where query like 'create index concurrently%' and datname = current_database()`;
  await expect.poll(() => ask(building)).toHaveLength(1);
  await ask("insert into steps values (0, 'while it is built')");
  await reader.end();
  expect((await Promise.all(both)).flat()).toEqual(['002-index']);
  expect(await ask(INDEXES)).toEqual(
    ['steps_1_steps_by_name', 'steps_2_steps_by_name', 'steps_by_name'].map((name) => ({ name, valid: true })),
  );
  await ask('create table steps_3 partition of steps for values from (2) to (3)');
  expect(await ask(INDEXES)).toHaveLength(4);
});

it('completes an index whose building was interrupted', async () => {
  const folder = migrations({ '001-first': PARTITIONED });
  await migrate(connection, { log: silent, folder });
  const reader = await openTransaction(SNAPSHOT);
  const migrating = migrate(connection, { log: silent, folder: indexMigration(folder) });
  const failed = expect(migrating).rejects.toThrow('migration 002-index failed: ');
  const building = `select pid from pg_stat_activity
    where query like 'create index concurrently%' and datname = current_database()`;
  // The statement has begun before its index exists.
  await expect.poll(() => ask(INDEXES)).toContainEqual({ name: 'steps_1_steps_by_name', valid: false });
  await ask(`select pg_cancel_backend(pid) from (${building}) as b`);
  await failed;
  await reader.end();
  expect(await ask(INDEXES)).toContainEqual({ name: 'steps_1_steps_by_name', valid: false });
  expect(await migrate(connection, { log: silent, folder })).toEqual(['002-index']);
  expect(await ask(INDEXES)).not.toContainEqual(expect.objectContaining({ valid: false }));
});

it('waits for no running node, unless a migration needs all to be stopped', async () => {
  const folder = migrations({
    '001-first': 'create table nodes (heartbeat_at timestamptz); insert into nodes values (now())',
  });
  await migrate(connection, { log: silent, folder });
  writeFileSync(join(folder, '002-all.ts'), 'export const stopsAllNodes = true; export async function up() {}');
  const refused = {
    name: 'Refusal',
    message: 'The migration 002-all needs all nodes to be stopped, and 1 is running.',
  };
  await expect(migrate(connection, { log: silent, folder })).rejects.toMatchObject(refused);
  await ask("update nodes set heartbeat_at = now() - interval '16 seconds'");
  expect(await migrate(connection, { log: silent, folder })).toEqual(['002-all']);
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

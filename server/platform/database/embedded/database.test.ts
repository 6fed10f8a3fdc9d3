import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../connection.ts';
import { connectionFrom, type Database, openDatabase } from '../database.ts';
import { Refusal } from '../refusal.ts';
import { silent, startScratchDatabase } from './scratch.ts';

let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let database: Database;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  database = openDatabase(scratch.connection, { poolSize: 3, log: silent });
});
afterAll(async () => {
  await database.close();
  await scratch.stop();
});

async function value(expression: string, db = database): Promise<unknown> {
  const { rows } = await db.pool.query<{ value: unknown }>(`select ${expression} as value`);
  return rows[0]?.value;
}

it.each([
  ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000000Z'],
  ['2026-01-02 03:04:05.1+00', '2026-01-02T03:04:05.100000Z'],
  ['2026-01-02 03:04:05.123456+02', '2026-01-02T01:04:05.123456Z'],
  ['1969-12-31 23:59:59.999999+00', '1969-12-31T23:59:59.999999Z'],
  ['infinity', 'infinity'],
])('reads the timestamp %s as %s', async (text, wanted) => {
  expect(await value(`'${text}'::timestamptz`)).toBe(wanted);
});

it('writes the timestamps it reads without loss', async () => {
  const { rows } = await database.pool.query('select $1::timestamptz as at', ['2026-06-07T08:09:10.000001Z']);
  expect(rows).toEqual([{ at: '2026-06-07T08:09:10.000001Z' }]);
});

it('reads counts as numbers, and refuses one that a number would round', async () => {
  expect(await value('count(*)')).toBe(1);
  expect(await value('9007199254740991::int8')).toBe(9_007_199_254_740_991);
  await expect(value('9007199254740993::int8')).rejects.toThrow('int8 9007199254740993 is too large for a number');
});

it('reads the day of a date unchanged', async () => {
  expect(await value("'2026-03-01'::date")).toBe('2026-03-01');
});

it('limits every session', async () => {
  expect(await value("current_setting('statement_timeout')")).toBe('15s');
  expect(await value("current_setting('idle_in_transaction_session_timeout')")).toBe('10s');
  expect(await value("current_setting('TimeZone')")).toBe('UTC');
});

it('cancels a statement that takes too long and stays usable', async () => {
  const client = await database.pool.connect();
  await client.query("set statement_timeout = '20ms'");
  await expect(client.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
  client.release(true);
  expect(await value('1')).toBe(1);
});

it('replaces connections that were cut while idle', async () => {
  await value('1');
  const cutter = openDatabase(scratch.connection, { poolSize: 1, log: silent });
  await cutter.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
  await cutter.close();
  await expect.poll(() => value('1').catch(String)).toBe(1);
});

it('reaches a server by DATABASE_URL, keeping the settings in it', async () => {
  const { host, user } = scratch.connection as Extract<Connection, { host: string }>;
  const address = new URL(`postgres://${user}@localhost/postgres`);
  address.searchParams.set('host', host);
  address.searchParams.set('options', '-c work_mem=5MB');
  const other = openDatabase(connectionFrom(address.href), { poolSize: 1, log: silent });
  expect(await value("current_setting('work_mem')", other)).toBe('5MB');
  expect(await value("current_setting('TimeZone')", other)).toBe('UTC');
  expect(await value("current_setting('statement_timeout')", other)).toBe('15s');
  await other.close();
});

it.each(['', 'localhost:5432', 'mysql://user:hunter2@host/db', 'postgres//user:hunter2@host'])(
  'refuses %j as DATABASE_URL without repeating it',
  (text) => {
    const refuse = () => connectionFrom(text);
    expect(refuse).toThrow(Refusal);
    expect(refuse).toThrow(/^DATABASE_URL is not the URL of a PostgreSQL server\.$/);
  },
);

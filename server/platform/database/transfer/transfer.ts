/**
 * Moves a whole database: to another server, to a file, and from a file. The source is read as of one moment, while
 * services use it. The target has to be empty, and is filled in one transaction, which is committed only if every table
 * has the rows and sums of the source: whatever ends a transfer, it can be started again.
 */
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { type Hold, holdSetting } from '../../hold.ts';
import type { Connection } from '../connection.ts';
import { SERVICE } from '../database.ts';
import { listMigrations, MIGRATIONS, migrate } from '../migrate.ts';
import { Refusal } from '../refusal.ts';
import { createArchive, openArchive, unreadable } from './archive.ts';
import { openTransfer, reading } from './open-transfer.ts';
import { type Partition, partitionsOf, type Sum, schemaOf, sumOf, type Table, tablesOf } from './tables.ts';

/** Called for each table: before its rows with `rows` undefined, and after. */
export type Progress = (at: { table: string; rows?: string | undefined }) => void;
export type Transferred = { tables: number; rows: bigint };

type Options = { version: string; log: Pick<Logger, 'info' | 'warn'>; progress: Progress };

/**
 * Copies the database `from` to the empty database `to`. If services run on `from`, the copy starts on hold: both would
 * send the same deliveries.
 */
export async function exportToDatabase(
  from: Connection,
  to: Connection,
  options: Options,
): Promise<Transferred & { isHeld: boolean }> {
  const source = await openTransfer(from);
  try {
    await refuseOtherSchema(source);
    const hold = (await hasServices(source)) ? COPIED : null;
    await migrate(to, { log: options.log });
    const target = await openTransfer(to);
    try {
      return await reading(source, async () => {
        const tables = await tablesOf(source);
        const done = await filling(target, { partitions: await partitionsOf(source), hold }, async () => {
          const sums = new Map<string, Sum>();
          for (const table of tables) {
            options.progress({ table: table.name });
            await pipeline(rowsOf(source, table), into(target, table));
            const sum = await sumOf(source, table);
            sums.set(table.name, sum);
            options.progress({ table: table.name, rows: sum.rows });
          }
          return verified(target, tables, sums);
        });
        return { ...done, isHeld: hold !== null };
      });
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

/** Writes the database to a file. */
export async function exportToFile(from: Connection, path: string, options: Options): Promise<Transferred> {
  const source = await openTransfer(from);
  try {
    const schema = await refuseOtherSchema(source);
    const archive = await createArchive(path);
    try {
      return await reading(source, async () => {
        const tables = await tablesOf(source);
        await archive.line({ version: options.version, schema, partitions: await partitionsOf(source), tables });
        const sums: Record<string, Sum> = {};
        for (const table of tables) {
          options.progress({ table: table.name });
          await archive.line({ table: table.name });
          await archive.rows(rowsOf(source, table));
          sums[table.name] = await sumOf(source, table);
          options.progress({ table: table.name, rows: sums[table.name]?.rows });
        }
        await archive.line({ sums });
        await archive.end();
        return { tables: tables.length, rows: total(Object.values(sums)) };
      });
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  } finally {
    await source.end();
  }
}

/**
 * Fills the empty database `to` with an export; it starts on hold. A service migrates it further at its next start, if it is
 * newer.
 */
export async function importFile(path: string, to: Connection, options: Options): Promise<Transferred> {
  const archive = await openArchive(path);
  try {
    const { head } = archive;
    refuseNewer(path, head);
    await migrate(to, { log: options.log, upTo: head.schema.at(-1) });
    const target = await openTransfer(to);
    try {
      const known = new Map((await tablesOf(target)).map((table) => [table.name, table]));
      const hold = { ...COPIED, origin: basename(path) };
      return await filling(target, { partitions: head.partitions, hold }, async () => {
        for (const { name, columns } of head.tables) {
          if (!known.has(name) || (await archive.table()) !== name) throw unknownTable(path, name);
          options.progress({ table: name });
          await pipeline(Readable.from(archive.rows()), into(target, { name, columns })).catch((error: unknown) => {
            throw isBadData(error) ? unreadable(path, error) : error;
          });
          options.progress({ table: name, rows: (await sumOf(target, { name, columns })).rows });
        }
        return verified(target, head.tables, new Map(Object.entries(await archive.sums())));
      });
    } finally {
      await target.end();
    }
  } finally {
    archive.close();
  }
}

/** Rows that the server does not understand, or that break its constraints: the file was changed. */
const isBadData = (error: unknown) => /^(?:08P01|22|23)/.test(String((error as { code?: unknown }).code));

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const rowsOf = (source: Client, { name, columns }: Table) =>
  source.query(copyTo(`copy (select ${columns.join(', ')} from ${quoted(name)}) to stdout with (format binary)`));

const into = (target: Client, { name, columns }: Table) =>
  target.query(copyFrom(`copy ${quoted(name)} (${columns.join(', ')}) from stdin with (format binary)`));

const COPIED = { cause: 'COPY', origin: null } as const;
type Target = { partitions: Partition[]; hold: Omit<Hold, 'since'> | null };

/** Runs `fill` in a transaction on an empty database with these partitions. It ends on hold, or as the source was. */
async function filling<T>(target: Client, { partitions, hold }: Target, fill: () => Promise<T>): Promise<T> {
  await target.query('begin');
  try {
    // Another import, or the first start of a service, would fill it too.
    await target.query('lock table accounts in exclusive mode');
    const { rowCount } = await target.query('select from accounts limit 1');
    if (rowCount !== 0)
      throw new Refusal('The target has accounts already.', 'Name an empty database. Nothing was changed.');
    // What a service or a migration stored in a database without accounts.
    for (const { name } of (await tablesOf(target)).toReversed()) await target.query(`delete from ${quoted(name)}`);
    const has = new Set((await partitionsOf(target)).map(({ name }) => name));
    for (const { name, parent, bound } of partitions)
      if (!has.has(name)) await target.query(`create table ${quoted(name)} partition of ${quoted(parent)} ${bound}`);
    const result = await fill();
    if (hold) await holdIn(target, hold);
    await target.query('commit');
    await target.query('analyze');
    return result;
  } catch (error) {
    await target.query('rollback').catch(() => {});
    throw refusalOf(error);
  }
}

const AGAIN = 'Start again afterwards: the target was not changed.';

/** A refusal for what ends a transfer through no fault of the file or this program. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error;
  const { code = '' } = error as { code?: string };
  if (code === '53100')
    return new Refusal('The disk of the target’s PostgreSQL is full.', `Free some space there. ${AGAIN}`, {
      cause: error,
    });
  if (isLost(code, error.message))
    return new Refusal(`The connection to a database was lost: ${error.message}.`, AGAIN, { cause: error });
  return error;
}

/** Classes of SQLSTATE: lost connections and servers that stop. pg has only a message for a closed socket. */
const isLost = (code: string, message: string) =>
  /^(?:08|57P|ECONN|EPIPE|ETIMEDOUT)/.test(code) || /connection terminated/i.test(message);

/** Compares the rows of the target with the sums of the source. */
async function verified(target: Client, tables: Table[], sums: Map<string, Sum>): Promise<Transferred> {
  for (const table of tables) {
    const [wanted, found] = [sums.get(table.name), await sumOf(target, table)];
    if (wanted?.rows !== found.rows || wanted.sum !== found.sum)
      throw new Refusal(
        `The rows of ${table.name} differ after the transfer (${wanted?.rows ?? 0} and ${found.rows}).`,
        'Nothing was changed. Please report this.',
      );
  }
  return { tables: tables.length, rows: total([...sums.values()]) };
}

const total = (sums: Sum[]) => sums.reduce((all, { rows }) => all + BigInt(rows), 0n);

/** Whether a service uses the database. */
export async function connectionIsUsed(connection: Connection): Promise<boolean> {
  const client = await openTransfer(connection);
  return hasServices(client).finally(() => client.end());
}

async function hasServices(source: Client): Promise<boolean> {
  const { rowCount } = await source.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1 limit 1',
    [SERVICE],
  );
  return rowCount !== 0;
}

async function holdIn(target: Client, hold: Omit<Hold, 'since'>): Promise<void> {
  await target.query(
    'insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    Object.values(holdSetting(hold)),
  );
}

/** The source must have the schema of this program. */
async function refuseOtherSchema(source: Client): Promise<string[]> {
  const [found, expected] = [await schemaOf(source), listMigrations(MIGRATIONS)];
  if (found.length === expected.length && found.every((name, at) => name === expected[at])) return found;
  throw new Refusal(
    `The schema of the database is ${found.at(-1) ?? 'missing'}, and this program has ${expected.at(-1)}.`,
    'Start the service of this version once, or export with the version that runs.',
  );
}

function refuseNewer(path: string, { schema, version }: { schema: string[]; version: string }): void {
  const known = listMigrations(MIGRATIONS);
  if (schema.length > 0 && schema.every((name, at) => name === known[at])) return;
  throw new Refusal(
    `${path} was written by Sluice ${version}, which is newer.`,
    'Import it with that version, or later.',
  );
}

const unknownTable = (path: string, name: string) =>
  new Refusal(`${path} has the table ${name} at a place where none is expected.`, 'Export again. Nothing was changed.');

import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { copyMarked } from './copy-statement.ts';
import { prepareMarked } from './prepared.ts';
import { Refusal } from './refusal.ts';
import type { DB } from './schema.ts';
import { createSilenceWatch } from './silent-connections.ts';

export type Database = { kysely: Kysely<DB>; pool: Pool; close(): Promise<void> };

const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A new connection is slow: each statement first reads the catalogue for 30 days of partitions. */
const IDLE_MS = 300_000;
/** A longer statement is looked up on the server. */
const SILENT_MS = 20_000;

/** The application name of a service's connections in pg_stat_activity. */
export const SERVICE = 'sluice';

/**
 * Opens a pool of connections. `timestamptz` is read as ISO text in UTC with six digits and Z, `int8` as a number. A
 * connection that breaks, idle or in use, is replaced when next needed.
 */
export function openDatabase(
  connection: Connection,
  {
    poolSize,
    log,
    idleInTransactionMs = IDLE_IN_TRANSACTION_MS,
    silentMs = SILENT_MS,
    name = SERVICE,
  }: {
    poolSize: number;
    log: Pick<Logger, 'warn'>;
    idleInTransactionMs?: number;
    silentMs?: number | undefined;
    /** The application name in pg_stat_activity. */
    name?: string;
  },
): Database {
  const own = 'options' in connection ? connection.options : '';
  const pool = new Pool({
    ...connection,
    options: `${own} -c TimeZone=UTC -c DateStyle=ISO`.trim(),
    max: poolSize,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    types: { getTypeParser },
  });
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'));
  // The pool handles errors only of idle connections. An error between two statements of a transaction would end the
  // process; the next statement fails anyway, and the waiting caller gets the error.
  pool
    .on('connect', (client) => client.on('error', () => {}))
    .on('connect', prepareMarked)
    .on('connect', copyMarked);
  // A local socket cannot be half open.
  const silence = 'connectionString' in connection ? createSilenceWatch(connection, { silentMs, log }) : undefined;
  if (silence) pool.on('connect', silence.watch).on('remove', silence.forget);
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    kysely,
    pool,
    async close() {
      await kysely.destroy();
      silence?.close();
    },
  };
}

/** Whether the statement may have been executed despite the error: its response was lost. */
export function mayHaveHappened(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return ['ECONNRESET', 'EPIPE', '57P01', '57P02'].includes(code) || message.startsWith('Connection terminated');
}

/** The connection for DATABASE_URL, or a refusal that does not contain its password. */
export function connectionFrom(databaseUrl: string): Connection {
  const url = URL.parse(databaseUrl);
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new Refusal(
      'DATABASE_URL is not the URL of a PostgreSQL server.',
      'Expected postgres://user:password@host:5432/database.',
    );
  }
  const options = url.searchParams.get('options') ?? '';
  // In the URL they would replace the session settings of the service.
  if (options) url.searchParams.delete('options');
  return { connectionString: options ? url.href : databaseUrl, options };
}

type Parser = (text: string) => unknown;

const { INT8, TIMESTAMPTZ, DATE } = types.builtins;
const PARSERS = new Map<number, Parser>([
  [INT8, readInt8],
  [TIMESTAMPTZ, readTimestamp],
  [DATE, (text) => text],
]);

function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  return (format !== 'binary' && PARSERS.get(oid)) || (types.getTypeParser(oid, format) as Parser);
}

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is too large for a number`);
  return value;
}

/** PostgreSQL leaves out trailing zeros: `2026-01-02 03:04:05.12+00` → `2026-01-02T03:04:05.120000Z`. */
function readTimestamp(text: string): string {
  const [, date, time, fraction = ''] = text.match(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/) ?? [];
  if (!date) return text;
  return `${date}T${time}.${fraction.padEnd(6, '0')}Z`;
}

/** The server's version, such as "18.4", without the name of the build. */
export async function versionOf(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
  return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
}

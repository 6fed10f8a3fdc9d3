import type { QueryResult } from 'pg';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import { partitionAt } from './partitions.ts';

/** Each check resolves with the cause of failure in plain words, or null while the check passes. */
export type ReadinessProbe = {
  database(): Promise<string | null>;
  writes(): Promise<string | null>;
  close(): Promise<void>;
};

/** One per check, so that the checks do not wait for each other. */
const CONNECTIONS = 2;

/** Tables that storing and sending an event writes, besides today's partitions. */
const WRITTEN = ['events', 'deliveries', 'attempts', 'waiting_deliveries', 'ingress_keys'];
/** Tables that it reads only. */
const READ = ['triggers', 'destinations'];

/**
 * A write without a trace. It takes the locks of storing an event, partitions included. A series that exceeds its
 * memory limit writes a temporary file of 1.4 MB to the disk of the tables, which fails on a full disk as events do. An
 * inserted and rolled-back row would still fit into half-filled pages of a full disk.
 */
const testWrite = (nowMs: number) => `
  set local lock_timeout = '400ms';
  set local work_mem = '64kB';
  set local temp_tablespaces = '';
  lock table ${only(READ)} in access share mode;
  lock table ${only(WRITTEN)} in row exclusive mode;
  do $$
  declare today text;
  begin
    foreach today in array array[${partitionsAt(nowMs)}] loop
      if to_regclass(today) is not null then
        execute format('lock table only %I in row exclusive mode', today);
      end if;
    end loop;
  end $$;
  select count(*) from generate_series(1, 100000);
  select current_setting('transaction_read_only') as read_only;
`;
const only = (tables: string[]) => tables.map((table) => `only ${table}`).join();
const partitionsAt = (ms: number) =>
  (['events', 'deliveries', 'attempts'] as const).map((table) => `'${partitionAt(table, ms)}'`).join();

/**
 * Probes the database for /readyz on dedicated connections: a busy pool does not fail readiness, and a database that
 * hangs holds only these two connections, because `platform/readiness.ts` runs each check once at a time.
 */
export function openReadinessProbe(connection: Connection, log: Pick<Logger, 'warn'>): ReadinessProbe {
  const { pool, close } = openDatabase(connection, { poolSize: CONNECTIONS, log, name: 'sluice readiness' });
  return {
    database: () =>
      pool.query('select 1').then(
        () => null,
        () => 'The database refuses connections or is unreachable.',
      ),
    writes: () =>
      // Several statements in one query are one transaction.
      (pool.query(testWrite(Date.now())) as unknown as Promise<QueryResult<{ read_only?: string }>[]>).then(
        (results) => (results.at(-1)?.rows[0]?.read_only === 'on' ? READ_ONLY : null),
        (error: unknown) => causeOf(error as { code?: string }),
      ),
    close,
  };
}

const READ_ONLY = 'The database is read-only.';

function causeOf({ code = '' }: { code?: string }): string {
  if (code === '53100') return 'The disk of the database is full.';
  if (code === '55P03' || code === '57014') return 'The event tables are locked.';
  if (code === '25006') return READ_ONLY;
  return /^[0-9A-Z]{5}$/.test(code)
    ? `The database refuses writes (SQLSTATE ${code}).`
    : 'The database is unreachable.';
}

import { Client } from 'pg';
import type { Connection } from '../connection.ts';
import { PARTITIONS_LOCK } from '../partitions.ts';

/** A connection without time limits, whose values have the same text on any server. */
export async function openTransfer(connection: Connection): Promise<Client> {
  const own = 'options' in connection ? connection.options : '';
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    extra_float_digits: 1,
    bytea_output: 'hex',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new Client({
    ...connection,
    options: [own, ...options].join(' ').trim(),
    application_name: 'sluice transfer',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
  });
  // The next statement reports a lost connection.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Reads the whole database as of one moment, while services use it. Partitions are neither created nor dropped
 * meanwhile: they are made three days ahead, and dropping one would wait for the reader and make writers wait. After a
 * failure the caller has to end the client: a rollback would never get past a COPY that is not read to its end.
 */
export async function reading<T>(client: Client, read: () => Promise<T>): Promise<T> {
  await client.query(`select pg_advisory_lock(${PARTITIONS_LOCK})`);
  await client.query('begin isolation level repeatable read, read only');
  const result = await read();
  await client.query('rollback').catch(() => {});
  await client.query('select pg_advisory_unlock_all()').catch(() => {});
  return result;
}

/** Servers that are refused before anything is written to them. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { connectionFrom } from '../database.ts';
import { migrate } from '../migrate.ts';
import { refuseUnfitServer } from '../server-checks.ts';
import { DATABASE_USER } from './cluster.ts';
import { silent, startScratchDatabase } from './scratch.ts';

let scratch: Awaited<ReturnType<typeof startScratchDatabase>>;
let host: string;
beforeAll(async () => {
  scratch = await startScratchDatabase();
  ({ host } = scratch.connection as { host: string });
});
afterAll(() => scratch.stop());

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((ok) => server.close(ok));
});

function urlOf(database: string, options?: string): string {
  const address = new URL(`postgres://${DATABASE_USER}@localhost/${database}`);
  address.searchParams.set('host', host);
  if (options) address.searchParams.set('options', options);
  return address.href;
}
const refusal = (url: string) =>
  refuseUnfitServer(connectionFrom(url)).then(
    () => 'accepted',
    (error: Error) => `${error.name}: ${error.message}`,
  );
async function execute(statement: string): Promise<void> {
  const client = new Client(scratch.connection);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A server that passes connections on, after changing their first message. */
async function pooler(change: (startup: Buffer) => Buffer | 'refuse'): Promise<string> {
  const server = createServer((client: Socket) => {
    client.on('error', () => {});
    client.once('data', (startup: Buffer) => {
      const changed = change(startup);
      if (changed === 'refuse') return void client.end(errorMessage('08P01', 'unsupported startup parameter: options'));
      const upstream = createConnection(join(host, '.s.PGSQL.5432'));
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      upstream.write(changed);
      client.pipe(upstream).pipe(client);
    });
  });
  servers.push(server);
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as { port: number };
  return `postgres://${DATABASE_USER}@127.0.0.1:${port}/postgres`;
}

function errorMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** As a pooler does that ignores the startup parameter. */
function withoutOptions(startup: Buffer): Buffer {
  const parts = startup.subarray(8).toString('latin1').split('\0');
  const at = parts.indexOf('options');
  parts.splice(at, 2);
  const body = Buffer.from(parts.join('\0'), 'latin1');
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}

it('accepts the server itself, with and without settings in the URL', async () => {
  expect(await refusal(urlOf('postgres'))).toBe('accepted');
  expect(await refusal(urlOf('postgres', '-c work_mem=5MB'))).toBe('accepted');
  expect(await refusal(await pooler((startup) => startup))).toBe('accepted');
});

it.each([
  ['rejects', () => 'refuse' as const],
  ['ignores', withoutOptions],
])('refuses a pooler that %s the settings of a session', async (_, change) => {
  expect(await refusal(await pooler(change))).toBe(
    'Refusal: DATABASE_URL leads to a connection pooler, such as PgBouncer, which does not pass on the settings of a session.',
  );
});

it('refuses a read-only database, another encoding, and a database that does not exist', async () => {
  await execute('create database readers');
  await execute('alter database readers set default_transaction_read_only = on');
  await execute("create database latin encoding 'LATIN1' locale 'C' template template0");
  expect(await refusal(urlOf('readers'))).toContain('is read-only (default_transaction_read_only is on)');
  expect(await refusal(urlOf('latin'))).toContain('has the encoding LATIN1, and Sluice needs UTF8');
  expect(await refusal(urlOf('nowhere'))).toBe('Refusal: The database that DATABASE_URL names does not exist.');
  // Nothing was created there.
  await expect(migrate(connectionFrom(urlOf('latin')), { log: silent })).rejects.toMatchObject({ name: 'Refusal' });
  const client = new Client({ connectionString: urlOf('latin') });
  await client.connect();
  expect((await client.query("select to_regclass('migrations') as found")).rows).toEqual([{ found: null }]);
  await client.end();
});

it('refuses a server that can’t be reached, has no connection left, or rejects the user', async () => {
  const server = createServer();
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as { port: number };
  await new Promise((ok) => server.close(ok));
  expect(await refusal(`postgres://${DATABASE_USER}@127.0.0.1:${port}/postgres`)).toBe(
    'Refusal: The database server at DATABASE_URL can’t be reached (ECONNREFUSED).',
  );
  await execute('create role crowded login connection limit 0');
  const crowded = new URL(urlOf('postgres'));
  crowded.username = 'crowded';
  expect(await refusal(crowded.href)).toBe('Refusal: The database has no connection left for this node.');
  await execute('create role barred nologin');
  crowded.username = 'barred';
  expect(await refusal(crowded.href)).toBe('Refusal: The database rejects the user or the password of DATABASE_URL.');
});

/**
 * A minimal search service based on pg_trgm: an HTTP request, a query, a JSON response. Reads DATABASE_URL. Prints its
 * port and the pid of its database session once it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { sqlFor, TIMEOUT_MS, type TrigramQuery } from './trigram-query.ts';

const client = new Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
await client.query(`set statement_timeout = ${TIMEOUT_MS}`);
const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

const server = createServer((req, res) => {
  const params = new URL(req.url ?? '', 'http://127.0.0.1').searchParams;
  const query: TrigramQuery = JSON.parse(params.get('query') ?? '');
  const respond = (status: number, value: unknown) => {
    const text = JSON.stringify(value);
    res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  };
  client.query(...sqlFor(query, 'any')).then(
    (found) => respond(200, { functions: found.rows }),
    (error: Error) => respond(500, { message: error.message }),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port} ${rows[0]?.pid}\n`);
});

/**
 * The least that a service would do that searches with pg_trgm: a question by HTTP, its answer in JSON, and nothing
 * else. Takes DATABASE_URL; says its port and the process of its session once it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { PATIENCE_MS, questionOf } from './trigram-question.ts';

const client = new Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
await client.query(`set statement_timeout = ${PATIENCE_MS}`);
const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

const server = createServer((req, res) => {
  const asked = new URL(req.url ?? '', 'http://127.0.0.1').searchParams;
  const sought = {
    pattern: asked.get('pattern') ?? '',
    isLiteral: asked.has('literal'),
    isSensitive: asked.has('case'),
  };
  const answer = (status: number, value: unknown) => {
    const text = JSON.stringify(value);
    res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  };
  client.query(...questionOf(sought, 'any')).then(
    (found) => answer(200, { functions: found.rows }),
    (error: Error) => answer(500, { message: error.message }),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port} ${rows[0]?.pid}\n`);
});

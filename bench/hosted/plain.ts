/** Plain Node to compare functions with: `node bench/hosted/plain.ts [port]`. Prints its port once it listens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_, res) => {
  res.writeHead(200, { 'content-type': 'text/plain;charset=UTF-8', 'content-length': 5 }).end('hello');
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

/** Targets outside a sandbox, which report whether they were reached. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Bait {
  /** A web server on all addresses of this machine; /redirect redirects to the server itself. */
  readonly port: number;
  readonly udpPort: number;
  readonly unixPath: string;
  /** An abstract unix socket, as written in code. */
  readonly abstractPath: string;
  readonly secretFile: string;
  readonly folder: string;
  /** A process of this machine outside the sandbox. */
  readonly pid: number;
  /** A host name with public addresses and this machine's address. */
  readonly mixed: string;
  /** The targets that were reached. */
  readonly hits: string[];
  close(): void;
}

export async function openBait(): Promise<Bait> {
  const folder = mkdtempSync(path.join(tmpdir(), 'escape-'));
  const hits: string[] = [];
  const web = createServer((request, response) => {
    const { url = '/' } = request;
    hits.push(url);
    if (url === '/redirect') response.writeHead(302, { location: '/inner' }).end();
    else if (url === '/code.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end('export default 1');
    else if (url === '/events') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    else response.end('inner');
  });
  web.on('connection', () => hits.push('connection'));
  const udp = createSocket('udp4').on('message', () => hits.push('udp'));
  const unix = createSocketServer((socket) => {
    hits.push('unix');
    socket.end();
  });
  const abstractUnix = createSocketServer((socket) => {
    hits.push('abstract');
    socket.end();
  });
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore', env: { SECRET: 'of another' } });
  const unixPath = path.join(folder, 'service.sock');
  const secretFile = path.join(folder, 'secret.js');
  writeFileSync(secretFile, 'export default "secret"', { mode: 0o644 });
  await once(web.listen(0, '::'), 'listening');
  await once(unix.listen(unixPath), 'listening');
  const abstract = `sluice-escape-${process.pid}`;
  await once(abstractUnix.listen({ path: `\0${abstract}` }), 'listening');
  await once(udp.bind(0, '127.0.0.1'), 'listening');
  return {
    port: (web.address() as AddressInfo).port,
    udpPort: udp.address().port,
    unixPath,
    abstractPath: `\\0${abstract}`,
    secretFile,
    folder,
    pid: bystander.pid ?? 0,
    mixed: 'localhost',
    hits,
    close() {
      web.close();
      web.closeAllConnections();
      unix.close();
      abstractUnix.close();
      udp.close();
      bystander.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

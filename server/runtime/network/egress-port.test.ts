/** The port that the egress proxy connects to, when used over its socket like a process in a container does. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../testing.ts';
import { createEgressProxy, EGRESS_SOCKET, type EgressProxy } from './egress-proxy.ts';

const servers = ['wanted', 'other'].map((name) => ({
  name,
  server: createServer((_, response) => response.end(name)).on('upgrade', (_, socket) =>
    socket.end(`HTTP/1.1 426 Upgrade Required\r\nx-name: ${name}\r\nContent-Length: 0\r\n\r\n`),
  ),
}));
const ports: number[] = [];
beforeAll(async () => {
  for (const { server } of servers) {
    await once(server.listen(0, '::'), 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
});
afterAll(() => {
  for (const { server } of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const open = (): { proxy: EgressProxy; socketPath: string } => {
  const proxy = createEgressProxy(tempFolder(), { cidrs: ['127.0.0.1/32', '::1/128'] });
  const folder = proxy.folderFor({ policy: 'ALLOW_ALL', allowedHosts: [] }) ?? '';
  return { proxy, socketPath: path.join(folder, EGRESS_SOCKET) };
};

test.each([
  ['127.0.0.1', '/time/12:{other}'],
  ['127.0.0.1', '/?at=12:{other}'],
  ['127.0.0.1', '/a:{other}/'],
  ['[::1]', '/?at=12:{other}'],
])('a request to %s with the path %s is sent to the port of its host', async (host, asked) => {
  const { proxy, socketPath } = open();
  const to = `http://${host}:${ports[0]}${asked.replace('{other}', String(ports[1]))}`;
  const [response] = (await once(request({ socketPath, path: to }).end(), 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('wanted');
  const upgrade = request({ socketPath, path: to, headers: { connection: 'Upgrade', upgrade: 'websocket' } }).end();
  const [refused] = (await once(upgrade, 'response')) as [IncomingMessage];
  expect(refused.headers['x-name']).toBe('wanted');
  proxy.close();
});

test.each(['127.0.0.1', '[::1]'])('a tunnel to %s is opened to the given port', async (host) => {
  const { proxy, socketPath } = open();
  const tunnel = request({ socketPath, method: 'CONNECT', path: `${host}:${ports[0]}` }).end();
  const [{ statusCode }, socket] = await once(tunnel, 'connect');
  expect(statusCode).toBe(200);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/wanted$/);
  proxy.close();
});

test.each([
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:0',
  '127.0.0.1:65536',
  '127.0.0.1:{wanted}/x:{other}',
  'a@127.0.0.1:{wanted}',
  '127.0.0.1:{wanted}?x=:{other}',
  '[::1',
  ':{wanted}',
])('a tunnel to %s is rejected', async (target) => {
  const { proxy, socketPath } = open();
  const asked = target.replace('{wanted}', String(ports[0])).replace('{other}', String(ports[1]));
  const [{ statusCode }] = await once(request({ socketPath, method: 'CONNECT', path: asked }).end(), 'connect');
  expect(statusCode).toBe(403);
  proxy.close();
});

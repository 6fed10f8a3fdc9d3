/** Apps with TLS: the certificate is verified, and everything else works as without TLS. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addConnectedApp } from '../../connections/test/connecting.ts';
import { makeAuthority } from '../../test/certificates.ts';
import { type Service, startService } from '../../test/service.ts';

const before = getCACertificates('default');
const trusted = makeAuthority('An authority of this test');
const large = randomBytes(3_000_000);
let service: Service;
let app: Server;
let id: string;
let sockets: TLSSocket[] = [];

beforeAll(async () => {
  setDefaultCACertificates([...before, trusted.cert]);
  service = await startService();
  app = createServer(trusted.issue({ ip: '127.0.0.1' }), async (req, res) => {
    if (req.url === '/large') return void res.end(large);
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    res.end(`${req.headers.authorization} ${Buffer.concat(parts)}`);
  });
  app.on('secureConnection', (socket: TLSSocket) => sockets.push(socket));
  id = await appAt(app);
});
afterAll(async () => {
  setDefaultCACertificates(before);
  await service.stop();
  app.close();
});

async function appAt(server: Server | ReturnType<typeof createSecureServer>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const made = await addConnectedApp(service, `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return made;
}

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/${path}`, { ...init, headers: { authorization: `Bearer ${service.key}` } });

it('a call succeeds, and the next one uses the same connection', async () => {
  sockets = [];
  for (const body of ['one', 'two']) {
    const answer = await call(`${id}/x`, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([200, `Bearer upstream-secret ${body}`]);
  }
  expect(sockets).toHaveLength(1);
});

it('another connection resumes the TLS session of the first', async () => {
  await (await call(`${id}/x`)).text();
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await expect.poll(async () => (await call(`${id}/x`)).status).toBe(200);
  expect(sockets.at(-1)?.isSessionReused()).toBe(true);
});

it('a large body arrives byte for byte', async () => {
  const answer = await call(`${id}/large`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
});

it('concurrent calls don’t mix', async () => {
  const bodies = Array.from({ length: 40 }, (_, i) => `body ${i}`);
  const answers = await Promise.all(bodies.map((body) => call(`${id}/x`, { method: 'PUT', body })));
  expect(await Promise.all(answers.map((each) => each.text()))).toEqual(
    bodies.map((body) => `Bearer upstream-secret ${body}`),
  );
});

it('an app that prefers HTTP/2 is called with HTTP/1.1', async () => {
  const modern = createSecureServer({ ...trusted.issue({ ip: '127.0.0.1' }), allowHTTP1: true }, (req, res) =>
    res.end(req.httpVersion),
  );
  const answer = await call(`${await appAt(modern)}/x`);
  expect([answer.status, await answer.text()]).toEqual([200, '1.1']);
  modern.close();
});

it('an app with an untrusted certificate is not called', async () => {
  let received = 0;
  const stranger = createServer(makeAuthority('A stranger').issue({ ip: '127.0.0.1' }), (_, res) => {
    received++;
    res.end();
  });
  const answer = await call(`${await appAt(stranger)}/x`);
  expect(answer.status).toBe(502);
  expect(await answer.text()).toMatch(/could not be reached \((?:UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/);
  expect(received).toBe(0);
  stranger.close();
});

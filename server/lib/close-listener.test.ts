import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { closeListener } from './close-listener.ts';

it('serves the requests of connections that were opened before, and refuses later ones', async () => {
  const server = createServer((_, response) => void response.setHeader('connection', 'close').end('ok'));
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as AddressInfo;
  const post = () =>
    new Promise<number | string>((ok) => {
      const call = request({ host: '127.0.0.1', port, method: 'POST', agent: false }, (response) => {
        response.resume().on('end', () => ok(response.statusCode ?? 0));
      });
      call.on('error', (error: NodeJS.ErrnoException) => ok(error.code ?? '')).end('{}');
    });
  const results: (number | string)[] = [];
  let going = true;
  const client = async () => {
    while (going) results.push(await post());
  };
  const clients = Array.from({ length: 32 }, client);
  while (results.length < 200) await post();
  // Accepted, and silent until the socket is closed.
  const early = connect({ host: '127.0.0.1', port });
  await new Promise<void>((ok) => early.once('connect', ok));
  const { connections } = await closeListener(server);
  going = false;
  const answered = new Promise<string>((ok, failed) => {
    early.once('data', (data) => ok(String(data).slice(0, 15))).once('error', failed);
  });
  early.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
  expect(await answered).toBe('HTTP/1.1 200 OK');
  await Promise.all([...clients, connections]);
  expect(await post()).toBe('ECONNREFUSED');
  // On Linux only clients that the kernel kept waiting fail, before they have sent anything.
  if (process.platform === 'linux') expect(new Set(results)).not.toContain('ECONNRESET');
});

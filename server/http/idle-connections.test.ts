/** Idle connections, on a separate server with a short timeout. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { watchIdleConnections } from './idle-connections.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function serve(listener: RequestListener): Promise<() => Promise<Socket>> {
  const server = createServer({ keepAliveTimeout: 100 }, listener);
  watchIdleConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
    await once(socket, 'connect');
    return socket;
  };
}

const received = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

/** Resolves when a new idle connection was closed by the timeout. */
async function idle(open: () => Promise<Socket>): Promise<void> {
  const socket = await open();
  socket.write(GET);
  await received(socket);
  await once(socket, 'close');
}

test('an idle connection is closed, one that waits for a response is not', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = await serve((req, res) => void (req.method === 'PUT' ? promise.then(() => res.end('late')) : res.end()));
  const busy = await open();
  // The response to the first request made the connection idle.
  busy.write(GET);
  await received(busy);
  busy.write(GET.replace('GET', 'PUT'));
  await idle(open);
  resolve();
  expect(await received(busy)).toContain('late');
});

test('a connection with a partial request is not closed', async () => {
  const open = await serve((_, res) => void res.end('whole'));
  const slow = await open();
  slow.write(GET);
  await received(slow);
  slow.write(GET.slice(0, 20));
  await idle(open);
  await idle(open);
  slow.write(GET.slice(20));
  expect(await received(slow)).toContain('whole');
});

test('other timeouts of a connection still apply', async () => {
  const open = await serve((_, res) => void res.setTimeout(20, () => res.end('timed')));
  const socket = await open();
  socket.write(GET);
  expect(await received(socket)).toContain('timed');
  expect(await idle(open)).toBeUndefined();
});

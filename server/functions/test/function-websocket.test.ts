/** WebSockets to the URLs of functions, with a real client. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, makeFunction, PATIENTLY, saidIn } from './functions-support.ts';

const ECHO = `export default { fetch(request) {
  if (request.headers.get('upgrade') !== 'websocket') return new Response('not a socket');
  if (request.url.endsWith('/refused')) return new Response('not today', { status: 403 });
  const { socket, response } = Deno.upgradeWebSocket(request, { protocol: 'chat' });
  socket.onopen = () => { console.log('opened'); socket.send('welcome'); };
  socket.onmessage = async ({ data }) => {
    if (data === 'bye') return socket.close(4001, 'as you wish');
    if (data === 'die') Deno.exit(3);
    if (data === 'loop') while (true);
    await null;
    console.log('received', typeof data === 'string' ? data : data.byteLength);
    socket.send(data);
  };
  socket.onclose = ({ code, reason }) => console.log('closed', code, reason);
  return response;
} };`;

const service = serviceForAll();
const fn = forAll(() => makeFunction(service, ECHO));

function dial(to = fn, path = '/', headers: Record<string, string> = bearer(service.key)): WebSocket {
  const host = new URL(to.url).host;
  return new WebSocket(`ws://127.0.0.1:${service.port}${path}`, ['chat'], { headers: { ...headers, host } });
}
async function open(to = fn) {
  const socket = dial(to);
  const received: string[] = [];
  socket.on('message', (data) => received.push(String(data)));
  const [response] = await once(socket, 'upgrade');
  const run_id: string = response.headers['x-function-run-id'];
  const run = async () =>
    (await service.api<Reply<'runGet'>>('GET', `/functions/${to.function_id}/runs/${run_id}`)).body;
  const said = async () =>
    (await saidIn(service, { function_id: to.function_id, run_id })).map(([, message]) => message);
  return { socket, received, run, said };
}

test('text and bytes are sent both ways, and the run ends with the connection', async () => {
  const { socket, received, run, said } = await open();
  await expect.poll(() => received, PATIENTLY).toEqual(['welcome']);
  expect(socket.protocol).toBe('chat');
  expect((await run()).status).toBe('RUNNING');
  socket.send('hello');
  socket.send(Buffer.alloc(200_000, 'x'));
  await expect.poll(() => received.length, PATIENTLY).toBe(3);
  expect([received[1], received[2]?.length]).toEqual(['hello', 200_000]);
  socket.close(1000, 'done');
  await once(socket, 'close');
  await expect.poll(async () => (await run()).status, PATIENTLY).toBe('OK');
  expect((await run()).response?.status).toBe(101);
  expect(await said()).toEqual(['opened', 'received hello', 'received 200000', 'closed 1000 done']);
});

test('the function may close with a code and a reason', async () => {
  const { socket, run } = await open();
  socket.send('bye');
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([4001, 'as you wish']);
  await expect.poll(async () => (await run()).status, PATIENTLY).toBe('OK');
});

test('a lost connection is detected', async () => {
  const { socket, run, said } = await open();
  await expect.poll(said, PATIENTLY).toEqual(['opened']);
  socket.terminate();
  await expect.poll(async () => (await run()).status, PATIENTLY).toBe('OK');
  expect((await said()).at(-1)).toMatch(/^closed/);
});

test('twelve concurrent connections do not mix', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => open()));
  for (const [index, { socket }] of all.entries()) socket.send(`I am ${index}`);
  for (const [index, { received, said, socket }] of all.entries()) {
    await expect.poll(() => received, PATIENTLY).toEqual(['welcome', `I am ${index}`]);
    socket.close();
    await expect.poll(said, PATIENTLY).toEqual(['opened', `received I am ${index}`, expect.stringMatching(/^closed/)]);
  }
});

test('a key is required, and a response other than a WebSocket is returned unchanged', async () => {
  const answerOf = async (socket: WebSocket) => {
    socket.on('error', () => undefined);
    const [, response] = await once(socket, 'unexpected-response');
    const chunks = await response.toArray();
    return [response.statusCode, Buffer.concat(chunks).toString()];
  };
  expect((await answerOf(dial(fn, '/', {})))[0]).toBe(401);
  expect(await answerOf(dial(fn, '/refused'))).toEqual([403, 'not today']);
  const plain = await makeFunction(service);
  expect(await answerOf(dial(plain))).toEqual([200, 'hello']);
  expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).text).toBe('not a socket');
});

test.each([
  ['die', 'ERROR', 'ProcessExited'],
  ['loop', 'TIMEOUT', 'Timeout'],
])('a function instructed to %s ends the connection, and can be called again', async (word, status, name) => {
  const mortal = await makeFunction(service, ECHO, { timeout_seconds: 2 });
  const { socket, run } = await open(mortal);
  socket.on('error', () => undefined);
  socket.send(word);
  await once(socket, 'close');
  await expect.poll(async () => (await run()).status, PATIENTLY).toBe(status);
  expect((await run()).error?.name).toBe(name);
  const again = await open(mortal);
  await expect.poll(() => again.received, PATIENTLY).toEqual(['welcome']);
  again.socket.terminate();
});

test('the service stops without waiting for connections', async () => {
  const { socket } = await open();
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  await service.restart();
  await closed;
  const again = await open();
  await expect.poll(() => again.received, PATIENTLY).toEqual(['welcome']);
  again.socket.terminate();
});

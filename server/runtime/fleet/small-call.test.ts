/** Small requests and responses: what a hostile process or caller could do with their protocol. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { begin, call, openRuntime, specOf, tempFolder } from '../testing.ts';
import { ANSWER_HEADER } from './frames.ts';
import { SmallCallConnection } from './small-call-connection.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await openRuntime();
});
afterAll(() => runtime.close());

/** Followed by another one, too long to be sent at once. */
const LONG = 'x'.repeat(16_000);
/** Each as written in the code of a function that sends it to its pipe. */
const MALFORMED: [what: string, code: string][] = [
  ['a line break in a header', "['answer', 'r', 200, ['x', 'a\\r\\nset-cookie: b'], 'forged', true]"],
  ['a header without a name', "['answer', 'r', 200, ['', 'a'], 'forged', true]"],
  ['a header without a value', "['answer', 'r', 200, ['x'], 'forged', true]"],
  ['a header that is not text', "['answer', 'r', 200, ['x', 1], 'forged', true]"],
  ['headers that are not a list', "['answer', 'r', 200, { length: 0 }, 'forged', true]"],
  ['headers that are too long', "['answer', 'r', 200, ['x', 'y'.repeat(65_536)], 'forged', true]"],
  ['the status of a WebSocket', "['answer', 'r', 101, [], 'forged', true]"],
  ['an invalid status', "['answer', 'r', 999, [], 'forged', true]"],
  ['a status that is not a number', "['answer', 'r', '200', [], 'forged', true]"],
  ['a body that is not text', "['answer', 'r', 200, [], { length: 5 }, true]"],
  ['a body that is too long', "['answer', 'r', 200, [], 'x'.repeat(16_385), true]"],
  ['another run', "['answer', 'another', 200, [], 'forged', true]"],
  ['a response to fetch, of another run', "['stream', 'another']"],
  ['a run that is not text', "['answer', ['r'], 200, [], 'forged', true]"],
];

test.each(MALFORMED)('a response with %s is ignored', async (_, report) => {
  const spec = await specOf(`import { writeSync } from 'node:fs';
    export default () => {
      writeSync(1, '\\x1e' + JSON.stringify(${report}) + '\\n');
      return 'own';
    };`);
  expect(await call(runtime, spec, { runId: 'r' })).toMatchObject({
    status: 200,
    body: '"own"',
    finish: { outcome: 'OK' },
  });
});

test('an announced response that cannot be fetched is a 500', async () => {
  const spec = await specOf(`import { writeSync } from 'node:fs';
    export default () => {
      writeSync(1, '\\x1e' + JSON.stringify(['stream', 'r']) + '\\n');
      return 'own';
    };`);
  expect(await call(runtime, spec, { runId: 'r' })).toMatchObject({ status: 500, body: 'Internal Server Error' });
  expect(await call(runtime, spec)).toMatchObject({ status: 200, body: '"own"' });
});

test('one function cannot respond for another', async () => {
  const victim = await specOf(`let go = () => {};
    export default async ({ path }: { path: string }) => {
      if (path === '/go') return go();
      console.log('waiting');
      await new Promise<void>((resolve) => { go = resolve; });
      return 'own';
    };`);
  const forger = await specOf(`import { writeSync } from 'node:fs';
    export default () => {
      for (const each of [['answer', 'victim', 200, [], 'forged', true], ['end', 'victim'], ['stream', 'victim'], ['throw', 'victim', { name: 'a', message: 'b', stack: null }]])
        writeSync(1, '\\x1e' + JSON.stringify(each) + '\\n');
    };`);
  const seen: string[] = [];
  const waiting = call(runtime, victim, { runId: 'victim', onLine: ({ message }) => seen.push(message) });
  await expect.poll(() => seen).toEqual(['waiting']);
  expect((await call(runtime, forger)).finish).toEqual({ outcome: 'OK' });
  await call(runtime, victim, { path: '/go' });
  expect(await waiting).toMatchObject({ body: '"own"', finish: { outcome: 'OK' } });
});

test("a function cannot access its request connection, nor can a caller fetch another's response", async () => {
  const places = readdirSync(tmpdir()).filter((name) => name.startsWith(`sluice-rt-${process.pid}-`));
  const paths = places.flatMap((name) => {
    const sockets = path.join(tmpdir(), name, 's');
    // The folder of a runtime of another test, which is being removed.
    if (!existsSync(sockets)) return [];
    return readdirSync(sockets).flatMap((each) => (each.endsWith('.call') ? path.join(sockets, each) : []));
  });
  expect(paths).not.toEqual([]);
  const spec = await specOf(`export default { async fetch(request: Request) {
    const all = await Promise.all(${JSON.stringify(paths)}.map((path) =>
      Deno.connect({ transport: 'unix', path }).then(() => 'connected', (error) => error.name)));
    const refused = [...new Set(all)];
    return Response.json({ refused, headers: [...request.headers.keys()], body: await request.text() });
  } };`);
  const upload = new PassThrough();
  upload.end('long');
  const header: [string, string] = [ANSWER_HEADER, 'r'];
  const large = await call(runtime, spec, { method: 'POST', body: upload, headers: [header], runId: 'r' });
  const small = await call(runtime, spec, { headers: [header] });
  expect(JSON.parse(large.body)).toEqual({
    refused: ['NotCapable'],
    headers: ['host', 'transfer-encoding'],
    body: 'long',
  });
  expect(JSON.parse(small.body)).toEqual({ refused: ['NotCapable'], headers: ['host'], body: '' });
});

test('a caller that disconnects before a streamed response ends the run and the stream', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    console.log('began');
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
    return new Response(new ReadableStream({ cancel: () => console.log('cancelled') }));
  } };`);
  const gone = new AbortController();
  const { answer, lines } = await begin(runtime, spec, {
    signal: gone.signal,
    onLine: ({ message }) => message === 'began' && gone.abort(),
  });
  expect(await answer.finished).toMatchObject({ outcome: 'ERROR', error: { name: 'CallerGone' } });
  expect(lines.map(({ message }) => message)).toContain('cancelled');
});

test('a request, and copies of it, are aborted when the caller disconnects, before and after', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    const made = [request, request.clone(), new Request(request.clone(), { method: 'PUT' })];
    const aborted = made.map(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
    const { url } = request;
    console.log(String(made.every((each) => each instanceof Request && each.constructor === Request && each.url === url)));
    console.log('began');
    await Promise.all(aborted);
    const late = request.clone().signal.aborted;
    const refused = await fetch(new Request(request)).catch((error) => error.name);
    console.log([refused, late, await made[1].text(), await made[2].text()].join());
    return new Response('late');
  } };`);
  const gone = new AbortController();
  const { answer, lines } = await begin(runtime, spec, {
    method: 'POST',
    body: Buffer.from('body'),
    signal: gone.signal,
    onLine: ({ message }) => message === 'began' && gone.abort(),
  });
  expect(await answer.finished).toMatchObject({ outcome: 'ERROR', error: { name: 'CallerGone' } });
  expect(lines.map(({ message }) => message)).toEqual(expect.arrayContaining(['true', 'AbortError,true,body,body']));
});

test('a small request looks the same to a function as one sent by HTTP', async () => {
  const spec =
    await specOf(`const failing = (work: () => unknown) => Promise.resolve().then(work).then(() => 'done', (error) => error.name);
  export default { async fetch(request: Request) {
    const noted = Object.assign(request, { own: 1 });
    const made = new Request(request.clone(), { method: 'PUT', headers: { a: 'b' } });
    const [first, second] = [request.clone(), request.clone()];
    const plain = ['method', 'url', 'redirect', 'cache', 'credentials', 'integrity', 'keepalive', 'mode', 'referrer', 'referrerPolicy', 'bodyUsed'];
    const portrait = {
      plain: plain.map((name) => request[name]),
      members: Object.keys(Object.getOwnPropertyDescriptors(Request.prototype)).filter((name) => !(name in request)),
      kind: [request instanceof Request, Object.prototype.toString.call(request), request.constructor === Request, Deno.inspect(request).replace(/\\s+"?(transfer-encoding|content-length)"?: .*/g, '')],
      same: [request.headers === request.headers, request.body === request.body, request.signal === request.signal, noted.own],
      header: [request.headers.get('X-Two'), [...request.headers.keys()].includes('x-sluice-run')],
      made: [made.method, made.url, [...made.headers], await made.text()],
      read: [await first.json(), (await second.arrayBuffer()).byteLength, request.bodyUsed],
      guarded: await failing(() => { request.method = 'PUT'; }),
    };
    const body = await request.bytes();
    const after = [body.length, request.bodyUsed, await failing(() => request.text()), await failing(() => request.clone()), await failing(() => new Request(request))];
    return Response.json({ portrait, after });
  } };`);
  const body = '{"some":"text"}';
  const upload = new PassThrough();
  upload.end(body);
  const asked = {
    method: 'POST',
    path: '/a%20b/../c?d=%ff&e#f',
    headers: [
      ['x-two', 'a'],
      ['X-Two', 'b'],
    ] as [string, string][],
  };
  const large = await call(runtime, spec, { ...asked, body: upload });
  const small = await call(runtime, spec, { ...asked, body: Buffer.from(body) });
  expect(JSON.parse(small.body)).toEqual(JSON.parse(large.body));
  expect(JSON.parse(small.body)).toMatchObject({
    portrait: {
      members: [],
      same: [true, true, true, 1],
      header: ['a, b', false],
      read: [{ some: 'text' }, 15, false],
    },
    after: [15, true, 'TypeError', 'TypeError', 'TypeError'],
  });
});

test('long text and bytes arrive complete', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    const body = await request.text();
    if (body === 'bytes') return new Response(new Uint8Array([0, 255, 10, 13]));
    return new Response(body + '\\ud800\\u2028é' + body, { headers: { 'content-length': '3', 'x-umlaut': '\\xfc' } });
  } };`);
  const long = await call(runtime, spec, { method: 'POST', body: Buffer.from(LONG) });
  const short = await call(runtime, spec, { method: 'POST', body: Buffer.from('a') });
  expect(long.body).toBe(`${LONG}\ufffd\u2028é${LONG}`);
  expect([short.body, short.headers.get('content-length'), short.headers.get('x-umlaut')]).toEqual([
    'a\ufffd\u2028éa',
    '10',
    '\xfc',
  ]);
  const { answer } = await begin(runtime, spec, { method: 'POST', body: Buffer.from('bytes') });
  expect(Buffer.concat(await answer.body.toArray())).toEqual(Buffer.from([0, 255, 10, 13]));
});

test('a process that writes to the request connection is killed, and waiting calls fail', async () => {
  const socketPath = path.join(tempFolder(), 'f.call');
  const server = createServer().listen(socketPath);
  await once(server, 'listening');
  const word = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const calls = new SmallCallConnection(socketPath, word.resolve);
  expect(calls.ping(['ping', 'r', 1])).toBe(false);
  const asked = { onAnswer: () => undefined, onStream: () => undefined, onFailure: failed.resolve };
  calls.ask(['r', '', 'GET', 'http', 'a', '/', 'HTTP/1.1', '', [], null], asked);
  expect(calls.ping(['ping', 'r', 2])).toBe(true);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [sent] = (await once(socket, 'data')) as [Buffer];
  expect(
    sent
      .toString()
      .split('\n')
      .map((line) => line && JSON.parse(line)[0]),
  ).toEqual(['call', 'ping', '']);
  socket.write('garbage');
  await word.promise;
  calls.close();
  expect((await failed.promise).message).toBe('The process has ended');
  server.close();
});

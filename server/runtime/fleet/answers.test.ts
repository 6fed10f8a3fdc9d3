import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { begin, call, openRuntime, specOf } from '../testing.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await openRuntime();
});
afterAll(() => runtime.close());

test('a web-standard handler gets the request as sent, its environment and its run', async () => {
  const spec = await specOf(
    {
      'src/index.ts': "import { shout } from './shout';\nexport default { fetch: shout };",
      'src/shout.ts': `export async function shout(request: Request, env: Record<string, string>, ctx: { runId: string }) {
        const seen = { url: request.url, method: request.method, headers: [...request.headers], body: await request.text() };
        return Response.json({ ...seen, env, process: process.env.GREETING, runId: ctx.runId }, { status: 201, headers: { 'x-a': 'b' } });
      }`,
    },
    { env: JSON.parse('{"GREETING":"Hi","__proto__":"kept"}') },
  );
  const { status, headers, body, finish } = await call(runtime, spec, {
    method: 'PUT',
    // As in Node: the bytes of ü, one character each.
    path: '/a//b/%2e?q=\xc3\xbc%20\xfc',
    headers: [
      ['X-One', '1'],
      ['Set-Thing', 'a'],
      ['set-thing', 'b'],
      ['connection', 'close'],
    ],
    body: Buffer.from('hello'),
    runId: 'run-1',
  });
  expect(finish).toEqual({ outcome: 'OK' });
  expect(status).toBe(201);
  expect(headers.get('x-a')).toBe('b');
  expect(JSON.parse(body)).toEqual({
    url: 'https://hello.fn.example.com/a//b/?q=%C3%BC%20%FC',
    method: 'PUT',
    headers: [
      ['content-length', '5'],
      ['host', 'hello.fn.example.com'],
      ['set-thing', 'a, b'],
      ['x-one', '1'],
    ],
    body: 'hello',
    env: { GREETING: 'Hi', ['__proto__']: 'kept' },
    process: 'Hi',
    runId: 'run-1',
  });
});

test('an event handler gets the documented event', async () => {
  const spec = await specOf(
    'export const run = (event: unknown, { runId }: { runId: string }) => ({ event, runId });',
    { handler: 'index.run' },
  );
  const { status, body, headers } = await call(runtime, spec, {
    method: 'POST',
    path: '/x?a=1',
    body: Buffer.from([0xff, 0]),
    runId: 'run-2',
  });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(JSON.parse(body)).toMatchObject({
    event: {
      method: 'POST',
      raw_path: '/x',
      query_params: { a: '1' },
      body: '/wA=',
      is_base64_encoded: true,
      source_ip: '203.0.113.9',
      label: 'hello',
      host: 'hello.fn.example.com',
      protocol: 'HTTP/1.1',
    },
    runId: 'run-2',
  });
});

test.each([
  ['undefined', 200, 'application/json', 'null'],
  ['[1]', 200, 'application/json', '[1]'],
  ['"text"', 200, 'application/json', '"text"'],
  ['{ status: "ok" }', 200, 'application/json', '{"status":"ok"}'],
  ['{ status: 404, body: "gone" }', 404, 'text/plain;charset=UTF-8', 'gone'],
  ['{ status: 400, body: { why: 1 } }', 400, 'application/json', '{"why":1}'],
  ['{ status: 204, body: "ignored" }', 204, null, ''],
  ['{ status: 205, body: "ignored" }', 205, null, ''],
  ['new Response(null, { status: 205, headers: { "content-type": "a/b" } })', 205, 'a/b', ''],
  [
    '{ status: 200, headers: { "content-type": "image/x" }, body: "AGE=", is_base64_encoded: true }',
    200,
    'image/x',
    '\0a',
  ],
  [
    '{ status: 200, body: new URLSearchParams({ a: "b" }) }',
    200,
    'application/x-www-form-urlencoded;charset=UTF-8',
    'a=b',
  ],
  ['{ status: 200, body: new DataView(new Uint8Array([120]).buffer) }', 200, null, 'x'],
  ['{ status: 200, body: (function* () { yield "a"; yield new Uint8Array([98]); })() }', 200, null, 'ab'],
  ['{ status: 200, body: (async function* () { yield "ä"; })() }', 200, null, 'ä'],
  ['{ statusCode: 201, headers: { "content-type": "a/b" }, body: "{}" }', 201, 'a/b', '{}'],
  ['{ statusCode: 200, body: "AGE=", isBase64Encoded: true }', 200, null, '\0a'],
  ['{ statusCode: "200", body: "x" }', 200, 'application/json', '{"statusCode":"200","body":"x"}'],
  ['new Response("own", { status: 202 })', 202, 'text/plain;charset=UTF-8', 'own'],
])('an event handler that returns %s', async (value, status, type, body) => {
  const answer = await call(runtime, await specOf(`export default async () => (${value});`));
  expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([status, type, body]);
});

test('several cookies come back as several headers', async () => {
  const spec = await specOf(
    'export default () => ({ status: 200, headers: { "set-cookie": ["a=1", "b=2"], "x-n": 3 } })',
  );
  const { headers } = await call(runtime, spec);
  expect([headers.getSetCookie(), headers.get('x-n')]).toEqual([['a=1', 'b=2'], '3']);
});

test('a function cannot set hop-by-hop headers', async () => {
  const said = '{ headers: { trailer: "x-t", upgrade: "h2c", te: "trailers", "x-own": "a" } }';
  for (const body of ['"x"', 'new Blob(["x"]).stream()']) {
    const { headers } = await call(
      runtime,
      await specOf(`export default { fetch: () => new Response(${body}, ${said}) }`),
    );
    expect(['trailer', 'upgrade', 'te', 'x-own'].map((name) => headers.get(name))).toEqual([null, null, null, 'a']);
  }
});

test('cookies of a response in the form of AWS Lambda', async () => {
  const spec = await specOf(
    'export default () => ({ statusCode: 200, headers: { a: "b" }, multiValueHeaders: { c: ["d", "e"] }, cookies: ["f=1", "g=2"] })',
  );
  const { headers } = await call(runtime, spec);
  expect([headers.getSetCookie(), headers.get('a'), headers.get('c')]).toEqual([['f=1', 'g=2'], 'b', 'd, e']);
});

test('a package that queries the machine while it loads gets values, none of the real machine', async () => {
  const spec = await specOf({
    'index.ts': `import os, { cpus, hostname } from 'node:os';
      import * as all from 'os';
      import process from 'node:process';
      import { required } from './old.cjs';
      export default async () => [
        hostname(), os.hostname(), all.hostname(), required, (await import('os')).hostname(),
        cpus().length > 0, os.userInfo().uid, process.getuid(), os.totalmem(), typeof os.EOL, os.networkInterfaces(),
      ];`,
    'old.cjs': "exports.required = require('os').hostname();",
  });
  const { body } = await call(runtime, spec);
  const same = Array.from({ length: 5 }, () => 'function');
  expect(JSON.parse(body)).toEqual([...same, true, 65_534, 65_534, 134_217_728, 'string', {}]);
});

test('HEAD, and a GET that has a body', async () => {
  const spec = await specOf(
    'export default { fetch: (request: Request) => new Response(request.method + " " + request.body) }',
  );
  expect(await call(runtime, spec, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  expect(await call(runtime, spec, { body: Buffer.from('x') })).toMatchObject({ body: 'GET null' });
  const lengths = await specOf(
    'export default { fetch: ({ url }: Request) => new Response(null, { headers: url.endsWith("/5") ? { "content-length": "5" } : {} }) }',
  );
  for (const [path, length] of [
    ['/5', '5'],
    ['/', null],
  ] as const)
    expect((await call(runtime, lengths, { method: 'HEAD', path })).headers.get('content-length')).toBe(length);
});

test('a response is passed on chunk by chunk, while the function waits for its reader', async () => {
  const spec = await specOf(`let go = () => {};
    export default { fetch(request: Request) {
      if (request.method === 'POST') { go(); return new Response(); }
      const encoder = new TextEncoder();
      let n = 0;
      return new Response(new ReadableStream({ async pull(controller) {
        n += 1;
        if (n > 3) return controller.close();
        if (n > 1) await new Promise<void>((resolve) => { go = resolve; });
        controller.enqueue(encoder.encode('chunk ' + n));
      } }));
    } };`);
  const { answer } = await begin(runtime, spec);
  const chunks: string[] = [];
  for await (const chunk of answer.body) {
    chunks.push(String(chunk));
    // The next chunk is created only now: a buffered response would never get here.
    await call(runtime, spec, { method: 'POST' });
  }
  expect(chunks).toEqual(['chunk 1', 'chunk 2', 'chunk 3']);
  expect(await answer.finished).toEqual({ outcome: 'OK' });
});

test('a large body streams in and out byte for byte', async () => {
  const spec = await specOf('export default { fetch: (request: Request) => new Response(request.body) }');
  const sent = Buffer.alloc(20_000_000, 'abcdefg');
  const { answer } = await begin(runtime, spec, {
    method: 'POST',
    body: Readable.from(sent.toString().match(/.{1,65536}/gs) ?? []),
  });
  expect((await buffer(answer.body)).equals(sent)).toBe(true);
  expect(await answer.finished).toEqual({ outcome: 'OK' });
});

test('an unread request body does no harm', async () => {
  const spec = await specOf('export default { fetch: () => new Response("done") }');
  expect(await call(runtime, spec, { method: 'POST', body: Buffer.alloc(5_000_000) })).toMatchObject({ body: 'done' });
});

test('responses are not compressed', async () => {
  const spec = await specOf('export default { fetch: () => new Response("a".repeat(5000)) }');
  const { body, headers } = await call(runtime, spec, { headers: [['accept-encoding', 'gzip, br']] });
  expect([body.length, headers.get('content-encoding')]).toEqual([5000, null]);
});

test('waitUntil extends the run after its response', async () => {
  const spec = await specOf(`let release = () => {};
    export default { fetch(request: Request, env: unknown, ctx: { waitUntil(work: Promise<unknown>): void }) {
      if (request.method === 'POST') { release(); return new Response(); }
      ctx.waitUntil(new Promise<void>((resolve) => { release = resolve; }).then(() => console.log('afterwards')));
      ctx.waitUntil(Promise.reject(new Error('lost')));
      return new Response('early');
    } };`);
  const { answer, lines } = await begin(runtime, spec);
  expect(String(await buffer(answer.body))).toBe('early');
  expect(runtime.stats().processes.find(({ key }) => key === spec.key)?.in_flight).toBe(1);
  await call(runtime, spec, { method: 'POST' });
  expect(await answer.finished).toEqual({ outcome: 'OK' });
  expect(lines.map(({ message }) => message.split('\n')[0])).toEqual(['waitUntil: Error: lost', 'afterwards']);
});

test('the function is notified when its caller disconnects, and the run ends when the function does', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    const gone = new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
    console.log('waiting');
    await gone;
    console.log('noticed');
    return new Response();
  } };`);
  const caller = new AbortController();
  const said: string[] = [];
  const running = call(runtime, spec, { signal: caller.signal, onLine: ({ message }) => said.push(message) });
  await expect.poll(() => said).toEqual(['waiting']);
  caller.abort();
  expect(await running).toMatchObject({ status: 499, finish: { outcome: 'ERROR', error: { name: 'CallerGone' } } });
  expect(said).toEqual(['waiting', 'noticed', 'The caller closed the connection before the response was complete']);
});

test('a short response after its caller has disconnected ends the run, and the process continues', async () => {
  const spec = await specOf(`const waiting = []; let runs = 0; export default { fetch({ url }: Request) {
    runs++;
    if (!url.endsWith('/wait')) { for (const go of waiting) go(new Response('late')); return new Response(String(runs)); }
    console.log('waiting');
    return new Promise((go) => waiting.push(go));
  } };`);
  const caller = new AbortController();
  const said: string[] = [];
  const running = call(runtime, spec, {
    path: '/wait',
    signal: caller.signal,
    onLine: ({ message }) => said.push(message),
  });
  await expect.poll(() => said).toEqual(['waiting']);
  caller.abort();
  expect(await call(runtime, spec)).toMatchObject({ body: '2', finish: { outcome: 'OK' } });
  expect(await running).toMatchObject({ status: 499, finish: { outcome: 'ERROR', error: { name: 'CallerGone' } } });
  expect(await call(runtime, spec)).toMatchObject({ body: '3' });
});

test('an interrupted upload fails its reader', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    console.log('began');
    await request.text().catch(() => console.log('broken off'));
    return new Response();
  } };`);
  const upload = new PassThrough();
  const said: string[] = [];
  const running = call(runtime, spec, { method: 'POST', body: upload, onLine: ({ message }) => said.push(message) });
  upload.write('some');
  await expect.poll(() => said).toEqual(['began']);
  upload.destroy(new Error('connection lost'));
  expect(await running).toMatchObject({ status: 499, finish: { error: { name: 'CallerGone' } } });
  expect(said.slice(0, 2)).toEqual(['began', 'broken off']);
});

test('a caller that disconnects before the run begins costs nothing', async () => {
  const spec = await specOf('export default { fetch: () => new Response("ok") }');
  const { finish } = await call(runtime, spec, { signal: AbortSignal.abort() });
  expect(finish.error?.name).toBe('CallerGone');
  expect(await call(runtime, spec)).toMatchObject({ body: 'ok' });
});

test('a reader that stops half-way ends the run, once the function has closed the body', async () => {
  const spec = await specOf(`export default { fetch: () => new Response(new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65536)),
    async cancel() {
      await new Promise((resolve) => setTimeout(resolve, 100));
      console.log('cancelled');
    },
  })) };`);
  const { answer, lines } = await begin(runtime, spec);
  await once(answer.body, 'readable');
  answer.body.destroy();
  expect((await answer.finished).error?.name).toBe('CallerGone');
  expect(lines[0]?.message).toBe('cancelled');
});

test('a head that the sandbox cannot parse is rejected immediately', async () => {
  const spec = await specOf('export default { fetch: () => new Response("ok") }');
  const many = Array.from({ length: 300 }, (_, index): [string, string] => [`x-${index}`, 'v']);
  expect((await call(runtime, spec, { headers: many })).finish.error?.name ?? 'taken').toMatch(/^(BadRequest|taken)$/);
  const { status, finish } = await call(runtime, spec, { headers: [['x-a', 'b\r\nc: d']] });
  expect([status, finish.outcome, finish.error?.name]).toEqual([500, 'ERROR', 'BadRequest']);
  expect(await call(runtime, spec, { headers: [['x-long', 'v'.repeat(2_000_000)]] })).toMatchObject({
    finish: { error: { name: 'BadRequest' } },
  });
  expect(await call(runtime, spec)).toMatchObject({ status: 200 });
});

test('a 400 of the function is returned as its response', async () => {
  const spec = await specOf('export default { fetch: () => new Response("no", { status: 400 }) }');
  expect(await call(runtime, spec)).toMatchObject({ status: 400, body: 'no', finish: { outcome: 'OK' } });
});

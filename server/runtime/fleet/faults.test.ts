/** Faults of a function affect only that function: reported, explained, and over before others notice. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { begin, call, openRuntime, specOf } from '../testing.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await openRuntime();
});
afterAll(() => runtime.close());

const pidOf = (key: string) => runtime.stats().processes.find((each) => each.key === key && !each.retired)?.pid;

test('a throw is a plain 500 for the caller and a mapped stack in the log', async () => {
  const spec = await specOf(
    {
      'src/index.ts':
        "import { check } from './lib/check';\n\nexport const run = (event: unknown) => {\n  console.log('before');\n  return check(event);\n};",
      'src/lib/check.ts':
        "interface Unused {\n  a: string;\n}\n\nexport function check(_: unknown): never {\n  throw new TypeError('no good', { cause: new Error('deeper') });\n}",
    },
    { handler: 'src/index.run' },
  );
  const { status, headers, body, finish, lines } = await call(runtime, spec);
  expect([status, headers.get('content-type'), body]).toEqual([
    500,
    'text/plain; charset=utf-8',
    'Internal Server Error',
  ]);
  const stack =
    'TypeError: no good\n    at check (src/lib/check.ts:6:9)\n    at run (src/index.ts:5:10)\nCaused by: Error: deeper\n    at check (src/lib/check.ts:6:43)\n    at run (src/index.ts:5:10)';
  expect(finish).toEqual({ outcome: 'ERROR', error: { name: 'TypeError', message: 'no good', stack } });
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'before'],
    ['error', stack],
  ]);
});

test.each([
  ['throw "text"', 'text', null],
  ['throw { get message() { throw 1; } }', '{ message: [Getter] }', null],
  ['throw { code: "E1" }', '{ code: "E1" }', null],
  [
    'throw new Error("x".repeat(5_000_000))',
    expect.stringMatching(/^x{32768}… \(cut\)$/),
    expect.stringMatching(/cut\)$/),
  ],
  [
    'await Promise.any([Promise.reject(new Error("one"))])',
    'All promises were rejected',
    expect.stringMatching(/\nOne of them: Error: one\n {4}at /),
  ],
  ['return { status: 101 }', expect.stringContaining('status 101'), expect.any(String)],
  [
    'return { status: 200, headers: { a: "c\\u0001" } }',
    'The response\'s header "a" has a control character',
    expect.any(String),
  ],
  [
    'return { status: 200, headers: { a: "c".repeat(70_000) } }',
    "The response's headers have more than 65280 characters",
    expect.any(String),
  ],
  ['return await Promise.reject(new RangeError("late"))', 'late', expect.stringContaining('index.ts:1:')],
  ['return { big: 1n }', 'Do not know how to serialize a BigInt', expect.any(String)],
  ['const a: { a?: unknown } = {}; a.a = a; return a', expect.stringContaining('circular'), expect.any(String)],
  ['return { status: 999 }', expect.stringContaining('999'), expect.any(String)],
  ['return { status: 200, headers: { "a b": "c" } }', expect.stringContaining('a b'), expect.any(String)],
  ['return { status: 200, headers: { a: "c\\n" + "d: e" } }', expect.any(String), expect.any(String)],
])('%s in an event handler', async (code, message, stack) => {
  const { status, finish } = await call(runtime, await specOf(`export default async () => { ${code}; };`));
  expect([status, finish]).toEqual([500, { outcome: 'ERROR', error: { name: expect.any(String), message, stack } }]);
});

test.each([
  ['export default { fetch: () => "text" }', 'should return a Response, but returned a string'],
  ['export default { fetch() {} }', 'should return a Response, but returned undefined'],
  ['export default { fetch: () => Response.error() }', 'returned Response.error()'],
  ['export default { fetch: () => new Response(null, { status: 101 }) }', 'what Deno.upgradeWebSocket(request) gives'],
  [
    'export default { fetch: () => new Response(new Blob(["x"]), { headers: { a: "b\\u0001" } }) }',
    'has a control character',
  ],
  ['export default { async fetch() { const r = new Response("x"); await r.text(); return r; } }', 'was read already'],
  ['export default 42', 'should be a function or an object with fetch(request, env, ctx), but it is a number'],
])('%s', async (code, message) => {
  const { finish } = await call(runtime, await specOf(code));
  expect(finish).toMatchObject({
    outcome: 'ERROR',
    error: { name: 'TypeError', message: expect.stringContaining(message) },
  });
});

test.each([
  ['ReadableStream.from(["a", { b: 1 }])', 'A piece of a body should be text or bytes, but is an object'],
  [
    'ReadableStream.from(["a"]), { headers: { "content-length": "2" } }',
    'The body has 1 bytes, but Content-Length says 2',
  ],
  ['ReadableStream.from(["abc"]), { headers: { "content-length": "2" } }', 'The body has at least 3 bytes, but'],
])('new Response(%s) is interrupted, and the run says why', async (body, message) => {
  const spec = await specOf(`export default { fetch: () => new Response(${body}) };`);
  const { answer } = await begin(runtime, spec);
  await expect(text(answer.body)).rejects.toThrow();
  expect(await answer.finished).toMatchObject({
    outcome: 'ERROR',
    error: { name: 'TypeError', message: expect.stringContaining(message) },
  });
});

test('an error at import is reported to the first run, and to each later one', async () => {
  const spec = await specOf("console.log('loading');\nthrow new Error('at the top');\nexport default () => 1;");
  const first = await call(runtime, spec);
  const second = await call(runtime, spec);
  const error = 'Error: at the top\n    at index.ts:2:7';
  expect([first.said, second.said]).toEqual([['loading', error], [error]]);
  expect([first.finish.outcome, second.finish.outcome]).toEqual(['ERROR', 'ERROR']);
});

test('a module that never finishes loading is a time-out', async () => {
  expect(
    await call(runtime, await specOf('await new Promise(() => {});\nexport default () => 1;'), { timeoutMs: 300 }),
  ).toMatchObject({ status: 504 });
});

test('an endless loop is killed at its time limit, its log is kept, and the next call works', async () => {
  const spec = await specOf(
    "export default ({ path }: { path: string }) => { console.log('in'); while (path === '/loop'); return 'out'; };",
  );
  // The time limit includes the start of the process.
  await call(runtime, spec);
  const looping = await call(runtime, spec, { path: '/loop', timeoutMs: 500 });
  const message = 'The run took longer than 0.5 s and was stopped';
  expect(looping).toMatchObject({ status: 504, body: 'Gateway Timeout', said: ['in', message] });
  expect(looping.finish).toEqual({ outcome: 'TIMEOUT', error: { name: 'Timeout', message, stack: null } });
  expect(await call(runtime, spec)).toMatchObject({ status: 200, body: '"out"' });
});

test('a loop ends the concurrent runs of its process, with a message; other functions continue', async () => {
  const spec = await specOf(
    "let go = false; export default async ({ path }: { path: string }) => { if (path === '/wait') { console.log('waiting'); await new Promise(() => {}); } while (true); };",
  );
  const other = await specOf('export default () => "fine"');
  const waiting: string[] = [];
  const beside = call(runtime, spec, { path: '/wait', onLine: ({ message }) => waiting.push(message) });
  await expect.poll(() => waiting).toEqual(['waiting']);
  const looping = call(runtime, spec, { timeoutMs: 400 });
  expect(await call(runtime, other)).toMatchObject({ status: 200, body: '"fine"' });
  expect((await looping).finish.outcome).toBe('TIMEOUT');
  expect(await beside).toMatchObject({
    status: 500,
    said: ['waiting', 'Another run of this function blocked its process, which was stopped'],
  });
});

test('a response interrupted by its process is not attributed to the caller', async () => {
  const spec = await specOf(
    'export default () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) }));',
  );
  const caller = new AbortController();
  const { answer } = await begin(runtime, spec, { signal: caller.signal });
  await once(answer.body, 'readable');
  const cut = new Promise((resolve) => answer.body.once('error', resolve));
  // As a proxy of the response would.
  answer.body.once('error', () => caller.abort());
  process.kill(pidOf(spec.key) ?? 0, 'SIGKILL');
  await cut;
  expect((await answer.finished).error?.name).toBe('ProcessKilled');
});

test('after a time-out the process accepts no new run, but finishes those it has', async () => {
  const spec = await specOf(`export default { async fetch(request: Request) {
    if (request.method === 'PUT') await new Promise(() => {});
    console.log('began');
    return new Response(await request.text());
  } };`);
  const upload = new PassThrough();
  const began: string[] = [];
  const held = call(runtime, spec, { method: 'POST', body: upload, onLine: ({ message }) => began.push(message) });
  upload.write('all ');
  await expect.poll(() => began).toEqual(['began']);
  const first = pidOf(spec.key);
  expect(await call(runtime, spec, { method: 'PUT', timeoutMs: 300 })).toMatchObject({ status: 504 });
  expect(await call(runtime, spec, { method: 'POST', body: Buffer.from('new') })).toMatchObject({ body: 'new' });
  expect(pidOf(spec.key)).not.toBe(first);
  upload.end('there');
  expect(await held).toMatchObject({ status: 200, body: 'all there' });
  await expect.poll(() => runtime.stats().processes.map(({ pid }) => pid)).not.toContain(first);
});

test('the time limit also applies to a response that has begun', async () => {
  const spec = await specOf(`export default { fetch: ({ method }) => new Response(method === 'HEAD' ? null :
    new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode('begun')) })) }`);
  await call(runtime, spec, { method: 'HEAD' });
  const { answer } = await begin(runtime, spec, { timeoutMs: 1000 });
  expect([answer.status, answer.outcome]).toEqual([200, 'OK']);
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of answer.body) chunks.push(String(chunk));
  })();
  await expect(reading).rejects.toThrow();
  expect(chunks).toEqual(['begun']);
  expect((await answer.finished).outcome).toBe('TIMEOUT');
});

test('a response that fails half-way is an ERROR with its stack', async () => {
  const spec = await specOf(`export default { fetch() {
    let n = 0;
    return new Response(new ReadableStream({ pull(controller) {
      console.log('pull');
      if (n++ > 0) throw new Error('half-way');
      controller.enqueue(new Uint8Array(10));
    } }));
  } };`);
  const { answer, lines } = await begin(runtime, spec);
  await expect(answer.body.toArray()).rejects.toThrow();
  expect(await answer.finished).toMatchObject({
    outcome: 'ERROR',
    error: { message: 'half-way', stack: expect.stringContaining('index.ts:5:26') },
  });
  expect(lines.map(({ message }) => message.split('\n')[0])).toEqual(['pull', 'pull', 'Error: half-way']);
});

test.each([
  [
    'the heap',
    'const kept: unknown[] = []; while (true) kept.push(new Array(10_000).fill(Math.random()));',
    'OutOfMemory',
  ],
  ['Deno.exit', 'Deno.exit(3);', 'ProcessExited'],
  ['process.exit', 'process.exit(0);', 'ProcessExited'],
  ['an abort', 'process.abort();', 'ProcessKilled'],
])('%s ends the process of that function only, and its log is kept', async (_, code, name) => {
  const spec = await specOf(
    `export default ({ path }: { path: string }) => { console.log('so far'); if (path === '/die') { ${code} } return 'alive'; };`,
  );
  const other = await specOf('export default () => "fine"');
  await call(runtime, other);
  const { status, finish, said } = await call(runtime, spec, { path: '/die' });
  expect([status, finish.outcome, finish.error?.name]).toEqual([500, 'ERROR', name]);
  expect(said).toEqual(['so far', finish.error?.message]);
  expect(await call(runtime, spec)).toMatchObject({ status: 200, body: '"alive"' });
  expect(await call(runtime, other)).toMatchObject({ body: '"fine"' });
});

test('the heap has its limit', async () => {
  const spec = await specOf(
    "import v8 from 'node:v8'; export default () => v8.getHeapStatistics().heap_size_limit / 1024 ** 2;",
  );
  expect(Number((await call(runtime, spec)).body)).toBeLessThan(256);
});

test('buffers outside the heap are bounded as well', async () => {
  const { finish } = await call(
    runtime,
    await specOf(
      'export default () => { const kept = []; for (let n = 0; n < 200; n++) kept.push(new Uint8Array(16 * 1024 ** 2).fill(1)); return kept.length; }',
    ),
  );
  expect(finish).toMatchObject({ outcome: 'ERROR', error: { message: 'Array buffer allocation failed' } });
});

test('unhandled errors are logged to their run and end no process', async () => {
  const spec = await specOf(`export default async () => {
    Promise.reject(new Error('stray'));
    setTimeout(() => { throw new Error('in a timer'); }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'ok';
  };`);
  const { body, said, finish } = await call(runtime, spec);
  expect([body, finish.outcome]).toEqual(['"ok"', 'OK']);
  // Their order depends on how long the first turn of the process takes.
  expect(said.toSorted()).toEqual([
    expect.stringMatching(/^Uncaught Error: in a timer\n.*index.ts:3:30/),
    expect.stringMatching(/^Unhandled rejection: Error: stray\n.*index.ts:2:20/),
  ]);
});

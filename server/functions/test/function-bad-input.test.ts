/** Malformed and hostile input to functions. Each is rejected, or affects only its function. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, HELLO, invoke, makeFunction, PATIENTLY } from './functions-support.ts';

const service = serviceForAll();

describe('code', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.ts`, 'export {};']));

  it.each([
    ['a thousand files and one', { ...many(1000), 'index.ts': HELLO }, /at most 1000/],
    [
      '10 MiB and a byte',
      { 'index.ts': HELLO, 'x.txt': 'x'.repeat(10 * 1024 * 1024 + 1 - HELLO.length) },
      /10485760|too large/i,
    ],
    ['an absolute path', { 'index.ts': HELLO, '/etc/passwd': '' }, /relative path/],
    ['a dot segment', { 'index.ts': HELLO, './a.ts': '' }, /relative path/],
    ['dots in the middle', { 'index.ts': HELLO, 'a/../b.ts': '' }, /relative path/],
    ['a backslash', { 'index.ts': HELLO, 'a\\b.ts': '' }, /relative path/],
    ['a NUL in a path', { 'index.ts': HELLO, 'a\0.ts': '' }, /relative path|NUL/],
    ['an empty path', { 'index.ts': HELLO, '': '' }, /relative path/],
    [
      'a name with a special meaning in JavaScript',
      JSON.parse('{"index.ts":"export default 1","__proto__":"x"}'),
      /files\.__proto__: expected another name/,
    ],
    [
      'binary content',
      { 'index.ts': HELLO, 'logo.png': '\u0089PNG\r\n\u001a\n\0\0' },
      /files\.logo\.png: expected text without NUL/,
    ],
    ['a number for text', { 'index.ts': 1 }, /files\.index\.ts/],
  ])('with %s publishes nothing', async (_, files, message) => {
    const before = (await service.api<Reply<'functionList'>>('GET', '/functions')).body.functions.length;
    const answer = await service.api('POST', '/functions', { name: 'Bad', runtime: 'nodejs24.x', files });
    expect([400, 413]).toContain(answer.status);
    expect(answer.body['message']).toMatch(message);
    expect((await service.api<Reply<'functionList'>>('GET', '/functions')).body.functions).toHaveLength(before);
  });

  it('that is hardly text is returned unchanged', async () => {
    const odd = '\ufeff\u0001\u2028 \ud83d\ude00 \r\n';
    const fn = await makeFunction(service, { 'index.ts': HELLO, 'odd.txt': odd });
    const { body } = await service.api<Reply<'functionFiles'>>('GET', `/functions/${fn.function_id}/files`);
    expect(body.files['odd.txt']).toBe(odd);
    expect((await invoke(service, fn)).response?.body).toBe('hello');
  });

  it.each([
    ['loops', 'while (true);', 'TIMEOUT', 'Timeout'],
    ['never ends', 'await new Promise(() => {});', 'TIMEOUT', 'Timeout'],
    ['throws', "throw new Error('at the top');", 'ERROR', 'Error'],
    ['leaves', 'process.exit(1);', 'ERROR', 'ProcessExited'],
  ])('that %s while it is loaded is reported as such, and the next version works', async (_, code, status, name) => {
    // The limit includes the start of the process, also of the next version.
    const fn = await makeFunction(service, `${code}\n${HELLO}`, { timeout_seconds: status === 'TIMEOUT' ? 3 : 30 });
    const other = await makeFunction(service);
    const [run, beside] = await Promise.all([invoke(service, fn), invoke(service, other)]);
    expect([run.status, run.error?.name]).toEqual([status, name]);
    expect(beside.status).toBe('OK');
    await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': HELLO } });
    expect((await invoke(service, fn)).response?.body).toBe('hello');
  });
});

it('ten megabytes of log in one run are truncated and marked; the run and the next one succeed', async () => {
  const code = `export default () => { const line = 'x'.repeat(1000); for (let n = 0; n < 10_000; n++) console.log(line); return 'done'; };`;
  const fn = await makeFunction(service, code);
  const other = await makeFunction(service);
  const [run, beside] = await Promise.all([invoke(service, fn), invoke(service, other)]);
  expect([run.status, run.response?.body, beside.status]).toEqual(['OK', 'done', 'OK']);
  const path = `/functions/${fn.function_id}/runs/${run.run_id}/logs?limit=1000`;
  const { events } = (await service.api<Reply<'runLogList'>>('GET', path)).body;
  const messages = events.map(({ message }) => message);
  expect(messages.filter((message) => message.startsWith('Log truncated'))).toHaveLength(1);
  expect(messages.join('').length).toBeLessThan(300_000);
  expect(messages.at(-1)).toMatch(/^REPORT /);
  expect((await invoke(service, fn)).status).toBe('OK');
});

it('a function deleted while it runs finishes its run, and leaves no data', async () => {
  const code = `let go = () => {};
export default { fetch: (request) => new URL(request.url).pathname === '/go'
  ? (go(), new Response('gone'))
  : new Response(new ReadableStream({ async start(controller) {
      controller.enqueue(new TextEncoder().encode('begun '));
      await new Promise((resolve) => { go = resolve; setTimeout(resolve, 1000); });
      controller.enqueue(new TextEncoder().encode('ended'));
      controller.close();
    } })) };`;
  const fn = await makeFunction(service, code);
  const held = callAddress(service, fn.url, { headers: bearer(service.key) });
  const runs = async () =>
    (await service.api<Reply<'runListAll'>>('GET', '/runs?status=RUNNING')).body.runs.filter(
      (run) => run.function_id === fn.function_id,
    );
  await expect.poll(async () => (await runs()).length, PATIENTLY).toBe(1);
  expect((await service.api('DELETE', `/functions/${fn.function_id}`)).status).toBe(200);
  expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).status).toBe(404);
  expect(await held).toMatchObject({ status: 200, text: 'begun ended' });
  await expect.poll(runs, PATIENTLY).toEqual([]);
});

it('twenty concurrent deploys create twenty versions, and one of them is live', async () => {
  const fn = await makeFunction(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.api<Reply<'versionCreate'>>('POST', `/functions/${fn.function_id}/versions`, {
        files: { 'index.ts': `export default () => ${index};` },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map(({ body }) => body.version.version).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 2),
  );
  const serving = answers.findIndex(({ body }) => body.version.version === 21);
  expect((await invoke(service, fn)).response?.body).toBe(serving);
});

it.each([
  ['a BigInt', '() => ({ big: 1n })', /BigInt/],
  ['a circle', '() => { const a = {}; a.a = a; return a; }', /circular/],
  ['an invalid status', '() => ({ status: 999 })', /999/],
  ['an invalid header name', '() => ({ status: 200, headers: { "a b": "c" } })', /a b/],
  ['a header with a line break', '() => ({ status: 200, headers: { a: "c\\nd: e" } })', /./],
  ['a handler that is not a function', '42', /should be a function/],
])('%s is a 500 without details for the caller, and with the reason in its run', async (_, handler, message) => {
  const fn = await makeFunction(service, `export default ${handler};`);
  const answer = await callAddress(service, fn.url, { headers: bearer(service.key) });
  expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
    500,
    'Internal Server Error',
    'text/plain; charset=utf-8',
  ]);
  expect(answer.headers['d']).toBeUndefined();
  const path = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
  const read = async () => (await service.api<Reply<'runGet'>>('GET', path)).body;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('ERROR');
  expect((await read()).error?.message).toMatch(message);
});

it('of two concurrent deploys over the same version, one succeeds and the other gets a conflict', async () => {
  const fn = await makeFunction(service);
  const deploy = (answer: string, replaces: number) =>
    service.api<Reply<'versionCreate'>>('POST', `/functions/${fn.function_id}/versions`, {
      files: { 'index.ts': `export default () => '${answer}';` },
      replaces,
    });
  const answers = await Promise.all([deploy('one', 1), deploy('two', 1)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    message: 'replaces: version 2 is live now, not version 1; nothing was published',
    code: 409,
  });
  // Early, before the build.
  expect((await deploy('three', 1)).status).toBe(409);
  const again = await deploy('four', 2);
  expect([again.status, again.body.version.version]).toEqual([200, 3]);
  expect((await invoke(service, fn)).response?.body).toBe('four');
});

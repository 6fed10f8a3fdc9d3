/** Malformed and hostile input to Python functions, and concurrent changes of one. */
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, type HostedFunction, invoke, makeFunction, PATIENTLY } from './functions-support.ts';

const HELLO = 'def handler(event, context):\n    return "hello"\n';
const PYTHON = { runtime: 'python3.12' } as const;

const service = serviceForAll();

const make = (code: string, more: Partial<Body<'functionCreate'>> = {}) =>
  makeFunction(service, { 'main.py': code }, { ...PYTHON, ...more });
const deploy = (fn: HostedFunction, code: string, replaces?: number) =>
  service.api<Reply<'versionCreate'> & { message: string }>('POST', `/functions/${fn.function_id}/versions`, {
    files: { 'main.py': code },
    ...(replaces === undefined ? {} : { replaces }),
  });
const call = (fn: HostedFunction, path = '/') => callAddress(service, fn.url, { path, headers: bearer(service.key) });
const says = (answer: number) => `def handler(event, context):\n    return ${answer}\n`;

describe('code', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.py`, 'x = 1']));

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a thousand files and one', { ...many(1000), 'main.py': HELLO }, /at most 1000/],
    ['10 MiB and a byte', { 'main.py': HELLO, 'x.txt': 'x'.repeat(10 * 1024 * 1024 + 1 - HELLO.length) }, /10485760/],
    ['names that differ in case only', { 'main.py': HELLO, 'Main.py': '' }, /differ in case only/],
    ['a path that climbs', { 'main.py': HELLO, '../a.py': '' }, /relative path/],
    ['binary content', { 'main.py': HELLO, 'a.pyc': 'a\0b' }, /files\.a\.pyc: expected text without NUL/],
    ['an absolute path', { 'main.py': HELLO, '/etc/passwd': '' }, /relative path/],
    ['a dot segment', { 'main.py': HELLO, './a.py': '' }, /relative path/],
    ['dots in the middle', { 'main.py': HELLO, 'a/../b.py': '' }, /relative path/],
    ['a backslash', { 'main.py': HELLO, 'a\\b.py': '' }, /relative path/],
    ['a NUL in a path', { 'main.py': HELLO, 'a\0.py': '' }, /relative path|NUL/],
    ['an empty path', { 'main.py': HELLO, '': '' }, /relative path/],
    ['a number for text', { 'main.py': 1 }, /files\.main\.py/],
  ])('with %s publishes nothing', async (_, files, message) => {
    const answer = await service.api('POST', '/functions', { name: 'Bad', ...PYTHON, files });
    expect([400, 413]).toContain(answer.status);
    expect(answer.body['message']).toMatch(message);
    expect((await service.api<Reply<'functionList'>>('GET', '/functions')).body.functions).toEqual([]);
  });

  it('that ends its process or exits while it is loaded is reported as such, and the next version works', async () => {
    const fn = await make(`import os\nos._exit(3)\n${HELLO}`);
    expect(await invoke(service, fn)).toMatchObject({ status: 'ERROR', error: { name: 'ProcessExited' } });
    await deploy(fn, `import sys\nsys.exit(3)\n${HELLO}`);
    expect(await invoke(service, fn)).toMatchObject({ status: 'ERROR', error: { name: 'SystemExit' } });
    await deploy(fn, HELLO);
    expect((await invoke(service, fn)).response?.body).toBe('hello');
  });
});

it('a response that HTTP cannot represent is a 500 for the caller, with the reason in its run', async () => {
  const fn = await make(`ANSWERS = {
    "/status": {"status": 999},
    "/name": {"status": 200, "headers": {"a b": "c"}},
    "/line": {"status": 200, "headers": {"a": "c\\nd: e"}},
    "/set": {1, 2},
}
def handler(event, context):
    return ANSWERS[event["path"]]
`);
  for (const [path, message] of [
    ['/status', /999/],
    ['/name', /a b/],
    ['/line', /./],
    ['/set', /set/],
  ] as const) {
    const answer = await call(fn, path);
    expect([path, answer.status, answer.text]).toEqual([path, 500, 'Internal Server Error']);
    expect(answer.headers['d']).toBeUndefined();
    const run = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
    const read = async () => (await service.api<Reply<'runGet'>>('GET', run)).body;
    await expect.poll(async () => (await read()).status, PATIENTLY).toBe('ERROR');
    expect((await read()).error?.message, path).toMatch(message);
  }
});

it('an integer beyond the range of floats is returned exactly', async () => {
  const fn = await make('def handler(event, context):\n    return {"big": 2**70}\n');
  expect((await call(fn)).text.replaceAll(' ', '')).toBe('{"big":1180591620717411303424}');
});

it('variables with a special meaning in JavaScript are plain variables', async () => {
  const fn = await make('import os\ndef handler(event, context):\n    return dict(os.environ)\n');
  const env = [
    { key: 'PATH', value: '/nowhere' },
    { key: '__proto__', value: 'mine' },
    { key: 'PYTHONPATH', value: '/elsewhere' },
    { key: 'LARGE', value: 'ü'.repeat(10_000) },
  ];
  const path = `/functions/${fn.function_id}/env`;
  expect((await service.api('POST', path, { env })).status).toBe(200);
  const seen = Object.entries((await invoke(service, fn)).response?.body as Record<string, string>);
  expect(seen).toEqual(expect.arrayContaining(env.map(({ key, value }) => [key, value])));
  const huge = await service.api('POST', path, { env: [{ key: 'HUGE', value: 'x'.repeat(1_000_000) }] });
  expect([huge.status, huge.body['message']]).toEqual([400, expect.stringMatching(/^env\.0\.value: .*32768/)]);
});

it('a function deleted while it runs finishes its run, and leaves no data', async () => {
  const fn = await make(`import asyncio
go = asyncio.Event()
async def handler(event, context):
    if event["path"] == "/go":
        go.set()
        return "gone"
    async def pieces():
        yield "begun "
        try:
            await asyncio.wait_for(go.wait(), 1)
        except TimeoutError:
            pass
        yield "ended"
    return {"status": 200, "body": pieces()}
`);
  const held = call(fn);
  const runs = async () =>
    (await service.api<Reply<'runListAll'>>('GET', '/runs?status=RUNNING')).body.runs.filter(
      (run) => run.function_id === fn.function_id,
    );
  await expect.poll(async () => (await runs()).length, PATIENTLY).toBe(1);
  expect((await service.api('DELETE', `/functions/${fn.function_id}`)).status).toBe(200);
  expect((await call(fn)).status).toBe(404);
  expect(await held).toMatchObject({ status: 200, text: 'begun ended' });
  await expect.poll(runs, PATIENTLY).toEqual([]);
});

// Ten builds of Python on a busy machine take longer than other tests may.
it('ten concurrent deploys create ten versions, and the last is live', async () => {
  const fn = await make(HELLO);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => deploy(fn, says(index))));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map(({ body }) => body.version.version).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 2),
  );
  const serving = answers.findIndex(({ body }) => body.version.version === 11);
  expect((await invoke(service, fn)).response?.body).toBe(serving);
});

it('of two concurrent deploys over the same version, one succeeds and the other gets a conflict', async () => {
  const fn = await make(HELLO);
  const answers = await Promise.all([deploy(fn, says(1), 1), deploy(fn, says(2), 1)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(/version 2 is live now/);
  expect((await invoke(service, fn)).response?.body).toBe(answers[0].status === 200 ? 1 : 2);
});

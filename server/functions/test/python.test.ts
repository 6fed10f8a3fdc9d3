/** Python functions through the public API: published, called, logged, stopped. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, type HostedFunction, invoke, PATIENTLY, type Run, saidIn } from './functions-support.ts';
import { PYTHON_FILES, startNative } from './python-support.ts';

const upstream = forAll(startNative);
const service = serviceForAll();
let app = '';
/** One function for several tests: the body names the part to run. */
let fn: HostedFunction;
const MAKING_MS = 120_000;

beforeAll(async () => {
  app = await addApp(service, upstream.url);
  await connect(service, app, { api_key: 'native-key' });
  fn = await make(PYTHON_FILES);
  await service.api('POST', `/functions/${fn.function_id}/env`, { env: [{ key: 'NAME', value: 'Ann' }] });
}, MAKING_MS);

async function create(files: Record<string, string>, more: Partial<Body<'functionCreate'>> = {}) {
  const body = { name: 'Snake', runtime: 'python3.12', files, ...more };
  return service.api<Reply<'functionCreate'> & { problems?: object[] }>('POST', '/functions', body);
}
async function make(files: Record<string, string>, more: Partial<Body<'functionCreate'>> = {}) {
  const { status, body } = await create(files, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.function;
}
const ask = (body: string, of = fn): Promise<Run> => invoke(service, of, { method: 'POST', body });

/** The response of the function's URL, with its body unread. */
async function open(body: string): Promise<IncomingMessage> {
  const headers = { ...bearer(service.key), host: new URL(fn.url).host };
  const call = request({ host: '127.0.0.1', port: service.port, method: 'POST', headers, agent: false });
  call.on('error', () => undefined).end(body);
  return (await once(call, 'response'))[0];
}

const said = (run: Run) => saidIn(service, run);

describe('a handler', () => {
  it.each<[string, object]>([
    ['plain World', { status: 200, body: ['Hello, World', 'Hello, 2', 'POST', {}, 'snake'] }],
    ['whole', { status: 418, headers: expect.objectContaining({ 'x-own': 'a' }), body: { é: [null, true, 1.5] } }],
    ['text', { status: 200, headers: expect.objectContaining({ 'content-type': 'text/html' }), body: '<p>' }],
    ['empty', { status: 204 }],
    ['async', { status: 200, body: 'later' }],
    ['asyncio_run', { status: 200, body: 'run' }],
    ['status_error', { status: 200, body: 401 }],
  ])('returns %s', async (part, response) => {
    const run = await ask(part);
    expect(run.error).toBeNull();
    expect(run.response).toMatchObject(response);
  });

  it('returns bytes unchanged', async () => {
    const answer = await callAddress(service, fn.url, { method: 'POST', body: 'bytes', headers: bearer(service.key) });
    expect(answer.status).toBe(200);
    expect([...answer.body]).toEqual(Array.from({ length: 256 }, (_, index) => index));
  });

  it('receives and returns text of many megabytes, and truncates an exception of that size', async () => {
    const large = await make({
      'main.py':
        'def handler(event, context):\n  if event["path"] == "/raise": raise ValueError("x" * 3_000_000)\n  return {"status": 200, "body": event["body"]} if event["path"] == "/whole" else event["body"]',
    });
    const body = 'ä'.repeat(2_500_000);
    const sent = { method: 'POST', headers: bearer(service.key), body };
    const answers = [
      await callAddress(service, large.url, { ...sent, path: '/whole' }),
      await callAddress(service, large.url, { ...sent, path: '/json' }),
    ];
    expect(answers.map((answer) => [answer.status, answer.headers['content-type'], answer.text.length])).toEqual([
      [200, 'text/plain;charset=UTF-8', 2_500_000],
      [200, 'application/json', 2_500_002],
    ]);
    const { error } = await invoke(service, large, { path: '/raise' });
    expect([error?.name, error?.message.length]).toEqual(['ValueError', 32_768 + '… (cut)'.length]);
  });

  it('returns pieces from a generator', async () => {
    const run = await ask('pieces');
    expect(run).toMatchObject({ status: 'OK', response: { status: 200, body: 'data: first\n\ndata: second\n\n' } });
    expect(run.response?.headers).toMatchObject({ 'content-type': 'text/event-stream' });
    expect(await said(run)).toEqual([
      ['info', 'between'],
      ['info', 'closed'],
    ]);
  });

  it('sends its first piece before the second is created', async () => {
    const answer = await open('pieces_async');
    const pieces = answer[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe('first ');
    expect((await ask('resume')).status).toBe('OK');
    expect(String((await pieces.next()).value)).toBe('second');
    expect((await pieces.next()).done).toBe(true);
  });

  it('ends its generator when the reader disconnects', async () => {
    const answer = await open('pieces endless');
    let received = '';
    // Leaving the loop disconnects.
    for await (const piece of answer) {
      received += piece;
      if (received.includes('second')) break;
    }
    const path = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
    const read = async () => (await service.api<Run>('GET', path)).body;
    await expect.poll(async () => (await read()).error?.name, PATIENTLY).toBe('CallerGone');
    expect((await said(await read())).slice(0, 2)).toEqual([
      ['info', 'between'],
      ['info', 'closed'],
    ]);
  });

  it('ends its generator when the status has no body', async () => {
    expect(await said(await ask('pieces_unasked'))).toEqual([['info', 'closed']]);
  });

  it.each([
    ['pieces raise', 'LookupError', 'half-way'],
    ['piece_of_none', 'TypeError', 'A piece of a body should be str or bytes, not NoneType'],
  ])('that fails in a piece, as %s, is an error of the run', async (part, name, message) => {
    expect(await ask(part)).toMatchObject({ status: 'ERROR', error: { name, message } });
  });

  it('has the function’s environment, the gateway’s URL and the token of its run', async () => {
    const run = await ask('env');
    expect(run.response?.body).toEqual([
      'Ann',
      'http://gateway.internal',
      true,
      ['GATEWAY_TOKEN', 'GATEWAY_URL', 'NAME'],
    ]);
  });

  it('calls a connected app through the gateway, with urllib and with pyfetch', async () => {
    const run = await ask(`gateway /${app}/v1/things?a=%2F`);
    const seen = { method: 'PUT', url: '/v1/things?a=%2F', own: '1', body: 'hi' };
    expect(run.error).toBeNull();
    expect(run.response?.body).toEqual([201, 'yes', seen]);
    const fetched = await ask(`pyfetch /${app}/x`);
    expect(fetched.response?.body).toEqual([201, { method: 'GET', url: '/x', body: '' }]);
  });

  it('cannot connect to a private network', async () => {
    const run = await ask(`private http://127.0.0.1:${service.port}/`);
    expect(run.response?.body).toMatch(/Requires net access|not a public address/);
  });
});

describe('the log', () => {
  it('has printed and logged lines, with their level', async () => {
    const lines = await said(await ask('says'));
    expect(lines.filter(([, text]) => text !== 'loaded')).toEqual([
      ['info', 'one two'],
      ['error', 'in'],
      ['error', 'pieces'],
      ['info', 'said 3'],
      ['warn', 'careful'],
      [
        'error',
        expect.stringMatching(
          /^seen\nTraceback .*\n {2}File "main.py", line \d+, in do_says\n {4}int\("x"\)\nValueError: invalid/,
        ),
      ],
      ['info', 'unfinished'],
    ]);
  });

  it('has the lines of each of fifty runs with that run', async () => {
    for (const part of ['many', 'many_async']) {
      const asked = Array.from({ length: 50 }, (_, index) => index);
      const seen: string[][] = [];
      // A function has 20 concurrent runs: the next begins when one is over.
      const lane = async () => {
        for (let index = asked.pop(); index !== undefined; index = asked.pop()) {
          const run = await ask(`${part} ${index}`);
          expect(run.response?.body).toBe(index);
          const lines = (await said(run)).map(([, text]) => text).sort();
          seen.push(lines.filter((text) => text !== 'loaded'));
          expect(lines).toEqual(expect.arrayContaining([0, 1, 2, 3].map((turn) => `${index} ${turn}`)));
        }
      };
      await Promise.all(Array.from({ length: 20 }, lane));
      expect(seen.flat()).toHaveLength(200);
    }
  });

  it('has lines written after the response, in wait_until()', async () => {
    const run = await ask('wait');
    expect(run.response?.body).toBe('now');
    await expect.poll(() => said(run), PATIENTLY).toContainEqual(['info', 'afterwards']);
  });
});

describe('an error', () => {
  it.each<[string, string, RegExp | string]>([
    ['raise', 'LookupError', 'nothing there'],
    ['exit 3', 'SystemExit', '3'],
    ['deep', 'RecursionError', /maximum recursion/],
    ['hunger', 'MemoryError', ''],
    ['nan', 'ValueError', /not JSON compliant/],
    ['circle', 'ValueError', /Circular reference/],
    ['object', 'TypeError', /not JSON serializable/],
  ])('in %s is reported with its position in the function', async (part, name, message) => {
    const run = await ask(part);
    expect(run).toMatchObject({ status: 'ERROR', response: { status: 500 }, error: { name } });
    expect(run.error?.message).toMatch(message);
    const line =
      PYTHON_FILES['main.py'].split('\n').findIndex((text) => text.startsWith(`def do_${part.split(' ')[0]}(`)) + 1;
    if (part === 'raise')
      expect(run.error?.stack).toBe(
        `Traceback (most recent call last):\n  File "main.py", line 12, in handler\n` +
          `    return globals()["do_" + name](event, context, rest)\n` +
          `           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n` +
          `  File "main.py", line ${line + 1}, in do_raise\n    raise LookupError("nothing there")\n` +
          'LookupError: nothing there',
      );
    expect(run.error?.stack).not.toMatch(/_sluice|engine\.mjs/);
    expect(await ask('plain again')).toMatchObject({ status: 'OK' });
  });

  it('in the response is an error of the run', async () => {
    expect(await ask('status')).toMatchObject({ status: 'ERROR', error: { name: 'RangeError' } });
  });

  it('such as a loop ends at the time limit with its log, and the next run has a new process', async () => {
    const looping = await make(PYTHON_FILES, { name: 'Looping', timeout_seconds: 5 });
    // The first run loads the module, which may take long on a busy machine.
    await expect.poll(async () => (await ask('plain World', looping)).status, PATIENTLY).toBe('OK');
    const run = await ask('loop', looping);
    expect(run).toMatchObject({ status: 'TIMEOUT', response: { status: 504 } });
    expect(await said(run)).toContainEqual(['info', 'before the loop']);
    // A new process loads the module again, which may take some seconds on a busy machine.
    await expect.poll(async () => (await ask('plain again', looping)).status, PATIENTLY).toBe('OK');
  });

  it('such as an exit of the process keeps the log', async () => {
    const run = await ask('die');
    expect(run).toMatchObject({ status: 'ERROR', error: { name: 'ProcessExited' } });
    expect(run.error?.message).toContain('exit code 7');
    expect(await said(run)).toContainEqual(['info', 'last words']);
    expect(await ask('plain again')).toMatchObject({ status: 'OK' });
  });

  it('of ten megabytes of log in one run, the rest is truncated and marked; the next run succeeds', async () => {
    const run = await ask('flood');
    expect([run.status, run.response?.body]).toEqual(['OK', 'done']);
    const path = `/functions/${run.function_id}/runs/${run.run_id}/logs?limit=1000`;
    const { events } = (await service.api<Reply<'runLogList'>>('GET', path)).body;
    const lines = events.map(({ message }) => message);
    expect(lines.filter((line) => line.startsWith('Log truncated'))).toHaveLength(1);
    expect(lines.join('').length).toBeLessThan(300_000);
    expect((await ask('plain again')).status).toBe('OK');
  });

  it('while the module loads is an error of every run', async () => {
    const broken = await make({ 'main.py': 'x = 1\n1 / 0\ndef handler(e, c): pass\n' }, { name: 'Broken' });
    for (const _ of [1, 2]) {
      const run = await ask('', broken);
      expect(run.error).toMatchObject({ name: 'ZeroDivisionError', message: 'division by zero' });
      expect(run.error?.stack).toContain('File "main.py", line 2, in <module>');
    }
    const looping = await make({ 'main.py': 'while 1: pass\ndef handler(e, c): pass\n' }, { timeout_seconds: 1 });
    expect(await ask('', looping)).toMatchObject({ status: 'TIMEOUT' });
    const none = await make({ 'main.py': 'handler = 3\n' }, { name: 'None' });
    expect((await ask('', none)).error?.message).toContain(
      'should be a function of main.py, but it is of the type int',
    );
  });
});

describe('publishing', () => {
  const at = (file: string, line: number, column: number, text: RegExp) => ({
    file,
    line,
    column,
    text: expect.stringMatching(text),
  });

  it.each<[string, Record<string, string>, string | undefined, object]>([
    [
      'syntax errors, all of them',
      { 'main.py': 'def handler(event, context):\n    return (1\n', 'lib/b.py': 'x = 1\n  y = 2\n' },
      undefined,
      [
        at('lib/b.py', 2, 2, /IndentationError: unexpected indent/),
        at('main.py', 2, 12, /SyntaxError: '\(' was never closed/),
      ],
    ],
    ['an error found late', { 'main.py': 'return 1\n' }, undefined, [at('main.py', 1, 1, /'return' outside function/)]],
    [
      'no handler',
      { 'main.py': 'def other(): pass\n' },
      undefined,
      [at('main.py', 1, 1, /needs a function "handler"; main.py has other/)],
    ],
    [
      'an unknown handler',
      { 'main.py': 'def handler(): pass\n' },
      'main.serve',
      [at('main.py', 1, 1, /needs a function "serve"/)],
    ],
    [
      'an unknown file',
      { 'main.py': 'def handler(): pass\n' },
      'app.handler',
      [at('app', 1, 1, /needs a file "app.py"; found main.py/)],
    ],
    ['no Python', { 'index.ts': 'export default 1' }, undefined, [at('main.py', 1, 1, /Expected a file main.py/)]],
    [
      'a missing module',
      { 'main.py': 'import os\nimport requests\nhandler = 1\n' },
      undefined,
      [at('main.py', 2, 1, /No module named "requests"/)],
    ],
    [
      'a missing file',
      { 'pkg/main.py': 'from . import a\nfrom .b import c\nhandler = 1\n' },
      'pkg/main.handler',
      [at('pkg/main.py', 2, 1, /"\.b"/)],
    ],
    [
      'packages',
      { 'main.py': 'handler = 1\n', 'requirements.txt': '# none\njson\nnumpy==2.1 # fast\n' },
      undefined,
      [at('requirements.txt', 3, 1, /numpy==2.1 can't be installed/)],
    ],
    [
      'depth',
      { 'main.py': `handler = ${'('.repeat(50_000)}` },
      undefined,
      [at('main.py', 1, expect.any(Number) as unknown as number, /too many nested parentheses/)],
    ],
  ])('%s are a 400 with file, line and column', async (_, files, handler, problems) => {
    const { status, body } = await create(files, handler === undefined ? {} : { handler });
    expect(status, JSON.stringify(body)).toBe(400);
    expect(body.problems).toEqual(problems);
  });

  it('finds the handler in the usual files, and keeps that of the previous version', async () => {
    const found = await make({
      'src/main.py': 'import helper\ndef lambda_handler(e, c): return helper.x',
      'src/helper.py': 'x = 5',
    });
    expect((await ask('', found)).response?.body).toBe(5);
    const files = {
      'src/main.py': 'from src.helper import x as lambda_handler',
      'src/helper.py': 'x = lambda e, c: 6',
    };
    const next = await service.api<{ version: { handler: string } }>(
      'POST',
      `/functions/${found.function_id}/versions`,
      { files },
    );
    expect(next.status, JSON.stringify(next.body)).toBe(200);
    expect((await ask('', found)).response?.body).toBe(6);
    const worse = await service.api('POST', `/functions/${found.function_id}/versions`, {
      files: { 'src/main.py': 'def' },
    });
    expect(worse.status).toBe(400);
    expect((await ask('', found)).response?.body).toBe(6);
  });

  it('a file of the function takes precedence over a library module with its name', async () => {
    const shadowing = await make(
      { 'json.py': 'from random import own\ndef handler(e, c): return own()', 'random.py': 'own = lambda: "own"' },
      { handler: 'json.handler' },
    );
    expect((await ask('', shadowing)).response?.body).toBe('own');
  });

  it('for another runtime is rejected', async () => {
    expect((await create(PYTHON_FILES, { runtime: 'python3.11' as 'python3.12' })).status).toBe(400);
  });
});

it('search finds Python code by its runtime', async () => {
  const path = `/functions/search?q=${encodeURIComponent('"do_gateway" runtime:python3.12')}`;
  const search = () => service.api<Reply<'functionSearch'>>('GET', path);
  await expect.poll(async () => (await search()).body.functions[0]?.function_id, PATIENTLY).toBe(fn.function_id);
});

import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { sweepOrphanRuns } from '../runs/runs.ts';
import {
  bearer,
  callAddress,
  ECHO,
  HELLO,
  type HostedFunction,
  invoke,
  makeFunction,
  PATIENTLY,
  type Run,
} from './functions-support.ts';

const service = serviceForAll();

const read = async (fn: HostedFunction, run_id: unknown) =>
  (await service.api<Run>('GET', `/functions/${fn.function_id}/runs/${run_id}`)).body;
const finished = async (fn: HostedFunction, run_id: unknown): Promise<Run> => {
  await expect.poll(async () => (await read(fn, run_id)).status, PATIENTLY).not.toBe('RUNNING');
  return read(fn, run_id);
};
const logs = async (run: Run) => {
  const path = `/functions/${run.function_id}/runs/${run.run_id}/logs`;
  return (await service.api<Reply<'runLogList'>>('GET', path)).body.events.map(({ message }) => message);
};

describe('a run', () => {
  it('is stored with request, response and log', async () => {
    const fn = await makeFunction(
      service,
      'export const run = (event) => { console.log("got", event.body); return { ok: true }; };',
      {
        name: 'Stored',
        handler: 'index.run',
      },
    );
    const asked = {
      method: 'POST',
      path: '/orders/1%202?a=1&a=2&b=%C3%BC',
      headers: { ...bearer(service.key), cookie: 'id=secret; theme=dark', 'x-api-key': 'secret', 'user-agent': 'test' },
      body: 'hello',
    };
    const answer = await callAddress(service, fn.url, asked);
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    const run = await finished(fn, answer.headers['x-function-run-id']);
    expect(run).toMatchObject({
      function_id: fn.function_id,
      version: 1,
      status: 'OK',
      request: {
        method: 'POST',
        raw_path: '/orders/1%202',
        path: '/orders/1 2',
        raw_query_string: 'a=1&a=2&b=%C3%BC',
        query_params: { a: '1,2', b: 'ü' },
        headers: { authorization: 'REDACTED', cookie: 'REDACTED', 'x-api-key': 'REDACTED', 'user-agent': 'test' },
        cookies: ['id=REDACTED', 'theme=REDACTED'],
        body: 'hello',
        is_base64_encoded: false,
        source_ip: '127.0.0.1',
        user_agent: 'test',
        protocol: 'HTTP/1.1',
        host: new URL(fn.url).host,
        label: 'stored',
      },
      response: { status: 200, headers: { 'content-type': 'application/json' }, body: { ok: true } },
      error: null,
      cause: null,
    });
    expect(run.duration_ms).toBeGreaterThan(0);
    expect([run.created_at, run.started_at, run.ended_at].every((at) => /\.\d{6}Z$/.test(at ?? ''))).toBe(true);
    expect(await logs(run)).toEqual([
      `START RunId: ${run.run_id} Version: 1`,
      'got hello',
      `END RunId: ${run.run_id}`,
      expect.stringMatching(new RegExp(`^REPORT RunId: ${run.run_id} Duration: \\d+\\.\\d\\d ms$`)),
    ]);
    const rows = await service.services.db.selectFrom('runs').selectAll().where('run_id', '=', run.run_id).execute();
    expect(JSON.stringify(rows)).not.toContain('secret');
    expect(JSON.stringify(rows)).not.toContain(service.key);
  });

  it('reports how it started, and the time of each stage', async () => {
    const fn = await makeFunction(
      service,
      'await new Promise((go) => setTimeout(go, 30));\nexport default { fetch: () => new Response("hello") };',
    );
    const first = await invoke(service, fn);
    const { ready_ms = null, loaded_ms = null, answer_ms = null } = first.timing ?? {};
    expect(first.timing?.start).toBe('COLD');
    const marks = [0, ready_ms, loaded_ms, answer_ms, first.duration_ms].map(Number);
    expect(marks).toEqual([...marks].sort((a, b) => a - b));
    expect(Number(loaded_ms) - Number(ready_ms)).toBeGreaterThan(25);
    const second = await invoke(service, fn);
    expect(second.timing).toMatchObject({ start: 'WARM', loaded_ms: null, answer_ms: expect.any(Number) });
  });

  it('keeps the first 256 KiB of long bodies, and bytes as Base64', async () => {
    const fn = await makeFunction(
      service,
      'export default { fetch: async (r) => new Response(await r.arrayBuffer()) };',
    );
    const long = `${'ü'.repeat(200_000)}`;
    const answer = await callAddress(service, fn.url, { method: 'POST', headers: bearer(service.key), body: long });
    expect(answer.text).toBe(long);
    const run = await finished(fn, answer.headers['x-function-run-id']);
    expect(run.request).toMatchObject({ truncated: true, is_base64_encoded: false, body: 'ü'.repeat(131_072) });
    expect(run.response).toMatchObject({ truncated: true, body: 'ü'.repeat(131_072) });
    const bytes = Buffer.from([0, 255, 1, 254]);
    const binary = await callAddress(service, fn.url, { method: 'POST', headers: bearer(service.key), body: bytes });
    expect(binary.body).toEqual(bytes);
    const other = await finished(fn, binary.headers['x-function-run-id']);
    expect(other.request).toMatchObject({ body: bytes.toString('base64'), is_base64_encoded: true });
    expect(other.response).toMatchObject({ body: bytes.toString('base64'), is_base64_encoded: true });
  });

  it('that throws responds with 500 as text, and keeps its log', async () => {
    const fn = await makeFunction(service, {
      'src/index.ts':
        'export default {\n  fetch() {\n    console.log("before");\n    throw new TypeError("no luck");\n  },\n};',
    });
    const answer = await callAddress(service, fn.url, { headers: bearer(service.key) });
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      500,
      'Internal Server Error',
      'text/plain; charset=utf-8',
    ]);
    const run = await finished(fn, answer.headers['x-function-run-id']);
    expect(run).toMatchObject({
      status: 'ERROR',
      error: { name: 'TypeError', message: 'no luck' },
      response: { status: 500 },
    });
    expect(run.error?.stack).toContain('src/index.ts:4:11');
    const lines = await logs(run);
    expect(lines).toContain('before');
    expect(lines.at(-1)).toMatch(/Status: ERROR$/);
  });

  it('that takes too long responds with 504, and keeps its log', async () => {
    const code =
      'export default { async fetch() { console.log("waiting"); await new Promise(() => setTimeout(() => {}, 60_000)); } };';
    const fn = await makeFunction(service, code, { timeout_seconds: 1 });
    const answer = await callAddress(service, fn.url, { headers: bearer(service.key) });
    expect(answer.status).toBe(504);
    const run = await finished(fn, answer.headers['x-function-run-id']);
    expect(run).toMatchObject({ status: 'TIMEOUT', response: { status: 504 } });
    expect(await logs(run)).toContain('waiting');
  });

  it('returns the function’s status, headers and stream', async () => {
    const code = `export default { fetch() {
      const body = new ReadableStream({ async start(c) { for (const part of ['a', 'b', 'c']) { c.enqueue(new TextEncoder().encode(part)); await new Promise((ok) => setTimeout(ok, 20)); } c.close(); } });
      const headers = new Headers({ 'x-own': '1', 'x-function-run-id': 'forged' });
      headers.append('set-cookie', 'a=1'); headers.append('set-cookie', 'b=2');
      return new Response(body, { status: 418, headers });
    } };`;
    const fn = await makeFunction(service, code);
    const answer = await callAddress(service, fn.url, { headers: bearer(service.key) });
    expect([answer.status, answer.text, answer.headers['x-own']]).toEqual([418, 'abc', '1']);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const run = await finished(fn, answer.headers['x-function-run-id']);
    expect(run.response).toMatchObject({ status: 418, body: 'abc', headers: { 'set-cookie': 'REDACTED' } });
  });

  it('ends when its caller disconnects', async () => {
    const code =
      'export default { fetch() { console.log("here"); return new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("x")); } })); } };';
    const fn = await makeFunction(service, code);
    const run_id = await new Promise((resolve, reject) => {
      const call = request({
        host: '127.0.0.1',
        port: service.port,
        headers: { ...bearer(service.key), host: new URL(fn.url).host },
      });
      call.on('response', (response) => {
        response.once('data', () => {
          resolve(response.headers['x-function-run-id']);
          call.destroy();
        });
        response.on('error', () => undefined);
      });
      call.on('error', reject);
      call.end();
    });
    expect(await finished(fn, run_id)).toMatchObject({ status: 'ERROR', error: { name: 'CallerGone' } });
  });
});

describe(':invoke', () => {
  it('runs with the given request and returns the run', async () => {
    const fn = await makeFunction(service, ECHO, { name: 'Invoked' });
    const run = await invoke(service, fn, {
      method: 'PUT',
      path: '/a/ü',
      query: { q: 'x y' },
      headers: { 'X-One': '1' },
      body: '{}',
    });
    expect(run).toMatchObject({
      status: 'OK',
      response: {
        status: 200,
        body: { method: 'PUT', url: `${fn.url}/a/%C3%BC?q=x+y`, headers: { 'x-one': '1' }, body: '{}' },
      },
    });
    expect(run.ended_at).not.toBeNull();
    expect(await logs(run)).toHaveLength(3);
  });

  it('can run an older version, and rejects an unknown one', async () => {
    const fn = await makeFunction(service, 'export default { fetch: () => new Response("1") };');
    await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': HELLO } });
    expect(await invoke(service, fn, { version: 1 })).toMatchObject({ version: 1, response: { body: 1 } });
    expect(await invoke(service, fn)).toMatchObject({ version: 2, response: { body: 'hello' } });
    const missing = await service.api('POST', `/functions/${fn.function_id}:invoke`, { version: 3 });
    expect(missing.status).toBe(400);
  });

  it.each([
    [{ headers: { 'bad name': '1' } }, /^headers\.bad name: /],
    [{ headers: { a: 'x\r\ny' } }, /^headers\.a: /],
    [{ path: 'no-slash' }, /^path: /],
    [{ path: '/a?b' }, /^path: /],
    [{ method: 'TRACE' }, /^method: /],
  ])('rejects %j', async (body, message) => {
    const fn = await makeFunction(service);
    const answer = await service.api('POST', `/functions/${fn.function_id}:invoke`, body);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toMatch(message);
  });
});

describe('lists of runs', () => {
  it('are filtered and paged, for one function and for all', async () => {
    const fn = await makeFunction(
      service,
      'export default { fetch(r) { if (r.url.includes("bad")) throw new Error("bad luck"); return new Response(); } };',
      { name: 'Listed' },
    );
    for (const path of ['/1', '/bad', '/2']) await invoke(service, fn, { path });
    const list = async (query: string, base = `/functions/${fn.function_id}/runs`) =>
      (await service.api<Reply<'runList'>>('GET', `${base}?${query}`)).body;
    const all = await list('');
    expect(all.runs.map((run) => run.path)).toEqual(['/2', '/bad', '/1']);
    expect(all.runs[1]).toMatchObject({
      function_name: 'Listed',
      status: 'ERROR',
      error_message: 'bad luck',
      response_status: 500,
      cause: null,
    });
    expect((await list('status=ERROR')).runs.map((run) => run.path)).toEqual(['/bad']);
    expect((await list('version=2')).runs).toEqual([]);
    expect((await list(`since=${all.runs[0]?.created_at}`)).runs.map((run) => run.path)).toEqual(['/2']);
    expect((await list(`until=${all.runs[1]?.created_at}`)).runs.map((run) => run.path)).toEqual(['/1']);
    const page = await list('limit=2');
    expect(
      (await list(`limit=2&next_token=${encodeURIComponent(page.next_token ?? '')}`)).runs.map((run) => run.path),
    ).toEqual(['/1']);
    expect((await list('', '/runs')).runs.map((run) => run.run_id)).toEqual(
      expect.arrayContaining(all.runs.map((run) => run.run_id)),
    );
    expect((await service.api('GET', `/functions/${fn.function_id}/runs?since=yesterday`)).status).toBe(400);
  });

  it('return 404 for a run of another function or account', async () => {
    const fn = await makeFunction(service);
    const other = await makeFunction(service);
    const run = await invoke(service, fn);
    const { key } = await service.secondAccount();
    const path = `/functions/${fn.function_id}/runs/${run.run_id}`;
    expect((await service.api('GET', path, undefined, { key })).status).toBe(404);
    expect((await service.api('GET', `/functions/${other.function_id}/runs/${run.run_id}`)).status).toBe(404);
    expect((await service.api('GET', `/functions/${fn.function_id}/runs/${newId()}/logs`)).status).toBe(404);
  });
});

it('ends the runs of a service that is gone', async () => {
  const fn = await makeFunction(service);
  const run = await invoke(service, fn);
  const { db } = service.services;
  await db
    .updateTable('runs')
    .set({ status: 'RUNNING', node_id: newId(), ended_at: null })
    .where('run_id', '=', run.run_id)
    .execute();
  await sweepOrphanRuns(service.services);
  expect(await read(fn, run.run_id)).toMatchObject({
    status: 'ERROR',
    error: { name: 'ServiceStopped' },
    ended_at: expect.any(String),
  });
});

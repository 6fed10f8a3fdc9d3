/** Recording runs: calls do not wait for it, and readers miss nothing. */
import { request as ask } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { closeDatabase } from '../../test/service.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, type HostedFunction, makeFunction, PATIENTLY, type Run } from './functions-support.ts';

const service = serviceForAll();
/** On a busy machine the process may report the end later than readers wait for it. */
const patient = serviceForAll({ runPatience: { oneMs: 60_000, manyMs: 60_000 } });

const readRun = async (fn: HostedFunction, run_id: unknown, of = service) =>
  of.api<Run>('GET', `/functions/${fn.function_id}/runs/${run_id}`);

it('a run can be read and is listed as soon as its response has arrived', async () => {
  const fn = await makeFunction(service);
  for (let n = 0; n < 20; n++) {
    const { headers } = await callAddress(service, fn.url, { headers: bearer(service.key) });
    const run_id = headers['x-function-run-id'];
    const [one, page] = await Promise.all([
      readRun(fn, run_id),
      service.api<{ runs: Run[] }>('GET', `/functions/${fn.function_id}/runs`),
    ]);
    expect(one.status).toBe(200);
    expect(page.body.runs.map((run) => run.run_id)).toContain(run_id);
  }
});

const ANSWERS = {
  whole: 'export default { fetch: async (request) => new Response(await request.text()) };',
  // With a declared length, the caller has the whole body before the run is over.
  sized: `export default { async fetch(request) {
    const parts = ['first ', await request.text()];
    const body = new ReadableStream({ async pull(to) {
      await new Promise((go) => setTimeout(go, 1));
      const part = parts.shift();
      if (part === undefined) to.close(); else to.enqueue(new TextEncoder().encode(part));
    } });
    return new Response(body, { headers: { 'content-length': String(parts.join('').length) } });
  } };`,
};

it.each(Object.entries(ANSWERS))(
  'a run read right after its %s response is finished, in its list and its log too',
  async (kind, code) => {
    const fn = await makeFunction(patient, code);
    const unfinished: unknown[] = [];
    for (let n = 0; n < 200; n++) {
      const body = `body ${n}`;
      const answer = await callAddress(patient, fn.url, { method: 'POST', body, headers: bearer(patient.key) });
      const run_id = answer.headers['x-function-run-id'];
      const at = `/functions/${fn.function_id}`;
      // One kind of read per run, as only the first one waits.
      if (n % 4 < 2) {
        const { body: run } = await readRun(fn, run_id, patient);
        if (
          run.status !== 'OK' ||
          run.ended_at === null ||
          run.response?.body !== answer.text ||
          run.request.body !== body
        )
          unfinished.push([n, run.status, run.ended_at, run.response?.body ?? null, run.request.body]);
      } else if (n % 4 === 2) {
        const { runs } = (await patient.api<Reply<'runList'>>('GET', `${at}/runs?limit=1`)).body;
        if (runs[0]?.run_id !== run_id || runs[0]?.status !== 'OK') unfinished.push([n, runs[0]]);
      } else {
        const { events } = (await patient.api<Reply<'functionLogList'>>('GET', `${at}/logs?order=newest&limit=1`)).body;
        if (!events[0]?.message.startsWith(`REPORT RunId: ${run_id}`)) unfinished.push([n, events]);
      }
    }
    expect(unfinished.length, JSON.stringify([kind, ...unfinished.slice(0, 3)])).toBe(0);
  },
);

it('a run that continues after its response is shown as running, shortly after the response', async () => {
  const code = `export default { fetch(_, env, ctx) {
    ctx.waitUntil(new Promise((go) => setTimeout(go, 60_000)));
    return new Response('early');
  } };`;
  const fn = await makeFunction(service, code, { timeout_seconds: 90 });
  const { headers } = await callAddress(service, fn.url, { headers: bearer(service.key) });
  const { status, body } = await readRun(fn, headers['x-function-run-id']);
  expect([status, body.status, body.ended_at]).toEqual([200, 'RUNNING', null]);
});

it('many concurrent runs are stored once each, completely and with all of their lines', async () => {
  const code = `export default { async fetch(request) {
    const { pathname } = new URL(request.url);
    for (let n = 0; n < 3; n++) console.log(pathname, n);
    return new Response(await request.text(), { headers: { 'x-path': pathname } });
  } };`;
  const fn = await makeFunction(service, code);
  const calls = Array.from({ length: 100 }, (_, n) => n);
  const askOn = async () => {
    for (let n = calls.shift(); n !== undefined; n = calls.shift()) {
      const body = `body ${n}`;
      const answer = await callAddress(service, fn.url, {
        method: 'POST',
        path: `/${n}`,
        body,
        headers: bearer(service.key),
      });
      expect([answer.status, answer.text]).toEqual([200, body]);
    }
  };
  await Promise.all(Array.from({ length: 10 }, askOn));
  const runs = async () =>
    (await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs?limit=1000`)).body.runs;
  await expect.poll(async () => (await runs()).filter(({ status }) => status === 'OK').length, PATIENTLY).toBe(100);
  const all = await runs();
  expect(new Set(all.map(({ path }) => path)).size).toBe(100);
  for (const { run_id } of all.slice(0, 10)) {
    const { body: run } = await readRun(fn, run_id);
    const path = run.request.raw_path;
    expect(run.request.body).toBe(`body ${path.slice(1)}`);
    expect(run.response).toMatchObject({ status: 200, body: run.request.body });
    const logs = await service.api<{ events: { message: string }[] }>(
      'GET',
      `/functions/${fn.function_id}/runs/${run_id}/logs`,
    );
    const said = logs.body.events.map(({ message }) => message);
    expect(said[0]).toMatch(/^START/);
    expect(said.slice(1, 4)).toEqual([0, 1, 2].map((n) => `${path} ${n}`));
    expect(said.slice(4).map((line) => line.split(' ')[0])).toEqual(['END', 'REPORT']);
  }
});

it('runs that end or begin while the database is unavailable are recorded later', async () => {
  const code = `export default { async fetch(request) {
    console.log('begun');
    const text = await request.text();
    console.log('ended');
    return new Response(text);
  } };`;
  const fn = await makeFunction(service, code);
  const answer = Promise.withResolvers<{ run_id: string; text: string }>();
  const upload = ask(
    {
      host: '127.0.0.1',
      port: service.port,
      method: 'POST',
      headers: { ...bearer(service.key), host: new URL(fn.url).host },
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => answer.resolve({ run_id: String(response.headers['x-function-run-id']), text }));
    },
  );
  upload.write('one ');
  const going = async () =>
    (await service.api<{ runs: Run[] }>('GET', `/functions/${fn.function_id}/runs?status=RUNNING`)).body.runs;
  await expect.poll(going, PATIENTLY).toHaveLength(1);

  // The second call finds its key and its function in the caches, which keep them for seconds: their clock is stopped.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  await callAddress(service, fn.url, { method: 'POST', body: 'one', headers: bearer(service.key) });

  const reopen = await closeDatabase(service.database);
  upload.end('two');
  const { run_id, text } = await answer.promise;
  expect(text).toBe('one two');
  const short = await callAddress(service, fn.url, { method: 'POST', body: 'two', headers: bearer(service.key) });
  expect(short.text).toBe('two');
  clock.mockRestore();
  await expect.poll(() => service.logged(), PATIENTLY).toContain('runs could not be stored, retrying');
  await reopen();

  for (const [id, body] of [
    [run_id, 'one two'],
    [short.headers['x-function-run-id'], 'two'],
  ]) {
    await expect.poll(async () => (await readRun(fn, id)).body.status, PATIENTLY).toBe('OK');
    const { body: run } = await readRun(fn, id);
    expect([run.request.body, run.response?.body]).toEqual([body, body]);
    const logs = await service.api<{ events: { message: string }[] }>(
      'GET',
      `/functions/${fn.function_id}/runs/${id}/logs`,
    );
    const said = logs.body.events.map(({ message }) => message.split(' ')[0]);
    expect(said).toEqual(['START', 'begun', 'ended', 'END', 'REPORT']);
  }
});

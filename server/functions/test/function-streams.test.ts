/**
 * Long and slow bodies through functions' URLs: they are not buffered, and each side is notified when the other ends.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, HELLO, makeFunction, PATIENTLY, type Run } from './functions-support.ts';

const CODE = `let go = () => {};
export default { async fetch(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/echo') return new Response(request.body);
  if (pathname === '/go') { go(); return new Response(); }
  if (pathname === '/endless') return new Response(new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65536)),
    cancel: () => console.log('cancelled'),
  }));
  if (pathname === '/wait') {
    request.signal.addEventListener('abort', () => console.log('aborted'));
    console.log('waiting');
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
  }
  const encoder = new TextEncoder();
  return new Response(new ReadableStream({ async start(controller) {
    controller.enqueue(encoder.encode('data: first\\n\\n'));
    await new Promise((resolve) => { go = resolve; });
    controller.enqueue(encoder.encode('data: second\\n\\n'));
    controller.close();
  } }), { headers: { 'content-type': 'text/event-stream' } });
} };`;
const CHUNK = Buffer.alloc(64 * 1024, 'abcdefghijklmnopqrstuvwxyz0123456789');
/** Exactly 100 MB. */
const CHUNKS = (100 * 1024 * 1024) / CHUNK.length;
/** The capacity of sockets, pipes and streams between them, on each of the three paths. */
const UNDERWAY_MAX_BYTES = 24 * 1024 * 1024;

const service = serviceForAll();
const fn = forAll(() => makeFunction(service, CODE, { timeout_seconds: 60 }));

function ask(path: string, method = 'GET', of = fn): ClientRequest {
  const headers = { ...bearer(service.key), host: new URL(of.url).host };
  return request({ host: '127.0.0.1', port: service.port, method, path, headers, agent: false });
}
const answerTo = async (call: ClientRequest): Promise<IncomingMessage> => (await once(call, 'response'))[0];
const runOf = async (answer: IncomingMessage) => {
  const path = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
  return (await service.api<Reply<'runGet'>>('GET', path)).body;
};
const lastSaid = async () => {
  const { runs } = (await service.api<Reply<'runList'>>('GET', `/functions/${fn.function_id}/runs`)).body;
  const path = `/functions/${fn.function_id}/runs/${runs[0]?.run_id}/logs`;
  const { events } = (await service.api<Reply<'runLogList'>>('GET', path)).body;
  return events.map(({ message }) => message);
};

test('100 MB are uploaded and returned byte for byte, with little buffered at any time', async () => {
  let sentBytes = 0;
  let gotBytes = 0;
  let mostUnderway = 0;
  const sent = createHash('sha256');
  const got = createHash('sha256');
  const source = Readable.from(
    (function* () {
      for (let index = 0; index < CHUNKS; index++) {
        sentBytes += CHUNK.length;
        mostUnderway = Math.max(mostUnderway, sentBytes - gotBytes);
        sent.update(CHUNK);
        yield CHUNK;
      }
    })(),
  );
  const call = ask('/echo', 'POST');
  const answered = answerTo(call);
  const uploaded = pipeline(source, call);
  const answer = await answered;
  for await (const chunk of answer) {
    gotBytes += chunk.length;
    got.update(chunk);
  }
  await uploaded;
  expect(gotBytes).toBe(100 * 1024 * 1024);
  expect(got.digest('hex')).toBe(sent.digest('hex'));
  expect(mostUnderway).toBeLessThan(UNDERWAY_MAX_BYTES);
  await expect.poll(async () => (await runOf(answer)).status, PATIENTLY).toBe('OK');
  expect(await runOf(answer)).toMatchObject({ request: { truncated: true }, response: { truncated: true } });
});

test('the first event of a stream arrives before the second is created', async () => {
  const call = ask('/events');
  call.end();
  const answer = await answerTo(call);
  expect(answer.headers['content-type']).toBe('text/event-stream');
  const chunks = answer[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe('data: first\n\n');
  const go = ask('/go');
  go.end();
  await answerTo(go);
  expect(String((await chunks.next()).value)).toBe('data: second\n\n');
  expect((await chunks.next()).done).toBe(true);
});

test('the function is notified when its caller disconnects before the response', async () => {
  const call = ask('/wait');
  call.on('error', () => undefined).end();
  await expect.poll(lastSaid, PATIENTLY).toContain('waiting');
  call.destroy();
  await expect.poll(lastSaid, PATIENTLY).toContain('aborted');
});

test('a reader that disconnects half-way stops the response', async () => {
  const call = ask('/endless');
  call.on('error', () => undefined).end();
  const answer = await answerTo(call);
  await once(answer, 'readable');
  answer.destroy();
  await expect.poll(lastSaid, PATIENTLY).toContain('cancelled');
  await expect.poll(async () => (await runOf(answer)).error?.name, PATIENTLY).toBe('CallerGone');
});

test('a response above 100 MB is interrupted, and the run says why', async () => {
  const call = ask('/endless');
  call.on('error', () => undefined).end();
  const answer = await answerTo(call);
  let gotBytes = 0;
  const reading = (async () => {
    for await (const chunk of answer) gotBytes += chunk.length;
  })();
  await expect(reading).rejects.toThrow();
  expect(gotBytes).toBeLessThanOrEqual(100 * 1024 * 1024);
  await expect.poll(async () => (await runOf(answer)).error?.name, PATIENTLY).toBe('ResponseTooLarge');
});

test('a process killed during its response interrupts only that response', async () => {
  const mortal = await makeFunction(service, CODE);
  const other = await makeFunction(service, HELLO);
  const answer = await answerTo(ask('/events', 'GET', mortal).end());
  const chunks = answer[Symbol.asyncIterator]();
  expect(String((await chunks.next()).value)).toBe('data: first\n\n');
  const ofMortal = () =>
    service.services.runtime.stats().processes.filter(({ key }) => key.includes(mortal.function_id));
  const [killed] = ofMortal();
  process.kill(killed?.pid ?? 0, 'SIGKILL');
  // It must not look complete.
  await expect(chunks.next()).rejects.toThrow();
  const read = async () =>
    (await service.api<Run>('GET', `/functions/${mortal.function_id}/runs/${answer.headers['x-function-run-id']}`))
      .body;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('ERROR');
  expect((await read()).error?.name).toBe('ProcessKilled');
  const again = await callAddress(service, mortal.url, {
    method: 'POST',
    path: '/echo',
    body: 'again',
    headers: bearer(service.key),
  });
  expect([again.status, again.text]).toEqual([200, 'again']);
  expect(ofMortal().map(({ pid }) => pid)).not.toContain(killed?.pid);
  expect((await callAddress(service, other.url, { headers: bearer(service.key) })).text).toBe('hello');
});

test('a reader that stalls delays no other, and is disconnected at the time limit', async () => {
  const patient = await makeFunction(service, CODE, { timeout_seconds: 2 });
  const beside = { method: 'POST', path: '/echo', body: 'beside', headers: bearer(service.key) };
  const answer = await answerTo(ask('/endless', 'GET', patient).end());
  const broken = once(answer, 'error');
  expect((await callAddress(service, patient.url, beside)).text).toBe('beside');
  const path = `/functions/${patient.function_id}/runs/${answer.headers['x-function-run-id']}`;
  const read = async () => (await service.api<Run>('GET', path)).body;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('TIMEOUT');
  expect((await callAddress(service, patient.url, beside)).text).toBe('beside');
  answer.resume();
  await broken;
});

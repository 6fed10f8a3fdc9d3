/** The request builder's response as an event stream: it arrives while the app still sends. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCustomApp, connectBy, type LocalApp, startApp } from '../../connections/test/custom-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll();
let app: LocalApp;
let id: string;
/** The responses that the app has begun, newest last. */
const begun: ServerResponse[] = [];
beforeAll(async () => {
  app = await startApp((req, res) => {
    const asks = new URL(req.url ?? '/', 'http://app').searchParams;
    begun.push(res);
    res.writeHead(200, { 'content-type': asks.get('type') ?? 'application/x-ndjson', ...encoded(asks) });
    res.flushHeaders();
  });
  const place = { in: 'header', name: 'X-Key', template: '{api_key}' };
  id = await connectBy(service, await addCustomApp(service, app.url, [{ method: 'API_KEY', place }]), 'API_KEY', {
    api_key: 'sk_live_0123456789',
  });
});
afterAll(() => app.close());

const encoded = (asks: URLSearchParams) => (asks.has('gzip') ? { 'content-encoding': 'gzip' } : {});
type Message = { event: string; data: { text?: string; bytes?: number; [name: string]: unknown } };

async function ask(path: string, more: { signal?: AbortSignal; headers?: Record<string, string> } = {}) {
  const response = await fetch(`${service.url}/api/connections/${id}:request`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...more.headers,
    },
    body: JSON.stringify({ method: 'GET', path }),
    ...(more.signal ? { signal: more.signal } : {}),
  });
  return { response, messages: messagesOf(response) };
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = (rest + chunk).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(message) ?? [];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}
const next = async (messages: AsyncGenerator<Message>) => (await messages.next()).value as Message;

it('has each line when the app sends it, and ends with the complete reply', async () => {
  const { response, messages } = await ask('/lines');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await next(messages)).toMatchObject({ event: 'response', data: { status: 200 } });
  const sending = begun.at(-1);
  sending?.write('{"n":1}\n');
  expect(await next(messages)).toEqual({ event: 'data', data: { text: '{"n":1}\n', bytes: 8 } });
  // a character of two bytes arrives in halves
  sending?.write(Buffer.of(0xc3));
  expect(await next(messages)).toEqual({ event: 'data', data: { text: '', bytes: 9 } });
  sending?.write(Buffer.of(0xbc));
  expect(await next(messages)).toEqual({ event: 'data', data: { text: 'ü', bytes: 10 } });
  sending?.end();
  const reply = { body: '{"n":1}\nü', bytes: 10, truncated: false, status: 200 };
  expect(await next(messages)).toMatchObject({ event: 'done', data: { response: reply, error: null } });
  expect((await messages.next()).done).toBe(true);
});

it.each([
  ['gzip', '/x?gzip=1', zlib.gzipSync('{"n":1}'), '{"n":1}'],
  ['a picture', '/x?type=image/png', Buffer.of(0xff, 0xfe), '//4='],
])('counts the bytes of %s; its body is in the reply', async (_, path, bytes, body) => {
  const { messages } = await ask(path);
  await next(messages);
  begun.at(-1)?.write(bytes);
  expect(await next(messages)).toEqual({ event: 'data', data: { text: '', bytes: bytes.length } });
  begun.at(-1)?.end();
  expect(await next(messages)).toMatchObject({ event: 'done', data: { response: { body } } });
});

it('ends with what came and the error when the app breaks off', async () => {
  const { messages } = await ask('/lines');
  await next(messages);
  begun.at(-1)?.write('half');
  await next(messages);
  begun.at(-1)?.destroy();
  expect(await next(messages)).toMatchObject({
    event: 'done',
    data: { response: { body: 'half', truncated: true }, error: { code: 502 } },
  });
});

it('ends at the size limit', async () => {
  const { messages } = await ask('/lines');
  await next(messages);
  begun.at(-1)?.write(Buffer.alloc(1_100_000, 'x'));
  let last: Message | undefined;
  for await (const message of messages) last = message;
  expect(last).toMatchObject({ event: 'done', data: { response: { truncated: true }, error: null } });
});

it('disconnects the app when the caller leaves', async () => {
  const leaving = new AbortController();
  const { messages } = await ask('/lines', { signal: leaving.signal });
  await next(messages);
  const closed = once(begun.at(-1) as ServerResponse, 'close');
  leaving.abort();
  await closed;
});

it('refuses an idempotency key, and errors before the stream as JSON', async () => {
  const count = begun.length;
  const { response } = await ask('/lines', { headers: { 'idempotency-key': 'a' } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('Idempotency-Key') });
  expect((await ask('lines')).response.status).toBe(400);
  expect(begun.length).toBe(count);
});

/** The request of a source: what an event keeps of it, and the bodies and methods that the source `webhook` accepts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { eventOf, hmacHex, listenTo, post, rejectionsOf, sendRaw, storedPayloads } from './ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll();

const webhook = (more = {}) => listenTo(service, 'webhook', 'webhook.received', more);
const idsIn = ({ body }: { body: Record<string, unknown> }) => body['event_ids'] as string[];

const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'x-boundary';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (head: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const multipart = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;
const bytes = (...values: number[]) => Uint8Array.from(values);

describe('the payload of a body', () => {
  it.each<[name: string, type: string, body: string | Uint8Array<ArrayBuffer>, payload: object]>([
    [
      'a form',
      FORM,
      'From=%2B49&Body=two+words&tag=a&tag=b&empty=',
      { From: '+49', Body: 'two words', tag: ['a', 'b'], empty: '' },
    ],
    [
      'a form with a hostile name',
      FORM,
      '__proto__=x&constructor=y',
      JSON.parse('{"__proto__":"x","constructor":"y"}'),
    ],
    ['XML', 'application/xml', '<a b="c"/>', { content_type: 'application/xml', text: '<a b="c"/>' }],
    ['text', 'text/plain; charset=utf-8', 'hé', { content_type: 'text/plain; charset=utf-8', text: 'hé' }],
    [
      'Latin-1',
      'text/xml; charset=ISO-8859-1',
      bytes(0xe9),
      { content_type: 'text/xml; charset=ISO-8859-1', text: 'é' },
    ],
    ['invalid UTF-8', 'text/plain', bytes(0x61, 0xff), { content_type: 'text/plain', base64: 'Yf8=' }],
    ['zeros', 'application/octet-stream', bytes(0, 0, 0), { content_type: 'application/octet-stream', base64: 'AAAA' }],
    ['JSON with another type', 'text/plain', '{"a":[1]}', { a: [1] }],
    [
      'brackets that are not JSON',
      'text/plain',
      '['.repeat(1000),
      { content_type: 'text/plain', text: '['.repeat(1000) },
    ],
    ['nothing', 'text/plain', '', { page: '2', q: ['a b', 'c'] }],
    [
      'multipart',
      MULTIPART,
      multipart(
        part('name="title"', 'Hello'),
        part('name="tag"', 'a'),
        part('name="tag"', 'b'),
        part('name="file"; filename="a.txt"\r\nContent-Type: text/csv', '1;2'),
      ),
      {
        title: 'Hello',
        tag: ['a', 'b'],
        file: { filename: 'a.txt', content_type: 'text/csv', size: 3, base64: 'MTsy' },
      },
    ],
    [
      'nested multipart',
      MULTIPART,
      multipart(
        part('name="n"; filename="n"\r\nContent-Type: multipart/mixed; boundary=in', '--in\r\n\r\nx\r\n--in--'),
      ),
      {
        n: {
          filename: 'n',
          content_type: 'multipart/mixed',
          size: 17,
          base64: Buffer.from('--in\r\n\r\nx\r\n--in--').toString('base64'),
        },
      },
    ],
    [
      'another multipart',
      'multipart/mixed; boundary=a',
      '--a--',
      { content_type: 'multipart/mixed; boundary=a', text: '--a--' },
    ],
  ])('%s', async (_name, type, body, payload) => {
    const { trigger, url } = await webhook();
    const answer = await post(`${url}?page=2&q=a%20b&q=c`, body, { 'content-type': type });
    expect(answer.status, answer.text).toBe(200);
    const event = await eventOf(service, trigger, idsIn(answer)[0]);
    expect(event.payload).toEqual(payload);
    const isBase64 = event.request?.is_base64_encoded;
    expect(Buffer.from(event.request?.body ?? '-', isBase64 ? 'base64' : 'utf8')).toEqual(Buffer.from(body as string));
    expect(event.request).toMatchObject({ content_type: type, size: Buffer.byteLength(body) });
  });

  it.each<[name: string, type: string, body: string, status: number, cause: string, message: string]>([
    ['XML with the type JSON', 'application/json', '<a/>', 400, 'NOT_JSON', 'not JSON'],
    ['nothing with the type JSON', 'application/cloudevents+json', '', 400, 'NOT_JSON', 'no body'],
    ['JSON with the type multipart', MULTIPART, '{"a":1}', 400, 'MALFORMED', 'multipart body is malformed'],
    ['multipart that ends early', MULTIPART, part('name="a"', 'x'), 400, 'MALFORMED', 'malformed'],
    [
      'a part that ends early',
      MULTIPART,
      part('name="a"; filename="b"', 'x').slice(0, -3),
      400,
      'MALFORMED',
      'malformed',
    ],
    ['a part without a name', MULTIPART, multipart(part('filename="b"', 'x')), 400, 'MALFORMED', 'no name'],
    ['no boundary', 'multipart/form-data', 'x', 400, 'MALFORMED', 'boundary of 1 to 70 characters'],
    ['a huge boundary', `multipart/form-data; boundary=${'b'.repeat(5000)}`, 'x', 400, 'MALFORMED', '1 to 70'],
    [
      '10,000 parts',
      MULTIPART,
      multipart(part('name="a"', 'x').repeat(10_000)),
      413,
      'TOO_LARGE',
      'more than 1000 fields',
    ],
    ['10,000 fields', FORM, 'a=1&'.repeat(10_000), 413, 'TOO_LARGE', 'more than 1000 fields'],
  ])('is rejected: %s', async (_name, type, body, status, cause, message) => {
    const { trigger, url } = await webhook();
    const answer = await post(url, body, { 'content-type': type });
    expect(answer).toMatchObject({ status, body: { code: status, message: expect.stringContaining(message) } });
    expect(await storedPayloads(service, trigger)).toEqual([]);
    expect((await rejectionsOf(service, trigger)).rejections).toMatchObject([{ cause }]);
  });

  it('is read at every length of a multipart body', async () => {
    const { url } = await webhook();
    const whole = multipart(part('name="a"', 'x'), part('name="f"; filename="g"', 'y'));
    const answers = await Promise.all(
      Array.from({ length: whole.length }, (_, n) => post(url, whole.slice(0, n + 1), { 'content-type': MULTIPART })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(answers.at(-1)?.status).toBe(200);
  });

  it('is JSON for every other source, and its URL has no path below', async () => {
    const { url, trigger, secret } = await listenTo(service, 'github', 'github.push');
    const signed = { 'content-type': 'text/xml', 'x-hub-signature-256': `sha256=${hmacHex(secret, '<a/>')}` };
    expect((await post(url, '<a/>', signed)).status).toBe(400);
    expect((await post(`${url}/a`, '<a/>', signed)).status).toBe(404);
    expect((await rejectionsOf(service, trigger)).rejections).toMatchObject([{ cause: 'NOT_JSON' }]);
  });
});

describe('the request of an event', () => {
  it('has method, path, query, headers and the exact body, without credentials', async () => {
    const parameters = { verification: 'header', header: 'X-Shop-Pass', methods: ['PUT', 'GET'] };
    const { trigger, url, secret } = await webhook({ parameters });
    const headers = {
      'x-shop-pass': secret,
      authorization: 'Bearer of-a-long-token',
      cookie: 'session=1234567890',
      'x-api-key': 'key-0123456789',
      'x-auth-token': 'short',
      'x-hub-signature-256': 'sha256=00ff',
      'x-github-event': 'push',
    };
    const at = `${url}/orders/7%2F8?token=secret-token-1&access_token=a-long-token-2&page=2&flag`;
    const answer = await post(at, '\ufeff{"a":1}', headers, 'PUT');
    const event = await eventOf(service, trigger, idsIn(answer)[0]);
    expect(event.payload).toEqual({ a: 1 });
    expect(event.request).toMatchObject({
      method: 'PUT',
      path: '/orders/7%2F8',
      query: 'token=••••••••en-1&access_token=••••••••en-2&page=2&flag',
      content_type: 'application/json',
      size: 10,
      body: '\ufeff{"a":1}',
      is_base64_encoded: false,
    });
    expect(event.request?.headers).toMatchObject({
      'x-shop-pass': `••••••••${secret.slice(-4)}`,
      authorization: '••••••••oken',
      cookie: '••••••••7890',
      'x-api-key': '••••••••6789',
      'x-auth-token': '••••••••',
      'x-hub-signature-256': 'sha256=00ff',
      'x-github-event': 'push',
    });
    expect(service.logged()).not.toContain(secret);
    const got = await eventOf(service, trigger, idsIn(await post(`${url}?token=t&page=3`, '', headers, 'GET'))[0]);
    expect(got).toMatchObject({
      payload: { token: '••••••••', page: '3' },
      request: { method: 'GET', path: '', size: 0, body: '' },
    });
    expect(await post(url, '{}', headers)).toMatchObject({
      status: 405,
      body: { message: 'Expected PUT or GET, got POST.' },
    });
  });

  it('stores the body only if the payload is not the same bytes, and once for an array', async () => {
    const { trigger, url } = await webhook({ parameters: { id_header: 'X-Id' } });
    await post(url, ' {"a": "é"}', { 'x-id': '1' });
    await post(url, '<a/>', { 'content-type': 'text/xml' });
    // A duplicate, which is not stored.
    const [first] = idsIn(await post(url, '{}', { 'x-id': '1' }));
    const { db } = service.services;
    const all = db.selectFrom('event_requests').select('event_id');
    const orphans = all.where('event_id', 'not in', db.selectFrom('events').select('event_id')).execute();
    expect([first === undefined, await orphans]).toEqual([false, []]);
    const rows = await db
      .selectFrom('event_requests as q')
      .innerJoin('events as e', 'e.event_id', 'q.event_id')
      .select(['q.body', 'q.body_of'])
      .where('e.trigger_id', '=', trigger.trigger_id)
      .orderBy('q.event_id')
      .execute();
    expect(rows).toEqual([
      { body: null, body_of: null },
      { body: Buffer.from('<a/>'), body_of: null },
    ]);
  });

  it('has the body of an array once, for all its events', async () => {
    const { trigger, url } = await listenTo(service, 'asana', '*', { parameters: { resource: '1' } });
    const secret = 'asana-secret-0123456789';
    expect((await post(url, '', { 'x-hook-secret': secret })).status).toBe(200);
    const body = '{"events":[{"action":"added","resource":{"gid":"1"}},{"action":"changed","resource":{"gid":"1"}}]}';
    const answer = await post(url, body, { 'x-hook-signature': hmacHex(secret, body) });
    expect(idsIn(answer)).toHaveLength(2);
    for (const event_id of idsIn(answer)) expect((await eventOf(service, trigger, event_id)).request?.body).toBe(body);
    const { db } = service.services;
    const rows = await db
      .selectFrom('event_requests')
      .select(['body', 'body_of'])
      .where('event_id', 'in', idsIn(answer))
      .orderBy('event_id')
      .execute();
    expect(rows).toEqual([
      { body: Buffer.from(body), body_of: null },
      { body: null, body_of: idsIn(answer)[0] },
    ]);
  });

  it('is null without one: a test event, an edited copy', async () => {
    const { trigger, url } = await webhook();
    const [event_id] = idsIn(await post(url, '{}'));
    const at = `/triggers/${trigger.trigger_id}`;
    const tested = await service.api<Reply<'triggerTest'>>('POST', `${at}:test`, {});
    expect(tested.body.event.request).toBeNull();
    const copy = await service.api<Reply<'eventCreate'>>('POST', `${at}/events`, { payload: {}, replay_of: event_id });
    expect(copy.body.event.request).toBeNull();
    const { key } = await service.secondAccount();
    expect((await service.api('GET', `${at}/events/${event_id}?request_body=true`, undefined, { key })).status).toBe(
      404,
    );
    expect((await service.api('GET', `${at}/events/${event_id}?request_body=no`)).status).toBe(400);
  });

  it('has no headers with line breaks, and 10 MB of headers are refused', async () => {
    const { trigger, url } = await webhook();
    const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n`;
    expect(await sendRaw(service, `${head}X-A: b\rX-C: d\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(service, `${head}X\u0000Y: d\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(service, `${head}X-A: ${'a'.repeat(100_000)}`)).toMatch(/^HTTP\/1\.1 431 /);
    // The connection is closed while the client still sends.
    await sendRaw(service, `${head}X-A: ${'a'.repeat(10_000_000)}`).catch(() => undefined);
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });

  it('is verified over the exact bytes of every content type', async () => {
    const {
      trigger,
      url: signedUrl,
      secret,
    } = await webhook({
      parameters: { verification: 'hmac', header: 'X-Signature', methods: ['POST', 'GET'] },
    });
    const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
      [FORM, 'a=1&b=%20'],
      [MULTIPART, multipart(part('name="a"', 'x'))],
      ['application/octet-stream', bytes(0, 255, 10)],
    ];
    for (const [type, body] of bodies) {
      const signature = hmacHex(secret, typeof body === 'string' ? body : Buffer.from(body));
      const send = (at: string) => post(signedUrl, body, { 'content-type': type, 'x-signature': at });
      expect((await send(signature)).status, type).toBe(200);
      expect((await send(hmacHex(secret, 'other'))).status, type).toBe(401);
    }
    const empty = { 'x-signature': hmacHex(secret, '') };
    expect((await post(`${signedUrl}?a=1`, '', empty, 'GET')).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toHaveLength(4);
  });
});

describe('filters on the request', () => {
  it('select by header, query, path and method, also in a test on past events', async () => {
    const filters = {
      header: { $headers: { 'X-GitHub-Event': 'push' } },
      other: { $not: { $headers: { 'x-github-event': 'push' } } },
      query: { $query: { tag: 'b', page: { $in: ['1', '2'] } } },
      method: { $or: [{ $method: 'PUT' }, { $path: { $startsWith: '/orders' } }], a: 1 },
      missing: { $headers: { 'x-none': { $exists: false } }, $query: { none: { $ne: 'x' } } },
      masked: { $headers: { authorization: { $startsWith: 'Bearer' } } },
    };
    const destinations = Object.entries(filters).map(([name, filter]) => ({
      url: `${sink.url}/${name}`,
      name,
      filter,
    }));
    const { trigger, url } = await webhook({ destinations, parameters: { methods: ['POST', 'PUT'] } });
    const headers = { 'x-github-event': 'push', authorization: 'Bearer 0123456789' };
    const answer = await post(`${url}/orders/1?page=2&tag=a&tag=b`, '{"a":1}', headers);
    const { deliveries } = await eventOf(service, trigger, idsIn(answer)[0]);
    const sent = deliveries.filter(({ reason }) => reason !== 'FILTERED').map((each) => each.destination_name);
    expect(sent.sort()).toEqual(['header', 'method', 'missing', 'query']);
    await service.api('POST', `/triggers/${trigger.trigger_id}:test`, { payload: { a: 1 } });
    for (const [name, filter] of Object.entries(filters)) {
      const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const { body } = await service.api<Reply<'triggerFilterTest'>>(
        'GET',
        `/triggers/${trigger.trigger_id}/filter:test?${query}`,
      );
      // The newest is the test event, which has no request.
      expect([name, ...body.events.map(({ matches }) => matches)]).toEqual([
        name,
        name === 'other' || name === 'missing',
        sent.includes(name),
      ]);
    }
  });

  it.each([
    [{ a: { $headers: { b: 1 } } }, 'filter.a.$headers: expected at the top level of the filter'],
    [{ $headers: 'push' }, 'filter.$headers: expected an object of names and conditions'],
    [{ $headers: { a: { $starts: 'x' } } }, 'filter.$headers.a.$starts: expected one of'],
    [{ $header: { a: 1 } }, 'filter.$header: expected one of'],
  ])('are refused: %j', async (filter, message) => {
    const given = { source: 'webhook', event_type: 'webhook.received', filter };
    const { status, body } = await service.api<{ message: string }>('POST', '/triggers', given);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('templates', () => {
  it('work as in docs/reference/deliveries.md', async () => {
    const page = readFileSync('docs/reference/deliveries.md', 'utf8');
    const example = page.slice(page.indexOf('## The source')).match(/```json\n(.+?)```/s)?.[1] ?? '';
    const given = JSON.parse(example.replace('https://ci.example.com', sink.url));
    const { url } = await listenTo(service, given.source, given.event_type, given);
    const headers = { 'x-github-event': 'push' };
    await post(`${url}?job=1`, '{"ref":"refs/heads/other","after":"b"}', headers);
    await post(`${url}?job=2`, '{"ref":"refs/heads/main","after":"c"}', { 'x-github-event': 'ping' });
    await post(`${url}?job=3`, '{"ref":"refs/heads/main","after":"a"}', headers, 'PUT');
    await expect.poll(() => sink.received('/builds')).toHaveLength(1);
    expect(JSON.parse(sink.received('/builds')[0]?.body ?? '')).toEqual({ event: 'push', job: '3', commit: 'a' });
  });

  it('read headers, query, path and method; credentials are missing', async () => {
    const template =
      '{"event":"{{headers.X-GitHub-Event}}","page":{{query.page}},"tags":{{query.tag}},"at":"{{path}} {{method}}","token":{{query.token}},"auth":"{{headers.authorization}}","all":{{query}},"none":{{headers.none}}}';
    const { trigger, url } = await webhook({
      destinations: [{ url: `${sink.url}/template`, body_template: template }],
    });
    const headers = { 'x-github-event': 'pu"sh', authorization: 'Bearer 0123456789' };
    const answer = await post(`${url}/a?page=2&tag=a&tag=b&token=0123456789`, '{}', headers);
    await expect.poll(() => sink.received('/template')).toHaveLength(1);
    const wanted = {
      event: 'pu"sh',
      page: '2',
      tags: ['a', 'b'],
      at: '/a POST',
      token: null,
      auth: '',
      all: { page: '2', tag: ['a', 'b'] },
      none: null,
    };
    expect(JSON.parse(sink.received('/template')[0]?.body ?? '')).toEqual(wanted);
    // A replay reads the request from the table.
    const status = async () => (await eventOf(service, trigger, idsIn(answer)[0])).deliveries[0]?.status;
    await expect.poll(status).toBe('SUCCEEDED');
    await service.api('POST', `/triggers/${trigger.trigger_id}/events/${idsIn(answer)[0]}:replay`);
    await expect.poll(() => sink.received('/template')).toHaveLength(2);
    expect(JSON.parse(sink.received('/template')[1]?.body ?? '')).toEqual(wanted);
    // An event without a request.
    await service.api('POST', `/triggers/${trigger.trigger_id}:test`, {});
    await expect.poll(() => sink.received('/template')).toHaveLength(3);
    expect(JSON.parse(sink.received('/template')[2]?.body ?? '')).toMatchObject({ event: '', page: null, at: ' ' });
  });
});

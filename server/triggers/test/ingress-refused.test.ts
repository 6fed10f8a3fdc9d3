/** Rejected requests: the response to the sender, and the rejection that the trigger's owner reads. */
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { rawCall } from '../../gateway/test/raw-upstream.ts';
import { newToken } from '../../lib/tokens.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  eventOf,
  hmacHex,
  listenTo,
  post,
  type Rejection,
  rejectionsOf,
  sendRaw,
  storedPayloads,
  type Trigger,
} from './ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll();
/** On a busy machine, large bodies take longer than this. */
const impatient = serviceForAll({ hookBodyMs: 300 });

const idsIn = ({ body }: { body: Record<string, unknown> }) => body['event_ids'] as string[];
const webhook = (more = {}, at = service) => listenTo(at, 'webhook', 'webhook.received', more);
const MIB = 1024 * 1024;

async function lastRejection(trigger: Trigger, at = service): Promise<Rejection | undefined> {
  return (await rejectionsOf(at, trigger)).rejections[0];
}

describe('a rejected body', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, number, string, string]>([
    ['nothing', '', 400, 'NOT_JSON', 'no body'],
    ['no JSON', 'hello=world', 400, 'NOT_JSON', 'not JSON'],
    ['JSON and more', '{"a":1}{"b":2}', 400, 'NOT_JSON', 'not JSON'],
    ['half of JSON', '{"a":', 400, 'NOT_JSON', 'not JSON'],
    ['a number with no bounds', '{"a":NaN}', 400, 'NOT_JSON', 'not JSON'],
    ['NUL', '{"a":"\u0000"}', 400, 'NOT_JSON', 'not JSON'],
    ['bytes that are no text', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 400, 'NOT_UTF8', 'not UTF-8'],
    ['half of a character', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 400, 'NOT_UTF8', 'not UTF-8'],
    ['another encoding', new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), 400, 'NOT_JSON', 'not JSON'],
    ['one level too many', '['.repeat(65) + ']'.repeat(65), 400, 'TOO_DEEP', 'deeper than 64'],
    ['ten thousand levels', '{"a":'.repeat(10_000), 400, 'TOO_DEEP', 'deeper than 64'],
    ['one byte too many', `"${'x'.repeat(MIB - 1)}"`, 413, 'TOO_LARGE', 'larger than 1048576 bytes'],
  ])('%s', async (_name, body, status, cause, message) => {
    const { trigger, url } = await webhook();
    const answer = await post(url, body);
    expect(answer).toMatchObject({ status, body: { code: status, message: expect.stringContaining(message) } });
    expect(answer.headers.get('x-request-id')).toMatch(/.{8}/);
    expect(await storedPayloads(service, trigger)).toEqual([]);
    expect(await lastRejection(trigger)).toMatchObject({
      cause,
      message: expect.stringContaining(message),
      method: 'POST',
      bytes: Buffer.byteLength(body),
      ip: '127.0.0.1',
    });
  });

  it('announced as too large is rejected before it is sent, and an endless one while it is sent', async () => {
    const { trigger, url } = await webhook();
    const path = new URL(url).pathname;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n`;
    const answerTo = async (sent: string) => {
      const caller = rawCall(service.port, sent);
      await caller.until(({ size }) => size() > 0);
      caller.socket.destroy();
      return caller.got();
    };
    expect(await answerTo(`${head}Content-Length: 999999999999\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(40)}`;
    expect(await answerTo(endless)).toMatch(/^HTTP\/1\.1 413 /);
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections.map(({ cause, bytes }) => [cause, bytes > 2 * MIB])).toEqual([
      ['TOO_LARGE', true],
      ['TOO_LARGE', true],
    ]);
  });

  it('that stalls is rejected after a timeout, and an interrupted one is recorded', async () => {
    const { trigger, url } = await webhook({}, impatient);
    const path = new URL(url).pathname;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n`;
    const slow = await sendRaw(impatient, `${head}{"a":`);
    expect(slow).toMatch(/^HTTP\/1\.1 408 /);
    expect(await lastRejection(trigger, impatient)).toMatchObject({
      cause: 'BODY_CUT',
      message: expect.stringContaining('0.3 s'),
    });
    const socket = new Socket().connect(impatient.port, '127.0.0.1');
    await new Promise<void>((ok) => socket.write(`${head}{"b":`, () => ok()));
    socket.destroy();
    await expect.poll(async () => (await lastRejection(trigger, impatient))?.message).toContain('incomplete');
    expect(await lastRejection(trigger, impatient)).toMatchObject({ cause: 'BODY_CUT', body: '{"b":', bytes: 20 });
    expect(await storedPayloads(impatient, trigger)).toEqual([]);
  });

  it('that broke off before it was read is recorded with what arrived', async () => {
    const { trigger, url } = await webhook();
    const { db } = service.services;
    const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n`;
    const socket = new Socket().connect(service.port, '127.0.0.1');
    await db.transaction().execute(async (trx) => {
      await sql`lock table rate_limits in access exclusive mode`.execute(trx);
      socket.write(`${head}{"b":`);
      await expect.poll(() => lockWaits(db)).toBeGreaterThan(0);
      socket.destroy();
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    });
    await expect.poll(() => lastRejection(trigger)).toMatchObject({ cause: 'BODY_CUT', body: '{"b":', bytes: 20 });
    expect((await lastRejection(trigger))?.message).toContain('incomplete');
  });

  it('longer than announced is read up to that length; the rest is not a request', async () => {
    const { trigger, url } = await webhook();
    const path = new URL(url).pathname;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\n`;
    expect(await sendRaw(service, `${head}{"a":1}{"smuggled":true}\r\n\r\n`)).toMatch(/HTTP\/1\.1 400 /);
    await post(url, '{"next":1}');
    expect((await storedPayloads(service, trigger)).filter((payload) => payload !== '{"a":1}')).toEqual(['{"next":1}']);
  });

  it('does not prevent the next request', async () => {
    const { trigger, url } = await webhook();
    const bad = Array.from({ length: 20 }, () => post(url, '['.repeat(10_000)));
    const good = Array.from({ length: 20 }, (_, n) => post(url, `{"n":${n}}`));
    expect((await Promise.all(bad)).map(({ status }) => status)).toEqual(Array(20).fill(400));
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await storedPayloads(service, trigger)).toHaveLength(20);
  });
});

describe('a request that can’t be verified', () => {
  const parameters = { verification: 'hmac', header: 'X-Signature' };

  it('gets no reason; only the owner sees the cause', async () => {
    const { trigger, url, secret } = await webhook({ parameters });
    const signed = { 'x-signature': hmacHex(`${secret}x`, '{}') };
    const answers = [await post(url, '{}'), await post(url, '{}', signed), await post(url, 'no JSON', signed)];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({ message: 'The request could not be verified.', type: 'Unauthorized', code: 401 });
      expect(headers.get('www-authenticate')).toBe('Signature');
    }
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections.map(({ cause, message }) => [cause, message])).toEqual([
      ['SIGNATURE_WRONG', 'X-Signature does not match the trigger’s secret.'],
      ['SIGNATURE_WRONG', 'X-Signature does not match the trigger’s secret.'],
      ['SIGNATURE_MISSING', 'X-Signature is missing.'],
    ]);
  });

  it('is rejected before the secret is set, and accepted after', async () => {
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received');
    expect(trigger.ingress).toMatchObject({ secret: 'theirs', has_secret: false, signing_secret: null });
    expect((await post(url, '{}')).status).toBe(401);
    expect(await lastRejection(trigger)).toMatchObject({ cause: 'SECRET_MISSING' });
  });

  it('is stored without secrets and signatures', async () => {
    const { trigger, url, secret } = await webhook({ parameters });
    const right = hmacHex(secret, '{"a":1}');
    const headers = { 'x-signature': right, authorization: 'Bearer of good text', cookie: 'session=1234567890123' };
    await post(url, '{"a":2}', { ...headers, 'x-kind': 'order' });
    const rejection = await lastRejection(trigger);
    expect(rejection?.headers).toMatchObject({
      'x-kind': 'order',
      'x-signature': `••••••••${right.slice(-4)}`,
      authorization: '••••••••text',
      cookie: '••••••••0123',
    });
    expect(rejection?.body).toBe('{"a":2}');
    expect(service.logged()).not.toContain(right);
  });
});

describe('a URL', () => {
  it('that does not exist returns 404 for every request', async () => {
    const { url } = await listenTo(service, 'github', 'github.push');
    const strange = `${service.url}/hooks/${newToken()}`;
    for (const [at, method] of [
      [strange, 'POST'],
      [strange, 'GET'],
      [`${url}x`, 'POST'],
      [url.slice(0, -1), 'POST'],
      [`${url}/`, 'POST'],
      [`${url}/more`, 'POST'],
      [`${service.url}/hooks`, 'POST'],
      [`${service.url}/hooks/%00`, 'POST'],
      [`${service.url}/hooks/${'a'.repeat(10_000)}`, 'POST'],
    ] as const) {
      const answer = await post(at, '{"a":1}', {}, method);
      expect(answer, at.slice(0, 100)).toMatchObject({ status: 404, body: { message: 'Hook not found', code: 404 } });
    }
    // Without waiting for the body.
    const head = `POST ${new URL(strange).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n`;
    const caller = rawCall(service.port, head);
    await caller.until(({ size }) => size() > 0);
    caller.socket.destroy();
    expect(caller.got()).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('accepts only POST, and returns Allow', async () => {
    const { trigger, url } = await webhook();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await post(url, '{}', {}, method);
      expect(answer).toMatchObject({ status: 405, body: { message: `Expected POST, got ${method}.` } });
      expect(answer.headers.get('allow')).toBe('POST');
    }
    expect(await lastRejection(trigger)).toMatchObject({ cause: 'WRONG_METHOD', method: 'OPTIONS', body: null });
  });
});

describe('rejections', () => {
  it('are listed newest first, in pages, for the account only', async () => {
    const { trigger, url } = await webhook();
    for (const n of [1, 2, 3, 4, 5]) await post(url, `no JSON ${n}`);
    const first = await rejectionsOf(service, trigger, '?limit=2');
    expect(first.rejections.map(({ body }) => body)).toEqual(['no JSON 5', 'no JSON 4']);
    expect(first.rejections[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const second = await rejectionsOf(service, trigger, `?limit=2&next_token=${first.next_token}`);
    expect(second.rejections.map(({ body }) => body)).toEqual(['no JSON 3', 'no JSON 2']);
    const { key } = await service.secondAccount();
    const path = `/triggers/${trigger.trigger_id}/rejections`;
    expect((await service.api('GET', path, undefined, { key })).status).toBe(404);
    await service.api('DELETE', `/triggers/${trigger.trigger_id}`);
    expect((await service.api('GET', path)).status).toBe(404);
  });

  it('are in every response as soon as their requests were answered', async () => {
    const { trigger, url } = await webhook();
    const bodies = async () => (await rejectionsOf(service, trigger)).rejections.map(({ body }) => body);
    // Large, so that a batch is still being stored as the next request arrives.
    const large = 'x'.repeat(500_000);
    for (let n = 0; n < 10; n++) {
      await post(url, `{before ${n}${large}`);
      const before = bodies();
      await post(url, `{${n} ${large}`);
      for (const found of await Promise.all([bodies(), bodies(), bodies()]))
        expect(found.some((body) => body?.startsWith(`{${n} `))).toBe(true);
      await before;
    }
  });

  it('contain the first 4 KiB of a body, as text', async () => {
    const { trigger, url } = await webhook();
    await post(url, `\u0000${'x'.repeat(5000)}`);
    const { body, bytes } = (await lastRejection(trigger)) ?? {};
    expect([body, bytes]).toEqual([`\ufffd${'x'.repeat(4095)}`, 5001]);
  });

  it('above the rate limit are counted only; those of other triggers are stored', async () => {
    const { trigger, url } = await webhook();
    const other = await webhook();
    for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 50 }, () => post(url, 'flood')));
    await post(other.url, 'rare');
    const { rejections, not_kept } = await rejectionsOf(service, trigger, '?limit=200');
    expect(rejections.length).toBeGreaterThanOrEqual(100);
    expect(rejections.length).toBeLessThan(130);
    expect(not_kept).toBe(400 - rejections.length);
    expect(await rejectionsOf(service, other.trigger)).toMatchObject({ rejections: [{ body: 'rare' }], not_kept: 0 });
  });
});

describe('a rejected request', () => {
  type Accepted = Reply<'rejectionAccept'>;
  const last = async (trigger: Trigger) => (await rejectionsOf(service, trigger)).rejections[0];
  const accept = (trigger: Trigger, rejection_id: string | undefined, key?: string) =>
    service.api<Accepted>(
      'POST',
      `/triggers/${trigger.trigger_id}/rejections/${rejection_id}:accept`,
      undefined,
      key ? { key } : {},
    );

  it('is accepted once as an event with its whole request, and delivered', async () => {
    const parameters = { verification: 'hmac', header: 'X-Signature' };
    const { trigger, url } = await webhook({ parameters, destinations: [{ url: `${sink.url}/accepted` }] });
    const text = `{"text":"${'x'.repeat(5000)}"}`;
    const headers = { 'x-signature': 'ff', 'x-kind': 'order', authorization: 'Bearer 0123456789' };
    expect((await post(`${url}/a?page=2`, text, headers)).status).toBe(401);
    const rejection = await last(trigger);
    expect(rejection).toMatchObject({ can_accept: true, event_id: null, body: text.slice(0, 4096) });
    const { status, body } = await accept(trigger, rejection?.rejection_id);
    expect([status, body.event_ids.length]).toEqual([200, 1]);
    const [event_id] = body.event_ids;
    const event = await eventOf(service, trigger, event_id);
    expect(event.payload).toEqual(JSON.parse(text));
    expect(event.request).toMatchObject({ method: 'POST', path: '/a', query: 'page=2', body: text });
    expect(event.request?.headers).toMatchObject({ 'x-kind': 'order', authorization: '••••••••6789' });
    await expect.poll(() => sink.received('/accepted')).toHaveLength(1);
    expect(await last(trigger)).toMatchObject({ event_id });
    expect((await accept(trigger, rejection?.rejection_id)).body.event_ids).toEqual([event_id]);
    expect(await storedPayloads(service, trigger)).toEqual([text]);
  });

  it.each<[name: string, method: string, type: string, body: string, cause: string, payload: object]>([
    [
      'broken JSON',
      'POST',
      'application/json',
      '{"a":',
      'NOT_JSON',
      { content_type: 'application/json', text: '{"a":' },
    ],
    [
      'broken multipart',
      'POST',
      'multipart/form-data; boundary=b',
      'x',
      'MALFORMED',
      { content_type: 'multipart/form-data; boundary=b', text: 'x' },
    ],
    ['another method', 'PUT', 'application/json', '{"a":1}', 'WRONG_METHOD', { a: 1 }],
    ['a GET', 'GET', 'text/plain', '', 'WRONG_METHOD', { page: '2' }],
  ])('becomes text if it is malformed: %s', async (_name, method, type, body, cause, payload) => {
    const { trigger, url } = await webhook();
    await post(`${url}?page=2`, body, { 'content-type': type }, method);
    const rejection = await last(trigger);
    expect(rejection).toMatchObject({ cause, can_accept: true });
    const accepted = await accept(trigger, rejection?.rejection_id);
    const event = await eventOf(service, trigger, accepted.body.event_ids[0]);
    expect(event).toMatchObject({ payload, request: { method, body } });
  });

  it('that was sent again and accepted meanwhile is not stored twice', async () => {
    const parameters = { verification: 'header', header: 'X-Token', id_path: 'id' };
    const { trigger, url, secret } = await webhook({ parameters });
    await post(url, '{"id":"1"}');
    const [event_id] = idsIn(await post(url, '{"id":"1"}', { 'x-token': secret }));
    expect((await accept(trigger, (await last(trigger))?.rejection_id)).body.event_ids).toEqual([event_id]);
    expect(await storedPayloads(service, trigger)).toHaveLength(1);
  });

  it('cannot be accepted if a part of it is missing, or by another account', async () => {
    const { trigger, url } = await webhook();
    await post(url, 'x'.repeat(1024 * 1024 + 1));
    const rejection = await last(trigger);
    expect(rejection).toMatchObject({ cause: 'TOO_LARGE', can_accept: false });
    expect(await accept(trigger, rejection?.rejection_id)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('only a part of this request is stored') },
    });
    await post(url, '{');
    const { key } = await service.secondAccount();
    expect((await accept(trigger, (await last(trigger))?.rejection_id, key)).status).toBe(404);
    const other = await webhook();
    expect((await accept(other.trigger, (await last(trigger))?.rejection_id)).status).toBe(404);
  });

  it('is stored whole up to 10 MiB for a trigger; then only its beginning is', async () => {
    const { trigger, url } = await webhook();
    for (let n = 0; n < 12; n++) await post(url, `{${'x'.repeat(1024 * 1024 - 2)}`);
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections.filter(({ can_accept }) => can_accept)).toHaveLength(10);
    expect(rejections).toHaveLength(12);
  });
});

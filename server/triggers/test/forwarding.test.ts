/** Destinations that receive the source's own headers and body, as a receiver of the source would. */
import { readFileSync } from 'node:fs';
import { verify } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { hmacHex, listenTo, post } from './ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll();

type Destination = NonNullable<Body<'triggerCreate'>['destinations']>[number];
const webhook = (destination: Omit<Destination, 'url'> & { url?: string }, path: string) =>
  listenTo(service, 'webhook', 'webhook.received', {
    parameters: { methods: ['POST', 'PUT'] },
    destinations: [{ url: `${sink.url}${path}`, ...destination }],
  });
const eventId = ({ body }: { body: Record<string, unknown> }) => (body['event_ids'] as string[])[0];

async function receivedAt(path: string, count = 1) {
  await expect.poll(() => sink.received(path)).toHaveLength(count);
  const request = sink.received(path).at(-1);
  if (!request) throw new Error('none was received');
  return request;
}

describe('the original body', () => {
  const text = ' {"amount": 1.10,\n "é":"ü"}';

  it('and its signature header are verified by a receiver written for GitHub', async () => {
    const forward_headers = ['X-Hub-Signature-256', 'X-GitHub-Event', 'User-Agent'];
    const { url, trigger } = await webhook({ body_source: 'ORIGINAL', forward_headers }, '/github');
    const signature = `sha256=${hmacHex('their-secret', text)}`;
    const sent = { 'x-hub-signature-256': signature, 'x-github-event': 'push', 'user-agent': 'GitHub-Hookshot/1' };
    const event_id = eventId(await post(url, text, sent));
    const got = await receivedAt('/github');
    expect(got.headers).toMatchObject({ ...sent, 'content-type': 'application/json', 'webhook-id': event_id });
    expect(await verify('their-secret', got.body, String(got.headers['x-hub-signature-256']))).toBe(true);
    const at = `/triggers/${trigger.trigger_id}/events/${event_id}`;
    const status = async () => (await service.api<Reply<'eventGet'>>('GET', at)).body.event.deliveries[0]?.status;
    await expect.poll(status).toBe('SUCCEEDED');
    await service.api('POST', `${at}:replay`);
    expect(await receivedAt('/github', 2)).toMatchObject({ body: text, headers: sent });
    const { body } = await service.api<Reply<'eventGet'>>('GET', at);
    const attempts = await service.api<Reply<'attemptList'>>(
      'GET',
      `${at}/deliveries/${body.event.deliveries[0]?.delivery_id}/attempts`,
    );
    expect(attempts.body.attempts[0]?.request).toMatchObject({ body: text, headers: { 'x-github-event': 'push' } });
  });

  it('is verified by a receiver written for Stripe', async () => {
    const { url } = await webhook({ body_source: 'ORIGINAL', forward_headers: ['Stripe-Signature'] }, '/stripe');
    const payload = '{"id":"evt_1","object":"event","type":"charge.succeeded"}';
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_theirs' });
    await post(url, payload, { 'stripe-signature': header });
    const got = await receivedAt('/stripe');
    const event = Stripe.webhooks.constructEvent(got.body, String(got.headers['stripe-signature']), 'whsec_theirs');
    expect(event.id).toBe('evt_1');
  });

  it.each<[name: string, type: string, body: string | Uint8Array<ArrayBuffer>, shown: unknown]>([
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b=%20', 'a=1&b=%20'],
    ['bytes', 'application/octet-stream', Uint8Array.of(0, 255), expect.stringContaining('(2 bytes that are not text')],
    ['a large text', 'text/csv', 'x'.repeat(100_000), expect.stringContaining('(100000 bytes: ')],
  ])('is sent with its type: %s', async (name, type, body, shown) => {
    const path = `/raw-${name.replaceAll(' ', '-')}`;
    const { url, trigger } = await webhook({ body_source: 'ORIGINAL' }, path);
    const event_id = eventId(await post(url, body, { 'content-type': type }, 'PUT'));
    const got = await receivedAt(path);
    expect(got.headers).toMatchObject({ 'content-type': type, 'content-length': String(Buffer.byteLength(body)) });
    if (typeof body === 'string') expect(got.body).toBe(body);
    const { body: dry } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', {
      filter: { trigger_id: trigger.trigger_id, event_ids: [event_id] },
      dry_run: true,
    });
    expect(dry.dry_run?.items[0]?.next?.body).toEqual(shown);
  });

  it('is the payload for an event without a request', async () => {
    const { trigger } = await webhook({ body_source: 'ORIGINAL', forward_headers: ['X-A'] }, '/tested');
    await service.api('POST', `/triggers/${trigger.trigger_id}:test`, { payload: { a: 1 } });
    expect(await receivedAt('/tested')).toMatchObject({
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
  });
});

describe('forwarded headers', () => {
  it('never replace the destination’s own headers or the signature, nor contain credentials', async () => {
    const destination = { forward_headers: ['X-Kind', 'X-Own', 'X-Shop-Pass'], headers: { 'x-own': 'ours' } };
    const { url, secret } = await listenTo(service, 'webhook', 'webhook.received', {
      parameters: { verification: 'header', header: 'X-Shop-Pass' },
      destinations: [{ url: `${sink.url}/headers`, ...destination }],
    });
    await post(url, '{}', { 'x-kind': 'a', 'x-own': 'theirs', 'x-shop-pass': secret, 'x-other': 'b' });
    const { headers } = await receivedAt('/headers');
    expect(headers).toMatchObject({ 'x-kind': 'a', 'x-own': 'ours' });
    expect(Object.keys(headers)).not.toContain('x-shop-pass');
    expect(Object.keys(headers)).not.toContain('x-other');
  });

  it.each([
    [{ forward_headers: ['Host'] }, 'forward_headers.0: this header is set by the service'],
    [{ forward_headers: ['X-A', 'transfer-encoding'] }, 'forward_headers.1: this header is set by the service'],
    [{ forward_headers: ['Authorization'] }, 'forward_headers.0: credentials are not forwarded'],
    [{ forward_headers: ['Cookie'] }, 'forward_headers.0: credentials are not forwarded'],
    [{ forward_headers: ['a\nb'] }, 'forward_headers.0: expected a header name'],
    [{ forward_headers: ['X-A', 'x-a'] }, 'forward_headers.1: expected each header once'],
    [{ forward_headers: Array.from({ length: 33 }, (_, n) => `x-${n}`) }, 'forward_headers: expected at most 32'],
    [{ body_source: 'RAW' }, 'body_source: '],
    [{ body_source: 'ORIGINAL', body_template: '{}' }, 'body_template: expected none, as body_source is ORIGINAL'],
  ])('are refused: %j', async (settings, message) => {
    const { trigger } = await listenTo(service, 'webhook', 'webhook.received');
    const at = `/triggers/${trigger.trigger_id}/destinations`;
    const made = await service.api<{ message: string }>('POST', at, { url: sink.url, ...settings });
    expect([made.status, made.body.message]).toEqual([400, expect.stringContaining(message)]);
    const { body } = await service.api<Reply<'destinationCreate'>>('POST', at, { url: sink.url });
    expect(body.destination).toMatchObject({ body_source: 'EVENT', forward_headers: [] });
    const changed = await service.api<{ message: string }>(
      'PATCH',
      `${at}/${body.destination.destination_id}`,
      settings,
    );
    expect([changed.status, changed.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('are changed and removed', async () => {
    const { trigger } = await webhook({ forward_headers: ['X-A'], body_source: 'ORIGINAL' }, '/changed');
    const at = `/triggers/${trigger.trigger_id}/destinations/${trigger.destinations[0]?.destination_id}`;
    expect((await service.api('GET', at)).body).toMatchObject({
      destination: { forward_headers: ['x-a'], body_source: 'ORIGINAL' },
    });
    const template = await service.api<{ message: string }>('PATCH', at, { body_template: '{}' });
    expect([template.status, template.body.message]).toEqual([
      400,
      expect.stringContaining('as body_source is ORIGINAL'),
    ]);
    const changes = { body_template: '{}', body_source: 'EVENT', forward_headers: [] };
    expect((await service.api('PATCH', at, changes)).body).toMatchObject({ destination: changes });
  });
});

describe('a body template', () => {
  const JSON_PROBLEM = 'body_template: expected a template for JSON';

  it.each<[template: string, isSaved: boolean]>([
    ['', false],
    ['text {{payload.t}}', false],
    ['{"a": {{payload.t}}', false],
    ['{"a": "{{payload.t}}}', false],
    ['{"a": {{payload.t}},}', false],
    ['{{payload}}', true],
    ['{"{{payload.name}}": -{{payload.n}}}', true],
    ['{ {{payload.name}}: {{headers.x-a}} }', true],
    ['{{payload.whole}}.{{payload.part}}', true],
  ])(
    'whose result can never be JSON is refused, unless another content type is sent: %s',
    async (template, isSaved) => {
      const { trigger } = await listenTo(service, 'webhook', 'webhook.received');
      const at = `/triggers/${trigger.trigger_id}/destinations`;
      const settings = { url: sink.url, body_template: template };
      const made = await service.api<{ message: string }>('POST', at, settings);
      expect([made.status, made.body.message]).toEqual(
        isSaved ? [200, undefined] : [400, expect.stringContaining(JSON_PROBLEM)],
      );
      const headers = { 'Content-Type': 'text/plain' };
      const text = await service.api<Reply<'destinationCreate'>>('POST', at, { ...settings, headers });
      expect(text.status).toBe(200);
      const one = `${at}/${text.body.destination.destination_id}`;
      expect((await service.api('PATCH', one, { name: 'renamed' })).status).toBe(200);
      const asJson = await service.api<{ message: string }>('PATCH', one, { headers: {} });
      expect([asJson.status, asJson.body.message]).toEqual(
        isSaved ? [200, undefined] : [400, expect.stringContaining(JSON_PROBLEM)],
      );
    },
  );
});

/** The example of docs/reference/deliveries.md. */
function replyInDocs(): object {
  const page = readFileSync('docs/reference/deliveries.md', 'utf8');
  const example = page.slice(page.indexOf('### Reply to the sender')).match(/```json\n(.+?)```/s)?.[1] ?? '';
  return JSON.parse(example).reply;
}

describe('a reply to the sender', () => {
  const webhookWith = (reply: object) =>
    listenTo(service, 'webhook', 'webhook.received', { parameters: { reply, methods: ['POST', 'GET'] } });

  it.each<
    [name: string, reply: object, sent: [body: string, type: string], status: number, text: string, type: string | null]
  >([
    [
      'TwiML',
      replyInDocs(),
      ['From=%2B49', 'application/x-www-form-urlencoded'],
      200,
      '<Response><Message>Thanks, +49</Message></Response>',
      'text/xml',
    ],
    [
      'a challenge',
      { body: '{{payload.challenge}}' },
      ['{"challenge":"a\\"b"}', 'application/json'],
      200,
      'a"b',
      'text/plain; charset=utf-8',
    ],
    [
      'JSON with a status',
      {
        status: 202,
        body: '{"c":"{{payload.c}}","q":{{query.q}},"n":{{payload.none}}}',
        headers: { 'content-type': 'application/json' },
      },
      ['{"c":"a\\"b"}', 'application/json'],
      202,
      '{"c":"a\\"b","q":"1","n":null}',
      'application/json',
    ],
    ['nothing', { status: 204 }, ['{}', 'application/json'], 204, '', null],
  ])('is sent after the event is stored: %s', async (_name, reply, [body, type], status, text, repliedType) => {
    const { url, trigger } = await webhookWith(reply);
    const answer = await post(`${url}?q=1`, body, { 'content-type': type });
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers.get('content-type')).toBe(repliedType);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const [event] = (await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger.trigger_id}/events`)).body
      .events;
    expect(answer.headers.get('x-request-id')).toBe(event?.event_id);
  });

  it('has headers, and is not sent to a rejected request', async () => {
    const { url } = await webhookWith({
      body: 'ok {{trigger_name}}',
      headers: { 'X-Kind': 'a', 'Cache-Control': 'max-age=1' },
    });
    const { headers, text } = await post(url, '{}');
    expect([headers.get('x-kind'), headers.get('cache-control'), text]).toEqual([
      'a',
      'max-age=1',
      'ok webhook.received',
    ]);
    expect(await post(url, '{')).toMatchObject({ status: 400, body: { code: 400 } });
  });

  it.each<[reply: object, message: string]>([
    [{ status: 302 }, 'parameters.reply.status'],
    [{ status: 500 }, 'parameters.reply.status'],
    [{ status: 204, body: 'x' }, 'parameters.reply.body: expected none'],
    [{ body: '{{nothing}}' }, 'parameters.reply.body: position 3'],
    [
      { body: 'text', headers: { 'content-type': 'application/json' } },
      'parameters.reply.body: expected a template for JSON',
    ],
    [{ body: 'x'.repeat(16_385) }, 'parameters.reply.body'],
    [{ headers: { 'Set-Cookie': 'a=b' } }, 'parameters.reply.headers.Set-Cookie: expected Content-Type'],
    [{ headers: { 'Content-Type': 'text/html' } }, 'a page or a script cannot be a reply'],
    [{ headers: { 'content-type': 'image/svg+xml' } }, 'a page or a script cannot be a reply'],
    [{ headers: { 'X-A': 'b\r\nX-C: d' } }, 'parameters.reply.headers.X-A: expected at most 1000 printable'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'expected each header once'],
    [{ headers: { 'X-Request-Id': '1' } }, 'parameters.reply.headers.X-Request-Id'],
    [{ headers: { __proto__: null, 'X-A': 1 } }, 'parameters.reply.headers.X-A'],
    [{ text: 'x' }, 'parameters.reply.text: unknown parameter'],
  ])('is refused: %j', async (reply, message) => {
    const given = { source: 'webhook', event_type: 'webhook.received', parameters: { reply } };
    const { status, body } = await service.api<{ message: string }>('POST', '/triggers', given);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

/** Real requests of sources: signatures, event IDs, events. Vendors' libraries sign them, if available. */
import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { causesOf, hmacBase64, listenTo, post, storedPayloads } from './ingress-support.ts';

const service = serviceForAll();

describe('standard-webhooks', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"contact.created","data":{"id":1}}';
  const signed = (at: Date, id = 'msg_1', text = body, by = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  });

  it('accepts requests signed by the library, once per ID', async () => {
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret });
    for (const id of ['msg_1', 'msg_1', 'msg_2'])
      expect((await post(url, body, signed(new Date(), id))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([body, body]);
    const svix = Object.entries(signed(new Date(), 'msg_3')).map(([name, value]) => [`svix-${name.slice(8)}`, value]);
    expect((await post(url, body, Object.fromEntries(svix))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toHaveLength(3);
  });

  it('rejects old requests, and another time, ID, body or secret', async () => {
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret });
    const now = signed(new Date());
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const bad = [
      [signed(minutes(-6)), body, 'TIMESTAMP_STALE'],
      [signed(minutes(6)), body, 'TIMESTAMP_STALE'],
      [{ ...now, 'webhook-timestamp': String(Number(now['webhook-timestamp']) - 1) }, body, 'SIGNATURE_WRONG'],
      [{ ...now, 'webhook-id': 'msg_2' }, body, 'SIGNATURE_WRONG'],
      [now, body.replace('1', '2'), 'SIGNATURE_WRONG'],
      [signed(new Date(), 'msg_1', body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`), body, 'SIGNATURE_WRONG'],
      [{}, body, 'SIGNATURE_MISSING'],
    ] as const;
    for (const [headers, text] of bad) expect((await post(url, text, headers)).status).toBe(401);
    expect(await causesOf(service, trigger)).toEqual(bad.map(([, , cause]) => cause).toReversed());
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });

  it('stores messages of the selected type', async () => {
    const parameters = { type: 'contact.created' };
    const { trigger, url } = await listenTo(service, 'standard-webhooks', 'webhook.received', { secret, parameters });
    const other = '{"type":"contact.deleted"}';
    const answer = await post(url, other, signed(new Date(), 'msg_1', other));
    expect(answer).toMatchObject({ status: 200, body: { event_ids: [] } });
    expect((await post(url, body, signed(new Date()))).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([body]);
  });
});

describe('github', () => {
  const secret = "It's a Secret to Everybody";
  const body = '{"action":"opened","repository":{"name":"Hello-World","owner":{"login":"Codertocat"}},"é":"\\u00e9"}';
  const headers = async (text: string, number: number, event = 'issues') => ({
    'x-github-event': event,
    'x-github-delivery': `72d3162e-cc78-11e3-81ab-00000000000${number}`,
    'x-hub-signature-256': await sign(secret, text),
  });

  it('accepts requests signed by its library', async () => {
    const { trigger, url } = await listenTo(service, 'github', 'issues.opened', { secret });
    expect((await post(url, body, await headers(body, 1))).body).toMatchObject({ event_ids: [expect.any(String)] });
    expect((await post(url, `${body} `, await headers(body, 2))).status).toBe(401);
    expect(
      (await post(url, body, { ...(await headers(body, 3)), 'x-hub-signature-256': await sign('x', body) })).status,
    ).toBe(401);
    expect(await storedPayloads(service, trigger)).toEqual([body]);
  });

  it('reads the JSON of a form, whose body is signed', async () => {
    const { trigger, url } = await listenTo(service, 'github', 'issues', { secret });
    const form = `payload=${encodeURIComponent(body).replaceAll('%20', '+')}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(url, form, { ...(await headers(form, 1)), ...type })).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([body]);
    for (const bad of ['other=1', 'payload=%ff', 'payload=%7B', 'payload']) {
      const answer = await post(url, bad, { ...(await headers(bad, 2)), ...type });
      expect(answer.status, bad).toBe(400);
    }
    expect(await causesOf(service, trigger)).toEqual(['NOT_JSON', 'NOT_JSON', 'NOT_UTF8', 'NOT_JSON']);
  });

  it('gets 200 for its ping, which is stored only for triggers of all events', async () => {
    const ping = '{"zen":"Anything added dilutes everything else.","hook_id":109948940}';
    const pushes = await listenTo(service, 'github', 'push', { secret });
    const all = await listenTo(service, 'github', '*', { secret });
    for (const { url } of [pushes, all])
      expect((await post(url, ping, await headers(ping, 1, 'ping'))).status).toBe(200);
    expect(await storedPayloads(service, pushes.trigger)).toEqual([]);
    expect(await storedPayloads(service, all.trigger)).toEqual([ping]);
  });
});

describe('stripe', () => {
  const secret = 'whsec_test_secret';
  const stripe = new Stripe('sk_test_123');
  const payload = '{"id":"evt_1","object":"event","type":"invoice.paid","data":{"object":{"amount":12.50}}}';
  const signed = (more: object = {}) => ({
    'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret, ...more }),
  });

  it('accepts requests signed by its library, with the same tolerance', async () => {
    const { trigger, url } = await listenTo(service, 'stripe', 'invoice.paid', { secret });
    const ago = (seconds: number) => signed({ timestamp: Math.floor(Date.now() / 1000) - seconds });
    expect((await post(url, payload, signed())).status).toBe(200);
    expect((await post(url, payload, ago(290))).status).toBe(200);
    expect((await post(url, payload, ago(310))).status).toBe(401);
    expect((await post(url, payload, signed({ secret: 'whsec_other' }))).status).toBe(401);
    expect((await post(url, payload.replace('12.50', '12.5'), signed())).status).toBe(401);
    expect((await post(url, payload, signed({ scheme: 'v0' }))).status).toBe(401);
    expect(await causesOf(service, trigger)).toEqual([
      'SIGNATURE_WRONG',
      'SIGNATURE_WRONG',
      'SIGNATURE_WRONG',
      'TIMESTAMP_STALE',
    ]);
    expect(await storedPayloads(service, trigger)).toEqual([payload]);
  });

  it('can sign with two secrets during a rotation', async () => {
    const { url } = await listenTo(service, 'stripe', 'invoice.paid', { secret });
    const [old, current] = [signed({ secret: 'whsec_old' }), signed()].map((each) => each['stripe-signature']);
    expect((await post(url, payload, { 'stripe-signature': `${old},${current?.split(',')[1]}` })).status).toBe(200);
  });
});

describe('hubspot', () => {
  const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
  const signed = (url: string, text: string) => {
    const at = String(Date.now());
    const signature = hmacBase64(secret, `POST${url}${text}${at}`);
    return { 'x-hubspot-request-timestamp': at, 'x-hubspot-signature-v3': signature };
  };
  const one = (eventId: number, subscriptionType: string, more = {}) =>
    JSON.stringify({
      eventId,
      subscriptionId: 12,
      portalId: 62515,
      occurredAt: 1564113600000,
      subscriptionType,
      ...more,
    });

  it('sends several events per request', async () => {
    const { trigger, url } = await listenTo(service, 'hubspot', 'contact', { secret });
    const inside = trigger.ingress?.url ?? '';
    const [made, changed] = [one(1, 'contact.creation'), one(2, 'contact.propertyChange')];
    const text = `[${made}, ${one(3, 'deal.creation')},${changed} , ${made}]`;
    const answer = await post(url, text, signed(inside, text));
    expect(answer.body['event_ids']).toHaveLength(3);
    expect(new Set(answer.body['event_ids'] as string[]).size).toBe(2);
    expect(await storedPayloads(service, trigger)).toEqual([made, changed]);
    // The attempt number is not part of the ID.
    const again = `[${one(1, 'contact.creation', { attemptNumber: 1 })}]`;
    await post(url, again, signed(inside, again));
    expect(await storedPayloads(service, trigger)).toHaveLength(2);
    // The same eventId with another time is another event.
    const other = `[${one(1, 'contact.creation', { occurredAt: 1564113600001 })}]`;
    await post(url, other, signed(inside, other));
    expect(await storedPayloads(service, trigger)).toHaveLength(3);
  });

  it('signs its URL with decoded punctuation in the query', async () => {
    const { trigger, url } = await listenTo(service, 'hubspot', '*', { secret });
    const text = `[${one(1, 'contact.creation')}]`;
    const query = (encoded: string) => `?to=${encoded}`;
    const inside = `${trigger.ingress?.url}${query("a:/?@!$'()*,;")}`;
    const outside = url + query('a%3A%2f%3F%40%21%24%27%28%29%2A%2C%3B');
    expect((await post(outside, text, signed(inside, text))).status).toBe(200);
    expect((await post(`${url}?to=b`, text, signed(inside, text))).status).toBe(401);
    const rest = `${trigger.ingress?.url}?to=a%20%26`;
    expect((await post(`${url}?to=a%20%26`, text, signed(rest, text))).status).toBe(200);
  });
});

describe('gitlab', () => {
  const push =
    '{"object_kind":"push","project":{"id":15,"path_with_namespace":"mike/diaspora"},"ref":"refs/heads/main"}';
  const headers = { 'x-gitlab-token': 'token', 'x-gitlab-event-uuid': 'one' };

  it('without an Idempotency-Key, as before 17.4, stores all requests', async () => {
    const { trigger, url } = await listenTo(service, 'gitlab', 'push', { secret: 'token' });
    for (const _ of [1, 2]) expect((await post(url, push, headers)).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([push, push]);
  });

  it('matches a project by path or ID', async () => {
    for (const [project, count] of [
      ['Mike/Diaspora', 1],
      ['15', 1],
      ['1', 0],
      ['diaspora', 0],
    ] as const) {
      const { url } = await listenTo(service, 'gitlab', 'push', { secret: 'token', parameters: { project } });
      expect((await post(url, push, headers)).body['event_ids'], project).toHaveLength(count);
    }
  });
});

/** Accepted requests to a trigger's URL: verification, the stored event, and the response. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ingest } from '../../deliveries/intake/intake.ts';
import { invite, signIn } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  hmacBase64,
  hmacHex,
  listenTo,
  patchTrigger,
  post,
  postAs,
  rejectionsOf,
  storedPayloads,
  type Trigger,
} from './ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll();

const webhook = (more = {}) => listenTo(service, 'webhook', 'webhook.received', more);
const idsIn = ({ body }: { body: Record<string, unknown> }) => body['event_ids'] as string[];
const readTrigger = async ({ trigger_id }: Trigger) =>
  (await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`)).body.trigger;

describe('a request to a trigger’s URL', () => {
  it('becomes an event that is stored before the response, and delivered', async () => {
    const { trigger, url } = await webhook({ destinations: [{ url: `${sink.url}/first` }] });
    expect(trigger.ingress).toMatchObject({
      secret: 'none',
      has_secret: false,
      signing_secret: null,
      hook: 'MANUAL',
      message: null,
      url: expect.stringMatching(new RegExp(`^http://localhost:${service.port}/hooks/[A-Za-z0-9_-]{43}$`)),
    });
    const answer = await post(url, '{"order":17}');
    expect(answer).toMatchObject({ status: 200, body: { event_ids: [expect.stringMatching(/^[0-9a-f-]{36}$/)] } });
    expect(answer.headers.get('x-request-id')).toMatch(/.{8}/);
    const [event_id] = idsIn(answer);
    const path = `/triggers/${trigger.trigger_id}/events/${event_id}`;
    const { body } = await service.api<{ event: object }>('GET', path);
    expect(body.event).toMatchObject({ source: 'webhook', event_type: 'webhook.received', payload: { order: 17 } });
    await expect.poll(() => sink.received('/first')).toHaveLength(1);
    expect(sink.received('/first')[0]?.headers['webhook-id']).toBe(event_id);
    // It is stored behind the events.
    await expect.poll(async () => (await readTrigger(trigger)).last_event_at).not.toBeNull();
  });

  it.each([
    ['duplicate names', '{"a":1,"a":2,\n "b" : {"b":[]}}'],
    ['__proto__', '{"__proto__":{"admin":true},"constructor":{"prototype":1}}'],
    ['numbers no program holds', '{"id":12345678901234567890,"tiny":1e-400,"huge":1E400,"exact":1.10}'],
    ['escapes, halves of characters and NUL', String.raw`{"t":"\u0000\ud800 \/ \u00e9 é 😀"}`],
    ['space around it', ' \r\n\t{"a": 1}\n'],
  ])('is stored and delivered unchanged: %s', async (name, text) => {
    const path = `/bytes-${name.replaceAll(/\W/g, '')}`;
    const { trigger, url } = await webhook({
      destinations: [{ url: sink.url + path }, { url: `${sink.url}${path}-whole`, body_template: '{{ payload }}' }],
    });
    expect((await post(url, text)).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([text]);
    await expect.poll(() => sink.received(`${path}-whole`)).toHaveLength(1);
    await expect.poll(() => sink.received(path)).toHaveLength(1);
    expect(sink.received(`${path}-whole`)[0]?.body).toBe(text);
    expect(sink.received(path)[0]?.body).toContain(`"data":${text},"event_id"`);
  });

  it.each(['[1,{"a":2}]', '"text"', '0.10', 'null', 'true'])(
    'stores JSON that is no object under "value": %s',
    async (text) => {
      const { trigger, url } = await webhook();
      expect((await post(url, text)).status).toBe(200);
      expect(await storedPayloads(service, trigger)).toEqual([`{"value":${text}}`]);
    },
  );

  it('is accepted with any content type, up to 1 MiB and 64 levels', async () => {
    const { trigger, url } = await webhook();
    const mebibyte = `{"t":"${'x'.repeat(1024 * 1024 - 8)}"}`;
    expect(Buffer.byteLength(mebibyte)).toBe(1024 * 1024);
    const deep = `{"a":${'['.repeat(63)}${']'.repeat(63)}}`;
    for (const text of [mebibyte, deep, '{"plain":1}'])
      expect((await post(url, text, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([mebibyte, deep, '{"plain":1}']);
  });

  it('of a disabled trigger is stored, to be delivered later', async () => {
    const { trigger, url } = await webhook({ destinations: [{ url: `${sink.url}/later` }] });
    await patchTrigger(service, trigger, { status: 'DISABLED' });
    const [event_id] = idsIn(await post(url, '{}'));
    const path = `/triggers/${trigger.trigger_id}/events/${event_id}`;
    const { body } = await service.api<{ event: object }>('GET', path);
    expect(body.event).toMatchObject({ deliveries: [{ status: 'SKIPPED', reason: 'TRIGGER_DISABLED' }] });
    await service.api('POST', `${path}:replay`);
    await expect.poll(() => sink.received('/later')).toHaveLength(1);
  });

  it('sent fifty times concurrently becomes one event, by an ID in a header or in the body', async () => {
    for (const parameters of [{ id_header: 'X-Delivery' }, { id_path: 'meta.id' }]) {
      const { trigger, url } = await webhook({ parameters });
      const send = (id: string, n: number) => post(url, `{"meta":{"id":"${id}"},"n":${n}}`, { 'x-delivery': id });
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => send('d-1', n)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.flatMap(idsIn)).size).toBe(1);
      expect(await storedPayloads(service, trigger)).toHaveLength(1);
      expect(idsIn(await send('d-1', 50))).toEqual(idsIn(answers[0] as (typeof answers)[0]));
      expect(idsIn(await send('d-2', 51))).not.toEqual(idsIn(answers[0] as (typeof answers)[0]));
      expect(await storedPayloads(service, trigger)).toHaveLength(2);
    }
  });

  it('without an ID is always a new event', async () => {
    const { trigger, url } = await webhook({ parameters: { id_header: 'X-Delivery' } });
    for (const _ of [1, 2]) expect((await post(url, '{"same":1}')).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toHaveLength(2);
  });

  it('gets its challenge back when the sender verifies the URL', async () => {
    const { trigger, url } = await webhook({ parameters: { challenge: 'hub.challenge' } });
    for (const method of ['GET', 'POST']) {
      const answer = await post(`${url}?hub.mode=subscribe&hub.challenge=a%3Cb%20c`, '', {}, method);
      expect(answer).toMatchObject({ status: 200, text: 'a<b c' });
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await post(`${url}?hub.challenge=a`, '', {}, 'HEAD')).toMatchObject({ status: 200, text: '' });
    expect((await post(`${url}?challenge=a`, '', {}, 'GET')).status).toBe(405);
    expect((await post(`${(await webhook()).url}?hub.challenge=a`, '', {}, 'GET')).status).toBe(405);
    expect(await storedPayloads(service, trigger)).toEqual([]);
  });
});

describe('verification of a webhook', () => {
  const body = '{"é":"ü"}';

  it('by the secret in a header', async () => {
    const { url, secret } = await webhook({ parameters: { verification: 'header', header: 'X-Token' } });
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await post(url, body, { 'x-token': secret })).status).toBe(200);
    for (const wrong of [{}, { 'x-token': `${secret}x` }, { 'x-token': secret.slice(1) }, { 'x-token': '' }])
      expect((await post(url, body, wrong)).status).toBe(401);
  });

  it('by HTTP Basic, with a matching challenge', async () => {
    const secret = 'a pass:word';
    const { url } = await webhook({ parameters: { verification: 'basic', username: 'crm' }, secret });
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    expect((await post(url, body, basic(`crm:${secret}`))).status).toBe(200);
    for (const wrong of [{}, basic('crm:a'), basic(`crm2:${secret}`), { authorization: `Bearer ${secret}` }]) {
      const answer = await post(url, body, wrong);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="hook"');
    }
  });

  it.each([
    [{}, (secret: string) => hmacHex(secret, body)],
    [{}, (secret: string) => hmacHex(secret, body).toUpperCase()],
    [{ encoding: 'base64' }, (secret: string) => hmacBase64(secret, body)],
    [{ algorithm: 'sha1', prefix: 'sha1=' }, (secret: string) => `sha1=${hmacHex(secret, body, 'sha1')}`],
    [{ algorithm: 'sha512', encoding: 'base64' }, (secret: string) => hmacBase64(secret, body, 'sha512')],
  ])('by an HMAC of the bytes: %j', async (more, sign) => {
    const parameters = { verification: 'hmac', header: 'X-Signature', ...more };
    const { trigger, url, secret } = await webhook({ parameters });
    const right = sign(secret);
    expect((await post(url, body, { 'x-signature': right })).status).toBe(200);
    // One character of the body, the signature, its end, and the prefix.
    expect((await post(url, body.replace('ü', 'u'), { 'x-signature': right })).status).toBe(401);
    expect((await post(url, body, { 'x-signature': sign(`${secret}x`) })).status).toBe(401);
    expect((await post(url, body, { 'x-signature': right.slice(0, -2) })).status).toBe(401);
    expect((await post(url, body, { 'x-signature': `x${right}` })).status).toBe(401);
    expect(await storedPayloads(service, trigger)).toEqual([body]);
    const { rejections } = await rejectionsOf(service, trigger);
    expect(rejections.map(({ cause }) => cause)).toEqual(Array(4).fill('SIGNATURE_WRONG'));
  });

  it.each([
    [{ verification: 'hmac' }, 'parameters.header: expected one, as verification is hmac'],
    [{ verification: 'basic' }, 'parameters.username: expected one, as verification is basic'],
    [{ header: 'X-A' }, 'parameters.header: expected none, as verification is none'],
    [{ verification: 'header', header: 'a b' }, 'parameters.header: '],
    [{ verification: 'header', header: 'X-A', algorithm: 'sha1' }, 'parameters.algorithm: expected none'],
    [{ verification: 'token' }, 'parameters.verification: '],
    [{ verification: 'basic', username: 'a:b' }, 'parameters.username: '],
    [{ id_from: 'x' }, 'parameters.id_from: unknown parameter'],
  ])('is rejected for inconsistent parameters: %j', async (parameters, message) => {
    const made = { source: 'webhook', event_type: 'webhook.received', parameters };
    const answer = await service.api<{ message: string }>('POST', '/triggers', made);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});

describe('the secret of a trigger', () => {
  const parameters = { verification: 'header', header: 'X-Token' };
  const send = (url: string, secret: string) => post(url, '{}', { 'x-token': secret });

  it('is in clear only in the response that creates it', async () => {
    const { trigger, secret } = await webhook({ parameters });
    const masked = `••••••••${secret.slice(-4)}`;
    expect((await readTrigger(trigger)).ingress).toMatchObject({
      secret: 'ours',
      has_secret: true,
      signing_secret: masked,
    });
    const { body } = await service.api('GET', '/triggers?limit=100');
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(JSON.stringify(await patchTrigger(service, trigger, { name: 'Other' }))).not.toContain(secret);
    const given = await webhook({ parameters, secret: 'a chosen one' });
    expect(JSON.stringify(given.trigger)).not.toContain('a chosen one');
    expect((await send(given.url, 'a chosen one')).status).toBe(200);
    expect(service.logged()).not.toContain(secret);
  });

  it('is rotated with an overlap in which both are valid', async () => {
    const { trigger, url, secret } = await webhook({ parameters });
    const rotate = async (body?: object) =>
      (await service.api<{ trigger: Trigger }>('POST', `/triggers/${trigger.trigger_id}/secret:rotate`, body)).body
        .trigger.ingress;
    const second = await rotate();
    expect(second?.signing_secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Date.parse(second?.previous_secret_until ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect((await send(url, secret)).status).toBe(200);
    expect((await send(url, second?.signing_secret ?? '')).status).toBe(200);
    const third = await rotate({ overlap_hours: 0 });
    expect(third?.previous_secret_until).toBeNull();
    expect((await send(url, second?.signing_secret ?? '')).status).toBe(401);
    expect((await send(url, third?.signing_secret ?? '')).status).toBe(200);
  });

  it('is invalid after its overlap', async () => {
    const { trigger, url, secret } = await webhook({ parameters });
    const path = `/triggers/${trigger.trigger_id}/secret:rotate`;
    // 0.1 s.
    await service.api('POST', path, { overlap_hours: 1 / 36_000 });
    await expect.poll(async () => (await send(url, secret)).status).toBe(401);
    expect((await readTrigger(trigger)).ingress?.previous_secret_until).toBeNull();
  });

  it('can be set, is generated when verification is enabled, and removed with it', async () => {
    const { trigger, url } = await webhook();
    const begun = await patchTrigger(service, trigger, { parameters });
    const made = begun.ingress?.signing_secret ?? '';
    expect(made).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await send(url, made)).status).toBe(200);
    await patchTrigger(service, trigger, { secret: 'given' });
    expect((await send(url, made)).status).toBe(401);
    expect((await send(url, 'given')).status).toBe(200);
    const ended = await patchTrigger(service, trigger, { parameters: {} });
    expect(ended.ingress).toMatchObject({ secret: 'none', has_secret: false, signing_secret: null });
    expect((await post(url, '{}')).status).toBe(200);
  });

  it.each([
    ['secret:rotate', {}, undefined, 'secret is not generated here'],
    ['secret:reveal', { parameters }, undefined, 'no received secret'],
  ])('%s is rejected if not applicable', async (verb, more, body, message) => {
    const { trigger } = await webhook(more);
    const answer = await service.api<{ message: string }>('POST', `/triggers/${trigger.trigger_id}/${verb}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it.each([
    ['schedule', { parameters: { cron_expression: '0 0 1 1 *' }, event_type: 'schedule.elapsed', secret: 'a' }],
    ['webhook', { secret: 'a' }],
    ['webhook', { parameters, secret: 'ä' }],
    ['webhook', { parameters, secret: '' }],
    ['standard-webhooks', { secret: 'whsec_not base64' }],
  ])('of %s is rejected if it can’t verify requests: %j', async (source, more) => {
    const made = { source, event_type: 'webhook.received', ...more };
    const { status, body } = await service.api<{ message: string }>('POST', '/triggers', made);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^secret: /);
  });
});

describe('the URL of a trigger', () => {
  it('is unknown once the trigger is deleted, and nothing is stored', async () => {
    const { trigger, url } = await webhook();
    expect((await post(url, '{}')).status).toBe(200);
    await service.api('DELETE', `/triggers/${trigger.trigger_id}`);
    expect((await post(url, '{}')).status).toBe(404);
  });

  it('is returned to users with write access, not to viewers', async () => {
    const { trigger, url } = await webhook();
    const owner = await signIn(service);
    const person = { email: 'vera@example.com', password: 'only reads things' };
    const viewer = (await invite(owner, service, person, 'VIEWER')).browser;
    const path = `/triggers/${trigger.trigger_id}`;
    expect((await owner.call<{ trigger: Trigger }>('GET', path)).body.trigger).toEqual(await readTrigger(trigger));
    const seen = (await viewer.call<{ trigger: Trigger }>('GET', path)).body.trigger;
    expect(seen.ingress?.url).toBe(`http://localhost:${service.port}/hooks/••••••••`);
    expect(JSON.stringify(seen)).not.toContain(url.split('/').at(-1));
  });

  it('requires no key, and has no rate limit', async () => {
    const limited = await startService({ env: { SLUICE_RATE_LIMIT: '1' } });
    try {
      const { url } = await listenTo(limited, 'webhook', 'webhook.received');
      for (const _ of Array(5)) expect((await post(url, '{}')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('can be on a separate host, without other endpoints', async () => {
    const apart = await startService({ env: { SLUICE_HOOKS_URL: 'https://hooks.example.com' } });
    try {
      const made = { source: 'webhook', event_type: 'webhook.received' };
      const own = `localhost:${apart.port}`;
      const key = { authorization: `Bearer ${apart.key}`, 'content-type': 'application/json' };
      const { text } = await postAs(own, `${apart.url}/api/triggers`, JSON.stringify(made), key);
      const { trigger } = JSON.parse(text) as { trigger: Trigger };
      expect(trigger.ingress?.url).toMatch(/^https:\/\/hooks\.example\.com\/[\w-]{43}$/);
      const url = trigger.ingress?.url.replace('https://hooks.example.com', apart.url) ?? '';
      expect((await postAs('hooks.example.com', url, '{}')).status).toBe(200);
      expect((await postAs('HOOKS.example.com', url, '{}')).status).toBe(200);
      // The API is not there, and the webhook URL is not elsewhere.
      expect((await postAs('hooks.example.com', `${apart.url}/api/triggers`, JSON.stringify(made), key)).status).toBe(
        404,
      );
      expect((await postAs(own, url, '{}')).status).toBe(404);
    } finally {
      await apart.stop();
    }
  });
});

it('while the database is overloaded, only senders get a 503 with Retry-After', async () => {
  const { trigger, url } = await webhook();
  const { services, account_id } = service;
  const { trigger_id } = trigger;
  const many = (count: number, of = { account_id, trigger_id }) =>
    ingest(services, 'webhook', Array(count).fill({ ...of, payload: { n: 1 } }));
  const other = await service.secondAccount();
  const made = { source: 'webhook', event_type: 'webhook.received' };
  const theirs = await service.api<{ trigger: Trigger }>('POST', '/triggers', made, { key: other.key });
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = services.db.transaction().execute(async (tx) => {
    await sql`lock table events in exclusive mode`.execute(tx);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  // One batch in flight, and a full buffer. Neither account has more than its share of it.
  const going = many(200);
  await expect.poll(() => services.pipeline.events.waiting()).toBe(0);
  const waiting = Promise.all([
    many(3500),
    many(1500, { account_id: other.account_id, trigger_id: theirs.body.trigger.trigger_id }),
  ]);
  const refused = await post(url, '{"late":true}');
  expect(refused).toMatchObject({ status: 503, body: { code: 503, type: 'Service Unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  held.resolve();
  await Promise.all([lock, going, waiting]);
  expect((await post(url, '{"late":false}')).status).toBe(200);
  const stored = await storedPayloads(service, trigger);
  expect(stored).toHaveLength(3701);
  expect(stored.at(-1)).toBe('{"late":false}');
});

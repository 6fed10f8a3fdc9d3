/** Test vectors of vendors and specifications, and requests that must be rejected. */
import { describe, expect, it } from 'vitest';
import { buildkite } from '../../connections/apps/catalogue/buildkite.ts';
import { square } from '../../connections/apps/catalogue/square.ts';
import { trello } from '../../connections/apps/catalogue/trello.ts';
import { webflow } from '../../connections/apps/catalogue/webflow.ts';
import { workos } from '../../connections/apps/catalogue/workos.ts';
import { hmac, type WebhookSignature } from '../../connections/apps/definition.ts';
import type { Incoming } from './incoming.ts';
import { type Check, checkSignature } from './signature.ts';

type Vector = {
  check: Check;
  secret: string;
  headers: Record<string, string>;
  body: string | Buffer;
  at?: number;
  url?: string;
};

const signed = (more: object): WebhookSignature => hmac({ docs_url: '', header: '', ...more }).signature;
const github = signed({ header: 'X-Hub-Signature-256', prefix: 'sha256=' });
const slack = signed({
  header: 'X-Slack-Signature',
  prefix: 'v0=',
  timestamp_header: 'X-Slack-Request-Timestamp',
  timestamp_unit: 's',
  tolerance_seconds: 300,
  signed: 'v0:{timestamp}:{body}',
});
const box = signed({
  header: 'BOX-SIGNATURE-PRIMARY',
  encoding: 'base64',
  timestamp_header: 'BOX-DELIVERY-TIMESTAMP',
  timestamp_unit: 'rfc3339',
  tolerance_seconds: 300,
  signed: '{body}{timestamp}',
});
const ed25519: WebhookSignature = { kind: 'ed25519', header: 'X-Signature', timestamp_header: 'X-Time' };
const standard: WebhookSignature = { kind: 'standard', prefix: 'webhook-' };

const gitlab: WebhookSignature = { kind: 'token', header: 'X-Gitlab-Token', also: 'standard' };

const VECTORS: Record<string, Vector> = {
  'GitHub, validating webhook deliveries': {
    check: github,
    secret: "It's a Secret to Everybody",
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
  },
  'Slack, verifying requests': {
    check: slack,
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    headers: {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    at: 1_531_420_618,
  },
  'Standard Webhooks 1.0.0': {
    check: standard,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    at: 1_614_265_330,
  },
  'Box, the test of its Python library': {
    check: box,
    secret: 'SamplePrimaryKey',
    headers: {
      'box-signature-primary': '6TfeAW3A1PASkgboxxA5yqHNKOwFyMWuEXny/FPD5hI=',
      'box-delivery-timestamp': '2020-01-01T00:00:00-07:00',
    },
    body: '{"type":"webhook_event","webhook":{"id":"1234567890"},"trigger":"FILE.UPLOADED","source":{"id":"1234567890","type":"file","name":"Test.txt"}}',
    at: Date.parse('2020-01-01T07:00:00Z') / 1000,
  },
  'Square, the test of its Node.js library': {
    check: square.webhook?.signature ?? { kind: 'none' },
    secret: 'Ibxx_5AKakO-3qeNVR61Dw',
    headers: { 'x-square-hmacsha256-signature': 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=' },
    body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
    url: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
  },
  'RFC 8032, test 3': {
    check: ed25519,
    secret: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    headers: {
      'x-time': '',
      'x-signature':
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    },
    body: Buffer.of(0xaf, 0x82),
  },
};

function look({ check, secret, headers, body, at = 0, url }: Vector, more: Partial<Incoming> = {}, seconds = 0) {
  const address = url ?? 'https://hooks.example.com/x';
  const request = { method: 'POST', url: address, headers, body: Buffer.from(body), ...more };
  return checkSignature(check, [secret], request, (at + seconds) * 1000)?.cause ?? null;
}

describe.each(Object.entries(VECTORS))('%s', (_name, vector) => {
  const { headers, body } = vector;

  it('passes', () => expect(look(vector)).toBeNull());

  it('fails with another byte, another secret or another signature', () => {
    expect(look(vector, { body: Buffer.concat([Buffer.from(body), Buffer.of(0x20)]) })).toBe('SIGNATURE_WRONG');
    expect(look({ ...vector, secret: vector.secret.replace(/.$/, (last) => (last === '5' ? '6' : '5')) })).toBe(
      'SIGNATURE_WRONG',
    );
    for (const change of [
      (text: string) => text.slice(0, -1),
      (text: string) => `${text}0`,
      (text: string) => text.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)),
      () => '',
      () => 'sha256=',
    ]) {
      const other = Object.entries(headers).map(([name, value]) => [name, /sign/.test(name) ? change(value) : value]);
      expect(look(vector, { headers: Object.fromEntries(other) }), change('…')).toBe('SIGNATURE_WRONG');
    }
  });

  it('fails without a header or without a secret', () => {
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers;
      expect(look(vector, { headers: rest })).toBe('SIGNATURE_MISSING');
    }
    expect(checkSignature(vector.check, [], { method: '', url: '', headers, body: Buffer.from(body) }, 0)?.cause).toBe(
      'SECRET_MISSING',
    );
  });

  it('is valid within its tolerance, in both directions', () => {
    if (vector.at === undefined) return;
    for (const seconds of [-300, 300]) expect(look(vector, {}, seconds)).toBeNull();
    for (const seconds of [-301, 301, 86_400]) expect(look(vector, {}, seconds)).toBe('TIMESTAMP_STALE');
  });
});

it('Standard Webhooks: one of several signatures is sufficient, also with Svix headers; other versions are ignored', () => {
  const vector = VECTORS['Standard Webhooks 1.0.0'] as Vector;
  const right = vector.headers['webhook-signature'] ?? '';
  const several = { ...vector.headers, 'webhook-signature': `v1a,abc v2,${right.slice(3)} v1,Zm9v ${right}` };
  expect(look(vector, { headers: several })).toBeNull();
  const none = { ...vector.headers, 'webhook-signature': `v2,${right.slice(3)} v1` };
  expect(look(vector, { headers: none })).toBe('SIGNATURE_WRONG');
  const svix = Object.entries(vector.headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]);
  expect(look(vector, { headers: Object.fromEntries(svix) })).toBeNull();
  for (const timestamp of ['', 'now', '1e9', '-1614265330'])
    expect(look(vector, { headers: { ...vector.headers, 'webhook-timestamp': timestamp } })).toBe('SIGNATURE_WRONG');
});

/** The steps of the vendors' documentation, computed with `openssl dgst`. */
const COMPUTED: Record<string, Vector> = {
  'WorkOS, with the timestamp of its Ruby library': {
    check: workos.webhook?.signature ?? { kind: 'none' },
    secret: 'secret',
    headers: {
      'workos-signature': 't=1626125972272, v1=99fb305a34f5c9c6a7358dae1e61fd9fa14b8397283bfd729e61c0c5e5d3a0de',
    },
    body: '{"id":"wh_123","event":"dsync.user.created"}',
    at: 1_626_125_972,
  },
  Buildkite: {
    check: buildkite.webhook?.signature ?? { kind: 'none' },
    secret: '309c9c842d8565adec5d7469160059f9',
    headers: {
      'x-buildkite-signature':
        'timestamp=1619071700,signature=7599daeb9c419a6a11a984ca19847608ff9efef7d66b435a7ddf4e2cdd1e0359',
    },
    body: '{"event":"build.finished","build":{"number":1}}',
    at: 1_619_071_700,
  },
  Trello: {
    check: trello.webhook?.signature ?? { kind: 'none' },
    secret: 'a-power-up-secret',
    headers: { 'x-trello-webhook': 'aCSpuxoMkVnEO1k+IrItRAYi7tM=' },
    body: '{"action":{"id":"5735bd3a54bf8d93c35149bb","type":"commentCard","data":{"text":"Grüße"}}}',
    url: 'https://mycallback.com/trelloCallbacks/?memberID=14&mainModel=true',
  },
  Webflow: {
    check: webflow.webhook?.signature ?? { kind: 'none' },
    secret: 'a-client-secret',
    headers: {
      'x-webflow-timestamp': '1663849649733',
      'x-webflow-signature': '2a5fc7b4618cd0af9475dd158a6c090430bf251f177ada2fabfe614d6aba2bac',
    },
    body: '{"triggerType":"site_publish","payload":{"siteId":"62749158efef318abc8d5a0f"}}',
    at: 1_663_849_650,
  },
};

it.each(Object.entries(COMPUTED))('the documented steps of %s', (_, vector) => {
  expect(look(vector)).toBeNull();
  expect(look({ ...vector, body: `${vector.body} ` })).toBe('SIGNATURE_WRONG');
  expect(look({ ...vector, secret: 'another' })).toBe('SIGNATURE_WRONG');
  if (vector.at !== undefined) expect(look(vector, {}, 302)).toBe('TIMESTAMP_STALE');
});

it('Square signs the URL', () => {
  const vector = VECTORS['Square, the test of its Node.js library'] as Vector;
  expect(look(vector, { url: `${vector.url}?a=1` })).toBe('SIGNATURE_WRONG');
});

it('a rotated secret is valid along with the new one', () => {
  const vector = VECTORS['GitHub, validating webhook deliveries'] as Vector;
  const request = { method: 'POST', url: '', headers: vector.headers, body: Buffer.from(vector.body) };
  expect(checkSignature(github, ['new', vector.secret], request, 0)).toBeNull();
});

it('a timestamp in the body is trusted only after the signature', () => {
  const check = signed({
    header: 'X-Sig',
    timestamp_path: 'sent.at',
    timestamp_unit: 'ms',
    tolerance_seconds: 60,
  });
  const body = '{"sent":{"at":1000000}}';
  // HMAC-SHA256 of the body with the key "k", computed with another program.
  const headers = { 'x-sig': 'bd049a2aecd5c2d8e4cc29a194040462b94646f4cb3bc041b27a7841b8e3d264' };
  const vector = { check, secret: 'k', headers, body, at: 1000 };
  for (const seconds of [-60, 0, 60]) expect(look(vector, {}, seconds)).toBeNull();
  expect(look(vector, {}, 61)).toBe('TIMESTAMP_STALE');
  expect(look({ ...vector, body: body.replace('1000000', '1061000') }, {}, 61)).toBe('SIGNATURE_WRONG');
});

/** Computed with another program: `printf '%s' "$text" | openssl dgst -sha256 -hmac k`. */
const OF = {
  '1000:{}': '3fe1961cb4161cf5a56436524aee0b1bda0b7ead98a73c06c0bc6865c1384549',
  '{}': 'add853b103fbcc936a194f9eb15e29c4ff08af6e47d5d1bca4f20218e31e4fff',
  'a1-1970-01-01T00:16:40.000000001Z{}': 'd4398b2819454c12b0386af9efd5c7982d575865451c762427be045920b7709e',
};

it('one of several comma-separated signatures is sufficient, only with its prefix', () => {
  const check = signed({ header: 'X-Sig', prefix: 'v1=' });
  const one = (value: string) => look({ check, secret: 'k', headers: { 'x-sig': value }, body: '{}' });
  for (const value of [`v1=${OF['{}']}`, `v1=00,v1=${OF['{}']}`, `v2=00, v1=${OF['{}']} ,v1=`])
    expect(one(value)).toBeNull();
  for (const value of [`v2=${OF['{}']}`, OF['{}'], `v1=v1=${OF['{}']}`, ',,,', ''])
    expect(one(value), value).toBe('SIGNATURE_WRONG');
});

it('pairs can have another separator than a comma', () => {
  const check = signed({
    header: 'X-Sig',
    pairs: { timestamp: 'ts', signature: 'h1', separator: ';' },
    signed: '{timestamp}:{body}',
  });
  const one = (value: string) => look({ check, secret: 'k', headers: { 'x-sig': value }, body: '{}' });
  expect(one(`ts=1000;h1=${OF['1000:{}']}`)).toBeNull();
  expect(one(`h1=00; h1=${OF['1000:{}']} ;ts=1000`)).toBeNull();
  expect(one(`ts=1000,h1=${OF['1000:{}']}`)).toBe('SIGNATURE_WRONG');
  expect(one(`ts=1001;h1=${OF['1000:{}']}`)).toBe('SIGNATURE_WRONG');
  expect(one(`h1=${OF['1000:{}']}`)).toBe('SIGNATURE_MISSING');
});

it('a header can be signed, and the timestamp can be a date', () => {
  const check = signed({
    header: 'X-Sig',
    timestamp_header: 'X-Time',
    timestamp_unit: 'rfc3339',
    tolerance_seconds: 60,
    signed: '{header:X-Id}-{timestamp}{body}',
  });
  const headers = {
    'x-id': 'a1',
    'x-time': '1970-01-01T00:16:40.000000001Z',
    'x-sig': OF['a1-1970-01-01T00:16:40.000000001Z{}'],
  };
  const vector = { check, secret: 'k', headers, body: '{}', at: 1000 };
  expect(look(vector)).toBeNull();
  expect(look(vector, {}, 61)).toBe('TIMESTAMP_STALE');
  expect(look(vector, { headers: { ...headers, 'x-id': 'a2' } })).toBe('SIGNATURE_WRONG');
  const { 'x-id': _, ...rest } = headers;
  expect(look(vector, { headers: rest })).toBe('SIGNATURE_WRONG');
});

it('GitLab: a signing token signs with Standard Webhooks; otherwise the secret token is compared', () => {
  const signing = { ...(VECTORS['Standard Webhooks 1.0.0'] as Vector), check: gitlab };
  const { headers, secret } = signing;
  const token = { 'x-gitlab-token': secret };
  expect(look(signing)).toBeNull();
  expect(look(signing, { headers: { ...headers, ...token } })).toBeNull();
  expect(look(signing, { headers: token })).toBeNull();
  expect(look(signing, { body: Buffer.from('{}') })).toBe('SIGNATURE_WRONG');
  expect(look(signing, { headers: { ...headers, 'x-gitlab-token': 'another' }, body: Buffer.from('{}') })).toBe(
    'SIGNATURE_WRONG',
  );
  // A valid signature requires a valid timestamp, regardless of the secret token.
  expect(look(signing, { headers: { ...headers, ...token } }, 301)).toBe('TIMESTAMP_STALE');
  const other = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` };
  expect(look(signing, { headers: { ...other, ...token } })).toBeNull();
  expect(look(signing, { headers: other })).toBe('SIGNATURE_WRONG');
  expect(look(signing, { headers: {} })).toBe('SIGNATURE_MISSING');
  // A secret without the form of a signing token verifies no signature.
  const plain = { ...signing, secret: secret.slice('whsec_'.length) };
  expect(look(plain)).toBe('SIGNATURE_WRONG');
  expect(look(plain, { headers: { 'x-gitlab-token': plain.secret } })).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { madeHistory, purityOf } from '../test/failure-history.ts';
import type { Evidence } from './failures.ts';
import { causeOf } from './fingerprint.ts';

const destination = { id: 'd1', name: 'CRM' };
const connection = { id: 'c1', name: 'Ann' };
const fn = { id: 'f1', name: 'enrich' };
const delivery = (more: Partial<Evidence & { kind: 'DELIVERY' }>): Evidence => ({
  kind: 'DELIVERY',
  destination,
  url: 'https://crm.example.com/hook',
  reason: 'HTTP_STATUS',
  status: 422,
  body: null,
  message: null,
  ...more,
});
const call = (more: Partial<Evidence & { kind: 'CALL' }>): Evidence => ({
  kind: 'CALL',
  connection,
  app: 'slack',
  method: 'POST',
  path: '/chat.postMessage',
  status: 401,
  error: null,
  ...more,
});
const run = (message: string, stack: string | null, name = 'TypeError'): Evidence => ({
  kind: 'RUN',
  fn,
  isTimeout: false,
  error: { name, message, stack },
});
const same = (a: Evidence, b: Evidence) => causeOf(a).fingerprint === causeOf(b).fingerprint;

describe('one cause', () => {
  it.each<[string, Evidence, Evidence]>([
    [
      'ids in a message',
      delivery({ body: '{"message":"order 1 is gone"}' }),
      delivery({ body: '{"message":"order 22 is gone"}' }),
    ],
    [
      'a message in two languages with one code',
      delivery({ body: '{"code":"no_plan","message":"no such plan"}' }),
      delivery({ body: '{"code":"no_plan","message":"kein solcher Tarif"}' }),
    ],
    [
      'two binary bodies',
      delivery({ body: '\u0000\u0001\u0002\ufffd' }),
      delivery({ body: '\u0003\ufffd\ufffd\u0001' }),
    ],
    [
      'two destinations of a host that does not respond',
      delivery({ reason: 'TIMEOUT', status: null }),
      delivery({
        reason: 'TIMEOUT',
        status: null,
        destination: { id: 'd2', name: 'Other' },
        url: 'https://crm.example.com/other',
      }),
    ],
    ['502 and 503 of a host', delivery({ status: 502, body: '<h1>a</h1>' }), delivery({ status: 503, body: 'busy' })],
    [
      'a line that moved',
      run('x', 'TypeError: x\n at parse (a.ts:2:9)'),
      run('x', 'TypeError: x\n at parse (a.ts:7:1)'),
    ],
    [
      'a 401 and a failed renewal of a connection',
      call({}),
      { kind: 'RENEWAL', connection, app: 'slack', isFinal: true, message: 'revoked' },
    ],
    [
      'two connections of an app that is down',
      call({ status: 503 }),
      call({ status: 502, connection: { id: 'c2', name: 'Bob' } }),
    ],
    ['ids in a path', call({ status: 422, path: '/orders/12' }), call({ status: 422, path: '/orders/13?x=1' })],
  ])('%s', (_, a, b) => {
    expect(same(a, b)).toBe(true);
  });
});

describe('two causes', () => {
  it.each<[string, Evidence, Evidence]>([
    ['two statuses', delivery({ status: 404 }), delivery({ status: 422 })],
    ['two messages', delivery({ body: 'no plan' }), delivery({ body: 'no currency' })],
    ['two codes', delivery({ body: '{"code":"no_plan"}' }), delivery({ body: '{"code":"no_currency"}' })],
    [
      'two fields',
      delivery({ body: '{"code":"missing","field":"plan"}' }),
      delivery({ body: '{"code":"missing","field":"price"}' }),
    ],
    ['two destinations', delivery({}), delivery({ destination: { id: 'd2', name: 'CRM' } })],
    [
      'two network errors',
      delivery({ reason: 'DNS_ERROR', status: null }),
      delivery({ reason: 'TIMEOUT', status: null }),
    ],
    ['two functions of a file', run('x', ' at parse (a.ts:2:9)'), run('x', ' at render (a.ts:2:9)')],
    ['two types of errors', run('x', null), run('x', null, 'RangeError')],
    ['two connections', call({}), call({ connection: { id: 'c2', name: 'Bob' } })],
    ['two apps that are down', call({ status: 503 }), call({ status: 503, app: 'github' })],
    ['two paths', call({ status: 422 }), call({ status: 422, path: '/other' })],
  ])('%s', (_, a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

it.each<[string, Evidence]>([
  [
    'Destination “CRM” returns 422: no_plan, no such plan …',
    delivery({ body: '{"code":"no_plan","message":"no such plan 12"}' }),
  ],
  ['Host crm.example.com does not respond in time', delivery({ reason: 'TIMEOUT', status: null })],
  ['Host crm.example.com is unavailable', delivery({ status: 502 })],
  ['slack rejects the credentials of connection “Ann”', call({})],
  ['slack limits the rate of calls', call({ status: 429 })],
  ['slack returns 422: POST /chat.postMessage', call({ status: 422 })],
  ['Function “enrich” throws TypeError in parse (a.ts): x is undefined', run('x is undefined', ' at parse (a.ts:2:9)')],
  ['Function “enrich” exceeds its time limit', { kind: 'RUN', fn, isTimeout: true, error: null }],
  [
    'Requests to trigger “Orders” are rejected: the signature does not match',
    { kind: 'REJECTION', trigger: { id: 't1', name: 'Orders' }, cause: 'SIGNATURE_WRONG', message: '' },
  ],
  ['Schedule “Nightly” missed its times', { kind: 'SCHEDULE', trigger: { id: 't1', name: 'Nightly' } }],
])('the title %j', (title, evidence) => {
  expect(causeOf(evidence).title).toBe(title);
});

it('a title has no secret and is short, whatever the message is', () => {
  const secret = 'sk_live_51HxAbCdEfGh';
  const hostile = [
    `{"message":"key ${secret} is wrong"}`,
    `password=${secret}`,
    `Authorization: Bearer ${secret}`,
    `https://ann:${secret}@example.com/`,
    `${'a '.repeat(600_000)}${secret}`,
    `"${secret}"`,
  ];
  for (const body of hostile) {
    const { title } = causeOf(delivery({ body }));
    expect(title).not.toContain(secret);
    expect(title.length).toBeLessThanOrEqual(200);
  }
});

it('5,000 failures of 40 known causes with noise are at least 95 % pure, in at most 60 groups', () => {
  const history = madeHistory(5_000);
  const { purity, groups, causes } = purityOf(history, ({ evidence }) => causeOf(evidence).fingerprint);
  expect(causes).toBe(40);
  expect(purity).toBeGreaterThanOrEqual(0.95);
  expect(groups).toBeLessThanOrEqual(60);
});

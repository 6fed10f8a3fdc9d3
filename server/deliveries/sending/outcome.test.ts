import { expect, it } from 'vitest';
import { captureBody, type Response, resultOf, type SendResult, troubleOf } from '../targets/result.ts';
import { judge } from './outcome.ts';

const schedule = [5, 300, 1800];
const answer = (status: number, headers: Record<string, string> = {}): SendResult =>
  resultOf({ status, headers, body: '', truncated: false }, null);

it.each([
  [200, 'SUCCEEDED', null],
  [204, 'SUCCEEDED', null],
  [302, 'FAILED', 'REDIRECT'],
  [404, 'FAILED', 'HTTP_STATUS'],
  [503, 'FAILED', 'HTTP_STATUS'],
  [410, 'FAILED', 'GONE'],
] as const)('%i is %s, %s', (status, state, reason) => {
  expect(judge(answer(status), schedule, 0)).toMatchObject({ status: state, reason });
});

it('waits according to the schedule, plus or minus 20 per cent', () => {
  expect(judge(answer(500), schedule, 0, 0).retry_ms).toBe(4000);
  expect(judge(answer(500), schedule, 0, 1).retry_ms).toBe(6000);
  expect(judge(answer(500), schedule, 1, 0.5).retry_ms).toBe(300_000);
});

it('ends with the schedule, unless a replay restarted it', () => {
  expect(judge(answer(500), schedule, 3, 0.5)).toMatchObject({ retry_ms: null, restart_ms: 5000 });
});

it.each([
  ['7', 7000],
  ['1', 5000],
  ['1000000000', 86_400_000],
  ['soon', 5000],
  ['-3', 5000],
  ['86400', 86_400_000],
  [new Date(0).toUTCString(), 5000],
])('honours Retry-After: %s, from the schedule’s wait up to a day', (header, wait) => {
  expect(judge(answer(503, { 'retry-after': header }), schedule, 0, 0.5).retry_ms).toBe(wait);
});

it('honours a date in Retry-After', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const { retry_ms } = judge(answer(429, { 'retry-after': inAnHour }), schedule, 0, 0.5);
  expect(Math.abs((retry_ms ?? 0) - 3_600_000)).toBeLessThan(2000);
});

it('a failure response with webhook-delivery: abort-message ends the retries', () => {
  for (const status of [404, 503]) {
    expect(judge(answer(status, { 'webhook-delivery': ' Abort-Message ' }), schedule, 0)).toMatchObject({
      status: 'FAILED',
      reason: 'HTTP_STATUS',
      message: `The endpoint returned ${status}. It asked for no more attempts.`,
      retry_ms: null,
      restart_ms: null,
    });
  }
  expect(judge(answer(200, { 'webhook-delivery': 'abort-message' }), schedule, 0).status).toBe('SUCCEEDED');
  expect(judge(answer(503, { 'webhook-delivery': 'later' }), schedule, 0, 0.5).retry_ms).toBe(5000);
});

it('does not retry failures that a retry would repeat', () => {
  const blocked = { ...answer(0), response: null, trouble: { reason: 'BLOCKED_ADDRESS' as const, message: 'no' } };
  for (const each of [answer(410), blocked]) {
    expect(judge(each, schedule, 0)).toMatchObject({ status: 'FAILED', retry_ms: null, restart_ms: null });
  }
});

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
it.each([
  [coded('ENOTFOUND'), 'DNS_ERROR'],
  [coded('ECONNREFUSED'), 'CONNECTION_REFUSED'],
  [new AggregateError([coded('ECONNREFUSED')]), 'CONNECTION_REFUSED'],
  [coded('UND_ERR_CONNECT_TIMEOUT'), 'TIMEOUT'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TLS_ERROR'],
  [coded('UND_ERR_SOCKET', { cause: coded('ERR_SSL_WRONG_VERSION_NUMBER') }), 'TLS_ERROR'],
  [coded('UND_ERR_SOCKET'), 'CONNECTION_RESET'],
  [coded('HPE_INVALID_CONSTANT'), 'CONNECTION_RESET'],
  [coded('BLOCKED_ADDRESS'), 'BLOCKED_ADDRESS'],
])('%s is %s', (error, reason) => {
  expect(troubleOf(error).reason).toBe(reason);
});

it('keeps the first 16 KiB of a body, no character cut and no NUL', () => {
  const response: Response = { status: 200, headers: {}, body: '', truncated: false };
  const take = captureBody(response);
  take(Buffer.from('a\u0000b'));
  expect(response).toMatchObject({ body: 'a\ufffdb', truncated: false });
  take(Buffer.from('€'.repeat(10_000)));
  take(Buffer.from('more'));
  expect(response.truncated).toBe(true);
  expect(response.body).toBe(`a\ufffdb${'€'.repeat(Math.floor((16 * 1024 - 3) / 3))}`);
});

it('attempts that were due while the circuit breaker held the delivery count as used', () => {
  const held = (heldMs: number, step = 0) => judge(answer(500), schedule, step, 0.5, heldMs);
  expect(judge(answer(500), [0, 0], 0, 0.5, 0)).toMatchObject({ retry_ms: 0, used: 0 });
  expect(held(4000)).toMatchObject({ retry_ms: 1000, used: 0 });
  expect(held(6000)).toMatchObject({ retry_ms: 299_000, used: 1 });
  expect(held(400_000, 1)).toMatchObject({ retry_ms: expect.any(Number), used: 1, restart_ms: 5000 });
  expect(held(100 * 3_600_000)).toMatchObject({ retry_ms: null, restart_ms: 5000 });
  expect(judge(answer(500), [], 0, 0.5, 4000)).toMatchObject({ retry_ms: null, restart_ms: null });
});

/** The client's IP address: the peer, or the client named by trusted proxies. Tested at every entry point. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { readConfig } from '../../config.ts';
import { callAddress, makeFunction, PATIENTLY, type Run } from '../../functions/test/functions-support.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { type Service, startService } from '../../test/service.ts';
import { listenTo, post, rejectionsOf } from '../../triggers/test/ingress-support.ts';
import { ADDRESS_RATE } from '../doors/doors.ts';

let plain: Service;
let behind: Service;
beforeAll(async () => {
  plain = await startService({ addressRate: ADDRESS_RATE });
  // These tests connect as its proxy would.
  behind = await startService({
    addressRate: ADDRESS_RATE,
    env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8:1::/48' },
  });
});
afterAll(async () => {
  await plain.stop();
  await behind.stop();
});

const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded });

/** The creator of a key in the audit log. */
async function audited(service: Service, headers: Record<string, string>): Promise<string | null | undefined> {
  const made = await service.api('POST', '/api-keys', { name: 'x' }, { key: service.key, headers });
  const { entries } = (await service.api<Reply<'auditList'>>('GET', '/audit?operation=apiKeyCreate')).body;
  return entries.find(({ request_id }) => request_id === made.headers.get('x-request-id'))?.ip;
}

/** The caller of a function in its run. */
async function run(service: Service, headers: Record<string, string>): Promise<string> {
  const fn = await makeFunction(service, undefined, { visibility: 'PUBLIC', invoke_access: 'ANYONE' });
  const answer = await callAddress(service, fn.url, { headers });
  const path = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
  const read = () => service.api<Run>('GET', path);
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe(200);
  return (await read()).body.request.source_ip;
}

/** The sender of a rejected request of a trigger. */
async function refused(service: Service, headers: Record<string, string>): Promise<(string | null)[]> {
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
  await post(url, 'no JSON', headers);
  await post(url, '', headers, 'GET');
  return (await rejectionsOf(service, trigger)).rejections.map(({ ip }) => ip);
}

const DOORS = ['/api/session', '/connect/oauth/callback'];
const ask = async (service: Service, door: string, forwarded: string) =>
  (await fetch(service.url + door, { headers: from(forwarded), redirect: 'manual' })).status;

/** Sends requests under changing names until one is rate limited. Never ends if the limit is per name. */
async function untilLimited(service: Service, door: string, nameOf: (count: number) => string): Promise<void> {
  for (let count = 0; ; count += 50) {
    const asked = Array.from({ length: 50 }, (_, index) => ask(service, door, nameOf(count + index)));
    if ((await Promise.all(asked)).includes(429)) return;
  }
}

describe('without trusted proxies', () => {
  it('a client can not forge its address', async () => {
    expect(await audited(plain, from('203.0.113.7'))).toBe('127.0.0.1');
    expect(await run(plain, from('203.0.113.7'))).toBe('127.0.0.1');
    expect(await refused(plain, from('203.0.113.7'))).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it.each(DOORS)('a forged address does not avoid the rate limit of %s', async (door) => {
    await untilLimited(plain, door, (count) => `2001:db8::${count.toString(16)}`);
  });
});

describe('behind a trusted proxy', () => {
  it('the client is the one in the header, at every entry point', async () => {
    expect(await audited(behind, from('203.0.113.7'))).toBe('203.0.113.7');
    expect(await run(behind, from('203.0.113.7'))).toBe('203.0.113.7');
    expect(await refused(behind, from('203.0.113.7'))).toEqual(['203.0.113.7', '203.0.113.7']);
  });

  it.each(DOORS)('each client has a separate rate limit at %s', async (door) => {
    await untilLimited(behind, door, () => '203.0.113.1');
    expect(await ask(behind, door, '203.0.113.2')).toBeLessThan(400);
  });

  it.each([
    ['nothing', {}, '127.0.0.1'],
    ['what a client made up further left', from('192.0.2.66, 203.0.113.7'), '203.0.113.7'],
    ['proxies behind each other', from('192.0.2.66,203.0.113.7 ,10.1.2.3'), '203.0.113.7'],
    ['proxies alone', from('10.1.2.3, 10.1.2.4'), '10.1.2.3'],
    ['IPv6', from('192.0.2.66, 2001:db8:2::7, 2001:db8:1::1'), '2001:db8:2::7'],
    ['IPv4 as IPv6', from('::ffff:203.0.113.7, ::ffff:10.1.2.3'), '203.0.113.7'],
    ['ports', from('203.0.113.7:4711, [2001:db8:1::1]:443'), '203.0.113.7'],
    ['what is no address', from('203.0.113.7, unknown, 10.1.2.3'), '10.1.2.3'],
    ['junk', from('<script>'), '127.0.0.1'],
    ['commas', from(',,,'), '127.0.0.1'],
    ['more hops than there are', from(`203.0.113.7${', 10.1.2.3'.repeat(2000)}`), '10.1.2.3'],
    ['a header it doesn’t speak', { forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' }, '127.0.0.1'],
  ])('it may name %s', async (_, headers, ip) => {
    expect(await audited(behind, headers)).toBe(ip);
  });
});

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/8;10.1.0.0/16', '10.0.0/8', '::1/129', '10.0.0.1,fe80::/x', '/8'])(
  'the setting refuses %s',
  (text) => {
    expect(() => readConfig({ SLUICE_TRUSTED_PROXIES: text })).toThrow(ConfigError);
    expect(() => readConfig({ SLUICE_TRUSTED_PROXIES: text })).toThrow(/^SLUICE_TRUSTED_PROXIES: expected/);
  },
);

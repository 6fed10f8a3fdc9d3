/** Headers of all responses of the service, whatever the entry point, and what they must not have. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-headers-'));
for (const name of ['index.html', 'connect.html']) writeFileSync(join(folder, name), '<!doctype html>');
writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
afterAll(() => rmSync(folder, { recursive: true }));

const secure = serviceForAll({
  consoleFolder: folder,
  env: {
    SLUICE_CONSOLE_URL: 'https://sluice.example.com',
    SLUICE_METRICS: 'on',
    SLUICE_HSTS_SUBDOMAINS: 'on',
  },
});

async function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const answer = await request(secure.url + path, {
    method: method as 'GET',
    headers: { host: 'sluice.example.com', ...headers },
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

const key = () => ({ authorization: `Bearer ${secure.key}` });
const responses: [name: string, path: string, status: number, headers?: () => Record<string, string>][] = [
  ['a page', '/events', 200, () => ({ accept: 'text/html' })],
  ['the connect window', '/connect', 200, () => ({ accept: 'text/html' })],
  ['a file', '/icon.svg', 200],
  ['the API', '/api/account', 200, key],
  ['the OpenAPI document', '/api/openapi.json', 200],
  ['an event stream', '/api/events:stream', 200, () => ({ ...key(), method: 'HEAD' })],
  ['an export', '/api/events:export?format=csv', 200, () => ({ ...key(), method: 'HEAD' })],
  ['an error of the API', '/api/account', 401],
  ['an unknown route', '/api/triggers/a/b/c', 404, key],
  ['an error of the gateway', '/api/stripe/v1/charges', 401],
  ['an unknown webhook URL', '/hooks/unknown', 404],
  ['an unknown path', '/nowhere.txt', 404],
  ['another host', '/api/account', 421, () => ({ host: 'other.example.com' })],
  ['a download', '/downloads/unknown', 404],
  ['the OAuth callback', '/connect/oauth/callback', 303],
  ['a probe', '/readyz', 200],
  ['metrics', '/metrics', 200],
];

describe.each(responses)('%s', (_, path, status, headers) => {
  it('can’t be sniffed, framed or embedded, and has no CORS', async () => {
    const answer = await ask(path, headers?.());
    expect(answer.status).toBe(status);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const policy = String(answer.headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
    );
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('requires TLS from now on', async () => {
    const answer = await ask(path, headers?.());
    expect(answer.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  });
});

it('text has its character set', async () => {
  const types = await Promise.all(
    ['/metrics', '/icon.svg', '/events'].map(async (path) => (await ask(path, { accept: 'text/html' })).headers),
  );
  for (const headers of types) expect(headers['content-type']).toMatch(/; charset=utf-8$/);
});

it('a preflight request of another site is not allowed, and TRACE is rejected', async () => {
  const preflight = await ask('/api/account', {
    method: 'OPTIONS',
    origin: 'https://other.example.com',
    'access-control-request-method': 'PATCH',
  });
  expect(preflight.status).toBe(405);
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  for (const path of ['/', '/api/account', '/api/stripe/v1', '/hooks/unknown', '/readyz', '/downloads/x']) {
    const { status, text } = await ask(path, { method: 'TRACE', accept: 'text/html', 'x-probe': 'echoed' });
    expect([path, status >= 400 || path === '/readyz', text.includes('echoed')]).toEqual([path, true, false]);
  }
});

const INFO = 30;
it('refused requests are logged with the client’s address, and not the key', async () => {
  const from = { authorization: 'Bearer slc_not_a_key_of_any_account', 'x-request-id': 'probe-api' };
  await ask('/api/account', from);
  await ask('/api/stripe/v1/charges', { ...from, 'x-request-id': 'probe-gateway' });
  const lines = secure
    .logged()
    .split('\n')
    .filter((line) => /"request_id":"probe-(api|gateway)"/.test(line))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === INFO);
  expect(lines.map(({ request_id, status, ip }) => [request_id, status, ip]).toSorted()).toEqual([
    ['probe-api', 401, '127.0.0.1'],
    ['probe-gateway', 401, '127.0.0.1'],
  ]);
  expect(secure.logged()).not.toContain(from.authorization.slice(7));
  await ask('/api/account/members', { ...key(), method: 'POST', 'x-request-id': 'probe-role' });
  const [line = '{}'] = secure
    .logged()
    .split('\n')
    .filter((each) => each.includes('"request_id":"probe-role"'));
  expect(JSON.parse(line)).toMatchObject({
    status: 403,
    account_id: secure.account_id,
    actor_id: expect.any(String),
    ip: '127.0.0.1',
  });
});

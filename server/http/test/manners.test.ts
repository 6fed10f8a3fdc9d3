/** Rules for the responses of every operation: ids, sizes, types, rates, pages, idempotency, the document. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operationNames, routes } from '../../../contract/routes.ts';
import { signIn } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll();

const raw = async (path: string) => {
  const response = await fetch(`${service.url}/api${path}`, { headers: { authorization: `Bearer ${service.key}` } });
  return { text: await response.text() };
};
const newKey = (name: string, headers?: Record<string, string>) =>
  service.api<{ key: string; api_key: { key_id: string } }>('POST', '/api-keys', { name }, headers ? { headers } : {});

describe('request ids', () => {
  it('keeps a safe id and replaces an unsafe one', async () => {
    const kept = await service.api('GET', '/account', undefined, { headers: { 'x-request-id': 'job-17/step.2' } });
    expect(kept.headers.get('x-request-id')).toBe('job-17/step.2');
    for (const bad of ['a'.repeat(129), 'a b', '<script>']) {
      const made = await service.api('GET', '/account', undefined, { headers: { 'x-request-id': bad } });
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('is present on errors of every entry point', async () => {
    for (const path of ['/nowhere-app/x', '/triggers/x/y/z', '/functions/no-id']) {
      const answer = await service.api('GET', path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('x-request-id')).toMatch(/.{8}/);
      expect(answer.body).toMatchObject({ code: answer.status, message: expect.any(String), type: expect.any(String) });
    }
  });
});

describe('bodies', () => {
  it('of 2 MB are rejected with a 413 that names the limit', async () => {
    const answer = await service.api('POST', '/api-keys', JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) }));
    expect(answer.status).toBe(413);
    expect(answer.body['message']).toContain('1048576');
  });

  it('of 2 MB without a length are rejected too', async () => {
    const status = await new Promise<number | undefined>((ok, fail) => {
      const req = request(`${service.url}/api/api-keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      });
      req.on('response', (res) => ok(res.resume().statusCode));
      req.on('error', fail);
      req.write(`{"name":"${'x'.repeat(1024 * 1024)}`);
      req.end(`${'x'.repeat(1024 * 1024)}"}`);
    });
    expect(status).toBe(413);
  });

  it('that are not UTF-8 are a 400', async () => {
    const response = await fetch(`${service.url}/api/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    });
    expect(response.status).toBe(400);
  });

  it('that are compressed are a 415', async () => {
    const send = (encoding: string, body: string | Buffer) =>
      fetch(`${service.url}/api/api-keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.key}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body,
      });
    const packed = await send('gzip', gzipSync('{"name":"packed"}'));
    expect(packed.status).toBe(415);
    expect(await packed.json()).toMatchObject({
      type: 'Unsupported Media Type',
      message: 'Content-Encoding: expected none',
    });
    expect((await send('identity', '{"name":"plain"}')).status).toBe(200);
  });

  it('cannot reach a prototype', async () => {
    const answer = await service.api('POST', '/api-keys', '{"name":"p","__proto__":{"admin":true}}');
    expect(answer.status).toBe(400);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('do not lose a key named __proto__', async () => {
    const files = '{"index.ts":"export default () => 1","__proto__":"text"}';
    const answer = await service.api('POST', '/functions', `{"name":"p","runtime":"nodejs24.x","files":${files}}`);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toBe('files.__proto__: expected another name');
    const metadata = '{"deeper":{"__proto__":1},"long":12345678901234567890}';
    const kept = await service.api('POST', '/connections', `{"app":"stripe","metadata":${metadata}}`);
    const { text } = await raw(`/connections/${kept.body['connection_id']}`);
    expect(text).toContain(metadata);
    const number = await service.api('POST', '/connections', '{"app":"stripe","metadata":12345678901234567890}');
    expect(number.body['message']).toMatch(/^metadata: expected/);
  });

  it('that are incomplete are a 400 and not logged as errors', async () => {
    const id = 'broken-off';
    const head = [
      'POST /api/api-keys HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: application/json',
      'Content-Length: 100',
      `X-Request-Id: ${id}`,
    ];
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\n\r\n{"name":`, () => socket.destroy());
    const line = () =>
      service
        .logged()
        .split('\n')
        .find((each) => each.includes(id));
    await expect.poll(line).toContain('"status":400');
    expect(service.logged()).not.toMatch(/"level":50.*broken-off/);
  });

  it('with several errors get a message that names each field', async () => {
    const answer = await service.api('POST', '/triggers', {
      source: 7,
      event_type: 'x',
      destinations: [{ url: 'ftp://x' }],
    });
    expect(answer.body['message']).toMatch(/source: expected string.*destinations\.0\.url: expected an absolute http/s);
    const few = { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '@daily' } };
    expect((await service.api('POST', '/triggers', few)).body['message']).toMatch(
      /^parameters\.cron_expression: expected/,
    );
    const none = await service.api('POST', '/functions', { name: 'f', runtime: 'nodejs24.x', files: [] });
    expect(none.body['message']).toMatch(/^files: expected object/);
  });
});

describe('limits and pages', () => {
  it('a limit of 0 or none is the default, a larger one is reduced to the maximum, others are a 400', async () => {
    for (const good of ['', '?limit=0', '?limit=1', '?limit=999999999', '?limit=99999999999999999999']) {
      expect((await service.api('GET', `/audit${good}`)).status, good).toBe(200);
    }
    for (const bad of ['-1', '1.5', 'ten', '', '1e9']) {
      const answer = await service.api('GET', `/audit?limit=${bad}`);
      expect(answer.status, bad).toBe(400);
      expect(answer.body['message']).toMatch(/^limit: /);
    }
    expect((await service.api('GET', '/audit?limit=1&limit=2')).status).toBe(400);
  });

  it('an unknown parameter is rejected by name', async () => {
    for (const [path, name] of [
      ['/events?statsu=FAILED', 'statsu'],
      ['/triggers?limit=1&sort=name', 'sort'],
      ['/connections?page=2', 'page'],
      ['/functions/search?q=x&constructor=y', 'constructor'],
      ['/audit?__proto__=x', '__proto__'],
    ] as const) {
      const { status, body } = await service.api<{ message: string }>('GET', path);
      expect([status, body.message.split('; ')[0]], path).toEqual([400, `${name}: unknown parameter`]);
    }
    for (const [method, path] of [
      ['GET', '/account?_=1'],
      ['POST', '/events:replay?_=dry_run'],
      ['DELETE', '/triggers/01a1ff37-5be7-76b9-9cb2-9aef692ca0ac?_=1'],
    ] as const) {
      const { status, body } = await service.api<{ message: string }>(method, path);
      expect([status, body.message], path).toEqual([400, '_: unknown parameter; expected none']);
    }
    // This operation ignores unknown parameters.
    const gone = '/connections/01a1ff37-5be7-76b9-9cb2-9aef692ca0ac?_=1';
    expect((await service.api('GET', gone)).status).toBe(404);
  });

  it('pages by next_token have each row once; a token is valid for its list, filters and account only', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await newKey(name);
    const seen: string[] = [];
    let token: string | null = null;
    do {
      const query: string = token === null ? '' : `&next_token=${encodeURIComponent(token)}`;
      const { body } = await service.api<{ entries: { audit_id: string }[]; next_token: string | null }>(
        'GET',
        `/audit?limit=2&operation=apiKeyCreate${query}`,
      );
      seen.push(...body.entries.map(({ audit_id }) => audit_id));
      token = body.next_token;
    } while (token !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(5);

    const first = await service.api<{ next_token: string }>('GET', '/audit?limit=1&operation=apiKeyCreate');
    const given = encodeURIComponent(first.body.next_token);
    const { key } = await service.secondAccount();
    const strangers = await Promise.all([
      service.api('GET', `/audit?next_token=${given}`),
      service.api('GET', `/triggers?next_token=${given}`),
      service.api('GET', `/audit?operation=apiKeyCreate&next_token=${given}`, undefined, { key }),
      service.api('GET', `/audit?operation=apiKeyCreate&next_token=${given}x`),
      service.api('GET', '/audit?next_token=AAAA'),
    ]);
    expect(strangers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });
});

describe('routes', () => {
  it('unknown ones are 404, known ones with another method 405 with Allow', async () => {
    expect((await service.api('GET', '/connections/a/b/c')).status).toBe(404);
    const wrong = await service.api('PUT', '/triggers');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, POST, HEAD');
    // Two routes fit this path, and each method is named once.
    expect((await service.api('POST', '/functions/search')).headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD');
  });

  it('custom verbs are routed; other colons are part of the path', async () => {
    expect((await service.api('GET', '/session:accept')).status).toBe(405);
    expect((await service.api('POST', '/session:nonsense', {})).status).toBe(404);
    // A client that encodes each segment encodes the colon, too.
    expect((await service.api('POST', '/events%3Areplay', {})).body['message']).toMatch(/^filter: expected/);
    expect((await service.api('POST', '/triggers/no-id%3atest')).body['message']).toBe('Trigger not found');
  });

  it('HEAD is GET without a body', async () => {
    const response = await fetch(`${service.url}/api/account`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('long responses are compressed on request', async () => {
    const response = await fetch(`${service.url}/api/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const ask = (path: string, accepted: string) =>
      fetch(`${service.url}/api${path}`, {
        headers: { authorization: `Bearer ${service.key}`, 'accept-encoding': accepted },
      });
    const packed = await ask('/apps', 'br;q=0.5, gzip;q=0.8');
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('Accept-Encoding');
    for (const accepted of ['identity', 'gzip;q=0', 'br']) {
      const plain = await ask('/apps', accepted);
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.headers.get('x-request-id')).toBeTruthy();
      const body = await plain.text();
      expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(body));
      expect(body).toBe(await packed.clone().text());
    }
    const short = await ask('/account', 'gzip');
    expect(short.headers.get('content-encoding')).toBeNull();
    expect(Number(short.headers.get('content-length'))).toBe(Buffer.byteLength(await short.text()));
  });
});

describe('the rate limit', () => {
  it('allows a burst, then returns 429 with Retry-After, per account', async () => {
    const slow = await startService({ env: { SLUICE_RATE_LIMIT: '3' } });
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, () => slow.api('GET', '/account')));
      const refused = answers.find(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
      expect(refused?.body).toMatchObject({ code: 429, type: 'Too Many Requests' });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused?.headers.get('ratelimit-policy')).toContain('q=3');
      const gateway = await slow.api('GET', '/stripe/v1/charges');
      expect([400, 429]).toContain(gateway.status);
      const { key } = await slow.secondAccount();
      expect((await slow.api('GET', '/account', undefined, { key })).status).toBe(200);
      // A console session has its own bucket.
      expect((await (await signIn(slow)).call('GET', '/account')).status).toBe(200);
    } finally {
      await slow.stop();
    }
  });
});

describe('the OpenAPI document', () => {
  it('has every operation of the API at its path', async () => {
    const { body } = await service.api<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    }>('GET', '/openapi.json', undefined, { key: null });
    expect(body.openapi).toBe('3.1.0');
    for (const name of operationNames) {
      const { method, path, on } = routes[name];
      if (on === 'api') expect(body.paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    }
    expect(Object.keys(body.paths)).toContain('/triggers/{trigger_id}/events/{event_id}:replay');
  });
});

it('an unknown expectation of a request is ignored', async () => {
  const status = await new Promise((ok, fail) =>
    request(`${service.url}/api/account`, {
      headers: { expect: 'applause', authorization: `Bearer ${service.key}` },
    })
      .on('response', (res) => ok(res.resume().statusCode))
      .on('error', fail)
      .end(),
  );
  expect(status).toBe(200);
});

describe('a host', () => {
  it('that is not a name is a 400 in the same shape, except for probes', async () => {
    const ask = (path: string) =>
      new Promise<{ status: number | undefined; text: string }>((ok, fail) =>
        request(`${service.url}${path}`, { headers: { host: 'a b[' } }, async (res) =>
          ok({ status: res.statusCode, text: (await res.toArray()).join('') }),
        )
          .on('error', fail)
          .end(),
      );
    const answer = await ask('/api/account');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 400, message: expect.stringMatching(/^Host: expected/) });
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('returns the request id for probes, too', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const answer = await fetch(service.url + path, { headers: { 'x-request-id': 'probe-1' } });
      expect([answer.status, answer.headers.get('x-request-id')], path).toEqual([200, 'probe-1']);
    }
  });
});

describe('malformed HTTP', () => {
  const send = (text: string) =>
    new Promise<string>((ok, fail) => {
      let got = '';
      const socket = connect(service.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        got += chunk;
        // After the hello of the stream, send garbage on its connection.
        if (/text\/event-stream/.test(got) && /: .*\n\n/.test(got)) socket.write('no HTTP\r\n\r\n');
      });
      socket.on('close', () => ok(got)).on('error', fail);
    });

  it.each([
    [400, 'no HTTP', 'no HTTP\r\n\r\n'],
    [400, 'a request without a host', 'GET /api/account HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [400, 'a bare line feed', 'GET /api/account HTTP/1.1\r\nHost: x\nX-A: 1\r\n\r\n'],
    [431, 'too much', `GET /api/account HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\n`],
  ])('is a %i in the same shape: %s', async (code, _, text) => {
    const [head = '', body = ''] = (await send(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(body)).toMatchObject({ code, message: expect.any(String), type: expect.any(String) });
  });

  it('does not corrupt a response in progress', async () => {
    const line = `GET /api/events:stream HTTP/1.1\r\nHost: localhost:${service.port}\r\n`;
    const got = await send(`${line}Authorization: Bearer ${service.key}\r\n\r\n`);
    expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

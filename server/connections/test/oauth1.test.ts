/** OAuth 1 with a real provider: connect window, authorization page, callback, signed calls. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { getConnection, newConnection, submitIn, windowAt } from './connecting.ts';
import { addCustomApp, type LocalApp, startApp } from './custom-support.ts';
import { type OAuth1Provider, startOAuth1Provider } from './oauth1-provider.ts';

let service: Service;
let provider: OAuth1Provider;
beforeAll(async () => {
  service = await startService();
  provider = await startOAuth1Provider(`http://localhost:${service.port}/connect/oauth/callback`);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});
afterEach(() => {
  provider.says = 'yes';
  provider.confirms = true;
});

async function add(more: object = {}, client: object | null = provider.client): Promise<string> {
  const app = await addCustomApp(service, `${provider.url}/api`, [{ ...provider.method, ...more }]);
  if (client) {
    const answer = await service.api('PUT', `/apps/${app}/credentials/OAUTH1`, client);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  return app;
}

/** Presses the button on the link of a new connection. */
async function leave(app: string) {
  const visitor = openVisitor();
  const id = await newConnection(service, app);
  const { url } = await getConnection(service, id);
  const { status, body } = await submitIn(visitor, url, 'OAUTH1');
  return { id, visitor, status, message: body.message, authorize: body.redirect_url ?? '' };
}

/** The whole flow: the provider's page, the callback, and the final session of the window. */
async function agree(app: string) {
  const { id, visitor, authorize, message } = await leave(app);
  expect(authorize, message).toContain(provider.url);
  const { url } = await visitor.visit(authorize, ({ pathname }) => pathname === '/connect');
  return { id, session: await windowAt(service, url) };
}

const newestOf = async (app: string) =>
  (await service.api<{ connections: { connection_id: string }[] }>('GET', `/connections?app=${app}`)).body
    .connections[0]?.connection_id;
const call = (app: string, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/${app}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.key}`, ...(init.headers as Record<string, string>) },
  });

describe('a user who allows access', () => {
  it('completes the connection, and its calls are accepted', async () => {
    const app = await add();
    const { id, session } = await agree(app);
    expect(session).toMatchObject({ status: 'ACTIVE', finished: true, failure: null });
    expect(await getConnection(service, id)).toMatchObject({
      status: 'ACTIVE',
      method: 'OAUTH1',
      token_expires_at: null,
      refresh_at: null,
    });
    const answer = await call(app, '/me');
    expect([answer.status, await answer.json()]).toEqual([200, { method: 'GET', url: '/api/me', body: null }]);
  });

  it('is sent to the provider’s page with the request token and nothing secret', async () => {
    const { authorize } = await leave(await add());
    expect(Object.fromEntries(new URL(authorize).searchParams)).toEqual({
      app: 'sluice',
      oauth_token: expect.stringMatching(/^request\//),
    });
  });

  it.each(['HMAC-SHA1', 'HMAC-SHA256'])('can connect with %s', async (signature) => {
    const app = await add({ signature });
    await agree(app);
    expect((await call(app, '/me')).status).toBe(200);
  });
});

describe('a signed call', () => {
  let app: string;
  beforeAll(async () => {
    app = await add();
    await agree(app);
  });

  it.each<[string, string, RequestInit?]>([
    ['a space as plus', '/x?q=a+b'],
    ['an encoded plus', '/x?q=a%2Bb&z=%20'],
    ['reserved signs', '/x?q=!*();:@$,/[]~-._'],
    ['other letters', '/x?name=caf%C3%A9&%E2%82%AC=%F0%9F%92%A9'],
    ['an empty value and a lone name', '/x?a=&b'],
    ['other letters in the path', '/caf%C3%A9/a%2Fb'],
    ['no path', ''],
    ['a DELETE', '/x?a=1', { method: 'DELETE' }],
    [
      'a body that is no form',
      '/x',
      { method: 'POST', body: '{"a":"b&c=d"}', headers: { 'content-type': 'application/json' } },
    ],
    ['a form', '/x?a=1', { method: 'POST', body: new URLSearchParams({ status: 'Hello + Grüße & more', b: '' }) }],
    ['a form by PUT', '/x', { method: 'PUT', body: new URLSearchParams({ z: '1', a: '2' }) }],
    [
      'a form with a charset',
      '/x',
      {
        method: 'POST',
        body: 'a=1+2&b=%C3%BC',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      },
    ],
  ])('with %s is accepted', async (_, path, init) => {
    const answer = await call(app, path, init);
    expect(answer.status).toBe(200);
    const { url, method } = (await answer.json()) as { url: string; method: string };
    expect([method, url]).toEqual([init?.method ?? 'GET', `/api${path}`]);
  });

  it('of the console is accepted, also with a form', async () => {
    const id = await newestOf(app);
    const { body } = await service.api<{ response: { status: number; body: string } }>(
      'POST',
      `/connections/${id}:request`,
      {
        method: 'POST',
        path: '/x?q=a+b',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: 'status=Gr%C3%BC%C3%9Fe+%26',
      },
    );
    expect(body.response.status).toBe(200);
    expect(JSON.parse(body.response.body)).toMatchObject({ url: '/api/x?q=a+b', body: { status: 'Grüße &' } });
  });

  it('with a form too large to sign is a 400', async () => {
    const answer = await call(app, '/x', { method: 'POST', body: new URLSearchParams({ a: 'b'.repeat(1024 * 1024) }) });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('expected at most 1 MiB');
  });

  it('has a unique nonce among concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => call(app, `/x?i=${i}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('gets the provider’s 401 after the token is revoked', async () => {
    const revoked = await add();
    await agree(revoked);
    provider.revoke(provider.given.at(-1) ?? '');
    const answer = await call(revoked, '/me');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('oauth_problem="token_rejected"'),
    ]);
  });
});

describe('the client', () => {
  it('is the one that the token was issued to, with its current secret', async () => {
    const app = await add();
    await agree(app);
    const { client_id, client_secret } = provider.client;
    await service.api('PUT', `/apps/${app}/credentials/OAUTH1`, { client_id: 'another', client_secret: 'other' });
    await service.api('PATCH', `/apps/${app}`, { name: 'Looked at again' });
    expect((await call(app, '/me')).status).toBe(200);
    provider.changeSecret('rotated');
    await service.api('PUT', `/apps/${app}/credentials/OAUTH1`, { client_id, client_secret: 'rotated' });
    await service.api('PATCH', `/apps/${app}`, { name: 'Looked at once more' });
    expect((await call(app, '/me')).status).toBe(200);
    provider.changeSecret(client_secret);
  });

  it('must be set first', async () => {
    const app = await add({}, null);
    const { id, status, message } = await leave(app);
    expect([status, message]).toEqual([400, expect.stringMatching(/^No client is set for Custom \d+/)]);
    expect(await getConnection(service, id)).toMatchObject({ metadata: { failure: { code: 'APP_CONFIG' } } });
  });

  it.each([
    ['with a wrong secret', { client_id: 'client & key', client_secret: 'wrong' }, '(signature_invalid)'],
    ['that is unknown', { client_id: 'stranger', client_secret: 'x' }, '(consumer_key_rejected)'],
  ])('%s is rejected, with a message without the secret', async (_, client, word) => {
    const { status, message } = await leave(await add({}, client));
    expect([status, message]).toEqual([400, expect.stringContaining('rejected the client')]);
    expect(message).toContain(word);
    expect(message).not.toContain(client.client_secret === 'x' ? 'stranger' : 'wrong');
  });
});

describe('a user who returns without', () => {
  it.each([
    ['no', 'denied access'],
    ['no, in words', 'denied access'],
    ['nothing', 'redirected back without granting access'],
  ] as const)('access (%s) is reported, and the connection is FAILED', async (says, words) => {
    const app = await add();
    provider.says = says;
    const { id, session } = await agree(app);
    expect(session).toMatchObject({ finished: false, failure: { code: 'ACCESS_DENIED' } });
    expect(session.failure?.message).toContain(words);
    expect(await getConnection(service, id)).toMatchObject({ status: 'FAILED' });
  });

  it('a callback in another browser completes nothing', async () => {
    const { id, authorize } = await leave(await add());
    const stranger = openVisitor();
    const { url } = await stranger.visit(authorize, ({ pathname }) => pathname === '/connect');
    expect(new URL(url).searchParams.get('problem')).toBe('other_browser');
    expect((await getConnection(service, id)).status).toBe('PENDING');
  });

  it('an unknown token completes nothing, and a callback is processed once', async () => {
    const { visitor, authorize } = await leave(await add());
    const callback = await visitor.visit(authorize, ({ pathname }) => pathname === '/connect/oauth/callback');
    const forged = await visitor.ask(callback.url.replace(/oauth_token=[^&]+/, 'oauth_token=request%2Fforged'));
    expect(forged.headers.get('location')).toContain('problem=unknown_return');
    expect((await visitor.ask(callback.url)).headers.get('location')).not.toContain('problem=');
    expect((await visitor.ask(callback.url)).headers.get('location')).toContain('problem=unknown_return');
  });

  it('the correct verifier gets no token', async () => {
    const { id, visitor, authorize } = await leave(await add());
    const callback = await visitor.visit(authorize, ({ pathname }) => pathname === '/connect/oauth/callback');
    await visitor.ask(callback.url.replace(/oauth_verifier=\w+/, 'oauth_verifier=guessed'));
    const { status, metadata } = await getConnection(service, id);
    expect([status, metadata]).toEqual([
      'FAILED',
      {
        failure: expect.objectContaining({
          code: 'EXCHANGE_FAILED',
          message: expect.stringContaining('(verifier_invalid)'),
        }),
      },
    ]);
  });
});

describe('a provider', () => {
  it('that implements only OAuth 1.0 is rejected', async () => {
    provider.confirms = false;
    const { status, message } = await leave(await add());
    expect([status, message]).toEqual([400, expect.stringMatching(/did not confirm the redirect URL/)]);
  });

  it.each<[string, (res: ServerResponse) => void, number, string]>([
    ['closes the connection', (res) => void res.destroy(), 502, 'closed the connection'],
    ['answers a page', (res) => void res.end('<html>Welcome</html>'), 502, 'returned no token'],
    ['answers half a token', (res) => void res.end('oauth_token=abc'), 502, 'returned no token'],
    [
      'answers a token of two lines',
      (res) => void res.end('oauth_token=a%0d%0ab&oauth_token_secret=c'),
      502,
      'no token',
    ],
    ['answers 10 MB', (res) => void res.end('x'.repeat(10 * 1024 * 1024)), 502, 'returned more than 1024 KB'],
    ['answers 503', (res) => void res.writeHead(503).end('later'), 502, 'returned 503'],
    ['answers 429', (res) => void res.writeHead(429).end(), 502, 'returned 429'],
    ['redirects', (res) => void res.writeHead(302, { location: '/elsewhere' }).end(), 502, 'returned 302.'],
    ['says no with 200', (res) => void res.end('oauth_problem=timestamp_refused'), 400, '(timestamp_refused)'],
    ['denies access without a code', (res) => void res.writeHead(403).end('<b>s3cret</b>'), 400, 'denied access (403)'],
  ])('that %s is reported, and the link can be used again', async (_, answer, status, words) => {
    const strange: LocalApp = await startApp((req, res) => void req.resume().on('end', () => answer(res)));
    const { id, ...left } = await leave(await add({ request_url: `${strange.url}/request` }));
    expect([left.status, left.message]).toEqual([status, expect.stringContaining(words)]);
    expect((await getConnection(service, id)).status).toBe(status === 502 ? 'PENDING' : 'FAILED');
    await strange.close();
  });

  it('that is down is reported', async () => {
    const { status, message } = await leave(await add({ request_url: 'http://127.0.0.1:1/request' }));
    expect([status, message]).toEqual([502, '127.0.0.1:1 refuses connections.']);
  });
});

it('no secret of a client or token is in any log', () => {
  for (const secret of [provider.client.client_secret, ...provider.given, 'rotated'])
    expect(service.logged()).not.toContain(JSON.stringify(secret).slice(1, -1));
});

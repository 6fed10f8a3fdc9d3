/** JWT: signed tokens sent in each request, or exchanged for tokens at a real authorization server. */
import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echoForAll, forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { getConnection } from './connecting.ts';
import { addCustomApp, connectBy, type LocalApp, type Received, startApp, tryConnect } from './custom-support.ts';
import { startJwtProvider } from './jwt-provider.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SECRET = 'a0'.repeat(32);
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1') => key.export({ format: 'pem', type }).toString();

const provider = forAll(() => startJwtProvider({ robot: ec.publicKey, 'robot-rsa': rsa.publicKey }));
const echo = echoForAll();
const service = serviceForAll();

const call = (app: string) => service.api<Received & { message: string }>('GET', `/${app}/me`);
const tokenIn = ({ headers }: Received) => /^\w+ (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';

describe('a token that is signed for each call', () => {
  it.each([
    ['RS256', pem(rsa.privateKey, 'pkcs1')],
    ['RS256', pem(rsa.privateKey, 'pkcs8')],
    ['ES256', pem(ec.privateKey, 'sec1')],
    ['ES256', pem(ec.privateKey, 'pkcs8')],
  ])('%s is verified with the public key', async (algorithm, key) => {
    const app = await addCustomApp(service, echo.url, [
      { method: 'JWT', algorithm, header: { kid: '{key_id}' }, claims: { iss: '{issuer}', aud: 'acme-v1' } },
    ]);
    const id = await connectBy(service, app, 'JWT', { key, key_id: 'K1', issuer: 'me' });
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', token_expires_at: null });
    const { status, body } = await call(app);
    expect(status).toBe(200);
    const [head = '', claims = '', mac = ''] = tokenIn(body).split('.');
    const opened = {
      key: createPublicKey(key),
      ...(algorithm === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}),
    };
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), opened, Buffer.from(mac, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: algorithm, typ: 'JWT', kid: 'K1' });
    const now = Math.floor(Date.now() / 1000);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: 'me',
      aud: 'acme-v1',
      iat: expect.toSatisfy((iat: number) => iat <= now - 30 && iat > now - 60),
      exp: expect.toSatisfy((exp: number) => exp > now),
    });
    expect(tokenIn((await call(app)).body)).toBe(tokenIn(body));
  });

  it('HS256 with a hexadecimal key is placed as the app requires', async () => {
    const place = { in: 'header', name: 'Authorization', template: 'Ghost {token}' };
    const method = { method: 'JWT', algorithm: 'HS256', key_encoding: 'hex', header: { kid: '{key_id}' }, place };
    const app = await addCustomApp(service, echo.url, [method]);
    await connectBy(service, app, 'JWT', { key: SECRET, key_id: '1' });
    const { body } = await call(app);
    expect(body.headers['authorization']).toMatch(/^Ghost /);
    const verified = await jwtVerify(tokenIn(body), createSecretKey(Buffer.from(SECRET, 'hex')));
    expect(verified.protectedHeader).toMatchObject({ kid: '1' });
  });

  it.each<[string, object, string, string]>([
    ['no key', { algorithm: 'RS256' }, 'hello', 'expected a private key in PEM'],
    ['half a key', { algorithm: 'RS256' }, pem(rsa.privateKey, 'pkcs1').slice(0, 700), 'damaged or incomplete'],
    ['a public key', { algorithm: 'ES256' }, ec.publicKey.export({ format: 'pem', type: 'spki' }).toString(), 'public'],
    ['another kind of key', { algorithm: 'ES256' }, pem(rsa.privateKey, 'pkcs8'), 'expected an EC key for ES256'],
    ['odd digits', { algorithm: 'HS256', key_encoding: 'hex' }, 'abc', 'expected hexadecimal digits'],
  ])('can’t be signed with %s, which is rejected with its field', async (_, token, key, message) => {
    const app = await addCustomApp(service, echo.url, [{ method: 'JWT', ...token }]);
    const refused = await tryConnect(service, app, 'JWT', { key });
    expect(refused.status).toBe(400);
    expect(refused.message).toMatch(/^fields\.key: expected /);
    expect(refused.message).toContain(message);
    expect(refused.message).not.toContain(key.slice(30, 60) || key);
    expect(await getConnection(service, refused.id)).toMatchObject({ status: 'PENDING', metadata: {} });
  });
});

const exchanging = (more: object = {}, url = provider.tokenUrl) => ({
  method: 'JWT',
  algorithm: 'ES256',
  claims: { iss: '{issuer}', aud: provider.tokenUrl },
  exchange: { url, scopes: ['read', 'write'] },
  ...more,
});
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const change = (id: string, columns: object) =>
  service.services.db.updateTable('connections').set(columns).where('connection_id', '=', id).execute();
const robot = { key: pem(ec.privateKey, 'pkcs8'), issuer: 'robot' };

describe('a token that is exchanged', () => {
  it('is accepted by the authorization server, and the access token by its API', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()]);
    const before = provider.taken.length;
    const id = await connectBy(service, app, 'JWT', robot);
    expect((await call(app)).status).toBe(200);
    expect((await call(app)).status).toBe(200);
    expect(provider.taken.slice(before)).toEqual([
      expect.objectContaining({ iss: 'robot', scope: 'read write', jti: expect.any(String) }),
    ]);
    const { token_expires_at, refresh_at, refreshed_at } = await getConnection(service, id);
    expect(Date.parse(token_expires_at ?? '') - Date.parse(refreshed_at ?? '')).toBeGreaterThan(3_500_000);
    expect(Date.parse(refresh_at ?? '')).toBeLessThan(Date.parse(token_expires_at ?? ''));
  });

  it('can be signed with RS256', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging({ algorithm: 'RS256' })]);
    await connectBy(service, app, 'JWT', { key: pem(rsa.privateKey, 'pkcs1'), issuer: 'robot-rsa' });
    expect((await call(app)).status).toBe(200);
  });

  it('is signed again if the app rejects the access token', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()]);
    const id = await connectBy(service, app, 'JWT', robot);
    const first = tokenIn((await call(app)).body);
    provider.revokeAll();
    await change(id, { refreshed_at: hours(-1) });
    const before = provider.taken.length;
    const { status, body } = await call(app);
    expect([status, tokenIn(body) === first, provider.taken.length - before]).toEqual([200, false, 1]);
    expect(Date.parse((await getConnection(service, id)).refreshed_at ?? '')).toBeGreaterThan(Date.parse(hours(-1)));
  });

  it('is signed again for a request of the console and for a test as well', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()], { probe: { path: '/me' } });
    const id = await connectBy(service, app, 'JWT', robot);
    for (const [verb, body] of [
      ['request', { method: 'GET', path: '/me' }],
      ['test', undefined],
    ] as const) {
      provider.revokeAll();
      await change(id, { refreshed_at: hours(-1) });
      await service.api('PATCH', `/apps/${app}`, { name: `Before ${verb}` });
      const before = provider.taken.length;
      const answer = await service.api<{ response?: { status: number }; test?: { ok: boolean } }>(
        'POST',
        `/connections/${id}:${verb}`,
        body,
      );
      expect(answer.body).toMatchObject(verb === 'test' ? { test: { ok: true } } : { response: { status: 200 } });
      expect(provider.taken.length - before).toBe(1);
    }
  });

  it('does not change the connection if a new access token is rejected', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()], { probe: { path: '/me' } });
    const id = await connectBy(service, app, 'JWT', robot);
    provider.revokeAll();
    const { body } = await service.api('POST', `/connections/${id}:test`);
    expect(body).toMatchObject({ test: { ok: false, status: 401 }, connection: { status: 'ACTIVE' } });
  });

  it('is signed again after the access token expired; a rejection then fails the connection', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()]);
    const id = await connectBy(service, app, 'JWT', robot);
    await change(id, { token_expires_at: hours(-1) });
    const before = provider.taken.length;
    expect([(await call(app)).status, provider.taken.length - before]).toEqual([200, 1]);

    await change(id, { token_expires_at: hours(-1) });
    await service.api('PATCH', `/apps/${app}`, { docs_url: 'https://docs.example.com' });
    provider.refuse('the robot was dismissed');
    const answer = await call(app);
    provider.refuse('');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('There is no ACTIVE connection');
    const words = /no longer accepts this connection \(invalid_grant\): the robot was dismissed$/;
    expect(await getConnection(service, id)).toMatchObject({
      status: 'FAILED',
      metadata: { failure: { code: 'REFRESH_REJECTED', message: expect.stringMatching(words) } },
    });
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['signed with another key', {}, { ...robot, key: pem(other.privateKey, 'pkcs8') }, 'invalid_grant): signature'],
    ['for another audience', { claims: { iss: 'robot', aud: 'elsewhere' } }, { key: robot.key }, '"aud" claim'],
    ['of an unknown issuer', {}, { ...robot, issuer: 'stranger' }, '(invalid_client)'],
  ])('%s is rejected, with the message of the server', async (_, more, fields, words) => {
    const app = await addCustomApp(service, provider.api.url, [exchanging(more)]);
    const refused = await tryConnect(service, app, 'JWT', fields);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain('rejected the signed token (');
    expect(refused.message).toContain(words);
    expect(await getConnection(service, refused.id)).toMatchObject({
      status: 'FAILED',
      metadata: { failure: { code: 'EXCHANGE_FAILED', message: refused.message } },
    });
  });

  it('is rejected if it is expired for the server', async () => {
    const app = await addCustomApp(service, provider.api.url, [exchanging()]);
    provider.shiftClock(1_800);
    const refused = await tryConnect(service, app, 'JWT', robot);
    provider.shiftClock(0);
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('"exp" claim')]);
  });

  it('and the key are not part of error messages', async () => {
    const parrot = await startApp((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        const assertion = new URLSearchParams(body).get('assertion');
        res.writeHead(400, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ error: 'invalid_grant', error_description: `bad assertion ${assertion}` }));
      });
    });
    const app = await addCustomApp(service, provider.api.url, [exchanging({}, parrot.url)]);
    const refused = await tryConnect(service, app, 'JWT', robot);
    expect(refused.message).toMatch(/rejected the signed token \(invalid_grant\)\.$/);
    expect(service.logged()).not.toContain('bad assertion');
    await parrot.close();
  });
});

/** The exchange of GitHub Apps: a bearer token, and a nonstandard response. */
describe('a token sent as bearer at the exchange', () => {
  let hub: LocalApp;
  let asked: string[] = [];
  let answer: { status: number; body: unknown } | undefined;
  beforeAll(async () => {
    hub = await startApp((req, res) => {
      const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
      if (req.url === '/app/installations/78/access_tokens') {
        asked.push(`${req.method} ${req.headers['user-agent'] ?? ''}`);
        void jwtVerify(token, rsa.publicKey, { issuer: '42' }).then(
          () => {
            const expires_at = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
            const { status, body } = answer ?? { status: 201, body: { token: `ghs_${asked.length}`, expires_at } };
            res.writeHead(status).end(JSON.stringify(body));
          },
          () => res.writeHead(401).end(JSON.stringify({ message: 'A JSON web token could not be decoded' })),
        );
      } else res.writeHead(token === `ghs_${asked.length}` ? 200 : 401).end(JSON.stringify({ headers: req.headers }));
    });
  });
  afterAll(() => hub.close());
  const add = () =>
    addCustomApp(service, hub.url, [
      {
        method: 'JWT',
        algorithm: 'RS256',
        claims: { iss: '{app_id}' },
        exchange: { url: `${hub.url}/app/installations/{installation_id}/access_tokens`, style: 'bearer' },
      },
    ]);
  const fields = { key: pem(rsa.privateKey, 'pkcs1'), app_id: '42', installation_id: '78' };

  it('returns a token that its API accepts, with its expiry', async () => {
    asked = [];
    const app = await add();
    const id = await connectBy(service, app, 'JWT', fields);
    expect((await call(app)).status).toBe(200);
    expect(asked).toEqual(['POST sluice']);
    expect(Date.parse((await getConnection(service, id)).token_expires_at ?? '')).toBeGreaterThan(
      Date.now() + 3_500_000,
    );
  });

  it('is rejected with the provider’s message', async () => {
    const refused = await tryConnect(service, await add(), 'JWT', { ...fields, app_id: '43' });
    expect(refused.message).toMatch(/rejected the signed token \(401\): A JSON web token could not be decoded$/);
  });

  it.each<[string, { status: number; body: unknown }, number, string]>([
    ['no token', { status: 201, body: { expires_at: 'soon' } }, 400, 'returned no token that can be sent.'],
    ['a token of two lines', { status: 201, body: { token: 'a\r\nb' } }, 400, 'returned no token that can be sent.'],
    ['503', { status: 503, body: {} }, 502, 'returned 503.'],
    ['429', { status: 429, body: { message: 'slow down' } }, 502, 'returned 429.'],
    ['302', { status: 302, body: { message: 'moved' } }, 502, 'returned 302.'],
  ])('is not obtained if the response is %s', async (_, given, status, message) => {
    answer = given;
    const refused = await tryConnect(service, await add(), 'JWT', fields);
    answer = undefined;
    expect([refused.status, refused.message]).toEqual([status, expect.stringContaining(message)]);
    expect((await getConnection(service, refused.id)).status).toBe(status === 400 ? 'FAILED' : 'PENDING');
  });
});

describe('an authorization server', () => {
  it.each<[string, (res: import('node:http').ServerResponse) => void, string]>([
    ['that closes the connection', (res) => void res.destroy(), 'closed the connection'],
    ['that returns a page', (res) => void res.end('<html>Welcome</html>'), 'neither JSON nor a form'],
    ['that never stops', (res) => void res.end('x'.repeat(10 * 1024 * 1024)), 'returned more than 1024 KB'],
    ['that redirects', (res) => void res.writeHead(307, { location: echo.url }).end(), '307'],
  ])('%s does not change the connection, and is reported', async (_, answer, words) => {
    const strange = await startApp((req, res) => {
      req.resume().on('end', () => answer(res));
    });
    const app = await addCustomApp(service, echo.url, [exchanging({}, strange.url)]);
    const refused = await tryConnect(service, app, 'JWT', robot);
    expect([refused.status, refused.message]).toEqual([502, expect.stringContaining(words)]);
    expect((await getConnection(service, refused.id)).status).toBe('PENDING');
    await strange.close();
  });

  it('that is down does not change the connection, and is reported', async () => {
    const app = await addCustomApp(service, echo.url, [exchanging({}, 'http://127.0.0.1:1/token')]);
    const refused = await tryConnect(service, app, 'JWT', robot);
    expect([refused.status, refused.message]).toEqual([502, '127.0.0.1:1 refuses connections.']);
  });
});

/** Variants of credentials: whitespace, key files, client secrets without form-encoding. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';
import { getConnection, newConnection, onLink, tokenOf } from './connecting.ts';
import { addCustomApp, connectBy, type LocalApp, type Received, startApp, tryConnect } from './custom-support.ts';
import { type JwtProvider, startJwtProvider } from './jwt-provider.ts';

const echo = echoForAll();
const service = serviceForAll();
const call = (app: string) => service.api<Received>('GET', `/${app}/me`);

describe('whitespace around a value', () => {
  it('is retained in a password and removed from a user name', async () => {
    const app = await addCustomApp(service, echo.url, [{ method: 'BASIC' }]);
    await connectBy(service, app, 'BASIC', { username: ' ana\n', password: ' lead and trail ' });
    const sent = (await call(app)).body.headers['authorization'] ?? '';
    expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString()).toBe('ana: lead and trail ');
  });

  it('is retained in a key, except a trailing line break', async () => {
    const place = { in: 'query', name: 'key' };
    const app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place }]);
    await connectBy(service, app, 'API_KEY', { api_key: ' k 1 \r\n' });
    expect((await call(app)).body.url).toBe('/me?key=%20k%201%20');
  });

  it('alone is no value, and is reported if the pattern of a key excludes it', async () => {
    const place = { in: 'header', name: 'X-Key' };
    const app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place }]);
    expect((await tryConnect(service, app, 'API_KEY', { api_key: ' \n' })).message).toBe(
      'fields.api_key: expected a value',
    );
    expect((await tryConnect(service, 'stripe', 'API_KEY', { api_key: 'sk_test_1 ' })).message).toBe(
      'fields.api_key: expected no space before or after this secret',
    );
  });
});

describe('a JSON key file in place of the key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const client_email = 'robot';
  let provider: JwtProvider;
  let app: string;
  beforeAll(async () => {
    provider = await startJwtProvider({ robot: rsa.publicKey });
    app = await addCustomApp(service, provider.api.url, [
      {
        method: 'JWT',
        algorithm: 'RS256',
        claims: { iss: '{client_email}', aud: provider.tokenUrl },
        exchange: { url: provider.tokenUrl },
      },
    ]);
  });
  afterAll(() => provider.close());
  const file = (more: object = {}) =>
    JSON.stringify(
      { type: 'service_account', project_id: 'p', private_key_id: '1', private_key, client_email, ...more },
      null,
      2,
    );

  it('connects, with the email address in it', async () => {
    const token_uri = provider.tokenUrl;
    const id = await connectBy(service, app, 'JWT', { key: file({ token_uri }) });
    expect((await getConnection(service, id)).status).toBe('ACTIVE');
    expect((await call(app)).status).toBe(200);
    expect(provider.taken.at(-1)?.iss).toBe('robot');
    await connectBy(service, app, 'JWT', { key: file(), client_email: ' robot ' });
  });

  it.each([
    ['without a key', { private_key: undefined }, {}, /^fields\.key: expected a key file of a service account/],
    [
      'for another server',
      { token_uri: 'https://evil.example/token' },
      {},
      /^fields\.key: expected a key file for 127/,
    ],
    ['with a token URL that is none', { token_uri: 'nowhere' }, {}, /^fields\.key: expected a key file for 127/],
    [
      'of another account than was typed',
      {},
      { client_email: 'x' },
      /^fields\.client_email: expected the client_email/,
    ],
    [
      'with a damaged key',
      { private_key: '-----BEGIN PRIVATE KEY-----\nAAAA' },
      {},
      /^fields\.key: expected a private/,
    ],
  ])('%s is rejected', async (_, more, fields, words) => {
    const { status, message } = await tryConnect(service, app, 'JWT', { ...fields, key: file(more) });
    expect([status, message]).toEqual([400, expect.stringMatching(words)]);
    expect(message).not.toContain('AAAA');
  });

  it('of Google is accepted by its apps', async () => {
    const key = file({
      client_email: 'robot@p.iam.gserviceaccount.com',
      token_uri: 'https://oauth2.googleapis.com/token',
    });
    // The host does not resolve here, so the file was parsed and the token requested.
    const { status, message } = await tryConnect(service, 'google-drive', 'JWT', { private_key: key });
    expect([status, message]).toEqual([502, 'oauth2.googleapis.com could not be resolved (DNS).']);
    const other = file({ client_email: 'a@b', token_uri: 'https://evil.example/token' });
    expect((await tryConnect(service, 'google-drive', 'JWT', { private_key: other })).message).toBe(
      'fields.private_key: expected a key file for oauth2.googleapis.com; the token_uri of this one is another server',
    );
  });
});

describe('a client with HTTP Basic', () => {
  const client = { client_id: 'id:1/x', client_secret: 's3cret+/=&u %41' };
  let tokens: LocalApp;
  let asked: string[] = [];
  /** How this token endpoint reads id and secret. */
  let reads: 'raw' | 'encoded' = 'raw';
  beforeAll(async () => {
    tokens = await startApp((req, res) => {
      const pair = Buffer.from((req.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
      asked.push(pair);
      const { client_id, client_secret } = client;
      const right =
        reads === 'raw'
          ? pair === `${client_id}:${client_secret}`
          : pair.split(':').map(decodeURIComponent).join(':') === `${client_id}:${client_secret}`;
      req.resume().on('end', () => {
        res.writeHead(right ? 200 : 401, { 'content-type': 'application/json' });
        res.end(JSON.stringify(right ? { access_token: 'at', expires_in: 3600 } : { error: 'invalid_client' }));
      });
    });
  });
  afterAll(() => tokens.close());
  beforeEach(() => {
    asked = [];
    reads = 'raw';
  });
  const encoded = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(client.client_secret)}`;
  const raw = `${client.client_id}:${client.client_secret}`;
  const add = (client_auth: string) =>
    addCustomApp(service, echo.url, [
      { method: 'OAUTH2', grant: 'client_credentials', token_url: `${tokens.url}/token`, client_auth },
    ]);
  const newRefreshAt = (id: string) =>
    service.services.db
      .updateTable('connections')
      .set({ token_expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('connection_id', '=', id)
      .execute();

  it('is sent again without form-encoding after invalid_client, and later only that way', async () => {
    const app = await add('basic');
    const id = await connectBy(service, app, 'OAUTH2', client);
    expect(asked).toEqual([encoded, raw]);
    asked = [];
    await newRefreshAt(id);
    expect((await call(app)).status).toBe(200);
    expect(asked).toEqual([raw]);
    // The provider was fixed: the other encoding again.
    asked = [];
    reads = 'encoded';
    await newRefreshAt(id);
    service.services.nudge('refresher');
    await expect.poll(async () => (await call(app)).status).toBe(200);
  });

  it('is sent once if the encoding is correct', async () => {
    reads = 'encoded';
    await connectBy(service, await add('basic'), 'OAUTH2', client);
    expect(asked).toEqual([encoded]);
    asked = [];
    reads = 'raw';
    await connectBy(service, await add('basic_raw'), 'OAUTH2', client);
    expect(asked).toEqual([raw]);
  });

  it('that is rejected with both encodings gets the error of the first', async () => {
    const wrong = { ...client, client_secret: 'wrong+one' };
    const { status, message } = await tryConnect(service, await add('basic'), 'OAUTH2', wrong);
    expect([status, message]).toEqual([400, expect.stringMatching(/rejected this client \(invalid_client\)/)]);
    expect(asked).toHaveLength(2);
    asked = [];
    await tryConnect(service, await add('basic'), 'OAUTH2', { client_id: 'plain', client_secret: 'plain' });
    expect(asked).toHaveLength(1);
  });
});

describe('a field with a default', () => {
  it('is filled in if nothing is entered: the tenant of Microsoft', async () => {
    await service.api('PUT', '/apps/microsoft/credentials/OAUTH2', { client_id: 'ours', client_secret: 's' });
    const authorizeAt = async (fields: Record<string, string>) => {
      const id = await newConnection(service, 'microsoft');
      const { url } = await getConnection(service, id);
      const { body } = await onLink(service, tokenOf(url), { method: 'OAUTH2', fields });
      return String(body['redirect_url'] ?? body['message']);
    };
    expect(await authorizeAt({})).toMatch(/^https:\/\/login\.microsoftonline\.com\/common\/oauth2\/v2\.0\/authorize\?/);
    expect(await authorizeAt({ tenant: 'acme.onmicrosoft.com' })).toContain('.com/acme.onmicrosoft.com/oauth2/');
    expect(await authorizeAt({ tenant: '../evil' })).toMatch(/^fields\.tenant: expected/);
  });
});

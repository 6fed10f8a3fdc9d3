/** OAuth clients of an account: set, replaced, deleted; secrets are never returned. */
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { getConnection, newConnection } from './connecting.ts';
import { callbackOf } from './oauth-flow.ts';

type Credential = {
  method: string;
  redirect_url: string;
  client_id: string | null;
  scopes: string[] | null;
  default_scopes: string[];
  updated_at: string | null;
};
const SECRET = 'the-secret-of-our-client';
const service = serviceForAll();
beforeAll(async () => {
  const methods = [
    { method: 'API_KEY', place: { in: 'header', name: 'x-key' } },
    { method: 'OAUTH1', ...urls('request_url', 'authorize_url', 'access_url') },
    { method: 'OAUTH2', ...urls('authorize_url', 'token_url'), scopes: ['read'] },
  ];
  for (const app of ['both', 'other'])
    await service.api('POST', '/apps', { app, name: app, base_url: 'https://api.example.com', methods });
  const keyed = { app: 'keyed', name: 'Keyed', base_url: 'https://api.example.com', methods: methods.slice(0, 1) };
  await service.api('POST', '/apps', keyed);
});

const urls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `https://example.com/${name}`]));
const put = (app: string, method: string, body: object) =>
  service.api<{ credential: Credential }>('PUT', `/apps/${app}/credentials/${method}`, body);
const list = async (app: string) =>
  (await service.api<{ credentials: Credential[] }>('GET', `/apps/${app}/credentials`)).body.credentials;

describe('the clients of an app', () => {
  it('are listed for each method that needs one, with the redirect URL for the provider', async () => {
    const empty = {
      redirect_url: callbackOf(service),
      client_id: null,
      has_secret: false,
      scopes: null,
      updated_at: null,
    };
    expect(await list('both')).toEqual([
      { method: 'OAUTH1', ...empty, default_scopes: [] },
      { method: 'OAUTH2', ...empty, default_scopes: ['read'] },
    ]);
    expect(await list('keyed')).toEqual([]);
  });

  it('are set, partly replaced, and deleted', async () => {
    const entered = await put('both', 'OAUTH2', { client_id: ' ours ', client_secret: SECRET, scopes: ['a', 'b'] });
    expect([entered.status, entered.body.credential]).toMatchObject([
      200,
      { client_id: 'ours', has_secret: true, scopes: ['a', 'b'] },
    ]);
    const app = async () =>
      (await service.api<{ app: { methods: object[] } }>('GET', '/apps/both')).body.app.methods.at(-1);
    expect(await app()).toMatchObject({ method: 'OAUTH2', needs_client: true, has_client: true });
    const renamed = await put('both', 'OAUTH2', { client_id: 'ours-2' });
    expect(renamed.body.credential).toMatchObject({ client_id: 'ours-2', scopes: ['a', 'b'] });
    expect((await put('both', 'OAUTH2', { client_id: 'ours-2', scopes: null })).body.credential.scopes).toBe(null);
    expect((await list('other'))[1]).toMatchObject({ client_id: null });
    expect((await service.api('DELETE', '/apps/both/credentials/OAUTH2')).status).toBe(200);
    expect((await service.api('DELETE', '/apps/both/credentials/OAUTH2')).status).toBe(404);
    expect(await app()).toMatchObject({ has_client: false });
    const { body } = await service.api<{ entries: { operation: string }[] }>('GET', '/audit?resource_id=both%20OAUTH2');
    expect(body.entries.map(({ operation }) => operation)).toEqual([
      'appCredentialDelete',
      ...Array(3).fill('appCredentialPut'),
    ]);
  });

  it('never return their secret', async () => {
    const answer = await put('both', 'OAUTH1', { client_id: 'ours', client_secret: SECRET });
    const rows = await service.services.db.selectFrom('app_credentials').selectAll().execute();
    const reads = await Promise.all(
      ['/apps/both/credentials', '/apps/both', '/audit'].map((p) => service.api('GET', p)),
    );
    const all = JSON.stringify([answer.body, rows, reads.map(({ body }) => body)]) + service.logged();
    expect(all).not.toContain(SECRET);
    expect(all).toContain('ours');
  });

  it('belong to one account', async () => {
    await put('both', 'OAUTH1', { client_id: 'ours', client_secret: SECRET });
    const { key } = await service.secondAccount();
    expect((await service.api('GET', '/apps/both/credentials', undefined, { key })).status).toBe(404);
    const { body } = await service.api<{ credentials: Credential[] }>('GET', '/apps/github/credentials', undefined, {
      key,
    });
    expect(body.credentials.every(({ client_id }) => client_id === null)).toBe(true);
  });

  it.each<[string, string, object, number, RegExp]>([
    ['no-such-app', 'OAUTH2', { client_id: 'x' }, 404, /^App not found$/],
    [
      'keyed',
      'OAUTH2',
      { client_id: 'x' },
      400,
      /^method: expected a method of keyed that needs a client, got OAUTH2$/,
    ],
    ['keyed', 'API_KEY', { client_id: 'x' }, 400, /^method: expected one of "OAUTH1"\|"OAUTH2"$/],
    ['both', 'OAUTH2', {}, 400, /^client_id: /],
    ['both', 'OAUTH2', { client_id: '' }, 400, /^client_id: expected 1 to 1000 printable characters$/],
    ['both', 'OAUTH2', { client_id: 'a\nb' }, 400, /^client_id: /],
    ['both', 'OAUTH2', { client_id: 'x', client_secret: 'ü' }, 400, /^client_secret: expected 1 to 4000/],
    ['both', 'OAUTH2', { client_id: 'x', scopes: ['a b'] }, 400, /^scopes\.0: expected a scope$/],
    ['both', 'OAUTH2', { client_id: 'x', secret: 'y' }, 400, /secret/],
  ])('reject invalid values for %s %s (%j)', async (app, method, body, status, message) => {
    const answer = await service.api('PUT', `/apps/${app}/credentials/${method}`, body);
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe('reconnecting', () => {
  it('creates a new link, invalidates earlier ones, and does not change the connection', async () => {
    const id = await newConnection(service, 'keyed');
    const before = await getConnection(service, id);
    const { status, body } = await service.api<{ connection: typeof before }>('POST', `/connections/${id}:reconnect`);
    expect([status, body.connection.status]).toEqual([200, 'PENDING']);
    expect(body.connection.url).not.toBe(before.url);
    const open = (url: string) =>
      fetch(`${service.url}/connect/api/session`, {
        headers: { authorization: `Bearer ${new URL(url).searchParams.get('token')}` },
      });
    expect((await open(before.url)).status).toBe(400);
    expect((await open(body.connection.url)).status).toBe(200);
    expect((await getConnection(service, id)).last_updated_time).toBe(before.last_updated_time);
  });
});

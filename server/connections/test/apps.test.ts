import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockWaits } from '../../test/lock-waits.ts';
import { type Service, startService } from '../../test/service.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import * as store from '../store/apps.ts';

type App = {
  app: string;
  name: string;
  custom: boolean;
  base_url: string | null;
  methods: { fields: object[] }[];
  definition: { app: string };
};

const service = serviceForAll();

const acme = {
  app: 'acme',
  name: 'Acme',
  base_url: 'http://127.0.0.1:9/v1',
  methods: [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key' } }],
};
const place = (change: object) => [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key', ...change } }];
const both = (change: object) => [
  {
    method: 'API_KEY',
    place: { in: 'header', name: 'X-Key' },
    more_places: [{ in: 'query', name: 'app_key', template: '{app_key}', ...change }],
  },
];
const host = { in: 'header', name: 'Host', template: '{token}' };
const strange = { in: 'header', name: 'X-Token', template: '{access_token}' };
const oauth1 = {
  method: 'OAUTH1',
  request_url: 'http://127.0.0.1:9/request',
  authorize_url: 'http://127.0.0.1:9/authorize',
  access_url: 'http://127.0.0.1:9/access',
};
const add = (change: object, key?: string) =>
  service.api<{ app: App; message: string }>('POST', '/apps', { ...acme, ...change }, key ? { key } : {});
const connect = (app: string) => service.api<{ message: string }>('POST', '/connections', { app });
const list = async (key = service.key) =>
  (await service.api<{ apps: App[] }>('GET', '/apps', undefined, { key })).body.apps;

describe('the catalogue', () => {
  it('lists apps by name, with the form fields and without the placement of credentials', async () => {
    const apps = await list();
    const names = apps.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    expect(apps.find(({ app }) => app === 'stripe')).toMatchObject({
      app: 'stripe',
      name: 'Stripe',
      base_url: 'https://api.stripe.com',
      icon: 'siStripe',
      category: 'finance',
      docs_url: 'https://docs.stripe.com/api',
      custom: false,
      methods: expect.arrayContaining([
        {
          method: 'API_KEY',
          fields: [expect.objectContaining({ name: 'api_key', secret: true })],
          scopes: [],
          grant: null,
          needs_client: false,
          has_client: false,
        },
      ]),
    });
    expect(JSON.stringify(apps)).not.toContain('"put"');
  });

  it('has schedule as a source without an API', async () => {
    const { body } = await service.api('GET', '/apps/schedule');
    expect(body).toMatchObject({
      app: {
        base_url: null,
        methods: [],
        event_types: [
          {
            event_type: 'schedule.elapsed',
            parameters: { required: ['cron_expression'], properties: { timezone: { default: 'UTC' } } },
            sample: { scheduled_for: expect.any(String), cron_expression: expect.any(String), timezone: 'UTC' },
          },
        ],
      },
    });
  });

  it.each(['no-such-app', 'Stripe', 'a%00b', '%F0%9F%92%A9', 'x'.repeat(500)])('returns 404 for %s', async (id) => {
    expect((await service.api('GET', `/apps/${id}`)).status).toBe(404);
  });
});

describe('a custom app', () => {
  it('is listed like any other, for its account only', async () => {
    const { status, body } = await add({});
    expect(status).toBe(200);
    expect(body.app).toMatchObject({ app: 'acme', custom: true, docs_url: null, event_types: [] });
    expect((await service.api('GET', '/apps/acme')).body).toEqual(body);
    expect(await list()).toContainEqual(body.app);
    const other = await service.secondAccount();
    expect((await service.api('GET', '/apps/acme', undefined, { key: other.key })).status).toBe(404);
    expect((await list(other.key)).filter(({ custom }) => custom)).toEqual([]);
    expect((await add({ name: 'Acme of another' }, other.key)).status).toBe(200);
    expect((await service.api<{ app: App }>('GET', '/apps/acme')).body.app.name).toBe('Acme');
  });

  it('has a field for each placeholder of its URL', async () => {
    const { body } = await add({ app: 'open', base_url: 'https://{shop_name}.example.com/{region}' });
    expect(body.app.methods[0]?.fields).toMatchObject([
      { name: 'shop_name', label: 'Shop name', secret: false, required: true },
      { name: 'region' },
      { name: 'api_key', secret: true },
    ]);
  });

  it.each<[string, object]>([
    ['app:', { app: 'stripe' }],
    ['app:', { app: 'acme' }],
    ['app:', { app: 'connections' }],
    ['app:', { app: 'healthz' }],
    ['app:', { app: 'Upper' }],
    ['app:', { app: '-x' }],
    ['base_url:', { app: 'b1', base_url: 'ftp://example.com' }],
    ['base_url:', { app: 'b2', base_url: 'https://example.com?x=1' }],
    ['base_url:', { app: 'b3', base_url: 'https://u:p@example.com' }],
    ['methods:', { app: 'b4', methods: [] }],
    [
      'methods.0.method: expected one of',
      { app: 'b5', methods: [{ method: 'OAUTH3', place: { in: 'header', name: 'X' } }] },
    ],
    ['methods.0.token_url:', { app: 'b6', methods: [{ method: 'OAUTH2' }] }],
    ['methods.0.place.name:', { app: 'b6', methods: place({ name: 'Host' }) }],
    ['methods.0.place.name:', { app: 'b7', methods: place({ name: 'transfer-encoding' }) }],
    ['methods.0.place.name:', { app: 'b8', methods: place({ name: 'Service-Connection' }) }],
    ['methods.0.place.name:', { app: 'b9', methods: place({ name: 'a b' }) }],
    ['methods.0.place.template:', { app: 'c1', methods: place({ template: 'Bearer' }) }],
    ['methods.0.fields:', { app: 'd1', methods: [{ method: 'API_KEY' }] }],
    ['methods.0.more_places.0.name:', { app: 'd2', methods: both({ in: 'header', name: 'Host' }) }],
    ['methods.0.more_places.0.template:', { app: 'd3', methods: both({ template: 'none' }) }],
    ['base_url:', { app: 'd4', base_url: 'https://{api_key}.example.com', methods: [{ method: 'API_KEY' }] }],
    ['base_url:', { app: 'd5', base_url: null }],
    ['methods.1.method:', { app: 'd6', methods: [{ method: 'BASIC' }, { method: 'BASIC' }] }],
    ['methods.0.algorithm:', { app: 'd7', methods: [{ method: 'JWT', algorithm: 'none' }] }],
    [
      'methods.0.exchange.url:',
      { app: 'd8', methods: [{ method: 'JWT', algorithm: 'HS256', exchange: { url: 'x' } }] },
    ],
    ['methods.0.place.name:', { app: 'd9', methods: [{ method: 'JWT', algorithm: 'HS256', place: host }] }],
    ['methods.0.place.template:', { app: 'e1', methods: [{ method: 'JWT', algorithm: 'HS256', place: strange }] }],
    ['methods.0.request_url:', { app: 'e2', methods: [{ ...oauth1, request_url: '/request' }] }],
    ['methods.0.authorize_url:', { app: 'e3', methods: [{ ...oauth1, authorize_url: 'javascript:alert(1)' }] }],
    ['methods.0.access_url:', { app: 'e4', methods: [{ ...oauth1, access_url: 'https://u@example.com/access' }] }],
    ['methods.0.token_url:', { app: 'e5', methods: [{ method: 'OAUTH2', token_url: 'https://u:p@example.com/' }] }],
    ['methods.0.authorize_url:', { app: 'e6', methods: [{ method: 'OAUTH2', token_url: 'https://example.com/t' }] }],
    ['methods.0.server_url:', { app: 'e7', methods: [{ method: 'MCP', server_url: 'mcp.example.com' }] }],
    ['default_headers:', { app: 'e8', default_headers: { Cookie: 'a=1' } }],
    ['probe.path:', { app: 'e9', probe: { path: 'me' } }],
    ['methods.0.place.template:', { app: 'c2', methods: place({ template: '{api_key}\r\nX: 1' }) }],
  ])('rejects %s: %j', async (field, change) => {
    const { status, body } = await add(change);
    expect(status).toBe(400);
    expect(body.message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}`));
  });

  it('has a field for each secret of its placements', async () => {
    const { body } = await add({ app: 'two-keys', methods: both({}) });
    expect(body.app.methods[0]?.fields).toMatchObject([
      { name: 'api_key', secret: true },
      { name: 'app_key', label: 'App key', secret: true },
    ]);
    const address = 'http://127.0.0.1:9/bot{api_key}';
    const inPath = await add({ app: 'in-path', base_url: address, methods: [{ method: 'API_KEY' }] });
    expect(inPath.body.app.methods[0]?.fields).toMatchObject([{ name: 'api_key', secret: true }]);
  });

  it('is created once by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ app: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });
});

describe('an update of a custom app', () => {
  const change = (app: string, body: object, key?: string) =>
    service.api<{ app: App; message: string }>('PATCH', `/apps/${app}`, body, key ? { key } : {});
  const remove = (app: string, key?: string) =>
    service.api<{ message: string }>('DELETE', `/apps/${app}`, undefined, key ? { key } : {});

  it('replaces the given fields, and has a field for each placeholder of the new URL', async () => {
    const made = (await add({ app: 'changing', docs_url: 'https://docs.example.com', probe: { path: '/me' } })).body
      .app;
    const { status, body } = await change('changing', { name: 'Changed', base_url: 'http://127.0.0.1:9/{region}' });
    expect(status).toBe(200);
    expect(body.app).toMatchObject({
      ...made,
      name: 'Changed',
      base_url: 'http://127.0.0.1:9/{region}',
      methods: [{ ...made.methods[0], fields: [{ name: 'region' }, { name: 'api_key' }] }],
      definition: { ...made.definition, name: 'Changed', base_url: 'http://127.0.0.1:9/{region}' },
    });
    expect((await service.api('GET', '/apps/changing')).body).toEqual(body);
    const cleared = await change('changing', { docs_url: null, probe: null, methods: [{ method: 'BASIC' }] });
    expect(cleared.body.app).toMatchObject({
      name: 'Changed',
      docs_url: null,
      methods: [{ method: 'BASIC', fields: [{ name: 'region' }, { name: 'username' }, { name: 'password' }] }],
      definition: { probe: null },
    });
    expect(await list()).toContainEqual(cleared.body.app);
  });

  it('changes nothing if the definition is sent back as returned', async () => {
    const { app, ...definition } = { ...(await add({ app: 'sent-back', methods: both({}) })).body.app.definition };
    const { body } = await change('sent-back', definition);
    expect(body.app.definition).toEqual({ app, ...definition });
  });

  it.each<[string, object]>([
    ['base_url:', { base_url: null }],
    ['base_url:', { base_url: 'https://{api_key}.example.com' }],
    ['methods.0.place.name:', { methods: place({ name: 'Host' }) }],
    ['default_headers:', { default_headers: { 'Transfer-Encoding': 'chunked' } }],
    ['app', { app: 'another-id' }],
  ])('is rejected with %s, and changes nothing: %j', async (field, body) => {
    await add({ app: 'kept' });
    const before = await service.api('GET', '/apps/kept');
    const answer = await change('kept', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(field);
    expect((await service.api('GET', '/apps/kept')).body).toEqual(before.body);
  });

  it('is possible for custom apps only', async () => {
    for (const refused of [await change('stripe', { name: 'Mine' }), await remove('stripe')]) {
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/^app: stripe is the same for every account/);
    }
    const other = await service.secondAccount();
    await add({ app: 'mine' });
    for (const app of ['mine', 'no-such-app', 'a%00b', 'x'.repeat(500)]) {
      expect((await change(app, { name: 'Theirs' }, other.key)).status, app).toBe(404);
      expect((await remove(app, other.key)).status, app).toBe(404);
    }
  });

  it('cannot delete an app with connections', async () => {
    await add({ app: 'leaving' });
    const connection = async () =>
      (await service.api<{ connection_id: string }>('POST', '/connections', { app: 'leaving' })).body.connection_id;
    const ids = [await connection(), await connection()];
    expect((await remove('leaving')).body.message).toBe('app: there are 2 connections of leaving; delete them first');
    await service.api('DELETE', `/connections/${ids[0]}`);
    const one = await remove('leaving');
    expect([one.status, one.body.message]).toEqual([400, 'app: there is 1 connection of leaving; delete it first']);
    await service.api('DELETE', `/connections/${ids[1]}`);
    expect((await remove('leaving')).status).toBe(200);
    expect((await remove('leaving')).status).toBe(404);
    expect((await service.api('GET', '/apps/leaving')).status).toBe(404);
    expect((await add({ app: 'leaving' })).status).toBe(200);
  });
});

describe('where private addresses are not allowed', () => {
  let strict: Service;
  beforeAll(async () => {
    strict = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '' } });
  });
  afterAll(() => strict.stop());

  it.each([
    'http://127.0.0.1:8080',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:10.0.0.1]',
    'http://169.254.169.254/latest',
    'http://192.168.1.1',
  ])('rejects %s', async (base_url) => {
    const { status, body } = await strict.api('POST', '/apps', { ...acme, base_url });
    expect(status).toBe(400);
    expect(body['message']).toMatch(/^base_url: expected a public address/);
  });
});

describe('the client of an account', () => {
  const credentials = '/apps/github/credentials';
  const oauth2 = async () => {
    const { body } = await service.api<{ app: { methods: { method: string }[] } }>('GET', '/apps/github');
    return body.app.methods.find(({ method }) => method === 'OAUTH2');
  };
  const entered = async () => (await service.api<{ credentials: object[] }>('GET', credentials)).body.credentials;

  it('is returned with the method and the scopes of the account', async () => {
    const usual = await oauth2();
    expect(usual).toMatchObject({ has_client: false });
    expect(await entered()).toMatchObject([{ client_id: null, has_secret: false, scopes: null }]);
    const body = { client_id: 'abc', client_secret: 'of-the-client', scopes: ['gist'] };
    await service.api('PUT', `${credentials}/OAUTH2`, body);
    expect(await oauth2()).toMatchObject({ has_client: true, scopes: ['gist'] });
    expect(await entered()).toMatchObject([{ client_id: 'abc', has_secret: true, scopes: ['gist'] }]);
    await service.api('PUT', `${credentials}/OAUTH2`, { client_id: 'abc', client_secret: null, scopes: null });
    expect(await oauth2()).toEqual({ ...usual, has_client: true });
    expect(await entered()).toMatchObject([{ has_secret: false, scopes: null }]);
    await service.api('DELETE', `${credentials}/OAUTH2`);
    expect(await oauth2()).toEqual(usual);
  });
});

it('an app deleted while a connection is created has no connection left', async () => {
  await add({ app: 'fleeting' });
  const { db } = service.services;
  const making = await db.transaction().execute(async (tx) => {
    await store.lock(tx, service.account_id, 'fleeting');
    const made = connect('fleeting');
    await expect.poll(() => lockWaits(db)).toBe(1);
    await store.remove(tx, service.account_id, 'fleeting');
    return [made];
  });
  expect(await making[0]).toMatchObject({ status: 400, body: { message: expect.stringContaining('got fleeting') } });
  const left = db.selectFrom('connections').select('app').where('app', '=', 'fleeting');
  expect(await left.execute()).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.ts';

type App = { app: string; name: string; custom: boolean; base_url: string | null; methods: { fields: object[] }[] };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const acme = {
  app: 'acme',
  name: 'Acme',
  base_url: 'http://127.0.0.1:9/v1',
  methods: [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key' } }],
};
const place = (change: object) => [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key', ...change } }];
const add = (change: object, key?: string) =>
  service.api<{ app: App; message: string }>('POST', '/apps', { ...acme, ...change }, key ? { key } : {});
const list = async (key = service.key) =>
  (await service.api<{ apps: App[] }>('GET', '/apps', undefined, { key })).body.apps;

describe('the catalogue', () => {
  it('lists apps by name, with what a form needs and no word of where a credential goes', async () => {
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

  it('has schedule as a source that can not be called', async () => {
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

  it.each(['no-such-app', 'Stripe', 'a%00b', '%F0%9F%92%A9', 'x'.repeat(500)])('answers 404 for %s', async (id) => {
    expect((await service.api('GET', `/apps/${id}`)).status).toBe(404);
  });
});

describe('an app of the account', () => {
  it('stands in the list like any other, for its account only', async () => {
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

  it('asks for what its address leaves open', async () => {
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
    ['methods.0.method:', { app: 'b5', methods: [{ method: 'OAUTH3', place: { in: 'header', name: 'X' } }] }],
    ['methods.0.token_url:', { app: 'b6', methods: [{ method: 'OAUTH2' }] }],
    ['methods.0.place.name:', { app: 'b6', methods: place({ name: 'Host' }) }],
    ['methods.0.place.name:', { app: 'b7', methods: place({ name: 'transfer-encoding' }) }],
    ['methods.0.place.name:', { app: 'b8', methods: place({ name: 'Service-Connection' }) }],
    ['methods.0.place.name:', { app: 'b9', methods: place({ name: 'a b' }) }],
    ['methods.0.place.template:', { app: 'c1', methods: place({ template: 'Bearer' }) }],
    ['methods.0.place.template:', { app: 'c2', methods: place({ template: '{api_key}\r\nX: 1' }) }],
  ])('refuses, naming %s, %j', async (field, change) => {
    const { status, body } = await add(change);
    expect(status).toBe(400);
    expect(body.message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}`));
  });

  it('is made once, however many ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ app: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
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
  ])('refuses %s', async (base_url) => {
    const { status, body } = await strict.api('POST', '/apps', { ...acme, base_url });
    expect(status).toBe(400);
    expect(body['message']).toMatch(/^base_url: expected a public address/);
  });
});

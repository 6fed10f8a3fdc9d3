/** Connect sessions of end users: apps to choose from, preset values, redirects, origins, uses, the connect settings. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '../../maintenance/sweep.ts';
import { addAccount, type KeyOfAccount } from '../../test/another-account.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { openVisitor } from '../../test/visitor.ts';
import { addApp, type Connection, getConnection, onLink, tokenOf } from './connecting.ts';
import { addCloud, callbackOf, goBack } from './oauth-flow.ts';
import { agree, type OAuthProvider, startProvider } from './oauth-provider.ts';

type EndUserSession = {
  session_id: string;
  status: string;
  uses: number;
  connections: { app: string; connection_id: string }[];
};
type Created = { session: EndUserSession; url: string; token: string; message: string };

const service = serviceForAll();
const ORIGIN = 'https://app.example.com';
const end_user = { id: 'customer-7', email: 'ann@acme.example', name: 'Ann' };
let app: string;
let other: string;
let stranger: KeyOfAccount;
let provider: OAuthProvider;

beforeAll(async () => {
  app = await addApp(service, 'http://127.0.0.1:9');
  other = await addApp(service, 'http://127.0.0.1:9');
  stranger = await addAccount(service.services.db, 'Strangers');
  provider = await startProvider({ redirect_urls: [callbackOf(service)] });
  await set({ allowed_origins: [ORIGIN, 'http://localhost:3000'] });
});
afterAll(() => provider.close());

const set = (body: object, key = service.key) =>
  service.api<{ settings: Record<string, unknown>; message: string }>('PATCH', '/connect-settings', body, { key });
const create = (body: object, key = service.key) => service.api<Created>('POST', '/connect-sessions', body, { key });
const session = async (body: object = {}) => {
  const made = await create({ apps: [app, other], ...body });
  if (made.status !== 200) throw new Error(made.body.message);
  return made.body;
};
const read = async ({ session_id }: EndUserSession, key = service.key) =>
  service.api<{ session: EndUserSession }>('GET', `/connect-sessions/${session_id}`, undefined, { key });

/** A request of the connect page before an app is chosen. */
async function onChoice(token: string, body?: object) {
  const response = await fetch(`${service.url}/connect/api/choice`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> & { choice: object } };
}
const chosen = async (token: string, of = app) => {
  const { status, body } = await onChoice(token, { app: of });
  if (status !== 200) throw new Error(body['message']);
  return body['token'] ?? '';
};
const submit = (token: string, fields: object = { api_key: 'k' }) =>
  onLink(service, token, { method: 'API_KEY', fields });
const expire = (token_of: EndUserSession) =>
  service.services.db
    .updateTable('connect_sessions')
    .set({ expires_at: '2026-01-01T00:00:00Z' })
    .where('session_id', '=', token_of.session_id)
    .execute();

describe('a session', () => {
  it('lets an end user choose an app and connect it, and redirects with the connection’s ID and no secret', async () => {
    const redirect_url = `${ORIGIN}/done?tab=1`;
    const made = await session({ end_user, tags: ['gold'], redirect_url, state: 'xyz' });
    expect(made.url).toBe(`http://localhost:${service.port}/connect?token=${made.token}`);
    const { body: shown } = await onChoice(made.token);
    expect(shown.choice).toEqual({
      account_name: 'My account',
      apps: [app, other].map((id) => expect.objectContaining({ app: id, icon: null })),
      theme: { accent: null, logo: null },
      opener_origins: [ORIGIN, 'http://localhost:3000'],
      problem: null,
      cancel_url: `${redirect_url}&status=canceled&session_id=${made.session.session_id}&state=xyz`,
    });
    const link = await chosen(made.token);
    const before = await onLink(service, link);
    expect(before.body['session']).toMatchObject({ status: 'PENDING', app: { app }, redirect_url: null });
    const done = await submit(link);
    const shownDone = done.body['session'] as { connection_id: string; redirect_url: string };
    const { connection_id } = shownDone;
    expect(Object.fromEntries(new URL(shownDone.redirect_url).searchParams)).toEqual({
      tab: '1',
      status: 'connected',
      app,
      connection_id,
      session_id: made.session.session_id,
      state: 'xyz',
    });
    expect(await getConnection(service, connection_id)).toMatchObject({ status: 'ACTIVE', tags: ['gold'], end_user });
    expect((await read(made.session)).body.session).toMatchObject({
      status: 'USED',
      uses: 1,
      connections: [{ app, connection_id }],
    });
  });

  it('works once, in any order of its apps, and its links show the success afterwards', async () => {
    const made = await session();
    const [first, second] = [await chosen(made.token), await chosen(made.token, other)];
    expect((await submit(first)).status).toBe(200);
    expect((await onLink(service, first)).body['session']).toMatchObject({ finished: true });
    const shown = await onChoice(made.token);
    expect(shown.body.choice).toMatchObject({ apps: [], problem: { code: 'USED' } });
    for (const refused of [await onLink(service, second), await submit(second), await onChoice(made.token, { app })])
      expect([refused.status, refused.body['message']]).toEqual([400, 'This connect session was already used.']);
  });

  it('is used by one of several concurrent users', async () => {
    const made = await session({ max_uses: 2 });
    const links = [await chosen(made.token), await chosen(made.token, other)];
    const answers = await Promise.all([...links, ...links, ...links].map((link) => submit(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400]);
    expect((await read(made.session)).body.session).toMatchObject({ uses: 2, status: 'USED' });
  });

  it('with several uses connects the same app again, for another user account', async () => {
    const made = await session({ max_uses: 3 });
    const first = await chosen(made.token);
    expect(await chosen(made.token)).toBe(first);
    await submit(first);
    const second = await chosen(made.token);
    expect(second).not.toBe(first);
    await submit(second);
    const { connections } = (await read(made.session)).body.session;
    expect(new Set(connections.map(({ connection_id }) => connection_id)).size).toBe(2);
  });

  it('keeps through the provider’s page, and shows a denial', async () => {
    const cloud = await addCloud(service, provider);
    const made = await session({ apps: [cloud], redirect_url: `${ORIGIN}/`, max_uses: 2 });
    const visitor = openVisitor();
    const start = async () => {
      const link = await chosen(made.token, cloud);
      const answer = await visitor.ask(`http://localhost:${service.port}/connect/api/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${link}`, 'content-type': 'application/json' },
        body: JSON.stringify({ method: 'OAUTH2', fields: {} }),
      });
      return ((await answer.json()) as { redirect_url: string }).redirect_url;
    };
    const { to } = await goBack(visitor, await agree(visitor, await start()));
    const shown = await onLink(service, tokenOf(to));
    expect(shown.body['session']).toMatchObject({ finished: true, redirect_url: expect.stringContaining(ORIGIN) });
    const denied = new URL(callbackOf(service));
    denied.search = String(
      new URLSearchParams({ error: 'access_denied', state: new URL(await start()).searchParams.get('state') ?? '' }),
    );
    const back = await goBack(visitor, denied.href);
    expect((await onLink(service, tokenOf(back.to))).body['session']).toMatchObject({
      failure: { code: 'ACCESS_DENIED' },
      redirect_url: null,
      cancel_url: expect.stringContaining('status=canceled'),
    });
    expect((await read(made.session)).body.session.uses).toBe(1);
  });

  it('expires, and what it left PENDING is deleted', async () => {
    const made = await session({ max_uses: 2 });
    await submit(await chosen(made.token));
    const link = await chosen(made.token, other);
    const { connection_id } = (await onLink(service, link)).body['session'] as Connection;
    await expire(made.session);
    expect((await onChoice(made.token)).body.choice).toMatchObject({ apps: [], problem: { code: 'EXPIRED' } });
    for (const refused of [await onChoice(made.token, { app }), await onLink(service, link)])
      expect([refused.status, refused.body['message']]).toEqual([
        400,
        expect.stringContaining('expired at 2026-01-01'),
      ]);
    await service.services.db
      .updateTable('connect_sessions')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('session_id', '=', made.session.session_id)
      .execute();
    await sweep(service.services);
    expect((await service.api('GET', `/connections/${connection_id}`)).status).toBe(404);
    const after = (await read(made.session)).body.session;
    expect(after).toMatchObject({ status: 'EXPIRED', connections: [{ app }] });
    expect((await service.api('GET', `/connections/${after.connections[0]?.connection_id}`)).status).toBe(200);
    await expire(made.session);
    await sweep(service.services);
    expect((await read(made.session)).status).toBe(404);
  });

  it('can be ended by the account', async () => {
    const made = await session({ max_uses: 2 });
    const link = await chosen(made.token);
    const gone = await service.api('DELETE', `/connect-sessions/${made.session.session_id}`);
    expect(gone.status).toBe(200);
    for (const refused of [await onChoice(made.token), await onLink(service, link), await submit(link)])
      expect(refused.status).toBe(404);
  });

  it('sets values of fields that the end user neither sees nor enters', async () => {
    const preset = { shopify: { shop: 'acme' } };
    const made = await session({ apps: ['shopify'], parameters: preset, max_uses: 2 });
    const link = await chosen(made.token, 'shopify');
    const { methods } = (await onLink(service, link)).body['session'] as {
      methods: { method: string; fields: { name: string }[] }[];
    };
    expect(methods.flatMap(({ fields }) => fields.map(({ name }) => name))).not.toContain('shop');
    const stray = await submit(link, { api_key: 'k', shop: 'evil' });
    expect([stray.status, stray.body['message']]).toEqual([400, 'fields.shop: unknown field']);
    // The preset is needed and used: the probe then goes to the shop's host, which does not resolve here.
    expect((await submit(link, { api_key: 'k' })).status).toBe(200);
  });

  it.each<[string, object]>([
    ['apps: expected at least one app', { apps: [] }],
    ['apps.0: expected an app of GET /apps, got nothing-here', { apps: ['nothing-here'] }],
    ['parameters.github: expected an app of apps', { parameters: { github: {} } }],
    ['parameters.shopify.shop: expected', { apps: ['shopify'], parameters: { shopify: { shop: 'evil.example/' } } }],
    [
      'parameters.shopify.api_key: expected a field that is not secret',
      { apps: ['shopify'], parameters: { shopify: { api_key: 'k' } } },
    ],
    ['parameters.shopify.x: expected the name of a field', { apps: ['shopify'], parameters: { shopify: { x: 'k' } } }],
    ['redirect_url: expected an origin of the connect settings', { redirect_url: 'https://evil.example/' }],
    [
      'redirect_url: expected an origin of the connect settings',
      { redirect_url: 'https://app.example.com.evil.example/' },
    ],
    ['redirect_url: expected an origin of the connect settings', { redirect_url: 'http://app.example.com/' }],
    ['redirect_url: expected an origin of the connect settings', { redirect_url: 'https://app.example.com:8443/' }],
    ['redirect_url: expected a URL without user name', { redirect_url: 'https://app.example.com@evil.example/' }],
    ['redirect_url: expected an absolute http or https URL', { redirect_url: 'javascript:alert(1)' }],
    ['redirect_url: expected an absolute http or https URL', { redirect_url: '//evil.example' }],
    ['redirect_url: expected a URL without a # fragment', { redirect_url: `${ORIGIN}/#x` }],
    ['allowed_origins.0: expected an origin of the connect settings', { allowed_origins: ['https://evil.example'] }],
    ['allowed_origins.0: expected an origin such as', { allowed_origins: ['*'] }],
    ['max_uses', { max_uses: 0 }],
    ['expires_in_minutes', { expires_in_minutes: 1441 }],
    ['accent: expected a colour', { accent: 'red' }],
    ['state: expected one line', { state: 'a\nb' }],
  ])('is rejected with "%s"', async (message, body) => {
    const refused = await create({ apps: [app], ...body });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('belongs to its account', async () => {
    const made = await session();
    expect((await read(made.session, stranger.key)).status).toBe(404);
    const path = `/connect-sessions/${made.session.session_id}`;
    expect((await service.api('DELETE', path, undefined, { key: stranger.key })).status).toBe(404);
    // Neither custom apps nor origins of another account.
    expect((await create({ apps: [app] }, stranger.key)).body.message).toContain('expected an app of GET /apps');
    expect((await create({ apps: ['github'], redirect_url: ORIGIN }, stranger.key)).body.message).toContain(
      'redirect_url: ',
    );
    expect((await onChoice(made.token, { app: 'github' })).body['message']).toContain(
      'expected an app of this session',
    );
  });

  it('has a token that authorizes the choice only, and is in no read, log line or row', async () => {
    const made = await session();
    expect((await onLink(service, made.token)).status).toBe(404);
    expect((await service.api('GET', '/connections', undefined, { key: made.token })).status).toBe(401);
    expect((await onChoice(await chosen(made.token))).status).toBe(404);
    expect((await onChoice(`${made.token}x`)).status).toBe(404);
    const rows = await service.services.db.selectFrom('connect_sessions').selectAll().execute();
    const reads = [(await read(made.session)).body, (await service.api('GET', '/audit')).body];
    expect(JSON.stringify([rows, reads]) + service.logged()).not.toContain(made.token);
  });
});

describe('the connect settings', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const logo = `data:image/png;base64,${PNG}`;
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64');
  const wide = Buffer.from(PNG, 'base64');
  wide.writeUInt32BE(5000, 16);

  it('change the fields that are present, for the account only', async () => {
    const { status, body } = await set({ accent: '#0a7d33', logo });
    expect([status, body.settings]).toEqual([
      200,
      {
        allowed_origins: [ORIGIN, 'http://localhost:3000'],
        accent: '#0a7d33',
        logo,
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    const { token } = await session({ accent: '#aa0055' });
    expect((await onChoice(token)).body.choice).toMatchObject({ theme: { accent: '#aa0055', logo } });
    const theirs = await service.api<{ settings: object }>('GET', '/connect-settings', undefined, {
      key: stranger.key,
    });
    expect(theirs.body.settings).toEqual({ allowed_origins: [], accent: null, logo: null, updated_at: null });
    expect((await set({ logo: null, accent: null })).body.settings).toMatchObject({ logo: null, accent: null });
  });

  it.each<[string, object]>([
    ['logo: expected a data URL of a PNG or JPEG image', { logo: `data:image/svg+xml;base64,${svg}` }],
    ['logo: expected the bytes of an image/png file', { logo: `data:image/png;base64,${svg}` }],
    ['logo: expected the bytes of an image/jpeg file', { logo: `data:image/jpeg;base64,${PNG}` }],
    ['logo: expected 1 to 1024 pixels', { logo: `data:image/png;base64,${wide.toString('base64')}` }],
    ['logo: expected an image of at most 64 KiB', { logo: `data:image/png;base64,${'A'.repeat(100_000)}` }],
    ['logo: expected a data URL', { logo: 'https://cdn.example.com/logo.png' }],
    ['accent: expected a colour', { accent: '#fff' }],
    ['allowed_origins.0: expected an origin', { allowed_origins: ['http://app.example.com'] }],
    ['allowed_origins.0: expected an origin', { allowed_origins: ['https://app.example.com/path'] }],
    ['allowed_origins.0: expected an origin', { allowed_origins: ['https://*.example.com'] }],
    ['allowed_origins.0: expected an origin', { allowed_origins: ['null'] }],
  ])('are rejected with "%s"', async (message, body) => {
    const refused = await set(body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

it('the examples of docs/reference/connections.md work', async () => {
  const page = readFileSync('docs/reference/connections.md', 'utf8');
  const [, settings = '', wanted = ''] =
    /## Connect sessions[\s\S]*?connect-settings" .*?-d '(\{[\s\S]*?\n\})'[\s\S]*?connect-sessions" .*?-d '(\{[\s\S]*?\n\})'/.exec(
      page,
    ) ?? [];
  const { key } = await service.secondAccount();
  expect((await set(JSON.parse(settings) as object, key)).status).toBe(200);
  const { status, body } = await create(JSON.parse(wanted) as object, key);
  expect([status, body.message]).toEqual([200, undefined]);
  const { choice } = (await onChoice(body.token)).body as unknown as { choice: { apps: { app: string }[] } };
  expect(choice.apps.map(({ app: name }) => name)).toEqual(['hubspot', 'shopify']);
});

/** Sign-in through identity providers of an account, against a real provider. */
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Browser, invite, openBrowser, signIn } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { openVisitor } from '../../test/visitor.ts';
import {
  authenticate,
  type Finished,
  finishOf,
  type ProviderUser,
  signInThrough,
  startIdentityProvider,
  startSignIn,
} from './identity-provider.ts';

const service = serviceForAll();
const owner = forAll(() => signIn(service));
const provider = forAll(() =>
  startIdentityProvider({
    callbacks: [`http://localhost:${service.port}/sign-in/callback/${service.account_id}`],
    sign_out_urls: [`http://localhost:${service.port}/sign-in`],
  }),
);

type Listed = { provider_id: string; members: number; has_secret: boolean; enabled: boolean };
const PATH = '/account/identity-providers';
const settings = (more: object = {}) => ({
  name: 'Northwind',
  issuer: provider.issuer,
  ...provider.client,
  allowed_domains: ['northwind.example'],
  creates_members: true,
  ...more,
});

async function addProvider(more: object = {}, by: Browser = owner): Promise<string> {
  const { status, body } = await by.call<{ identity_provider: Listed }>('POST', PATH, settings(more));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.identity_provider.provider_id;
}

let made = 0;
/** A user at the provider, with an address of the allowed domain. */
function newUser(more: Partial<ProviderUser> = {}): { login: string; email: string } {
  const login = `user-${++made}`;
  const email = `${login}@northwind.example`;
  provider.users.set(login, { sub: `subject-${made}`, email, email_verified: true, name: `User ${made}`, ...more });
  return { login, email };
}

const auditOf = async (resource_id: string) =>
  (
    await service.api<{ entries: { operation: string; outcome: string; actor_name: string; request_id: string }[] }>(
      'GET',
      `/audit?resource_id=${resource_id}`,
    )
  ).body.entries;

let shared = '';
beforeAll(async () => {
  shared = await addProvider();
});

describe('settings of a provider', () => {
  it('are the owner’s, keep the secret and have the URLs to register', async () => {
    const { body } = await owner.call('GET', PATH);
    expect(body).toMatchObject({
      redirect_url: `http://localhost:${service.port}/sign-in/callback/${service.account_id}`,
      identity_providers: [{ provider_id: shared, has_secret: true, default_role: 'VIEWER', enabled: true }],
    });
    expect(JSON.stringify(body)).not.toContain(provider.client.client_secret);
    const rows = await service.services.db.selectFrom('identity_providers').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(provider.client.client_secret);
    const admin = await invite(owner, service, { email: 'adm@example.com', password: 'reads no providers' }, 'ADMIN');
    expect((await admin.browser.call('GET', PATH)).status).toBe(403);
    expect((await service.api('POST', PATH, settings())).status).toBe(403);
  });

  it('need a confirmed session', async () => {
    const late = await signIn(service);
    const { db } = service.services;
    await db.updateTable('sessions').set({ confirmed_at: null }).where('only_account', '=', false).execute();
    for (const [method, path, body] of [
      ['POST', PATH, settings()],
      ['PATCH', `${PATH}/${shared}`, { name: 'Other' }],
      ['DELETE', `${PATH}/${shared}`, undefined],
      ['PATCH', '/account', { password_sign_in: false }],
    ] as const) {
      const answer = await late.call(method, path, body);
      expect(answer.status, path).toBe(403);
      expect(answer.body).toMatchObject({ required: 'CONFIRM_PASSWORD' });
    }
    await owner.call('POST', '/session:confirm', { password: 'a long enough password' });
  });

  it.each([
    [{ issuer: 'ftp://example.com' }, /^issuer: expected an https URL/],
    [{ issuer: 'http://127.0.0.1:1' }, /^issuer: .*refuses connections/],
    [{ issuer: 'https://10.1.2.3' }, /^issuer: .*does not connect to/],
    [{ allowed_domains: [] }, /^allowed_domains: expected at least one domain/],
    [{ allowed_domains: ['@example.com'] }, /^allowed_domains.*: expected a domain/],
    [{ role_mapping: [{ value: 'a', role: 'KING' }] }, /^role_mapping/],
    [{ client_id: 'a\u0000b' }, /^client_id: expected one line/],
  ])('refuses %j', async (more, message) => {
    const { status, body } = await owner.call('POST', PATH, settings(more));
    expect(status).toBe(400);
    expect(body['message']).toMatch(message);
  });

  it('refuses metadata that would send the browser to a script, and tests the metadata', async () => {
    provider.instead = (req, res) => {
      if (req.url !== '/.well-known/openid-configuration') return false;
      const page = 'javascript:alert(1)//';
      respond(res, { issuer: provider.issuer, authorization_endpoint: page, token_endpoint: page, jwks_uri: page });
      return true;
    };
    const { status, body } = await owner.call('POST', PATH, settings());
    expect([status, body['message']]).toEqual([
      400,
      expect.stringMatching(/^issuer: .*no valid authorization_endpoint/),
    ]);
    const failed = await owner.call('POST', `${PATH}/${shared}:test`);
    expect(failed.body).toMatchObject({ test: { succeeded: false } });
    provider.instead = undefined;
    const answer = await owner.call('POST', `${PATH}/${shared}:test`);
    expect(answer.body).toMatchObject({
      test: { succeeded: true, message: expect.stringContaining('keys were read') },
    });
  });
});

describe('a sign-in', () => {
  it('creates a member once, finds it again by subject, and is in the audit log', async () => {
    const { login, email } = newUser();
    const browser = openBrowser(service);
    const first = await signInThrough(browser, shared, login, { next: '/events?status=FAILED' });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({
      result: 'SIGNED_IN',
      next: '/events?status=FAILED',
      session: { email, role: 'VIEWER', provider: { provider_id: shared, name: 'Northwind', only_account: true } },
    });
    expect((await browser.call('GET', '/session')).body).toMatchObject({ session: { email } });
    expect((await browser.call('GET', '/api-keys')).status).toBe(200);
    // The provider changes the address, not the subject.
    provider.users.set(login, { ...(provider.users.get(login) as ProviderUser), email: `new-${email}` });
    const again = await signInThrough(openBrowser(service), shared, login);
    expect(again.body.session?.user_id).toBe(first.body.session?.user_id);
    const entries = await auditOf(shared);
    expect(entries[0]).toMatchObject({ operation: 'signInFinish', outcome: 'SUCCEEDED', actor_name: `User ${made}` });
  });

  it('is listed for the domain, for the account and for nobody else', async () => {
    const list = async (body: object) =>
      (await openBrowser(service).call<{ providers: object[] }>('POST', '/session:providers', body)).body.providers;
    const shown = [{ provider_id: shared, name: 'Northwind', host: new URL(provider.issuer).host }];
    expect(await list({ email: 'anyone@northwind.example' })).toEqual(shown);
    expect(await list({ account_id: service.account_id })).toEqual(shown);
    expect(await list({ email: 'anyone@northwind.example.org' })).toEqual([]);
    expect(await list({ email: 'anyone@%' })).toEqual([]);
    expect(await list({})).toEqual([]);
  });

  it('of a person without membership is refused unless the provider creates members; an invitation is accepted', async () => {
    await owner.call('PATCH', `${PATH}/${shared}`, { creates_members: false });
    const { login, email } = newUser();
    const refused = await signInThrough(openBrowser(service), shared, login);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      `${email} is not a member. Ask an owner to invite you, then continue with Northwind.`,
    );
    expect((await auditOf(shared))[0]).toMatchObject({ outcome: 'FAILED', actor_name: email });
    await owner.call('POST', '/account/members', { email, role: 'ADMIN' });
    expect((await signInThrough(openBrowser(service), shared, login)).body.session).toMatchObject({ role: 'ADMIN' });
    await owner.call('PATCH', `${PATH}/${shared}`, { creates_members: true });
  });

  it('of a removed member makes a new one only if the provider creates members', async () => {
    const { login } = newUser();
    const browser = openBrowser(service);
    const { body } = await signInThrough(browser, shared, login);
    await owner.call('DELETE', `/account/members/${body.session?.user_id}`);
    expect((await browser.call('GET', '/api-keys')).status).toBe(401);
    await owner.call('PATCH', `${PATH}/${shared}`, { creates_members: false });
    expect((await signInThrough(openBrowser(service), shared, login)).status).toBe(403);
    await owner.call('PATCH', `${PATH}/${shared}`, { creates_members: true });
    const again = await signInThrough(openBrowser(service), shared, login);
    expect(again.body.session?.user_id).not.toBe(body.session?.user_id);
  });

  it('is refused with an unverified address, without one, and with one of another domain', async () => {
    const cases: [Partial<ProviderUser>, RegExp][] = [
      [{ email_verified: false }, /did not verify your email address/],
      [{ email: 'x@elsewhere.example' }, /not set up here for addresses of elsewhere\.example/],
      [{ email: 'not an address' }, /did not send a verified email address/],
    ];
    for (const [more, message] of cases) {
      const { login } = newUser(more);
      const { status, body } = await signInThrough(openBrowser(service), shared, login);
      expect([status, body.message]).toEqual([403, expect.stringMatching(message)]);
    }
    // A known subject whose address is no longer verified.
    const { login, email } = newUser();
    expect((await signInThrough(openBrowser(service), shared, login)).status).toBe(200);
    provider.users.set(login, { sub: `subject-${made}`, email, email_verified: false });
    expect((await signInThrough(openBrowser(service), shared, login)).status).toBe(403);
  });

  it('is refused if the provider gives the address to another subject', async () => {
    const { login, email } = newUser();
    expect((await signInThrough(openBrowser(service), shared, login)).status).toBe(200);
    provider.users.set('successor', { sub: 'successor', email, email_verified: true });
    const { status, body } = await signInThrough(openBrowser(service), shared, 'successor');
    expect([status, body.message]).toEqual([403, expect.stringContaining('another user with the address')]);
    expect((await auditOf(shared))[0]).toMatchObject({ outcome: 'FAILED', actor_name: email });
  });

  it('at the same time twice creates one member', async () => {
    const { login, email } = newUser();
    const twice = [0, 1].map(() => signInThrough(openBrowser(service), shared, login));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([200, 200]);
    const { members } = (await owner.call<{ members: { email: string }[] }>('GET', '/account/members')).body;
    expect(members.filter((each) => each.email === email)).toHaveLength(1);
  });

  it('returns only to a path of the console', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/a\\b', 'events']) {
      const { status, body } = await openBrowser(service).call('POST', '/session:start', { provider_id: shared, next });
      expect([status, body['message']], next).toEqual([400, expect.stringMatching(/^next: expected a path/)]);
    }
  });
});

describe('the role mapping', () => {
  it('applies the highest role at each sign-in, and never removes the last owner', async () => {
    const provider_id = await addProvider({
      scopes: ['groups'],
      role_claim: 'groups',
      role_mapping: [
        { value: 'ops', role: 'ADMIN' },
        { value: 'root', role: 'OWNER' },
      ],
    });
    const { login, email } = newUser({ groups: ['ops', 'staff'] });
    const roleNow = async (groups: string[]) => {
      provider.users.set(login, { ...(provider.users.get(login) as ProviderUser), groups });
      return (await signInThrough(openBrowser(service), provider_id, login)).body.session?.role;
    };
    expect(await roleNow(['ops', 'staff'])).toBe('ADMIN');
    expect(await roleNow(['root', 'ops'])).toBe('OWNER');
    expect(await roleNow([])).toBe('VIEWER');
    expect(await roleNow(['root'])).toBe('OWNER');
    // Every other owner leaves, for a moment.
    const { db } = service.services;
    const others = db.updateTable('users').where('email', '!=', email).where('role', '=', 'OWNER');
    await others.set({ role: 'ADMIN' }).execute();
    expect(await roleNow([])).toBe('OWNER');
    await db.updateTable('users').set({ role: 'OWNER' }).where('email', '=', 'admin@example.com').execute();
    expect(await roleNow([])).toBe('VIEWER');
    await owner.call('DELETE', `${PATH}/${provider_id}`);
  });
});

describe('an existing member', () => {
  const password = 'their own password';

  it('confirms the link once with the password; until then no session is open', async () => {
    const { login, email } = newUser();
    const { user_id } = await invite(owner, service, { email, password }, 'ADMIN');
    const browser = openBrowser(service);
    const { body } = await signInThrough(browser, shared, login);
    expect(body).toMatchObject({ result: 'CONFIRM_MEMBER', session: null, member: { email } });
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
    // Only the browser that signed in can confirm.
    expect((await openBrowser(service).call('POST', '/session:link', { password })).status).toBe(400);
    expect((await browser.call('POST', '/session:link', {})).status).toBe(401);
    expect((await browser.call('POST', '/session:link', { password: 'a guess' })).status).toBe(400);
    const linked = await browser.call('POST', '/session:link', { password });
    expect(linked.body).toMatchObject({ session: { user_id, provider: { only_account: true } } });
    expect((await browser.call('POST', '/session:link', { password })).status).toBe(400);
    const again = await signInThrough(openBrowser(service), shared, login);
    expect(again.body).toMatchObject({ result: 'SIGNED_IN', session: { user_id } });
  });

  it('confirms it with an own session, not with one that is limited to an account', async () => {
    const { login, email } = newUser();
    await invite(owner, service, { email, password }, 'ADMIN');
    const browser = await signIn(service, { email, password });
    expect((await signInThrough(browser, shared, login)).body.result).toBe('CONFIRM_MEMBER');
    expect((await browser.call('POST', '/session:link', {})).status).toBe(200);
    const second = await addProvider({ name: 'Second' });
    expect((await signInThrough(browser, second, login)).body.result).toBe('CONFIRM_MEMBER');
    expect((await browser.call('POST', '/session:link', {})).status).toBe(401);
    await owner.call('DELETE', `${PATH}/${second}`);
  });
});

describe('an owner with a provider that claims the address of a person of another account', () => {
  it('gets no session of that person, and none that leaves the account', async () => {
    const victim = { email: 'victim@northwind.example', password: 'known to the victim' };
    const own = await invite(owner, service, victim, 'ADMIN');
    const { db } = service.services;
    const { account_id } = await service.secondAccount();
    // An owner of the second account, who signs in there.
    await invite(owner, service, { email: 'mallory@example.com', password: 'plans something bad' }, 'VIEWER');
    const hers = db.selectFrom('users').select('user_id').where('email', '=', 'mallory@example.com');
    await db.deleteFrom('sessions').where('user_id', 'in', hers).execute();
    await db.updateTable('users').set({ account_id, role: 'OWNER' }).where('user_id', 'in', hers).execute();
    const mallory = await signIn(service, { email: 'mallory@example.com', password: 'plans something bad' });
    const evil = await startIdentityProvider({
      callbacks: [`http://localhost:${service.port}/sign-in/callback/${account_id}`],
    });
    try {
      const created = await mallory.call<{ identity_provider: Listed }>('POST', PATH, {
        ...settings(evil.client),
        issuer: evil.issuer,
      });
      const { provider_id } = created.body.identity_provider;
      evil.users.set('fake', { sub: 'fake', email: victim.email, email_verified: true });
      const browser = openBrowser(service);
      const { body } = await signInThrough(browser, provider_id, 'fake');
      // A person of the second account only, who is not the victim.
      expect(body.session).toMatchObject({ account_id, email: victim.email });
      const ids = await db
        .selectFrom('people')
        .select(['person_id', 'account_id'])
        .where('email', '=', victim.email)
        .execute();
      expect(ids).toHaveLength(2);
      const list = await browser.call<{ sessions: object[] }>('GET', '/session/devices');
      expect(list.body.sessions).toHaveLength(1);
      const change = { current_password: 'anything at all', new_password: 'chosen by mallory 1' };
      expect((await browser.call('POST', '/session:password', change)).status).toBe(403);
      expect((await browser.call('POST', '/session:revoke', {})).body).toEqual({ ended: 0 });
      // The victim's own sign-in is as before.
      const after = await signIn(service, victim);
      expect((await after.call('GET', '/session')).body).toMatchObject({
        session: { account_id: service.account_id, user_id: own.user_id },
      });
      // The other account's provider and settings answer as missing ones.
      expect((await mallory.call('PATCH', `${PATH}/${shared}`, { name: 'Mine' })).status).toBe(404);
      expect((await mallory.call('POST', `${PATH}/${shared}:test`)).status).toBe(404);
      expect((await mallory.call('DELETE', `${PATH}/${shared}`)).status).toBe(404);
    } finally {
      await evil.close();
    }
  });

  it('can’t have a member of both accounts leave the account', async () => {
    const both = { email: 'both@northwind.example', password: 'member of both' };
    const { user_id } = await invite(owner, service, both, 'ADMIN');
    const browser = openBrowser(service);
    provider.users.set('both', { sub: 'both', email: both.email, email_verified: true });
    await signInThrough(browser, shared, 'both');
    await browser.call('POST', '/session:link', { password: both.password });
    const own = await signIn(service, both);
    const list = await browser.call<{ sessions: { current: boolean }[] }>('GET', '/session/devices');
    expect(list.body.sessions.map(({ current }) => current)).toEqual([true]);
    const all = await own.call<{ sessions: { session_id: string; current: boolean }[] }>('GET', '/session/devices');
    expect(all.body.sessions.length).toBeGreaterThan(1);
    const session_id = all.body.sessions.find(({ current }) => current)?.session_id;
    expect((await browser.call('POST', '/session:revoke', { session_id })).status).toBe(404);
    expect((await browser.call('POST', '/session:revoke', {})).body).toEqual({ ended: 0 });
    expect((await own.call('GET', '/session')).body).toMatchObject({ session: { user_id } });
  });
});

const respond = (res: ServerResponse, body: object) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

describe('a callback', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = (header: object, claims: object, sign: (text: string) => string = () => '') => {
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${sign(text)}`;
  };
  const hs256 = (text: string) => createHmac('sha256', provider.client.client_secret).update(text).digest('base64url');

  it.each([
    ['alg: none', (claims: object) => unsigned({ alg: 'none' }, claims), /"alg" header/],
    ['an HMAC with the client secret', (claims: object) => unsigned({ alg: 'HS256' }, claims, hs256), /"alg" header/],
    [
      'a wrong signature',
      (claims: object) => unsigned({ alg: 'RS256' }, claims, () => 'AAAA'),
      /signature verification/,
    ],
    [
      'a nonce of another sign-in',
      (claims: object) => unsigned({ alg: 'RS256' }, { ...claims, nonce: 'other' }, () => 'AAAA'),
      /"nonce" claim/,
    ],
    [
      'another audience',
      (claims: object) => unsigned({ alg: 'RS256' }, { ...claims, aud: 'other' }, () => 'AAAA'),
      /"aud" .*claim/,
    ],
  ])('with an ID token with %s is refused', async (_, forge, reason) => {
    const { login, email } = newUser();
    const browser = openBrowser(service);
    const url = await startSignIn(browser, shared);
    const callback = await authenticate(openVisitor(), url, login);
    const at = Math.floor(Date.now() / 1000);
    const nonce = new URL(url).searchParams.get('nonce');
    const { client_id: aud } = provider.client;
    const claims = {
      iss: provider.issuer,
      sub: 'forged',
      aud,
      iat: at,
      exp: at + 60,
      nonce,
      email,
      email_verified: true,
    };
    provider.instead = (req, res) => {
      if (req.url !== '/token') return false;
      respond(res, { access_token: 'a', token_type: 'Bearer', id_token: forge(claims) });
      return true;
    };
    const { status, body } = await browser.call<Finished>('POST', '/session:finish', finishOf(callback));
    provider.instead = undefined;
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^Northwind: its response does not belong/)]);
    expect(body.message).toMatch(reason);
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
  });

  it('works once, in the browser that started it, within ten minutes', async () => {
    const { login } = newUser();
    const browser = openBrowser(service);
    const body = finishOf(await authenticate(openVisitor(), await startSignIn(browser, shared), login));
    const stolen = await openBrowser(service).call('POST', '/session:finish', body);
    expect([stolen.status, stolen.body['message']]).toEqual([403, expect.stringContaining('in another browser')]);
    const both = await Promise.all([0, 1].map(() => browser.call('POST', '/session:finish', body)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const late = finishOf(await authenticate(openVisitor(), await startSignIn(browser, shared), login));
    await service.services.db
      .updateTable('sign_in_flows')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .execute();
    expect((await browser.call('POST', '/session:finish', late)).status).toBe(400);
    expect((await browser.call('POST', '/session:finish', { ...late, state: 'made up' })).status).toBe(400);
  });

  it('with the state of another provider, of another account, or another issuer is refused', async () => {
    const second = await addProvider({ name: 'Second' });
    const { account_id } = await service.secondAccount();
    const { login } = newUser();
    const browser = openBrowser(service);
    const first = finishOf(await authenticate(openVisitor(), await startSignIn(browser, shared), login));
    const other = finishOf(await authenticate(openVisitor(), await startSignIn(browser, second), login));
    // The code of one sign-in with the state of the other: PKCE and nonce differ.
    const mixed = await browser.call<Finished>('POST', '/session:finish', { ...first, code: other['code'] });
    expect([mixed.status, mixed.body.message]).toEqual([502, expect.stringContaining('refused to complete')]);
    const wrongIssuer = await browser.call<Finished>('POST', '/session:finish', {
      ...other,
      iss: 'https://evil.example',
    });
    expect([wrongIssuer.status, wrongIssuer.body.message]).toEqual([403, expect.stringContaining('"iss"')]);
    const third = finishOf(await authenticate(openVisitor(), await startSignIn(browser, shared), login));
    const { iss: _, ...withoutIssuer } = third;
    const missing = await browser.call<Finished>('POST', '/session:finish', withoutIssuer);
    expect([missing.status, missing.body.message]).toEqual([403, expect.stringContaining('"iss"')]);
    const fourth = finishOf(await authenticate(openVisitor(), await startSignIn(browser, shared), login));
    const elsewhere = await browser.call<Finished>('POST', '/session:finish', { ...fourth, account_id });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([403, expect.stringContaining('redirect URL')]);
    await owner.call('DELETE', `${PATH}/${second}`);
  });

  it('with an error says so, and a disabled or unreachable provider too', async () => {
    const browser = openBrowser(service);
    const start = async () => new URL(await startSignIn(browser, shared)).searchParams.get('state');
    const finish = async (more: object) =>
      browser.call<Finished>('POST', '/session:finish', {
        account_id: service.account_id,
        state: await start(),
        iss: provider.issuer,
        ...more,
      });
    const denied = await finish({ error: 'access_denied' });
    expect(denied.body.message).toBe('Northwind did not sign you in (access_denied).');
    const odd = await finish({ error: '<script>' });
    expect(odd.body.message).toBe('Northwind refused the sign-in (unknown error).');
    expect((await finish({})).status).toBe(403);
    provider.instead = (req, res) => req.url === '/token' && Boolean(res.writeHead(500).end('broken'));
    const broken = await finish({ code: 'x' });
    expect([broken.status, typeof broken.body.message]).toEqual([403, 'string']);
    provider.instead = undefined;
    const state = await start();
    await owner.call('PATCH', `${PATH}/${shared}`, { enabled: false });
    const gone = await browser.call('POST', '/session:finish', { account_id: service.account_id, state, code: 'x' });
    expect([gone.status, gone.body['message']]).toEqual([403, expect.stringContaining('disabled or deleted')]);
    expect((await browser.call('POST', '/session:start', { provider_id: shared })).status).toBe(404);
    await owner.call('PATCH', `${PATH}/${shared}`, { enabled: true });
    expect((await browser.call('POST', '/session:start', { provider_id: 'no-such' })).status).toBe(404);
  });
});

describe('a session through a provider', () => {
  it('ends at the provider too when its user signs out', async () => {
    const { login } = newUser();
    const browser = openBrowser(service);
    await signInThrough(browser, shared, login);
    const rows = await service.services.db.selectFrom('sessions').select('id_token').execute();
    expect(rows.some(({ id_token }) => id_token?.startsWith('v1.'))).toBe(true);
    const { body } = await browser.call<{ sign_out_url: string }>('DELETE', '/session');
    const url = new URL(body.sign_out_url);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`http://localhost:${service.port}/sign-in`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^ey/);
    const page = await openVisitor().visit(url.href);
    expect([page.status, page.html.includes('<form')]).toEqual([200, true]);
    expect((await signIn(service).then((each) => each.call('DELETE', '/session'))).body).toEqual({
      sign_out_url: null,
    });
  });

  it('is confirmed by signing in at the provider again, as the same user', async () => {
    const { login } = newUser();
    const other = newUser();
    const browser = openBrowser(service);
    const provider_id = await addProvider({ default_role: 'ADMIN' });
    await signInThrough(browser, provider_id, login);
    const forget = () =>
      service.services.db
        .updateTable('sessions')
        .set({ confirmed_at: null })
        .where('provider_id', '=', provider_id)
        .execute();
    await forget();
    expect((await browser.call('POST', '/api-keys', { name: 'x' })).body).toMatchObject({
      required: 'CONFIRM_PASSWORD',
    });
    const asOther = await signInThrough(browser, provider_id, other.login, { purpose: 'CONFIRM' });
    expect([asOther.status, asOther.body.message]).toEqual([403, expect.stringContaining('as another user')]);
    const url = new URL(await startSignIn(browser, provider_id, { purpose: 'CONFIRM' }));
    expect([url.searchParams.get('prompt'), url.searchParams.get('max_age')]).toEqual(['login', '0']);
    const confirmed = await signInThrough(browser, provider_id, login, { purpose: 'CONFIRM' });
    expect(confirmed.body.result).toBe('CONFIRMED');
    expect((await browser.call('POST', '/api-keys', { name: 'x' })).status).toBe(200);
    // A provider's session from before does not confirm.
    await forget();
    const visitor = openVisitor();
    const stale = new URL(await startSignIn(browser, provider_id, { purpose: 'CONFIRM' }));
    await authenticate(visitor, stale.href, login);
    const flow = await startSignIn(browser, provider_id, { purpose: 'CONFIRM' });
    const silent = new URL(flow);
    silent.searchParams.delete('prompt');
    silent.searchParams.delete('max_age');
    await service.services.db
      .updateTable('sign_in_flows')
      .set({ expires_at: new Date(Date.now() + 30 * 60_000).toISOString() })
      .execute();
    const old = await browser.call<Finished>(
      'POST',
      '/session:finish',
      finishOf(await authenticate(visitor, silent.href, login)),
    );
    expect([old.status, old.body.message]).toEqual([403, expect.stringContaining('did not ask you to sign in again')]);
    expect(
      (await openBrowser(service).call('POST', '/session:start', { provider_id, purpose: 'CONFIRM' })).status,
    ).toBe(401);
    const own = await owner.call('POST', '/session:start', { provider_id, purpose: 'CONFIRM' });
    expect(own.status).toBe(400);
    await owner.call('DELETE', `${PATH}/${provider_id}`);
  });

  it('ends when the provider is disabled or deleted', async () => {
    const provider_id = await addProvider();
    const { login } = newUser();
    const browser = openBrowser(service);
    await signInThrough(browser, provider_id, login);
    await owner.call('PATCH', `${PATH}/${provider_id}`, { enabled: false });
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
    await owner.call('PATCH', `${PATH}/${provider_id}`, { enabled: true });
    await signInThrough(browser, provider_id, login);
    await owner.call('DELETE', `${PATH}/${provider_id}`);
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
  });
});

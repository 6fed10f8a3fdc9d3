/** Sign-in through identity providers of an account, against a real provider. */
import { describe, expect, it } from 'vitest';
import { invite, openBrowser, signIn } from '../../test/browser.ts';
import { type ProviderUser, signInThrough } from './identity-provider.ts';
import { openIdForAll, PATH, respond } from './openid-support.ts';

const set = openIdForAll();
const { service, owner, provider, settings, addProvider, newUser, lastEntry } = set;

describe('settings of a provider', () => {
  it('are the owner’s, keep the secret and have the URLs to register', async () => {
    const { body } = await owner.call('GET', PATH);
    expect(body).toMatchObject({
      redirect_url: `http://localhost:${service.port}/sign-in/callback/${service.account_id}`,
      identity_providers: [{ provider_id: set.shared, has_secret: true, default_role: 'VIEWER', enabled: true }],
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
      ['PATCH', `${PATH}/${set.shared}`, { name: 'Other' }],
      ['DELETE', `${PATH}/${set.shared}`, undefined],
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
    const failed = await owner.call('POST', `${PATH}/${set.shared}:test`);
    expect(failed.body).toMatchObject({ test: { succeeded: false } });
    provider.instead = undefined;
    const answer = await owner.call('POST', `${PATH}/${set.shared}:test`);
    expect(answer.body).toMatchObject({
      test: { succeeded: true, message: expect.stringContaining('keys were read') },
    });
  });
});

describe('a sign-in', () => {
  it('creates a member once, finds it again by subject, and is in the audit log', async () => {
    const { login, email, name } = newUser();
    const browser = openBrowser(service);
    const first = await signInThrough(browser, set.shared, login, { next: '/events?status=FAILED' });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({
      result: 'SIGNED_IN',
      next: '/events?status=FAILED',
      session: { email, role: 'VIEWER', provider: { provider_id: set.shared, name: 'Northwind', only_account: true } },
    });
    expect((await browser.call('GET', '/session')).body).toMatchObject({ session: { email } });
    expect((await browser.call('GET', '/api-keys')).status).toBe(200);
    // The provider changes the address, not the subject.
    provider.users.set(login, { ...(provider.users.get(login) as ProviderUser), email: `new-${email}` });
    const again = await signInThrough(openBrowser(service), set.shared, login);
    expect(again.body.session?.user_id).toBe(first.body.session?.user_id);
    expect(await lastEntry(set.shared)).toMatchObject({
      operation: 'signInFinish',
      outcome: 'SUCCEEDED',
      actor_name: name,
    });
  });

  it('is listed for the domain, for the account, and not otherwise', async () => {
    const list = async (body: object) =>
      (await openBrowser(service).call<{ providers: object[] }>('POST', '/session:providers', body)).body.providers;
    const shown = [{ provider_id: set.shared, name: 'Northwind', host: new URL(provider.issuer).host }];
    expect(await list({ email: 'anyone@northwind.example' })).toEqual(shown);
    expect(await list({ account_id: service.account_id })).toEqual(shown);
    expect(await list({ email: 'anyone@northwind.example.org' })).toEqual([]);
    expect(await list({ email: 'anyone@%' })).toEqual([]);
    expect(await list({})).toEqual([]);
  });

  it('of a person without membership is refused unless the provider creates members; an invitation is accepted', async () => {
    await owner.call('PATCH', `${PATH}/${set.shared}`, { creates_members: false });
    const { login, email } = newUser();
    const refused = await signInThrough(openBrowser(service), set.shared, login);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      `${email} is not a member. Ask an owner to invite you, then continue with Northwind.`,
    );
    expect(await lastEntry(set.shared)).toMatchObject({ outcome: 'FAILED', actor_name: email });
    await owner.call('POST', '/account/members', { email, role: 'ADMIN' });
    expect((await signInThrough(openBrowser(service), set.shared, login)).body.session).toMatchObject({
      role: 'ADMIN',
    });
    await owner.call('PATCH', `${PATH}/${set.shared}`, { creates_members: true });
  });

  it('of a removed member makes a new one only if the provider creates members', async () => {
    const { login } = newUser();
    const browser = openBrowser(service);
    const { body } = await signInThrough(browser, set.shared, login);
    await owner.call('DELETE', `/account/members/${body.session?.user_id}`);
    expect((await browser.call('GET', '/api-keys')).status).toBe(401);
    await owner.call('PATCH', `${PATH}/${set.shared}`, { creates_members: false });
    expect((await signInThrough(openBrowser(service), set.shared, login)).status).toBe(403);
    await owner.call('PATCH', `${PATH}/${set.shared}`, { creates_members: true });
    const again = await signInThrough(openBrowser(service), set.shared, login);
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
      const { status, body } = await signInThrough(openBrowser(service), set.shared, login);
      expect([status, body.message]).toEqual([403, expect.stringMatching(message)]);
    }
    // A known subject whose address is no longer verified.
    const { login, email } = newUser();
    expect((await signInThrough(openBrowser(service), set.shared, login)).status).toBe(200);
    provider.users.set(login, { sub: login, email, email_verified: false });
    expect((await signInThrough(openBrowser(service), set.shared, login)).status).toBe(403);
  });

  it('is refused if the provider gives the address to another subject', async () => {
    const { login, email } = newUser();
    expect((await signInThrough(openBrowser(service), set.shared, login)).status).toBe(200);
    provider.users.set('successor', { sub: 'successor', email, email_verified: true });
    const { status, body } = await signInThrough(openBrowser(service), set.shared, 'successor');
    expect([status, body.message]).toEqual([403, expect.stringContaining('another user with the address')]);
    expect(await lastEntry(set.shared)).toMatchObject({ outcome: 'FAILED', actor_name: email });
  });

  it('at the same time twice creates one member', async () => {
    const { login, email } = newUser();
    const twice = [0, 1].map(() => signInThrough(openBrowser(service), set.shared, login));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([200, 200]);
    const { members } = (await owner.call<{ members: { email: string }[] }>('GET', '/account/members')).body;
    expect(members.filter((each) => each.email === email)).toHaveLength(1);
  });

  it('returns only to a path of the console', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/a\\b', 'events']) {
      const { status, body } = await openBrowser(service).call('POST', '/session:start', {
        provider_id: set.shared,
        next,
      });
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

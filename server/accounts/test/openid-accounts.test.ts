/** Identity providers of the installation, and accounts that allow no passwords. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { invite, openBrowser, signIn, tokenOf } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll } from '../../test/shared-set-up.ts';
import { freePort } from '../../test/spawned.ts';
import { addAuthenticator } from './factor-support.ts';
import { type IdentityProviderForTest, newClient, signInThrough, startIdentityProvider } from './identity-provider.ts';

type Set = { service: Service; provider: IdentityProviderForTest; close(): Promise<void> };
/** The example of docs/reference/operating.md, with the provider's URL. */
const setting = ({ issuer, client }: Pick<IdentityProviderForTest, 'issuer' | 'client'>, more: object = {}) =>
  JSON.stringify([
    {
      id: 'company',
      name: 'Northwind',
      issuer,
      ...client,
      allowed_domains: ['northwind.example'],
      role_claim: 'groups',
      scopes: ['groups'],
      role_mapping: [{ value: 'sluice-admins', role: 'ADMIN' }],
      creates_members: true,
      ...more,
    },
  ]);

const set = forAll<Set>(async () => {
  const port = await freePort();
  const settled = { issuer: `http://127.0.0.1:${port}`, client: newClient() };
  const service = await startService({ env: { SLUICE_OIDC_PROVIDERS: setting(settled) } });
  const callback = `http://localhost:${service.port}/sign-in/callback`;
  const provider = await startIdentityProvider({ callbacks: [callback], port, client: settled.client });
  return {
    service,
    provider,
    async close() {
      await service.stop();
      await provider.close();
    },
  };
});
const owner = forAll(() => signIn(set.service));
let made = 0;
function newUser(groups: string[] = []): { login: string; email: string } {
  const login = `user-${++made}`;
  const email = `${login}@northwind.example`;
  set.provider.users.set(login, { sub: login, email, email_verified: true, name: login, groups });
  return { login, email };
}

describe('a provider of the installation', () => {
  it('is shown to everybody, and creates members of the first account', async () => {
    const browser = openBrowser(set.service);
    const { host } = new URL(set.provider.issuer);
    expect((await browser.call('POST', '/session:providers', {})).body).toEqual({
      providers: [{ provider_id: 'company', name: 'Northwind', host }],
    });
    const { login, email } = newUser(['sluice-admins']);
    const { body } = await signInThrough(browser, 'company', login);
    expect(body.session).toMatchObject({
      email,
      role: 'ADMIN',
      account_id: set.service.account_id,
      provider: { provider_id: 'company', name: 'Northwind', only_account: false },
    });
    expect((await signInThrough(openBrowser(set.service), 'company', login)).body.session?.user_id).toBe(
      body.session?.user_id,
    );
    expect((await owner.call('GET', '/account/identity-providers')).body).toMatchObject({
      installation_providers: [{ name: 'Northwind', issuer: set.provider.issuer }],
    });
  });

  it('asks a person with a password to confirm, so that no password from before gets in', async () => {
    const { login, email } = newUser();
    const password = 'set before the sign-in';
    await invite(owner, set.service, { email, password }, 'VIEWER');
    const browser = openBrowser(set.service);
    expect((await signInThrough(browser, 'company', login)).body.result).toBe('CONFIRM_MEMBER');
    expect((await browser.call('POST', '/session:link', { password })).body).toMatchObject({
      session: { email, provider: { only_account: false } },
    });
    expect((await signInThrough(openBrowser(set.service), 'company', login)).body.result).toBe('SIGNED_IN');
  });

  it('accepts an invitation, and refuses another domain', async () => {
    const { login, email } = newUser(['sluice-admins']);
    await owner.call('POST', '/account/members', { email, role: 'VIEWER' });
    expect((await signInThrough(openBrowser(set.service), 'company', login)).body.session?.role).toBe('ADMIN');
    set.provider.users.set('far', { sub: 'far', email: 'far@elsewhere.example', email_verified: true });
    const { status } = await signInThrough(openBrowser(set.service), 'company', 'far');
    expect(status).toBe(403);
  });

  it('has a setting that names what is wrong', () => {
    const read = (SLUICE_OIDC_PROVIDERS: string) => () => readConfig({ SLUICE_OIDC_PROVIDERS });
    expect(read('[')).toThrow('SLUICE_OIDC_PROVIDERS: expected a JSON array of identity providers');
    expect(read('[{}]')).toThrow(/^SLUICE_OIDC_PROVIDERS: 0: \w+: /);
    expect(read(setting(set.provider, { id: 'With Space' }))).toThrow(/0: id: expected 1 to 30 characters/);
    expect(read(setting(set.provider, { typo: 1 }))).toThrow(/typo/);
    const [one] = JSON.parse(setting(set.provider)) as [object];
    expect(read(JSON.stringify([one, one]))).toThrow('expected different ids, got company twice');
    expect(readConfig({ SLUICE_OIDC_PROVIDERS: setting(set.provider) }).identityProviders).toHaveLength(1);
  });
});

describe('an account without passwords', () => {
  const password = 'a long enough password';
  const turn = (password_sign_in: boolean) => owner.call('PATCH', '/account', { password_sign_in });

  it('needs an owner who has signed in through a provider, and then is entered only that way', async () => {
    const { service } = set;
    const refused = await turn(false);
    expect(refused.status).toBe(409);
    expect(refused.body['message']).toMatch(/^No owner could sign in any more/);
    expect((await owner.call('GET', '/account')).body).toMatchObject({ account: { password_sign_in: true } });

    // The owner links the provider to themselves.
    const { login, email } = newUser();
    const second = await invite(owner, service, { email, password }, 'OWNER');
    const browser = openBrowser(service);
    await signInThrough(browser, 'company', login);
    await browser.call('POST', '/session:link', { password });
    await owner.call('PATCH', `/account/members/${second.user_id}`, { role: 'OWNER' });
    const member = await invite(owner, service, { email: 'plain@example.com', password }, 'ADMIN');
    expect((await turn(false)).status).toBe(200);

    // Sessions by password have ended, new ones are refused, without saying so to a wrong password.
    expect((await member.browser.call('GET', '/api-keys')).status).toBe(401);
    const by = { email: 'plain@example.com', password };
    const denied = await openBrowser(service).call('POST', '/session', by);
    expect([denied.status, denied.body['message']]).toEqual([403, expect.stringContaining('does not allow passwords')]);
    expect((await openBrowser(service).call('POST', '/session', { ...by, password: 'wrong' })).status).toBe(401);
    const invited = await browser.call<{ invite_url: string }>('POST', '/account/members', {
      email: 'invited@example.com',
      role: 'VIEWER',
    });
    const accept = { token: tokenOf(invited.body.invite_url), password: 'set by the invited' };
    expect((await openBrowser(service).call('POST', '/session:accept', accept)).status).toBe(403);
    expect((await signInThrough(openBrowser(service), 'company', login)).status).toBe(200);

    // The last owner with a way in stays one; the first owner, who has none now, is not counted.
    const me = `/account/members/${second.user_id}`;
    expect((await browser.call('PATCH', me, { role: 'ADMIN' })).status).toBe(400);
    expect((await browser.call('DELETE', me)).status).toBe(400);
  });

  it('lets an owner in with a link of the operator, and no other member', async () => {
    const { service } = set;
    const run = (email: string) =>
      promisify(execFile)(process.execPath, ['scripts/reset-password.ts', email], {
        cwd: new URL('../../..', import.meta.url).pathname,
        env: {
          DATABASE_URL: service.databaseUrl,
          SLUICE_DATA_DIR: service.dataDir,
          SLUICE_PORT: String(service.port),
        },
      });
    await expect(run('plain@example.com')).rejects.toThrow(/No active member has the address/);
    const { stdout } = await run('admin@example.com');
    const link = { token: tokenOf(/http\S+/.exec(stdout)?.[0] ?? ''), password: 'set with the link of the operator' };
    const browser = openBrowser(service);
    expect((await browser.call('POST', '/session:accept', link)).body).toMatchObject({ session: { role: 'OWNER' } });
    expect((await browser.call('PATCH', '/account', { password_sign_in: true })).status).toBe(200);
    await signIn(service, { email: 'admin@example.com', password: link.password });
    await signIn(service, { email: 'plain@example.com', password });

    // With a second factor, the link lets the owner in after the second step only.
    const { recovery_codes } = await addAuthenticator(browser);
    expect((await browser.call('PATCH', '/account', { password_sign_in: false })).status).toBe(200);
    const again = await run('admin@example.com');
    const relink = { token: tokenOf(/http\S+/.exec(again.stdout)?.[0] ?? ''), password: 'set with the second link' };
    const there = openBrowser(service);
    expect((await there.call('POST', '/session:accept', relink)).body).toMatchObject({ session: null });
    expect((await there.call('GET', '/account')).status).toBe(401);
    const [recovery_code] = recovery_codes ?? [];
    const entered = await there.call('POST', '/session:factor', { recovery_code });
    expect(entered.body).toMatchObject({ session: { role: 'OWNER' } });
    expect((await there.call('PATCH', '/account', { password_sign_in: true })).status).toBe(200);
  });
});

describe('an owner whom a provider of the account manages', () => {
  it('keeps the account open, and gets in with a link of the operator when the provider is gone', async () => {
    const { service } = set;
    const { services } = service;
    const browser = openBrowser(service);
    const first = await signIn(service, { email: 'plain@example.com', password: 'a long enough password' });
    await services.db.updateTable('users').set({ role: 'OWNER' }).where('email', '=', 'plain@example.com').execute();
    const callback = `http://localhost:${service.port}/sign-in/callback/${service.account_id}`;
    const own = await startIdentityProvider({ callbacks: [callback] });
    try {
      own.users.set('boss', { sub: 'boss', email: 'boss@northwind.example', email_verified: true });
      const { body } = await first.call<{ identity_provider: { provider_id: string } }>(
        'POST',
        '/account/identity-providers',
        {
          name: 'Own',
          issuer: own.issuer,
          ...own.client,
          allowed_domains: ['northwind.example'],
          creates_members: true,
          default_role: 'OWNER',
        },
      );
      const { provider_id } = body.identity_provider;
      const entered = await signInThrough(browser, provider_id, 'boss');
      expect(entered.body.session).toMatchObject({ role: 'OWNER', provider: { only_account: true } });
      // Everyone else loses the role.
      await services.db
        .updateTable('users')
        .set({ role: 'ADMIN' })
        .where('email', '!=', 'boss@northwind.example')
        .execute();
      const path = `/account/identity-providers/${provider_id}`;
      expect((await browser.call('DELETE', path)).status).toBe(409);
      expect((await browser.call('PATCH', path, { enabled: false })).status).toBe(409);
      expect((await browser.call('PATCH', path, { name: 'Renamed' })).body).toMatchObject({
        identity_provider: { name: 'Renamed', members: 1, enabled: true },
      });
    } finally {
      await own.close();
    }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['scripts/reset-password.ts', 'boss@northwind.example'],
      {
        cwd: new URL('../../..', import.meta.url).pathname,
        env: { DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir, SLUICE_PORT: String(service.port) },
      },
    );
    const password = 'chosen after the provider';
    const link = { token: tokenOf(/http\S+/.exec(stdout)?.[0] ?? ''), password };
    const opened = await openBrowser(service).call('POST', '/session:accept', link);
    expect(opened.body).toMatchObject({ session: { role: 'OWNER', provider: null } });
    await signIn(service, { email: 'boss@northwind.example', password });
  });
});

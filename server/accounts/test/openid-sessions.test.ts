/** Sessions through an identity provider, and how an existing member gets one. */
import { describe, expect, it } from 'vitest';
import { invite, openBrowser, signIn } from '../../test/browser.ts';
import { openVisitor } from '../../test/visitor.ts';
import { authenticate, type Finished, finishOf, signInThrough, startSignIn } from './identity-provider.ts';
import { openIdForAll, PATH } from './openid-support.ts';

const set = openIdForAll();
const { service, owner, provider, addProvider, newUser } = set;

const password = 'their own password';

describe('an existing member', () => {
  it('confirms the link once with the password; until then no session is open', async () => {
    const { login, email } = newUser();
    const { user_id } = await invite(owner, service, { email, password }, 'ADMIN');
    const browser = openBrowser(service);
    const { body } = await signInThrough(browser, set.shared, login);
    expect(body).toMatchObject({ result: 'CONFIRM_MEMBER', session: null, member: { email } });
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
    // Only the browser that signed in can confirm.
    expect((await openBrowser(service).call('POST', '/session:link', { password })).status).toBe(400);
    expect((await browser.call('POST', '/session:link', {})).status).toBe(401);
    expect((await browser.call('POST', '/session:link', { password: 'a guess' })).status).toBe(400);
    const linked = await browser.call('POST', '/session:link', { password });
    expect(linked.body).toMatchObject({ session: { user_id, provider: { only_account: true } } });
    expect((await browser.call('POST', '/session:link', { password })).status).toBe(400);
    const again = await signInThrough(openBrowser(service), set.shared, login);
    expect(again.body).toMatchObject({ result: 'SIGNED_IN', session: { user_id } });
  });

  it('confirms it with an own session, not with one that is limited to an account', async () => {
    const { login, email } = newUser();
    await invite(owner, service, { email, password }, 'ADMIN');
    const browser = await signIn(service, { email, password });
    expect((await signInThrough(browser, set.shared, login)).body.result).toBe('CONFIRM_MEMBER');
    expect((await browser.call('POST', '/session:link', {})).status).toBe(200);
    const second = await addProvider({ name: 'Second' });
    expect((await signInThrough(browser, second, login)).body.result).toBe('CONFIRM_MEMBER');
    expect((await browser.call('POST', '/session:link', {})).status).toBe(401);
    await owner.call('DELETE', `${PATH}/${second}`);
  });
});

describe('a session through a provider', () => {
  it('ends at the provider too when its user signs out', async () => {
    const { login } = newUser();
    const browser = openBrowser(service);
    await signInThrough(browser, set.shared, login);
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

  it('that is limited to an account does not reach what belongs to the person', async () => {
    const { login, email } = newUser();
    const person = { email, password };
    const { browser: own } = await invite(owner, service, person, 'ADMIN');
    const limited = openBrowser(service);
    await signInThrough(limited, set.shared, login);
    expect((await limited.call('POST', '/session:link', { password })).status).toBe(200);
    const { account_id } = await service.secondAccount();
    for (const [method, path, body] of [
      ['GET', '/session/factors', undefined],
      ['POST', '/session/passkeys:options', {}],
      ['POST', '/session/authenticator', {}],
      ['POST', '/session:switch', { account_id }],
      ['POST', '/session/accounts', { name: 'Mine' }],
    ] as const) {
      const { status, body: reply } = await limited.call(method, path, body);
      expect([status, reply['message']], path).toEqual([403, expect.stringContaining('limited to the account')]);
    }
    expect((await own.call('GET', '/session/factors')).status).toBe(200);
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

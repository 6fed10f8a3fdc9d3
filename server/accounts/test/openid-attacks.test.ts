/** Identity providers, owners and callbacks that claim what they may not. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { invite, openBrowser, signIn } from '../../test/browser.ts';
import { openVisitor } from '../../test/visitor.ts';
import {
  authenticate,
  type Finished,
  finishOf,
  signInThrough,
  startIdentityProvider,
  startSignIn,
} from './identity-provider.ts';
import { type Listed, openIdForAll, PATH, respond } from './openid-support.ts';

const set = openIdForAll();
const { service, owner, provider, settings, addProvider, newUser } = set;

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
      expect((await mallory.call('PATCH', `${PATH}/${set.shared}`, { name: 'Mine' })).status).toBe(404);
      expect((await mallory.call('POST', `${PATH}/${set.shared}:test`)).status).toBe(404);
      expect((await mallory.call('DELETE', `${PATH}/${set.shared}`)).status).toBe(404);
    } finally {
      await evil.close();
    }
  });

  it('can’t have a member of both accounts leave the account', async () => {
    const both = { email: 'both@northwind.example', password: 'member of both' };
    const { user_id } = await invite(owner, service, both, 'ADMIN');
    const browser = openBrowser(service);
    provider.users.set('both', { sub: 'both', email: both.email, email_verified: true });
    await signInThrough(browser, set.shared, 'both');
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
    const url = await startSignIn(browser, set.shared);
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
    const body = finishOf(await authenticate(openVisitor(), await startSignIn(browser, set.shared), login));
    const stolen = await openBrowser(service).call('POST', '/session:finish', body);
    expect([stolen.status, stolen.body['message']]).toEqual([403, expect.stringContaining('in another browser')]);
    const both = await Promise.all([0, 1].map(() => browser.call('POST', '/session:finish', body)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const late = finishOf(await authenticate(openVisitor(), await startSignIn(browser, set.shared), login));
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
    const first = finishOf(await authenticate(openVisitor(), await startSignIn(browser, set.shared), login));
    const other = finishOf(await authenticate(openVisitor(), await startSignIn(browser, second), login));
    // The code of one sign-in with the state of the other: PKCE and nonce differ.
    const mixed = await browser.call<Finished>('POST', '/session:finish', { ...first, code: other['code'] });
    expect([mixed.status, mixed.body.message]).toEqual([502, expect.stringContaining('refused to complete')]);
    const wrongIssuer = await browser.call<Finished>('POST', '/session:finish', {
      ...other,
      iss: 'https://evil.example',
    });
    expect([wrongIssuer.status, wrongIssuer.body.message]).toEqual([403, expect.stringContaining('"iss"')]);
    const third = finishOf(await authenticate(openVisitor(), await startSignIn(browser, set.shared), login));
    const { iss: _, ...withoutIssuer } = third;
    const missing = await browser.call<Finished>('POST', '/session:finish', withoutIssuer);
    expect([missing.status, missing.body.message]).toEqual([403, expect.stringContaining('"iss"')]);
    const fourth = finishOf(await authenticate(openVisitor(), await startSignIn(browser, set.shared), login));
    const elsewhere = await browser.call<Finished>('POST', '/session:finish', { ...fourth, account_id });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([403, expect.stringContaining('redirect URL')]);
    await owner.call('DELETE', `${PATH}/${second}`);
  });

  it('with an error says so, and a disabled or unreachable provider too', async () => {
    const browser = openBrowser(service);
    const start = async () => new URL(await startSignIn(browser, set.shared)).searchParams.get('state');
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
    await owner.call('PATCH', `${PATH}/${set.shared}`, { enabled: false });
    const gone = await browser.call('POST', '/session:finish', { account_id: service.account_id, state, code: 'x' });
    expect([gone.status, gone.body['message']]).toEqual([403, expect.stringContaining('disabled or deleted')]);
    expect((await browser.call('POST', '/session:start', { provider_id: set.shared })).status).toBe(404);
    await owner.call('PATCH', `${PATH}/${set.shared}`, { enabled: true });
    expect((await browser.call('POST', '/session:start', { provider_id: 'no-such' })).status).toBe(404);
  });
});

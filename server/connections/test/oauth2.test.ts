/** OAuth 2 with a real provider: connect window, authorization pages, callback. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { getConnection, newConnection, onLink, submitIn, tokenOf, windowAt } from './connecting.ts';
import { addCloud, begin, callbackOf, connectAt, goBack } from './oauth-flow.ts';
import { agree, deny, type OAuthProvider, startProvider } from './oauth-provider.ts';

let service: Service;
let provider: OAuthProvider;
let redirect_url: string;
beforeAll(async () => {
  service = await startService();
  redirect_url = callbackOf(service);

  provider = await startProvider({ redirect_urls: [redirect_url] });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

const problemOf = (to: string) => {
  expect(to.split('?')[0]).toBe(`http://localhost:${service.port}/connect`);
  return new URL(to).searchParams.get('problem');
};
const auditOf = async (id: string) =>
  (
    await service.api<{ entries: { operation: string; actor_type: string }[] }>('GET', `/audit?resource_id=${id}`)
  ).body.entries.map(({ operation, actor_type }) => `${operation} ${actor_type}`);

describe('a user who allows access', () => {
  it('is redirected to the provider with PKCE, a state, the exact redirect URL, and no secret', async () => {
    const { authorize } = await begin(service, await addCloud(service, provider));
    const url = new URL(authorize);
    expect(url.origin + url.pathname).toBe(`${provider.url}/auth`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: provider.client.client_id,
      redirect_uri: redirect_url,
      scope: 'openid read',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(authorize).not.toContain(provider.client.client_secret);
  });

  it('returns to a working connection', async () => {
    const { app, id, visitor, authorize } = await begin(service, await addCloud(service, provider));
    const back = await goBack(visitor, await agree(visitor, authorize));
    expect(back.status).toBe(303);
    expect(back.headers.get('referrer-policy')).toBe('no-referrer');
    expect(back.headers.get('cache-control')).toBe('no-store');
    expect(await windowAt(service, back.to)).toMatchObject({ status: 'ACTIVE', finished: true, failure: null });
    expect(await getConnection(service, id)).toMatchObject({
      status: 'ACTIVE',
      method: 'OAUTH2',
      metadata: {},
      token_expires_at: expect.stringMatching(/Z$/),
      refresh_at: expect.stringMatching(/Z$/),
    });
    const answer = await service.api('GET', `/${app}/whoami`);
    expect(answer.body).toEqual({ sub: 'mira', client_id: provider.client.client_id, scope: 'openid read' });
    expect(await auditOf(id)).toEqual([
      'connectSessionReturn CONNECT_LINK',
      'connectSessionSubmit CONNECT_LINK',
      'connectionCreate API_KEY',
    ]);
  });

  it('is asked for the scopes of the account', async () => {
    const app = await addCloud(service, provider, { client: { ...provider.client, scopes: ['openid', 'write'] } });
    const { authorize } = await begin(service, app);
    expect(new URL(authorize).searchParams.get('scope')).toBe('openid write');
  });

  it('can’t use the final window again', async () => {
    const { visitor, authorize } = await begin(service, await addCloud(service, provider));
    const { to } = await goBack(visitor, await agree(visitor, authorize));
    const again = await onLink(service, tokenOf(to), { method: 'OAUTH2', fields: {} });
    expect(again).toMatchObject({ status: 400, body: { message: expect.stringContaining('already used') } });
  });

  it.each(['client_secret_basic', 'none'] as const)('does so with the client authentication %s', async (auth) => {
    const other = await startProvider({ redirect_urls: [redirect_url], auth });
    const app = await addCloud(
      service,
      other,
      auth === 'none'
        ? { client: { client_id: other.client.client_id, client_secret: null } }
        : { method: { client_auth: 'basic' } },
    );
    await connectAt(service, app);
    expect((await service.api('GET', `/${app}/x`)).status).toBe(200);
    await other.close();
  });
});

describe('the callback', () => {
  it('with a denial makes the connection FAILED, and the link shows it and still works', async () => {
    const { id, visitor, authorize, link } = await begin(service, await addCloud(service, provider));
    const { to } = await goBack(visitor, await deny(visitor, authorize));
    const said = { code: 'ACCESS_DENIED', message: 'Cloud denied access.' };
    expect(await windowAt(service, to)).toMatchObject({ status: 'FAILED', finished: false, failure: said });
    expect(await windowAt(service, link)).toMatchObject({ failure: said });
    expect(await getConnection(service, id)).toMatchObject({ status: 'FAILED', metadata: { failure: said } });
    const again = await submitIn(visitor, to, 'OAUTH2');
    const done = await goBack(visitor, await agree(visitor, again.body.redirect_url ?? ''));
    expect(await windowAt(service, done.to)).toMatchObject({ status: 'ACTIVE', failure: null });
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', metadata: {} });
  });

  it('with a denial does not change a working connection, and is shown only in the window', async () => {
    const { app, id } = await connectAt(service, await addCloud(service, provider));
    const { visitor, authorize } = await begin(service, app, { id });
    const { to } = await goBack(visitor, await deny(visitor, authorize));
    expect(await windowAt(service, to)).toMatchObject({ status: 'ACTIVE', failure: { code: 'ACCESS_DENIED' } });
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', metadata: {} });
    expect((await service.api('GET', `/${app}/x`)).status).toBe(200);
  });

  it('is processed once', async () => {
    const { id, visitor, authorize } = await begin(service, await addCloud(service, provider));
    const back = await agree(visitor, authorize);
    const calls = provider.calls.length;
    const all = await Promise.all(Array.from({ length: 5 }, () => goBack(visitor, back)));
    expect(all.map(({ to }) => problemOf(to)).sort()).toEqual([null, ...Array(4).fill('unknown_return')].sort());
    expect(provider.calls.length).toBe(calls + 1);
    expect((await getConnection(service, id)).status).toBe('ACTIVE');
  });

  it('of a second tab is rejected after that of the first', async () => {
    const first = await begin(service, await addCloud(service, provider));
    const second = await submitIn(first.visitor, first.link, 'OAUTH2');
    const back = await agree(first.visitor, second.body.redirect_url ?? '');
    expect(problemOf((await goBack(first.visitor, await agree(first.visitor, first.authorize))).to)).toBe(null);
    expect(problemOf((await goBack(first.visitor, back)).to)).toBe('unknown_return');
    expect((await service.api('GET', `/${first.app}/x`)).status).toBe(200);
  });

  it('is rejected in another browser, and still works in the first', async () => {
    const { id, visitor, authorize } = await begin(service, await addCloud(service, provider));
    const back = await agree(visitor, authorize);
    const elsewhere = openVisitor();
    expect(problemOf((await goBack(elsewhere, back)).to)).toBe('other_browser');
    await submitIn(elsewhere, (await getConnection(service, id)).url, 'OAUTH2');
    expect(elsewhere.cookies(redirect_url)).toMatch(/^sluice_connect=[\w-]{43}$/);
    expect(problemOf((await goBack(elsewhere, back)).to)).toBe('other_browser');
    expect((await getConnection(service, id)).status).toBe('PENDING');
    expect(problemOf((await goBack(visitor, back)).to)).toBe(null);
  });

  it('is unknown without a state, with an unknown or expired one, and after a newer link', async () => {
    const strange = ['', '?code=x', '?state=', `?state=${'x'.repeat(43)}&code=x`, '?state=%00&oauth_token=%ff'];
    for (const query of strange)
      expect(problemOf((await goBack(openVisitor(), redirect_url + query)).to)).toBe('unknown_return');
    const late = await begin(service, await addCloud(service, provider));
    await service.services.db
      .updateTable('connect_flows')
      .set({ expires_at: '2026-01-01T00:00:00Z' })
      .where('connection_id', '=', late.id)
      .execute();
    expect(problemOf((await goBack(late.visitor, await agree(late.visitor, late.authorize))).to)).toBe(
      'unknown_return',
    );
    const replaced = await begin(service, await addCloud(service, provider));
    await service.api('POST', `/connections/${replaced.id}:reconnect`);
    const back = await agree(replaced.visitor, replaced.authorize);
    expect(problemOf((await goBack(replaced.visitor, back)).to)).toBe('unknown_return');
    expect((await onLink(service, tokenOf(replaced.link))).status).toBe(400);
    await begin(service, replaced.app, replaced);
  });

  it('accepts only GET, so that other requests don’t use the code', async () => {
    const { visitor, authorize } = await begin(service, await addCloud(service, provider));
    const back = await agree(visitor, authorize);
    for (const method of ['HEAD', 'POST', 'PUT']) {
      const answer = await visitor.ask(back, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect(problemOf((await goBack(visitor, back)).to)).toBe(null);
  });

  it('exists only at the connect URL', async () => {
    const connect_url = 'http://connect.example.test:1234';
    const apart = await startService({ env: { SLUICE_CONNECT_URL: connect_url } });
    const ask = (host: string, path: string) =>
      new Promise<{ status: number | undefined; location: string | undefined }>((ok, refuse) => {
        const asked = request(`${apart.url}${path}`, { headers: { host } }, (answer) => {
          answer.resume();
          ok({ status: answer.statusCode, location: answer.headers.location });
        });
        asked.on('error', refuse).end();
      });
    const known = new URL(connect_url).host;
    const astray = { status: 303, location: `${connect_url}?problem=unknown_return` };
    expect(await ask(known, '/oauth/callback?state=x')).toEqual(astray);
    for (const [host, path] of [
      [`localhost:${apart.port}`, '/oauth/callback?state=x'],
      [known, '/oauth/callback/?state=x'],
      [known, '/connect/oauth/callback?state=x'],
    ] as const)
      expect((await ask(host, path)).location).toBe(undefined);
    await apart.stop();
  });

  it('does not include text of the provider', async () => {
    const { visitor, authorize } = await begin(service, await addCloud(service, provider));
    const state = new URL(authorize).searchParams.get('state') ?? '';
    const error = '<script>alert(1)</script>';
    const query = new URLSearchParams({ state, error, error_description: error, error_uri: 'https://evil.example/' });
    const { status, to } = await goBack(visitor, `${redirect_url}?${query}`);
    expect([status, problemOf(to)]).toEqual([303, null]);
    const { failure } = await windowAt(service, to);
    expect(failure).toMatchObject({ code: 'EXCHANGE_FAILED', message: 'Cloud refused (refused).' });
  });
});

describe('an app with invalid credentials', () => {
  it('reports a missing client', async () => {
    const app = await addCloud(service, provider, { client: null });
    const id = await newConnection(service, app);
    const { url } = await getConnection(service, id);
    expect((await windowAt(service, url)).methods).toMatchObject([{ needs_client: true, has_client: false }]);
    const { status, body } = await submitIn(openVisitor(), url, 'OAUTH2');
    expect(status).toBe(400);
    expect(body.message).toBe('No client is set for Cloud: an admin can add one on the app’s page.');
    const { metadata } = await getConnection(service, id);
    expect(metadata).toMatchObject({ failure: { code: 'APP_CONFIG' } });
    await service.api('PUT', `/apps/${app}/credentials/OAUTH2`, provider.client);
    await begin(service, app, { id });
  });

  it('reports a rejected client', async () => {
    const app = await addCloud(service, provider, { client: { ...provider.client, client_secret: 'not the secret' } });
    const { id, visitor, authorize } = await begin(service, app);
    const { to } = await goBack(visitor, await agree(visitor, authorize));
    expect(await windowAt(service, to)).toMatchObject({
      status: 'FAILED',
      failure: {
        code: 'APP_CONFIG',
        message: expect.stringMatching(/^Cloud rejected the client \(invalid_client\)/),
      },
    });
    expect(JSON.stringify(await getConnection(service, id))).not.toContain('not the secret');
  });
});

describe('client credentials', () => {
  const grant = { grant: 'client_credentials', authorize_url: undefined, scopes: [] };

  it('connect without an authorization page', async () => {
    const app = await addCloud(service, provider, { method: grant, client: null });
    const id = await newConnection(service, app);
    const { url } = await getConnection(service, id);
    const { status, body } = await submitIn(openVisitor(), url, 'OAUTH2', provider.client);
    expect([status, body.redirect_url]).toEqual([200, null]);
    expect(body.session).toMatchObject({ status: 'ACTIVE', finished: true });
    expect((await service.api('GET', `/${app}/x`)).body).toMatchObject({ client_id: provider.client.client_id });
  });

  it('report a rejected client, and the link still works', async () => {
    const app = await addCloud(service, provider, { method: grant, client: null });
    const id = await newConnection(service, app);
    const { url } = await getConnection(service, id);
    const wrong = { ...provider.client, client_secret: 'a wrong one' };
    const refused = await submitIn(openVisitor(), url, 'OAUTH2', wrong);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^Cloud rejected this client \(invalid_client\)/);
    expect(await getConnection(service, id)).toMatchObject({
      status: 'FAILED',
      metadata: { failure: { code: 'INVALID_CREDENTIALS' } },
    });
    expect((await submitIn(openVisitor(), url, 'OAUTH2', provider.client)).status).toBe(200);
  });
});

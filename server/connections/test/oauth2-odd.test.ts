/** Providers with nonstandard, late or missing responses: the effect on a connection. */
import { describe, expect, it } from 'vitest';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import type { Sink } from '../../test/sink.ts';
import { openVisitor, type Visitor } from '../../test/visitor.ts';
import { getConnection, newConnection, submitIn, windowAt } from './connecting.ts';

const sink = sinkForAll();
const service = serviceForAll();

type Answer = Parameters<Sink['answer']>[1];
const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const CLIENT = { client_id: 'id-with.signs', client_secret: 'secret/with signs' };
const CODE = 'the-code-of-this-flow';

let made = 0;
/** An app with this response of the token URL. Fields that `POST /apps` doesn't accept are written to its row. */
async function addOdd(
  answer: Answer,
  method: object = {},
  base_url = sink.url,
): Promise<{ app: string; token: string }> {
  const app = `odd-${++made}`;
  const token = `/token-${made}`;
  sink.answer(token, answer);
  const url = `${sink.url}${token}`;
  const given = { app, name: 'Odd', base_url: sink.url };
  const methods = [{ method: 'OAUTH2', authorize_url: `${sink.url}/authorize?kept=1`, token_url: url }];
  expect((await service.api('POST', '/apps', { ...given, methods })).status).toBe(200);
  const row = await service.services.db
    .selectFrom('apps')
    .select('definition')
    .where('app', '=', app)
    .executeTakeFirstOrThrow();
  const definition = JSON.parse(row.definition) as { methods: object[] };
  definition.methods = [{ ...definition.methods[0], ...method }];
  const changed = JSON.stringify({ ...definition, base_url });
  await service.services.db.updateTable('apps').set({ definition: changed }).where('app', '=', app).execute();
  await service.api('PUT', `/apps/${app}/credentials/OAUTH2`, CLIENT);
  return { app, token };
}

/** Starts the flow and returns with a code. */
async function handleCallback(app: string, query: Record<string, string> = { code: CODE }) {
  const id = await newConnection(service, app);
  const visitor = openVisitor();
  const { url } = await getConnection(service, id);
  return { id, visitor, ...(await comeBackTo(url, visitor, query)) };
}
async function comeBackTo(link: string, visitor: Visitor, query: Record<string, string> = { code: CODE }) {
  const { body } = await submitIn(visitor, link, 'OAUTH2');
  const authorize = new URL(body.redirect_url ?? '');
  const state = authorize.searchParams.get('state') ?? '';
  const callback = `http://localhost:${service.port}/connect/oauth/callback`;
  const answer = await visitor.ask(`${callback}?${new URLSearchParams({ ...query, state })}`);
  const window = await windowAt(service, answer.headers.get('location') ?? '');
  return { authorize, window };
}
const sentBy = (path: string) => sink.received(path).at(-1);

describe('a token', () => {
  it.each<[string, Answer]>([
    ['in JSON', json({ access_token: 'at-1', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' })],
    [
      'in a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'access_token=at-1&scope=a' },
    ],
    [
      'in JSON with the content type text',
      { headers: { 'content-type': 'text/plain' }, body: '{"access_token":"at-1"}' },
    ],
    ['with 201', json({ access_token: 'at-1', token_type: 'bearer' }, 201)],
    ['of another type', json({ ok: true, access_token: 'at-1', token_type: 'bot' })],
    ['with an expiry as text', json({ access_token: 'at-1', expires_in: '3600' })],
    ['with an ID token', json({ access_token: 'at-1', token_type: 'bearer', id_token: 'a.b.c' })],
  ])('%s is accepted and sent', async (_, answer) => {
    const { app } = await addOdd(answer);
    const { window } = await handleCallback(app);
    expect(window).toMatchObject({ status: 'ACTIVE', finished: true });
    await service.api('GET', `/${app}/who-${app}`);
    expect(sentBy(`/who-${app}`)?.headers['authorization']).toBe('Bearer at-1');
  });

  it('one level down, with the captured values', async () => {
    const reply = { ok: true, place: { url: `${sink.url}/inst`, id: 7 }, authed_user: { access_token: 'nested' } };
    const { app } = await addOdd(
      json(reply),
      {
        token_path: 'authed_user',
        capture: { instance: 'place.url', team: 'place.id' },
        put: [{ in: 'header', name: 'Authorization', template: 'Token {access_token} for {team}' }],
      },
      '{instance}/v1',
    );
    expect((await handleCallback(app)).window).toMatchObject({ status: 'ACTIVE' });
    await service.api('GET', `/${app}/a`);
    expect(sentBy('/inst/v1/a')?.headers['authorization']).toBe('Token nested for 7');
  });

  it('without a captured value does not complete the connection', async () => {
    const { app } = await addOdd(json({ access_token: 'a' }), { capture: { instance: 'instance_url' } }, '{instance}');
    expect((await handleCallback(app)).window.failure).toMatchObject({
      code: 'EXCHANGE_FAILED',
      message: 'Odd returned a token without instance_url.',
    });
    const bad = await addOdd(
      json({ access_token: 'a', instance_url: 'nowhere' }),
      { capture: { i: 'instance_url' } },
      '{i}',
    );
    expect((await handleCallback(bad.app)).window.failure).toMatchObject({ code: 'EXCHANGE_FAILED' });
  });

  it('expires after the documented lifetime, or never without one', async () => {
    const known = await addOdd(json({ access_token: 'a', refresh_token: 'r' }), { lives_seconds: 7200 });
    const first = await getConnection(service, (await handleCallback(known.app)).id);
    expect(Date.parse(String(first.token_expires_at))).toBeGreaterThan(Date.now() + 7_000_000);
    const unknown = await addOdd(json({ access_token: 'a' }));
    const second = await getConnection(service, (await handleCallback(unknown.app)).id);
    expect([second.token_expires_at, second.refresh_at]).toEqual([null, null]);
    const kept = await addOdd(json({ access_token: 'a', refresh_token: 'r' }));
    const third = await getConnection(service, (await handleCallback(kept.app)).id);
    expect(third.token_expires_at).toBe(null);
    expect(Date.parse(String(third.refresh_at))).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });

  it('without a refresh token works until it expires, and then the connection is FAILED', async () => {
    const { app } = await addOdd(json({ access_token: 'a', expires_in: 3600 }));
    const { id } = await handleCallback(app);
    const endsIn = async (seconds: number) => {
      const at = (s: number) => new Date(Date.now() + s * 1000).toISOString();
      await service.services.db
        .updateTable('connections')
        .set({ token_expires_at: at(seconds), refreshed_at: at(-3600) })
        .where('connection_id', '=', id)
        .execute();
    };
    expect((await getConnection(service, id)).refresh_at).toBe((await getConnection(service, id)).token_expires_at);
    const named = { headers: { 'service-connection': id } };
    await endsIn(20);
    expect((await service.api('GET', `/${app}/a`, undefined, named)).status).toBe(200);
    await endsIn(-1);
    service.services.changed(service.account_id, { noun: 'credentials', connection_id: id });
    const message = 'Service-Connection: this connection is FAILED. Access expired, and Odd gave no refresh token.';
    expect(await service.api('GET', `/${app}/a`, undefined, named)).toMatchObject({ status: 400, body: { message } });
    expect((await getConnection(service, id)).metadata).toMatchObject({ failure: { code: 'REFRESH_REJECTED' } });
  });

  it('with a line break is rejected before it is used in a header', async () => {
    const { app } = await addOdd(json({ access_token: 'a\r\nX-Evil: 1' }));
    expect((await handleCallback(app)).window.failure).toMatchObject({
      message: 'Odd returned a token that can’t be sent.',
    });
  });
});

describe('the client', () => {
  const basic = `Basic ${Buffer.from('id-with.signs:secret%2Fwith%20signs').toString('base64')}`;
  it.each<[string, string | undefined, string]>([
    ['post', undefined, 'client_secret=secret%2Fwith+signs'],
    ['basic', basic, 'grant_type=authorization_code'],
    ['json', basic, '"grant_type":"authorization_code"'],
  ])('authenticates with %s', async (client_auth, authorization, body) => {
    const { app, token } = await addOdd(json({ access_token: 'a' }), { client_auth, token_params: { extra: 'one' } });
    await handleCallback(app);
    const sent = sentBy(token);
    expect(sent?.headers['authorization']).toBe(authorization);
    expect(sent?.body).toContain(body);
    expect(sent?.body).toMatch(/extra"?[=:]"?one/);
    expect(sent?.body).toContain(CODE);
    if (client_auth !== 'post') expect(sent?.body).not.toContain('secret');
  });

  it('uses the app’s parameters, separator and PKCE setting', async () => {
    const { app, token } = await addOdd(json({ access_token: 'a' }), {
      pkce: false,
      scopes: ['a:b', 'c d'],
      scope_separator: ',',
      authorize_params: { access_type: 'offline', prompt: 'consent' },
    });
    const { authorize } = await handleCallback(app);
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      kept: '1',
      access_type: 'offline',
      prompt: 'consent',
      scope: 'a:b,c d',
    });
    expect(authorize.href).not.toMatch(/code_challenge|\+/);
    expect(sentBy(token)?.body).not.toContain('code_verifier');
  });
});

describe('a rejection', () => {
  it.each<[string, string, Answer, string]>([
    [
      'with 200',
      'EXCHANGE_FAILED',
      json({ error: 'bad_verification_code', error_description: 'It expired.' }),
      'Odd denied access (bad_verification_code): It expired.',
    ],
    [
      'with 200 and ok: false',
      'EXCHANGE_FAILED',
      json({ ok: false, error: 'invalid_code' }),
      'Odd denied access (invalid_code).',
    ],
    [
      'of the client',
      'APP_CONFIG',
      json({ error: 'incorrect_client_credentials' }),
      'Odd rejected the client (incorrect_client_credentials).',
    ],
    [
      'of the redirect address',
      'APP_CONFIG',
      json({ error: 'redirect_uri_mismatch' }, 400),
      'Odd rejected the client (redirect_uri_mismatch).',
    ],
    ['in a nonstandard form', 'EXCHANGE_FAILED', json({ message: 'no' }, 403), 'Odd returned 403 instead of a token.'],
    [
      'by a page',
      'APP_CONFIG',
      { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: '<html>' },
      'Odd rejected the client (invalid_client).',
    ],
    [
      'that repeats a secret',
      'EXCHANGE_FAILED',
      json({ error: 'invalid_grant', error_description: `code ${CODE} was used` }, 400),
      'Odd denied access (invalid_grant).',
    ],
    ['without a token', 'EXCHANGE_FAILED', json({ hello: 'world' }), 'Odd returned no token.'],
  ])('%s is %s, with a message', async (_, code, answer, message) => {
    const { app } = await addOdd(answer);
    const { id, window } = await handleCallback(app);
    expect(window).toMatchObject({ status: 'FAILED', finished: false, failure: { code, message } });
    expect((await getConnection(service, id)).metadata).toMatchObject({ failure: { code, message } });
  });
});

describe('a temporary failure', () => {
  const reached: string[] = [];
  it.each<[string, Answer, RegExp]>([
    ['503', json({ error: 'server_error' }, 503), /^Odd returned 503 instead of a token\.$/],
    ['a page with 502', { status: 502, body: '<html>bad gateway</html>' }, /^The token URL returned 502 with a body/],
    ['429', json({ error: 'rate_limited' }, 429), /^Odd returned 429\.$/],
    ['garbage', { body: '\u0000\u0001garbage' }, /^The token URL returned 200 with a body that is neither JSON/],
    ['nothing at all', (response) => response.destroy(), /closed the connection\.$/],
    ['10 MB', (response) => response.end('x'.repeat(10 * 1024 * 1024)), /returned more than 1024 KB\.$/],
    ['JSON that is nested a million deep', { body: '['.repeat(1_000_000) }, /neither JSON nor a form/],
    ['a redirect with words', json({ moved: true }, 302), /^Odd returned 302 instead of a token\.$/],
    ['a redirect with an error', json({ error: 'invalid_request' }, 307), /^Odd returned 307 instead of a token\.$/],
    ['a way to loopback', { status: 302, headers: { location: '/elsewhere' } }, /^The token URL returned 302 with/],
  ])('such as %s does not change the connection, and another attempt succeeds', async (_, answer, message) => {
    sink.answer('/elsewhere', (response) => {
      reached.push('/elsewhere');
      response.end('{}');
    });
    const { app, token } = await addOdd(answer);
    const { id, visitor, window } = await handleCallback(app);
    expect(window).toMatchObject({
      status: 'PENDING',
      failure: { code: 'EXCHANGE_FAILED', message: expect.stringMatching(message) },
    });
    expect(await getConnection(service, id)).toMatchObject({ status: 'PENDING', metadata: {} });
    expect(reached).toEqual([]);
    sink.answer(token, json({ access_token: 'a' }));
    const again = await comeBackTo((await getConnection(service, id)).url, visitor);
    expect(again.window).toMatchObject({ status: 'ACTIVE', failure: null });
  });

  it('such as an unreachable provider also does', async () => {
    const { app } = await addOdd(json({}), { token_url: 'http://127.0.0.1:1/token' });
    const { window } = await handleCallback(app);
    expect(window).toMatchObject({ status: 'PENDING', failure: { message: '127.0.0.1:1 refuses connections.' } });
  });

  it('on the provider’s own page is distinguished from a denial', async () => {
    const { app } = await addOdd(json({}));
    for (const [error, status, code] of [
      ['temporarily_unavailable', 'PENDING', 'EXCHANGE_FAILED'],
      ['unauthorized_client', 'FAILED', 'APP_CONFIG'],
      ['invalid_scope', 'FAILED', 'APP_CONFIG'],
      ['user_cancelled_login', 'FAILED', 'ACCESS_DENIED'],
    ]) {
      const { window } = await handleCallback(app, { error: error ?? '' });
      expect([error, window.status, window.failure?.code]).toEqual([error, status, code]);
    }
  });
});

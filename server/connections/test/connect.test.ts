import { beforeAll, describe, expect, it } from 'vitest';
import { invite, signIn } from '../../test/browser.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { connectUrl } from '../connect/connect-links.ts';
import { addApp, type Connection, connect, getConnection, newConnection, onLink, tokenOf } from './connecting.ts';

const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addApp(service, 'http://127.0.0.1:9');
});

const USED = 'This connect link was already used, or was replaced by a newer one.';
const SECRET = 'sk_live_neverShownAgain42';
const submit = (token: string, fields: object, method = 'API_KEY') => onLink(service, token, { method, fields });
const newLink = async (of = app, more = {}) => {
  const id = await newConnection(service, of, more);
  return { id, token: tokenOf((await getConnection(service, id)).url) };
};

describe('a link', () => {
  it('returns the fields of the app, and completes the connection once', async () => {
    const { id, token } = await newLink();
    const read = await onLink(service, token);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      session: {
        connection_id: id,
        status: 'PENDING',
        app: { app, name: expect.any(String), icon: null, docs_url: null },
        account_name: 'My account',
        failure: null,
        finished: false,
        unconfirmed: null,
        methods: [
          expect.objectContaining({ method: 'API_KEY', fields: [expect.objectContaining({ name: 'api_key' })] }),
        ],
        opener_origins: [],
        theme: { accent: null, logo: null },
        redirect_url: null,
        cancel_url: null,
      },
    });
    const done = await submit(token, { api_key: ` ${SECRET}\n` });
    expect(done).toMatchObject({ status: 200, body: { session: { connection_id: id, status: 'ACTIVE' } } });
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', method: 'API_KEY' });
    const again = await submit(token, { api_key: 'other' });
    expect([again.status, again.body['message']]).toEqual([400, USED]);
  });

  it('shows the success when the window is reloaded, while the connection is ACTIVE', async () => {
    const { id, token } = await newLink();
    const done = await submit(token, { api_key: 'k' });
    const again = await onLink(service, token);
    expect([again.status, again.body]).toEqual([200, { session: done.body['session'] }]);
    expect(again.body['session']).toMatchObject({ finished: true, status: 'ACTIVE', failure: null });
    // Another link of the connection does not show the success.
    const row = { account_id: service.account_id, connection_id: id, completed_at: null };
    const other = tokenOf(connectUrl(service.services, row, Date.now() + 20 * 60_000));
    expect((await onLink(service, other)).body['message']).toBe(USED);
    await service.api('POST', `/connections/${id}:reconnect`);
    expect((await onLink(service, token)).body['message']).toBe(USED);
    const fresh = tokenOf((await getConnection(service, id)).url);
    await submit(fresh, { api_key: 'k2' });
    expect((await onLink(service, fresh)).body['session']).toMatchObject({ finished: true });
    expect((await onLink(service, token)).body['message']).toBe(USED);
    await service.api('DELETE', `/connections/${id}`);
    expect((await onLink(service, fresh)).status).toBe(404);
  });

  it('works for one of several concurrent users', async () => {
    const { token } = await newLink();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => submit(token, { api_key: `key-${i}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it('is stable between reads, and new after a completion', async () => {
    const { id, token } = await newLink();
    const nowMs = Date.UTC(2031, 0, 1, 12, 3);
    const row = { account_id: service.account_id, connection_id: id, completed_at: null };
    const at = (minutes: number) => connectUrl(service.services, row, nowMs + minutes * 60_000);
    expect(at(6)).toBe(at(0));
    expect(at(7)).not.toBe(at(0));
    await submit(token, { api_key: 'one' });
    const fresh = tokenOf((await getConnection(service, id)).url);
    expect(fresh).not.toBe(token);
    expect((await submit(fresh, { api_key: 'two' })).status).toBe(200);
  });

  it('reactivates a FAILED connection under its ID', async () => {
    const id = await connect(service, app, { api_key: 'old' });
    const failure = { code: 'INVALID_CREDENTIALS', message: 'refused twice', since: '2026-01-01T00:00:00.000000Z' };
    await service.services.db
      .updateTable('connections')
      .set({ status: 'FAILED', failure: JSON.stringify(failure) })
      .where('connection_id', '=', id)
      .execute();
    const failed = await getConnection(service, id);
    expect(failed).toMatchObject({ status: 'FAILED', metadata: { failure } });
    expect((await submit(tokenOf(failed.url), { api_key: 'new' })).status).toBe(200);
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', metadata: {} });
  });

  it('expires after at least half an hour, with a message', async () => {
    const id = await newConnection(service, app);
    const row = { account_id: service.account_id, connection_id: id, completed_at: null };
    const made = (minutesAgo: number) => tokenOf(connectUrl(service.services, row, Date.now() - minutesAgo * 60_000));
    expect((await onLink(service, made(29.9))).status).toBe(200);
    const expired = await onLink(service, made(41));
    expect(expired.status).toBe(400);
    expect(expired.body['message']).toMatch(/^This connect link expired at /);
  });

  it('can’t be forged or changed, and is required', async () => {
    const { token } = await newLink();
    const [payload = '', mac = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify([service.account_id, 'x', '2999-01-01', null])).toString('base64url');
    for (const forged of ['x', '.', `${payload}.`, `${other}.${mac}`, `${payload}.${mac.slice(1)}A`, service.key])
      expect((await onLink(service, forged)).status).toBe(404);
    const without = await fetch(`${service.url}/connect/api/session`);
    expect(without.status).toBe(401);
  });

  it('grants access to its connection only', async () => {
    const { id, token } = await newLink();
    expect((await service.api('GET', `/connections/${id}`, undefined, { key: token })).status).toBe(401);
  });

  it('has no token for viewers', async () => {
    const id = await newConnection(service, app);
    const { browser } = await invite(
      await signIn(service),
      service,
      { email: 'v@example.com', password: 'just a viewer' },
      'VIEWER',
    );
    const { body } = await browser.call<{ connection: Connection }>('GET', `/connections/${id}`);
    expect(body.connection.url).toBe((await getConnection(service, id)).url.split('?')[0]);
  });
});

describe('the entered values', () => {
  it.each<[string, string, object]>([
    ['a missing field', 'fields.api_key: expected a value', {}],
    ['an empty field', 'fields.api_key: expected a value', { api_key: '  ' }],
    ['an unknown field', 'fields.password: unknown field', { api_key: 'sk_1', password: 'x' }],
    ['a field named like a built-in', 'fields.constructor: unknown field', { api_key: 'sk_1', constructor: 'x' }],
    ['another shape', 'fields.api_key: expected a secret of the form', { api_key: 'pk_wrong_kind' }],
    ['too much', 'fields.api_key: expected at most 4096 characters', { api_key: `sk_${'x'.repeat(5000)}` }],
    ['a second line', 'fields.api_key: expected one line', { api_key: 'sk_1\r\nX-Evil: 1' }],
    ['a value that is not ASCII', 'fields.api_key: expected one line', { api_key: 'sk_ü' }],
    ['a number', 'fields.api_key: ', { api_key: 7 }],
  ])('are rejected for %s, and the link still works', async (_, message, fields) => {
    const { id, token } = await newLink('stripe');
    const refused = await submit(token, fields);
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toContain(message);
    expect(JSON.stringify(refused.body)).not.toContain('pk_wrong_kind');
    expect((await getConnection(service, id)).status).toBe('PENDING');
    expect((await submit(token, { api_key: 'sk_1' })).status).toBe(200);
  });

  it('must be for a method of the app and of the connection', async () => {
    const { token } = await newLink('anthropic');
    expect((await submit(token, {}, 'BASIC')).body['message']).toContain(
      'method: expected a method of anthropic (API_KEY)',
    );
    const chosen = await newLink('stripe', { method: 'API_KEY' });
    expect((await submit(chosen.token, {}, 'OAUTH2')).body['message']).toContain('method: expected API_KEY');
  });

  it('can fill a host only with one label', async () => {
    for (const shop of ['evil.example/', 'a@b', 'x:80', 'a?b', 'a#b', '..', 'a b']) {
      const { token } = await newLink('shopify');
      const { status, body } = await submit(token, { shop, api_key: 'k' });
      expect([shop, status, String(body['message']).slice(0, 12)]).toEqual([shop, 400, 'fields.shop:']);
    }
  });

  it('appear in no response, log line or row', async () => {
    const id = await connect(service, app, { api_key: SECRET });
    const reads = await Promise.all(
      [`/connections/${id}`, '/connections', `/apps/${app}`, '/audit'].map((path) => service.api('GET', path)),
    );
    const rows = await service.services.db.selectFrom('connections').selectAll().execute();
    const all = JSON.stringify([reads.map(({ body }) => body), rows]) + service.logged();
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(Buffer.from(SECRET).toString('base64'));
    expect(all).toContain(id);
  });
});

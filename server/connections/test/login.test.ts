/** Two-step logins: the entered values are exchanged for a token at a login URL, before the first call and after it ends. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { getConnection } from './connecting.ts';
import { addCustomApp, connectBy, startApp, tryConnect } from './custom-support.ts';

const PASSWORD = 'pä$$ "word" & {more}';

/** An app with a login: tokens are random and end with `end`, `status` is the response of logins that fail. */
async function startLogins() {
  const tokens = new Set<string>();
  const logins: { type: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const state = { status: 0, reply: undefined as unknown, expires_in: 3600 as unknown };
  const app = await startApp((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (!req.url?.startsWith('/login')) {
        const known = tokens.has(String(req.headers['x-session'] ?? '').replace(/^Token /, ''));
        return res
          .writeHead(known ? 200 : 401)
          .end(JSON.stringify({ authorization: req.headers.authorization ?? null }));
      }
      const type = String(req.headers['content-type']);
      logins.push({ type, body, headers: req.headers });
      const given: Record<string, unknown> = type.includes('json')
        ? (JSON.parse(body) as Record<string, unknown>)
        : Object.fromEntries(new URLSearchParams(body));
      if (state.status > 0 || given['pass'] !== PASSWORD || given['user'] !== 'ann')
        return res.writeHead(state.status || 401).end(JSON.stringify({ error: `wrong: ${body}` }));
      const token = randomUUID();
      tokens.add(token);
      res.writeHead(200, { 'content-type': 'application/json', 'x-issued': token });
      res.end(JSON.stringify(state.reply ?? { data: { token, expires_in: state.expires_in } }));
    });
  });
  return { ...app, tokens, logins, state };
}

const logins = forAll(startLogins);
const service = serviceForAll();
const method = (more: object = {}) => ({
  method: 'BASIC',
  login: {
    url: `${logins.url}/login`,
    params: { user: '{username}', pass: '{password}' },
    token_path: 'data.token',
    expires_path: 'data.expires_in',
    place: { in: 'header', name: 'X-Session', template: 'Token {access_token}' },
    ...more,
  },
});
const ann = { username: 'ann', password: PASSWORD };
const add = (more: object = {}) => addCustomApp(service, logins.url, [method(more)]);
const call = (app: string) => service.api<{ authorization: string | null; message: string }>('GET', `/${app}/me`);
const change = (id: string, row: object) =>
  service.services.db.updateTable('connections').set(row).where('connection_id', '=', id).execute();
const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();

describe('a login', () => {
  it.each(['json', 'form'])(
    'as %s returns the token of all calls, and the password is sent to it only',
    async (body) => {
      const app = await add({ body, headers: { 'X-Client': 'sluice' } });
      const before = logins.logins.length;
      const id = await connectBy(service, app, 'BASIC', ann);
      expect(await getConnection(service, id)).toMatchObject({
        status: 'ACTIVE',
        metadata: {},
        refresh_at: expect.stringMatching(/Z$/),
      });
      const left = Date.parse((await getConnection(service, id)).token_expires_at ?? '') - Date.now();
      expect(left / 3_600_000).toBeCloseTo(1, 1);
      for (const _ of [1, 2]) {
        const { status, body } = await call(app);
        expect([status, body]).toEqual([200, { authorization: null }]);
      }
      expect(logins.logins.length - before).toBe(1);
      expect(logins.logins.at(-1)).toMatchObject({
        type: expect.stringContaining(body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'),
        headers: expect.objectContaining({ 'x-client': 'sluice' }),
      });
    },
  );

  it('may return the token in a header, with a fixed lifetime', async () => {
    const app = await add({ token_path: 'header:X-Issued', expires_path: null, lives_seconds: 7200 });
    const id = await connectBy(service, app, 'BASIC', ann);
    expect((await call(app)).status).toBe(200);
    const left = Date.parse((await getConnection(service, id)).token_expires_at ?? '') - Date.now();
    expect(left / 3_600_000).toBeCloseTo(2, 1);
  });

  it('is repeated after the app rejects the token, and after it expired', async () => {
    const app = await add();
    const id = await connectBy(service, app, 'BASIC', ann);
    logins.tokens.clear();
    await change(id, { refreshed_at: hours(-1) });
    await service.api('PATCH', `/apps/${app}`, { name: 'Renamed' });
    const before = logins.logins.length;
    expect([(await call(app)).status, logins.logins.length - before]).toEqual([200, 1]);
    await change(id, { token_expires_at: hours(-1) });
    await service.api('PATCH', `/apps/${app}`, { name: 'Renamed again' });
    expect([(await call(app)).status, logins.logins.length - before]).toEqual([200, 2]);
  });

  it.each<[string, number, string, object]>([
    ['a rejection', 401, 'FAILED', { failure: { code: 'REFRESH_REJECTED' } }],
    ['a dead login server', 503, 'ACTIVE', {}],
  ])('that ends with %s later is stored in words', async (_, status, expected, metadata) => {
    const app = await add();
    const id = await connectBy(service, app, 'BASIC', ann);
    await change(id, { token_expires_at: hours(-1) });
    await service.api('PATCH', `/apps/${app}`, { name: 'Renamed' });
    logins.state.status = status;
    const answer = await call(app);
    logins.state.status = 0;
    expect(answer.status).toBe(status === 401 ? 400 : 502);
    expect(await getConnection(service, id)).toMatchObject({ status: expected, metadata });
    const { body } = await service.api<{ refreshes: { message: string }[] }>('GET', `/connections/${id}/health`);
    expect(body.refreshes[0]?.message).toContain(String(status));
    expect(JSON.stringify(body) + service.logged()).not.toContain('pä$$');
  });

  it('with a wrong password says so and repeats nothing of the response', async () => {
    const app = await add();
    const refused = await tryConnect(service, app, 'BASIC', { ...ann, password: 'wrong-secret' });
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringMatching(/^Custom \d+ rejected the login with these credentials \(401\)\.$/),
    ]);
    expect(service.logged()).not.toContain('wrong-secret');
    expect(await getConnection(service, refused.id)).toMatchObject({
      metadata: { failure: { code: 'INVALID_CREDENTIALS' } },
    });
  });

  it.each<[string, unknown]>([
    ['no token', { data: {} }],
    ['a token that can’t be sent', { data: { token: 'a\r\nb' } }],
    ['no object', []],
  ])('that returns %s is rejected', async (_, reply) => {
    const app = await add();
    logins.state.reply = reply;
    const refused = await tryConnect(service, app, 'BASIC', ann);
    logins.state.reply = undefined;
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining('returned no token at data.token'),
    });
  });

  it('is part of the definition that an update accepts, and its fields are checked', async () => {
    const app = await add({ params: { user: '{username}', pass: '{password}', tenant: '{tenant}' } });
    const { body } = await service.api<{ app: { definition: { methods: object[] }; methods: object[] } }>(
      'GET',
      `/apps/${app}`,
    );
    expect(body.app.methods).toMatchObject([
      { fields: [{ name: 'tenant' }, { name: 'username' }, { name: 'password' }] },
    ]);
    const again = await service.api('PATCH', `/apps/${app}`, { methods: body.app.definition.methods });
    expect(again.status).toBe(200);
    for (const [message, more] of [
      ['token_path', { token_path: '' }],
      ['methods.0.login.url', { url: 'https://{username}/login' }],
      ['placeholder', { place: { in: 'header', name: 'X-Session', template: 'Token {token}' } }],
    ] as const) {
      const refused = await service.api<{ message: string }>('POST', '/apps', {
        app: 'refused-login',
        name: 'Refused',
        base_url: logins.url,
        methods: [method(more)],
      });
      expect([message, refused.status, refused.body.message]).toEqual([message, 400, expect.stringContaining(message)]);
    }
  });
});

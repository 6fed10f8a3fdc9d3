import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, invite, openBrowser, signIn } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll();

describe('signing in', () => {
  it('sets a cookie that scripts and other sites can not read', async () => {
    const browser = openBrowser(service);
    const answer = await browser.call('POST', '/session', ADMIN);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      session: {
        user_id: expect.any(String),
        email: ADMIN.email,
        name: 'admin',
        role: 'OWNER',
        account_id: service.account_id,
        account_name: 'My account',
        accounts: [{ account_id: service.account_id, name: 'My account', role: 'OWNER' }],
        may_create_account: false,
        on_hold: false,
        demo: false,
        provider: null,
        live_position: expect.stringMatching(/\.\d+$/),
      },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sluice_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/),
      expect.stringMatching(/^sluice_device=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/),
    ]);
    expect((await browser.call('GET', '/session')).body).toMatchObject({ session: { email: ADMIN.email } });
    expect((await browser.call('GET', '/account')).status).toBe(200);
  });

  it('accepts the email in any case, and creates a new session each time', async () => {
    const first = await signIn(service, { ...ADMIN, email: ' Admin@Example.COM ' });
    const second = await signIn(service);
    expect(first.cookie()).not.toBe(second.cookie());
    expect((await first.call('GET', '/account')).status).toBe(200);
  });

  it('ends the previous session of the browser', async () => {
    const browser = await signIn(service);
    const before = browser.cookie() ?? '';
    await browser.call('POST', '/session', ADMIN);
    expect(browser.cookie()).not.toBe(before);
    expect((await openBrowser(service).call('GET', '/account', undefined, { cookie: before })).status).toBe(401);
  });

  it('has the same response for a wrong password and an unknown email', async () => {
    const wrong = await openBrowser(service).call('POST', '/session', { ...ADMIN, password: 'not the password' });
    const unknown = await openBrowser(service).call('POST', '/session', { ...ADMIN, email: 'missing@example.com' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ message: 'The email or password is incorrect.', type: 'Unauthorized', code: 401 });
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    { email: 'no-at-sign', password: 'x' },
    { email: 'nul\u0000@example.com', password: 'x' },
    { email: 'a@example.com' },
    { email: 'a@example.com', password: '' },
    { ...ADMIN, remember: true },
  ])('refuses %j', async (body) => {
    expect((await openBrowser(service).call('POST', '/session', body)).status).toBe(400);
  });

  it('rejects a request from another site', async () => {
    const origin = { origin: 'https://evil.example' };
    expect((await openBrowser(service).call('POST', '/session', ADMIN, origin)).status).toBe(403);
    const browser = await signIn(service);
    expect((await browser.call('PATCH', '/account', { name: 'Taken over' }, origin)).status).toBe(403);
    expect((await browser.call('DELETE', '/session', undefined, origin)).status).toBe(403);
    expect((await browser.call('GET', '/account')).status).toBe(200);
  });
});

describe('a session', () => {
  it('is null without a cookie, and with an invalid one', async () => {
    const browser = openBrowser(service);
    expect((await browser.call('GET', '/session')).body).toEqual({ session: null });
    const cookie = `sluice_session=${'x'.repeat(43)}`;
    expect((await browser.call('GET', '/session', undefined, { cookie })).body).toEqual({ session: null });
    expect((await browser.call('GET', '/account', undefined, { cookie })).status).toBe(401);
  });

  it('ends at sign-out, for every copy of the cookie', async () => {
    const browser = await signIn(service);
    const cookie = browser.cookie() ?? '';
    const out = await browser.call('DELETE', '/session');
    expect(out.headers.get('set-cookie')).toMatch(/^sluice_session=; .*Max-Age=0/);
    expect((await openBrowser(service).call('GET', '/session', undefined, { cookie })).body).toEqual({ session: null });
    expect((await browser.call('DELETE', '/session')).status).toBe(200);
  });

  it('expires 14 days after its last use', async () => {
    const browser = await signIn(service);
    const days = async () => {
      const { rows } = await latestSession();
      return (Date.parse(rows.expires_at) - Date.now()) / 86_400_000;
    };
    await setEnd(new Date(Date.now() + 3_600_000).toISOString());
    expect((await browser.call('GET', '/account')).status).toBe(200);
    expect(await days()).toBeGreaterThan(13.9);
    expect((await browser.call('GET', '/session')).headers.get('set-cookie')).toContain('Max-Age=1209600');
    await setEnd(new Date(Date.now() - 1000).toISOString());
    expect((await browser.call('GET', '/account')).status).toBe(401);
  });

  it('is stored as a hash only, and neither it nor the password is logged', async () => {
    const browser = await signIn(service);
    const token = browser.cookie()?.split('=')[1] ?? '';
    const { rows } = await latestSession();
    expect(rows.token_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(service.logged()).not.toContain(token);
    expect(service.logged()).not.toContain(ADMIN.password);
  });

  it('has audit entries for sign-in and sign-out', async () => {
    const browser = await signIn(service);
    await browser.call('DELETE', '/session');
    const { body } = await service.api<{ entries: Record<string, unknown>[] }>('GET', '/audit?limit=2');
    expect(body.entries.map((entry) => entry['operation'])).toEqual(['sessionDelete', 'sessionCreate']);
    for (const entry of body.entries)
      expect(entry).toMatchObject({
        actor_type: 'USER',
        actor_name: 'admin',
        ip: expect.stringContaining('127.0.0.1'),
      });
  });

  const latestSession = async () => ({
    rows: await service.services.db
      .selectFrom('sessions')
      .selectAll()
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow(),
  });
  const setEnd = async (expires_at: string) => {
    const { token_hash } = (await latestSession()).rows;
    await service.services.db
      .updateTable('sessions')
      .set({ expires_at })
      .where('token_hash', '=', token_hash)
      .execute();
  };
});

describe('failed sign-ins', () => {
  let busy: Service;
  beforeAll(async () => {
    busy = await startService();
  });
  afterAll(() => busy.stop());
  // Tests share an IP address.
  beforeEach(() => busy.services.db.deleteFrom('sign_in_limits').execute());
  const attempt = (email: string, password: string) => openBrowser(busy).call('POST', '/session', { email, password });

  it('are limited per email, existing or not; successful sign-ins do not count', async () => {
    const known = { email: 'known@example.com', password: 'the right password' };
    await invite(await signIn(busy), busy, known, 'VIEWER');
    for (let i = 0; i < 12; i++) expect((await attempt(known.email, known.password)).status).toBe(200);
    for (const email of [known.email, 'unknown@example.com']) {
      for (let i = 0; i < 10; i++) expect((await attempt(email, 'wrong')).status).toBe(401);
      const refused = await attempt(email, known.password);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.body).toMatchObject({ type: 'Too Many Requests', code: 429 });
    }
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('from elsewhere do not lock out the user in a browser that signed in before, nor another user of it', async () => {
    const known = { email: 'home@example.com', password: 'the right password' };
    const { browser } = await invite(await signIn(busy), busy, known, 'VIEWER');
    await browser.call('POST', '/session', known);
    browser.forgetSession();
    for (let i = 0; i < 11; i++) await attempt(known.email, 'wrong');
    expect((await attempt(known.email, known.password)).status).toBe(429);
    for (let i = 0; i < 3; i++)
      expect((await browser.call('POST', '/session', { ...known, password: 'wrong' })).status).toBe(401);
    expect((await browser.call('POST', '/session', known)).status).toBe(200);
    // The mark of the browser is of no use for another address, nor an invented one.
    for (let i = 0; i < 11; i++) await attempt('other@example.com', 'wrong');
    const other = { email: 'other@example.com', password: 'wrong' };
    expect((await browser.call('POST', '/session', other)).status).toBe(429);
    const forged = { cookie: `sluice_device=${'x'.repeat(43)}.${'y'.repeat(43)}` };
    expect((await openBrowser(busy).call('POST', '/session', known, forged)).status).toBe(429);
  });

  it('are in the audit log of the account, without the password', async () => {
    const owner = await signIn(busy);
    await openBrowser(busy).call('POST', '/session', { ...ADMIN, password: 'a wrong password' });
    const { body } = await owner.call<{ entries: Record<string, unknown>[] }>('GET', '/audit?limit=1');
    expect(body.entries[0]).toMatchObject({
      operation: 'sessionCreate',
      outcome: 'FAILED',
      actor_name: ADMIN.email,
      ip: expect.stringContaining('127.0.0.1'),
    });
    expect(JSON.stringify(body)).not.toContain('a wrong password');
  });

  it('are counted in the database, for all nodes and across restarts', async () => {
    const known = { email: 'kept@example.com', password: 'the right password' };
    await invite(await signIn(busy), busy, known, 'VIEWER');
    for (let i = 0; i < 10; i++) await attempt(known.email, 'wrong');
    await busy.restart();
    expect((await attempt(known.email, known.password)).status).toBe(429);
  });

  it('are limited per IP address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i <= 30; i++) statuses.push((await attempt(`person${i}@example.com`, 'wrong')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(429);
  });
});

/** Sessions of a person, and new passwords: by their user, by email, by an operator on the server. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../deliveries/test/mail-server.ts';
import { fromNow } from '../../lib/clock.ts';
import { type Browser, invite, openBrowser, signIn, tokenOf } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Listed = { session_id: string; current: boolean; user_agent: string | null; ip: string | null };
const ROOT = join(import.meta.dirname, '../../..');

const service = serviceForAll();
const owner = forAll(() => signIn(service));

let person: { email: string; password: string };
let browser: Browser;
let user_id: string;
let count = 0;
beforeEach(async () => {
  person = { email: `person${++count}@example.com`, password: 'violet tractor evening' };
  ({ browser, user_id } = await invite(owner, service, person, 'VIEWER'));
});

const listed = async (of: Browser) => (await of.call<{ sessions: Listed[] }>('GET', '/session/devices')).body.sessions;
const isSignedIn = async (of: Browser) => (await of.call('GET', '/account')).status === 200;

describe('sessions', () => {
  it('are listed with their browser and address; a viewer ends one of them, or all others', async () => {
    const [phone, laptop] = [await signIn(service, person), await signIn(service, person)];
    await phone.call('GET', '/account', undefined, { 'user-agent': `phone ${'x'.repeat(1000)}` });
    const before = await listed(browser);
    expect(before).toHaveLength(3);
    expect(before.filter(({ current }) => current)).toHaveLength(1);
    const onPhone = before.find(({ user_agent }) => user_agent?.startsWith('phone'));
    expect(onPhone?.user_agent).toHaveLength(400);
    expect(onPhone?.ip).toContain('127.0.0.1');
    expect(JSON.stringify(before)).not.toMatch(/token|hash/);

    const { session_id } = onPhone ?? { session_id: '' };
    expect((await browser.call('POST', '/session:revoke', { session_id })).body).toEqual({ ended: 1 });
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true]);
    expect((await browser.call('POST', '/session:revoke', {})).body).toEqual({ ended: 1 });
    expect([await isSignedIn(laptop), await isSignedIn(browser)]).toEqual([false, true]);
  });

  it('cannot be listed or ended by another user, an API key or a browser without session', async () => {
    const session_id = (await listed(browser))[0]?.session_id;
    expect((await owner.call('POST', '/session:revoke', { session_id })).status).toBe(404);
    expect((await browser.call('POST', '/session:revoke', { session_id })).body['message']).toMatch(/^session_id: /);
    for (const session_id of ['', 'x', 7, null])
      expect((await browser.call('POST', '/session:revoke', { session_id })).status).toBe(400);
    for (const [method, path, body] of [
      ['GET', '/session/devices', undefined],
      ['POST', '/session:revoke', {}],
      ['POST', '/session:confirm', { password: 'x' }],
      ['POST', '/session:password', { current_password: 'x', new_password: 'violet tractor morning' }],
    ] as const) {
      expect((await openBrowser(service).call(method, path, body)).status, path).toBe(401);
      expect((await service.api(method, path, body)).status, path).not.toBe(200);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('end 30 days after the sign-in, however often they are used', async () => {
    const sessions = service.services.db.updateTable('sessions').where('user_id', '=', user_id);
    await sessions.set({ created_at: fromNow(-29 * 86_400_000), last_used_at: fromNow(-3_600_000) }).execute();
    expect(await isSignedIn(browser)).toBe(true);
    const { expires_at } = await service.services.db
      .selectFrom('sessions')
      .select('expires_at')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(86_400_000);
    await sessions.set({ created_at: fromNow(-31 * 86_400_000), last_used_at: fromNow(-3_600_000) }).execute();
    await isSignedIn(browser);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('of one user are at most 100: the oldest ends', async () => {
    const first = (await listed(browser))[0]?.session_id;
    const { db } = service.services;
    const row = await db.selectFrom('sessions').selectAll().where('user_id', '=', user_id).executeTakeFirstOrThrow();
    const more = Array.from({ length: 99 }, (_, i) => ({
      ...row,
      session_id: crypto.randomUUID(),
      token_hash: `${i}`.padStart(64, '0'),
      created_at: fromNow(-1000),
    }));
    await db.insertInto('sessions').values(more).execute();
    await db
      .updateTable('sessions')
      .set({ created_at: fromNow(-10_000) })
      .where('session_id', '=', first ?? '')
      .execute();
    const another = await signIn(service, person);
    expect(await listed(another)).toHaveLength(100);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('changing the password', () => {
  const change = (of: Browser, current_password: string, new_password: string) =>
    of.call('POST', '/session:password', { current_password, new_password });

  it('needs the current one, ends all other sessions, and renews the session of this browser', async () => {
    const other = await signIn(service, person);
    const cookie = browser.cookie() ?? '';
    const wrong = await change(browser, 'not the password', 'quiet river lantern');
    expect(wrong).toMatchObject({ status: 400, body: { message: 'current_password: not the current password' } });
    expect((await change(browser, person.password, 'quiet river lantern')).status).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await openBrowser(service).call('GET', '/account', undefined, { cookie })).status).toBe(401);
    expect((await openBrowser(service).call('POST', '/session', person)).status).toBe(401);
    await signIn(service, { ...person, password: 'quiet river lantern' });
  });

  it.for([
    ['1234567890', /too easy to guess/],
    ['aaaaaaaaaa', /too easy to guess/],
    ['password12', /too easy to guess/],
    ['qwertyuiop', /too easy to guess/],
    ['My account1', /too easy to guess/],
    ['short', /at least 10/],
    ['violet tractor evening', /another password/],
    ['x'.repeat(201), /at most 200/],
  ] as const)('to %s is refused', async ([password, message]) => {
    const { status, body } = await change(browser, person.password, password);
    expect(status).toBe(400);
    expect(body['message']).toMatch(/^new_password: /);
    expect(body['message']).toMatch(message);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('to one with the own email address is refused, also for a new member', async () => {
    const { body } = await owner.call<{ invite_url: string }>('POST', '/account/members', {
      email: 'bartholomew@example.com',
      role: 'VIEWER',
    });
    const token = tokenOf(body.invite_url);
    const accept = { token, password: 'bartholomew1' };
    expect((await openBrowser(service).call('POST', '/session:accept', accept)).body['message']).toMatch(
      /^password: too easy to guess/,
    );
  });

  it('twice at once with the same current password succeeds once', async () => {
    const other = await signIn(service, person);
    const answers = await Promise.all([
      change(browser, person.password, 'quiet river lantern'),
      change(other, person.password, 'golden anchor winter'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('guesses of the current one are limited', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await change(browser, `wrong ${i}`, 'quiet river lantern')).status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect((await change(browser, person.password, 'quiet river lantern')).status).toBe(429);
  });
});

describe('confirming the password', () => {
  it('is required an hour after the sign-in, for new keys, owners and the end of other sessions only', async () => {
    const ada = { email: 'ada@example.com', password: 'violet tractor evening' };
    const { browser, user_id } = await invite(owner, service, ada, 'OWNER');
    const sessions = service.services.db.updateTable('sessions').where('user_id', '=', user_id);
    for (const confirmed_at of [fromNow(-3_700_000), null]) {
      await sessions.set({ confirmed_at }).execute();
      for (const [method, path, body] of [
        ['POST', '/api-keys', { name: 'key' }],
        ['POST', '/account/members', { email: 'eve@example.com', role: 'OWNER' }],
        ['PATCH', `/account/members/${user_id}`, { role: 'OWNER' }],
        ['POST', '/session:revoke', {}],
      ] as const)
        expect(await browser.call(method, path, body), path).toMatchObject({
          status: 403,
          body: { type: 'Forbidden', required: 'CONFIRM_PASSWORD' },
        });
      expect((await browser.call('PATCH', '/account', { name: 'My account' })).status).toBe(200);
      expect((await browser.call('POST', '/session:confirm', { password: 'wrong' })).body).toMatchObject({
        message: 'password: not the current password',
      });
      expect((await browser.call('POST', '/api-keys', { name: 'key' })).status).toBe(403);
      expect((await browser.call('POST', '/session:confirm', { password: ada.password })).status).toBe(200);
      expect((await browser.call('POST', '/api-keys', { name: 'key' })).status).toBe(200);
    }
    expect((await service.api('POST', '/api-keys', { name: 'by a key' })).status).toBe(200);
  });

  it('gives the session a new token, and the old one ends', async () => {
    const [cookie = '', before] = [browser.cookie(), await listed(browser)];
    expect((await browser.call('POST', '/session:confirm', { password: person.password })).status).toBe(200);
    expect(browser.cookie()).not.toBe(cookie);
    expect((await openBrowser(service).call('GET', '/account', undefined, { cookie })).status).toBe(401);
    expect((await listed(browser)).map(({ session_id }) => session_id)).toEqual(
      before.map(({ session_id }) => session_id),
    );
  });
});

describe('a forgotten password', () => {
  const mail = forAll(
    () => startMailServer({ disabledCommands: ['STARTTLS'], authOptional: true }),
    (server: MailServer) => server.close(),
  );
  const mailing = forAll(
    () =>
      startService({
        env: {
          SLUICE_SMTP_HOST: '127.0.0.1',
          SLUICE_SMTP_PORT: String(mail.port),
          SLUICE_SMTP_TLS: 'none',
          SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>',
        },
      }),
    (started: Service) => started.stop(),
  );

  it('is set with a link that is sent by email and works once; every session ends', async () => {
    const known = { email: 'known@example.com', password: 'violet tractor evening' };
    const { browser } = await invite(await signIn(mailing), mailing, known, 'VIEWER');
    const ask = (email: string) => openBrowser(mailing).call('POST', '/session:forgotten', { email });
    const answers = [await ask('unknown@example.com'), await ask(known.email)];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { sent_by: 'EMAIL' }],
      [200, { sent_by: 'EMAIL' }],
    ]);
    await expect.poll(() => mail.received(known.email)).toHaveLength(1);
    expect(mail.attempts('unknown@example.com')).toBe(0);
    const source = (mail.received(known.email)[0]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const token = /welcome#token=([\w-]{43})/.exec(source)?.[1] ?? '';
    expect(await isSignedIn(browser)).toBe(true);

    const reset = openBrowser(mailing);
    expect((await reset.call('POST', '/session:invitation', { token })).body).toMatchObject({
      invitation: { purpose: 'NEW_PASSWORD', email: known.email },
    });
    expect((await reset.call('POST', '/session:accept', { token, password: 'quiet river lantern' })).status).toBe(200);
    expect([await isSignedIn(reset), await isSignedIn(browser)]).toEqual([true, false]);
    expect((await reset.call('POST', '/session:accept', { token, password: 'golden anchor winter' })).status).toBe(404);
    expect(mailing.logged()).not.toContain(token);
  });

  it('requests for one address are limited', async () => {
    const email = 'often@example.com';
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await openBrowser(mailing).call('POST', '/session:forgotten', { email })).status);
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  it('without a mail server is reset by an operator, also while the service runs', async () => {
    const asked = await openBrowser(service).call('POST', '/session:forgotten', { email: person.email });
    expect(asked.body).toEqual({ sent_by: 'OPERATOR' });
    const script = join(ROOT, 'scripts/reset-password.ts');
    const env = {
      DATABASE_URL: service.databaseUrl,
      SLUICE_PORT: String(service.port),
      SLUICE_DATA_DIR: service.dataDir,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [script, person.email], { env });
    const link = /http\S+/.exec(stdout)?.[0] ?? '';
    expect(link.startsWith(service.services.settings.addresses.console_url)).toBe(true);
    const accept = { token: tokenOf(link), password: 'quiet river lantern' };
    expect((await openBrowser(service).call('POST', '/session:accept', accept)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    for (const [args, message] of [
      [['missing@example.com'], 'No active member has the address missing@example.com.'],
      [[], 'Expected one email address'],
      [['not an address'], 'Expected one email address'],
    ] as const)
      await expect(promisify(execFile)(process.execPath, [script, ...args], { env })).rejects.toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { ADMIN, invite, openBrowser, signIn, tokenOf } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Member = { user_id: string; email: string | null; name: string; role: string; status: string };
type Made = Reply<'apiKeyCreate'>;
type Invited = { member: Member; invite_url: string };

const service = serviceForAll();
const owner = forAll(() => signIn(service));

const members = async () => (await owner.call<{ members: Member[] }>('GET', '/account/members')).body.members;
const adminId = async () => (await members()).find((member) => member.email === ADMIN.email)?.user_id;

describe('an invitation', () => {
  it('is a link that works once: it can be read, sets a password and signs in', async () => {
    const email = 'Ada@Example.com';
    const { status, body } = await owner.call<Invited>('POST', '/account/members', {
      email,
      name: 'Ada',
      role: 'ADMIN',
    });
    expect(status).toBe(200);
    expect(body.member).toMatchObject({ email: 'ada@example.com', name: 'Ada', role: 'ADMIN', status: 'INVITED' });
    expect(body.invite_url).toMatch(/\/welcome#token=[\w-]{43}$/);
    const token = tokenOf(body.invite_url);

    const browser = openBrowser(service);
    const read = await browser.call('POST', '/session:invitation', { token });
    expect(read.body).toEqual({
      invitation: { purpose: 'WELCOME', account_name: 'My account', email: 'ada@example.com', role: 'ADMIN' },
    });
    const weak = await browser.call('POST', '/session:accept', { token, password: 'too short' });
    expect(weak.status).toBe(400);
    expect(weak.body['message']).toBe('password: expected at least 10 characters');
    const accept = { token, password: 'long enough for Ada' };
    const accepted = await browser.call<{ session: object }>('POST', '/session:accept', accept);
    expect(accepted.body).toMatchObject({ session: { email: 'ada@example.com', name: 'Ada', role: 'ADMIN' } });
    // A change of the account that is published meanwhile moves the position on.
    const session = { ...accepted.body.session, live_position: expect.stringMatching(/\.\d+$/) };
    expect((await browser.call('GET', '/session')).body).toEqual({ session });

    for (const path of ['/session:invitation', '/session:accept']) {
      const again = { token, ...(path.endsWith('accept') ? { password: 'another long enough' } : {}) };
      expect((await openBrowser(service).call('POST', path, again)).status).toBe(404);
    }
    await signIn(service, { email: 'ada@example.com', password: 'long enough for Ada' });
    expect((await members()).find((member) => member.name === 'Ada')?.status).toBe('ACTIVE');
    expect(service.logged()).not.toContain(token);
  });

  it('accepted twice at once creates one session', async () => {
    const { body } = await owner.call<Invited>('POST', '/account/members', {
      email: 'two@example.com',
      role: 'VIEWER',
    });
    const accept = (password: string) =>
      openBrowser(service).call('POST', '/session:accept', { token: tokenOf(body.invite_url), password });
    const answers = await Promise.all(['the first password', 'the second password'].map(accept));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
  });

  it('is invalid after it expires or its member is removed', async () => {
    const link = async (email: string) =>
      (await owner.call<Invited>('POST', '/account/members', { email, role: 'VIEWER' })).body;
    const late = await link('late@example.com');
    await service.services.db
      .updateTable('users')
      .set({ invite_expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('user_id', '=', late.member.user_id)
      .execute();
    const removed = await link('removed@example.com');
    await owner.call('DELETE', `/account/members/${removed.member.user_id}`);
    for (const { invite_url } of [late, removed]) {
      const body = { token: tokenOf(invite_url), password: 'long enough to do' };
      const answer = await openBrowser(service).call('POST', '/session:accept', body);
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toMatch(/^token: .*ask for a new one/);
    }
  });

  it('is for one email address: another is rejected, and one in use is a conflict', async () => {
    const { body } = await owner.call<Invited>('POST', '/account/members', {
      email: 'one@example.com',
      role: 'VIEWER',
    });
    const token = tokenOf(body.invite_url);
    const other = { token, email: 'other@example.com', password: 'long enough to do' };
    expect((await openBrowser(service).call('POST', '/session:accept', other)).status).toBe(400);
    const taken = await owner.call('POST', '/account/members', { email: 'ONE@example.com', role: 'ADMIN' });
    expect(taken.status).toBe(409);
    expect(taken.body['message']).toMatch(/^email: /);
  });

  it.each([{ email: 'a@example.com' }, { email: 'a', role: 'ADMIN' }, { email: 'a@example.com', role: 'KING' }])(
    'refuses %j',
    async (body) => {
      expect((await owner.call('POST', '/account/members', body)).status).toBe(400);
    },
  );
});

describe('a role', () => {
  it('allows a VIEWER only reads, and an ADMIN no changes of members', async () => {
    const person = (email: string) => ({ email, password: 'their own password' });
    const viewer = await invite(owner, service, person('viewer@example.com'), 'VIEWER');
    const admin = await invite(owner, service, person('admin2@example.com'), 'ADMIN');
    const key = { name: 'theirs' };
    expect((await viewer.browser.call('GET', '/api-keys')).status).toBe(200);
    const refused = await viewer.browser.call('POST', '/api-keys', key);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ type: 'Forbidden', code: 403, message: expect.stringContaining('VIEWER') });
    expect((await admin.browser.call('POST', '/api-keys', key)).status).toBe(200);
    const role = { role: 'OWNER' };
    expect((await admin.browser.call('PATCH', `/account/members/${admin.user_id}`, role)).status).toBe(403);
    expect((await admin.browser.call('PATCH', '/account', { name: 'Mine now' })).status).toBe(403);
    expect((await service.api('POST', '/account/members', { email: 'k@example.com', role: 'OWNER' })).status).toBe(403);
  });

  it('applies from the next request', async () => {
    const person = { email: 'riser@example.com', password: 'their own password' };
    const { browser, user_id } = await invite(owner, service, person, 'VIEWER');
    expect((await browser.call('POST', '/api-keys', { name: 'x' })).status).toBe(403);
    const changed = await owner.call('PATCH', `/account/members/${user_id}`, { role: 'ADMIN', name: 'Riser' });
    expect(changed.body).toMatchObject({ member: { role: 'ADMIN', name: 'Riser' } });
    expect((await browser.call('POST', '/api-keys', { name: 'x' })).status).toBe(200);
    expect((await owner.call('PATCH', `/account/members/${user_id}`, {})).body).toEqual(changed.body);
  });

  it('OWNER is kept by at least one member who can sign in', async () => {
    const me = `/account/members/${await adminId()}`;
    await owner.call('POST', '/account/members', { email: 'only-invited@example.com', role: 'OWNER' });
    const dropped = await owner.call('PATCH', me, { role: 'ADMIN' });
    expect(dropped.status).toBe(400);
    expect(dropped.body['message']).toBe('role: An account needs at least one owner.');
    expect((await owner.call('DELETE', me)).status).toBe(400);
    expect((await owner.call('PATCH', me, { role: 'OWNER' })).status).toBe(200);
  });

  it('OWNER is never lost when two owners drop it at once', async () => {
    const person = { email: 'owner2@example.com', password: 'their own password' };
    const second = await invite(owner, service, person, 'OWNER');
    const drop = (user_id: string | undefined) =>
      owner.call('PATCH', `/account/members/${user_id}`, { role: 'VIEWER' });
    const answers = await Promise.all([drop(await adminId()), drop(second.user_id)]);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const { role } = (await members()).find((member) => member.email === ADMIN.email) ?? {};
    if (role !== 'OWNER') await second.browser.call('PATCH', `/account/members/${await adminId()}`, { role: 'OWNER' });
    expect(
      (await members()).filter((each) => each.role === 'OWNER' && each.status === 'ACTIVE').length,
    ).toBeGreaterThan(0);
  });
});

describe('a removed member', () => {
  it('is signed out everywhere and can not sign in', async () => {
    const person = { email: 'leaver@example.com', password: 'their own password' };
    const { browser, user_id } = await invite(owner, service, person, 'ADMIN');
    expect((await browser.call('GET', '/account')).status).toBe(200);
    expect((await owner.call('DELETE', `/account/members/${user_id}`)).body).toEqual({});
    expect((await browser.call('GET', '/account')).status).toBe(401);
    expect((await openBrowser(service).call('POST', '/session', person)).status).toBe(401);
    expect((await owner.call('DELETE', `/account/members/${user_id}`)).status).toBe(404);
  });

  it('leaves keys that work and are marked, until they are revoked or rotated', async () => {
    const person = { email: 'maker@example.com', password: 'their own password' };
    const { browser, user_id } = await invite(owner, service, person, 'ADMIN');
    const made = await browser.call<Made>('POST', '/api-keys', { name: 'of the maker' });
    const { key_id } = made.body.api_key;
    const creator = { created_by: 'maker', created_by_user_id: user_id };
    expect(made.body.api_key).toMatchObject({ ...creator, creator_removed: false });
    expect((await owner.call('DELETE', `/account/members/${user_id}?revoke_keys=perhaps`)).status).toBe(400);
    expect((await owner.call('DELETE', `/account/members/${user_id}`)).status).toBe(200);
    const mine = async () => {
      const { api_keys } = (await owner.call<Reply<'apiKeyList'>>('GET', '/api-keys')).body;
      return api_keys.find((each) => each.key_id === key_id);
    };
    expect(await mine()).toMatchObject({ ...creator, creator_removed: true });
    const renamed = await owner.call('PATCH', `/api-keys/${key_id}`, { name: 'renamed' });
    expect(renamed.body).toMatchObject({ api_key: { ...creator, creator_removed: true } });
    expect((await service.api('GET', '/account', undefined, { key: made.body.key })).status).toBe(200);
    await owner.call('POST', `/api-keys/${key_id}:rotate`, { overlap_hours: 0 });
    expect(await mine()).toMatchObject({ created_by_user_id: await adminId(), creator_removed: false });
    expect((await service.api('GET', '/account', undefined, { key: made.body.key })).status).toBe(401);
  });

  it('loses the keys that they created, if the owner chooses so, and other members keep theirs', async () => {
    const person = { email: 'maker2@example.com', password: 'their own password' };
    const { browser, user_id } = await invite(owner, service, person, 'ADMIN');
    const make = async (by: typeof browser, name: string) => (await by.call<Made>('POST', '/api-keys', { name })).body;
    const [first, second] = [await make(browser, 'one'), await make(browser, 'two')];
    const kept = await make(owner, 'kept');
    const statusWith = async ({ key }: Made) => (await service.api('GET', '/account', undefined, { key })).status;
    expect(await Promise.all([first, second, kept].map(statusWith))).toEqual([200, 200, 200]);
    expect((await owner.call('DELETE', `/account/members/${user_id}?revoke_keys=true`)).status).toBe(200);
    expect(await Promise.all([first, second, kept].map(statusWith))).toEqual([401, 401, 200]);
    for (const [operation, resource_id] of [
      ['apiKeyDelete', first.api_key.key_id],
      ['apiKeyDelete', second.api_key.key_id],
      ['memberDelete', user_id],
    ]) {
      const { body } = await owner.call('GET', `/audit?operation=${operation}&resource_id=${resource_id}`);
      expect(body).toMatchObject({ entries: [{ actor_id: await adminId() }] });
    }
  });

  it('is not found by another account', async () => {
    const other = await service.secondAccount();
    await service.services.db
      .insertInto('users')
      .values({
        account_id: other.account_id,
        user_id: other.account_id,
        email: 'elsewhere@example.com',
        name: 'Elsewhere',
        role: 'OWNER',
        person_id: null,
        invite_hash: null,
        invite_expires_at: null,
        created_at: new Date().toISOString(),
        last_seen_at: null,
      })
      .execute();
    expect((await owner.call('PATCH', `/account/members/${other.account_id}`, { name: 'x' })).status).toBe(404);
    expect((await owner.call('DELETE', `/account/members/${other.account_id}`)).status).toBe(404);
    expect((await members()).map((member) => member.email)).not.toContain('elsewhere@example.com');
  });
});

describe('the account', () => {
  it('has its limits, URLs and isolation of functions; an owner can rename it', async () => {
    const { body } = await service.api('GET', '/account');
    expect(body).toEqual({
      account: {
        account_id: service.account_id,
        require_second_factor: false,
        name: 'My account',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        limits: { requests_per_second: 10_000 },
        addresses: {
          console_url: `http://localhost:${service.port}`,
          base_url: `http://localhost:${service.port}/api`,
          connect_url: `http://localhost:${service.port}/connect`,
          hooks_url: `http://localhost:${service.port}/hooks`,
          functions_domain: `fn.localhost:${service.port}`,
          gateway_domain: `gw.localhost:${service.port}`,
        },
        base_url_blocked: null,
        password_sign_in: true,
        version: expect.any(String),
        database: { version: expect.any(String), schema: expect.any(String), embedded: false },
        sandbox: {
          mode: expect.any(String),
          is_strong: expect.any(Boolean),
          explanation: expect.stringMatching(/.{10}/),
        },
      },
    });
    const renamed = await owner.call('PATCH', '/account', { name: '  Works  ' });
    expect(renamed.body).toMatchObject({ account: { name: 'Works' } });
    expect((await owner.call('GET', '/session')).body).toMatchObject({ session: { account_name: 'Works' } });
    expect((await owner.call('PATCH', '/account', {})).body).toEqual(renamed.body);
    expect((await owner.call('PATCH', '/account', { name: ' ' })).status).toBe(400);
    await owner.call('PATCH', '/account', { name: 'My account' });
  });
});

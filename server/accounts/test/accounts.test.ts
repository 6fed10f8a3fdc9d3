/** Several accounts of one person: invitations, switching, new accounts, leaving. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OWNED_ACCOUNTS } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { type Browser, invite, openBrowser, signIn, tokenOf } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll({ env: { SLUICE_NEW_ACCOUNTS: 'on' } });
const owner = forAll(() => signIn(service));
let people = 0;

type Session = NonNullable<Reply<'sessionGet'>['session']>;
const session = async (browser: Browser) =>
  (await browser.call<{ session: Session | null }>('GET', '/session')).body.session;
const create = (browser: Browser, name: string) =>
  browser.call<{ session: Session }>('POST', '/session/accounts', { name });
const switchTo = (browser: Browser, account_id: string) =>
  browser.call<{ session: Session }>('POST', '/session:switch', { account_id });

/** A viewer of the first account, who also owns another one, in which their browser is signed in. */
async function makeOwnerElsewhere() {
  const person = { email: `several${++people}@example.com`, password: 'violet tractor evening' };
  const { browser, user_id } = await invite(owner, service, person, 'VIEWER');
  const { body } = await create(browser, `Second ${people}`);
  return { person, browser, user_id, account_id: body.session.account_id };
}

describe('a person with two accounts', () => {
  it('switches between them: role, resources and audit are those of the account', async () => {
    const { browser, account_id } = await makeOwnerElsewhere();
    const before = await session(browser);
    expect(before).toMatchObject({ account_id, role: 'OWNER', account_name: `Second ${people}` });
    expect(before?.accounts.map(({ name, role }) => ({ name, role }))).toEqual([
      { name: `Second ${people}`, role: 'OWNER' },
      { name: 'My account', role: 'VIEWER' },
    ]);
    expect((await browser.call<Reply<'apiKeyList'>>('GET', '/api-keys')).body.api_keys).toEqual([]);
    const moved = await switchTo(browser, service.account_id);
    expect(moved.body.session).toMatchObject({ account_id: service.account_id, role: 'VIEWER' });
    expect((await browser.call('POST', '/api-keys', { name: 'no' })).status).toBe(403);
    const { entries } = (await owner.call<Reply<'auditList'>>('GET', '/audit?operation=sessionSwitch')).body;
    expect(entries[0]).toMatchObject({ actor_name: expect.stringContaining('several'), outcome: 'SUCCEEDED' });
  });

  it('gets a new token with each switch, and the session keeps its end', async () => {
    const { browser } = await makeOwnerElsewhere();
    const cookie = browser.cookie() ?? '';
    const ends = async () =>
      (await browser.call<Reply<'sessionList'>>('GET', '/session/devices')).body.sessions.map(
        (each) => each.created_at,
      );
    const created = await ends();
    expect((await switchTo(browser, service.account_id)).status).toBe(200);
    expect(browser.cookie()).not.toBe(cookie);
    const old = await service.api('GET', '/account', undefined, { key: null, headers: { cookie } });
    expect(old.status).toBe(401);
    expect(await ends()).toEqual(created);
  });

  it('signs in to the account that was used last, and lists the sessions of both', async () => {
    const { person, browser, account_id } = await makeOwnerElsewhere();
    await switchTo(browser, service.account_id);
    const other = await signIn(service, person);
    expect(await session(other)).toMatchObject({ account_id: service.account_id });
    await switchTo(other, account_id);
    expect(await session(await signIn(service, person))).toMatchObject({ account_id });
    const { sessions } = (await browser.call<Reply<'sessionList'>>('GET', '/session/devices')).body;
    expect(sessions).toHaveLength(3);
  });

  it('does not change the account that another tab has switched to', async () => {
    const { browser, account_id } = await makeOwnerElsewhere();
    await switchTo(browser, service.account_id);
    const tab = await browser.call('PATCH', '/account', { name: 'Mine' }, { 'sluice-account': account_id });
    expect(tab.status).toBe(409);
    expect(tab.body).toMatchObject({ required: 'RELOAD' });
    expect((await browser.call('GET', '/account', undefined, { 'sluice-account': service.account_id })).status).toBe(
      200,
    );
  });

  it('who is removed from one keeps the other; removed from both, can not sign in and can be invited again', async () => {
    const { person, browser, user_id, account_id } = await makeOwnerElsewhere();
    const here = await signIn(service, person);
    await switchTo(here, service.account_id);
    expect((await owner.call('DELETE', `/account/members/${user_id}`)).status).toBe(200);
    expect((await here.call('GET', '/account')).status).toBe(401);
    expect((await browser.call('GET', '/account')).status).toBe(200);
    expect((await switchTo(browser, service.account_id)).status).toBe(404);
    // A second owner removes the person from the other account, too.
    const heir = { email: `heir${people}@example.com`, password: 'violet tractor evening' };
    const { browser: second } = await invite(browser, service, heir, 'OWNER');
    const { members } = (await second.call<Reply<'memberList'>>('GET', '/account/members')).body;
    const left = members.find((member) => member.email === person.email);
    expect((await second.call('DELETE', `/account/members/${left?.user_id}`)).status).toBe(200);
    expect((await browser.call('GET', '/account')).status).toBe(401);
    expect((await openBrowser(service).call('POST', '/session', person)).status).toBe(401);
    const again = await invite(owner, service, { ...person, password: 'golden anchor winter' }, 'ADMIN');
    expect(await session(again.browser)).toMatchObject({ account_id: service.account_id, role: 'ADMIN' });
    expect(account_id).not.toBe(service.account_id);
  });
});

describe('an invitation to a person who signs in already', () => {
  it('is accepted while signed in, without a password', async () => {
    const { person, browser, account_id } = await makeOwnerElsewhere();
    const other = await makeOwnerElsewhere();
    const invited = await other.browser.call<Reply<'memberCreate'>>('POST', '/account/members', {
      email: person.email,
      name: 'Guest',
      role: 'ADMIN',
    });
    const token = tokenOf(invited.body.invite_url);
    const stranger = openBrowser(service);
    expect((await stranger.call('POST', '/session:invitation', { token })).body).toMatchObject({
      invitation: { purpose: 'JOIN_AFTER_SIGN_IN', email: person.email },
    });
    for (const browser of [stranger, other.browser]) {
      const taken = await browser.call('POST', '/session:accept', { token, password: 'golden anchor winter' });
      expect(taken.status).toBe(409);
      expect(taken.body['message']).toMatch(/^email: .* signs in already; sign in with this address first/);
    }
    expect((await browser.call('POST', '/session:invitation', { token })).body).toMatchObject({
      invitation: { purpose: 'JOIN' },
    });
    const withPassword = await browser.call('POST', '/session:accept', { token, password: 'golden anchor winter' });
    expect(withPassword.status).toBe(400);
    expect(withPassword.body['message']).toMatch(/^password: /);
    expect((await browser.call('POST', '/session:accept', { token })).status).toBe(200);
    expect(await session(browser)).toMatchObject({ account_id: other.account_id, role: 'ADMIN', name: 'Guest' });
    expect((await session(browser))?.accounts).toHaveLength(3);
    expect((await switchTo(browser, account_id)).status).toBe(200);
    await signIn(service, person);
  });

  it('twice by the same account is a 409; a new person needs a password', async () => {
    const { person } = await makeOwnerElsewhere();
    const twice = await owner.call('POST', '/account/members', { email: person.email, role: 'VIEWER' });
    expect(twice.status).toBe(409);
    expect(twice.body['message']).toBe('email: this address is a member already');
    const fresh = await owner.call<Reply<'memberCreate'>>('POST', '/account/members', {
      email: `fresh${people}@example.com`,
      role: 'VIEWER',
    });
    const without = await openBrowser(service).call('POST', '/session:accept', {
      token: tokenOf(fresh.body.invite_url),
    });
    expect(without.status).toBe(400);
    expect(without.body['message']).toBe('password: expected the new password');
  });

  it('accepted by two accounts at once makes one person', async () => {
    const [one, two] = [await makeOwnerElsewhere(), await makeOwnerElsewhere()];
    const email = `both${people}@example.com`;
    const links = await Promise.all(
      [one, two].map(
        async ({ browser }) =>
          (await browser.call<Reply<'memberCreate'>>('POST', '/account/members', { email, role: 'VIEWER' })).body
            .invite_url,
      ),
    );
    const answers = await Promise.all(
      links.map((link) =>
        openBrowser(service).call('POST', '/session:accept', {
          token: tokenOf(link),
          password: 'golden anchor winter',
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('switching and creating', () => {
  it('needs a session and a membership', async () => {
    const stranger = openBrowser(service);
    expect((await switchTo(stranger, service.account_id)).status).toBe(401);
    expect((await create(stranger, 'x')).status).toBe(401);
    const { account_id } = await makeOwnerElsewhere();
    const foreign = await switchTo(owner, account_id);
    const missing = await switchTo(owner, '019b0000-0000-7000-8000-000000000000');
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(missing.body);
    const malformed = await switchTo(owner, 'x');
    expect(malformed.status).toBe(400);
    const byKey = await service.api('POST', '/session:switch', { account_id });
    expect(byKey.status).not.toBe(200);
    for (const name of ['', 'x'.repeat(1000), 7])
      expect((await owner.call('POST', '/session/accounts', { name })).status, String(name).slice(0, 9)).toBe(400);
  });

  it('ends at a number of owned accounts, also with requests at once', async () => {
    const { browser, person } = await makeOwnerElsewhere();
    const browsers = [browser, await signIn(service, person), await signIn(service, person)];
    const statuses: number[] = [];
    for (let n = 0; n < OWNED_ACCOUNTS / 2; n++) {
      const made = await Promise.all(browsers.map((each, i) => create(each, `Of many ${n} ${i}`)));
      statuses.push(...made.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(OWNED_ACCOUNTS - 1);
    expect(statuses.filter((status) => status !== 200).every((status) => status === 403)).toBe(true);
  });
});

it('an operator creates an account with an invitation of its owner', async () => {
  const script = join(import.meta.dirname, '../../../scripts/create-account.ts');
  const env = {
    DATABASE_URL: service.databaseUrl,
    SLUICE_PORT: String(service.port),
    SLUICE_DATA_DIR: service.dataDir,
  };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args], { env });
  const { stdout } = await run('Globex', 'grace@example.com');
  const link = /http\S+/.exec(stdout)?.[0] ?? '';
  const browser = openBrowser(service);
  const accept = { token: tokenOf(link), password: 'golden anchor winter' };
  expect((await browser.call('POST', '/session:accept', accept)).status).toBe(200);
  expect(await session(browser)).toMatchObject({ account_name: 'Globex', role: 'OWNER', email: 'grace@example.com' });
  for (const bad of [[], ['Globex'], ['Globex', 'grace'], ['', 'grace@example.com']])
    await expect(run(...bad)).rejects.toMatchObject({ code: 2 });
});

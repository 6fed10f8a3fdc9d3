/** The second step of a sign-in: codes of an authenticator app, recovery codes, limits; and accounts that require one. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromNow } from '../../lib/clock.ts';
import { ADMIN, type Browser, openBrowser, signIn, tokenOf } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { codeOf } from './authenticator.ts';
import {
  addAuthenticator,
  addPasskey,
  ask,
  audited,
  enterPassword,
  isSignedIn,
  newMember,
  type Person,
} from './factor-support.ts';

const ROOT = join(import.meta.dirname, '../../..');
const service = serviceForAll();
const owner = forAll(() => signIn(service));

let person: Person;
let browser: Browser;
let user_id: string;
beforeEach(async () => {
  await service.services.db.deleteFrom('sign_in_limits').execute();
  ({ person, browser, user_id } = await newMember(owner, service));
});

const complete = (there: Browser, body: object) => there.call('POST', '/session:factor', body);

/** A code that is wrong in every time step near this one. */
function wrongCode(key: string): string {
  const near = new Set([-2, -1, 0, 1, 2, 3].map((steps) => codeOf(key, steps)));
  for (let i = 0; ; i++) {
    const code = String(i).padStart(6, '0');
    if (!near.has(code)) return code;
  }
}

describe('an authenticator app', () => {
  it('is a factor once its first code was entered, with recovery codes; the key is never returned again', async () => {
    const begun = await browser.call<{ authenticator: { key: string; url: string } }>('POST', '/session/authenticator');
    const { key, url } = begun.body.authenticator;
    const parsed = new URL(url);
    expect(parsed.protocol).toBe('otpauth:');
    expect(decodeURIComponent(parsed.pathname)).toContain(person.email);
    expect(parsed.searchParams.get('secret')).toBe(key);
    expect(await isSignedIn(await signIn(service, person))).toBe(true);
    for (const code of ['', '12345', '1234567', 'abcdef', 123456])
      expect((await browser.call('POST', '/session/authenticator:confirm', { code })).body).toMatchObject({
        code: 400,
        message: expect.stringMatching(/^code: /),
      });
    const wrong = await browser.call('POST', '/session/authenticator:confirm', { code: wrongCode(key) });
    expect(wrong.body['message']).toMatch(/^code: not the current code/);
    const elsewhere = await signIn(service, person);
    const code = codeOf(key).replace(/^(...)/, '$1 ');
    const confirmed = await browser.call<{ recovery_codes: string[] }>('POST', '/session/authenticator:confirm', {
      code,
    });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
    expect(await isSignedIn(elsewhere)).toBe(false);
    const again = await browser.call('POST', '/session/authenticator');
    expect(again.body).toMatchObject({ code: 409, message: expect.stringMatching(/remove it first/) });
    expect((await browser.call('POST', '/session/authenticator:confirm', { code: codeOf(key, 1) })).status).toBe(409);

    const { db } = service.services;
    const row = await db.selectFrom('authenticators').selectAll().orderBy('created_at', 'desc').executeTakeFirst();
    expect(row?.secret).toMatch(/^v1\./);
    const stored = JSON.stringify(await db.selectFrom('recovery_codes').selectAll().execute());
    const listed = JSON.stringify((await browser.call('GET', '/session/factors')).body);
    for (const secret of [key, ...confirmed.body.recovery_codes]) {
      expect(service.logged()).not.toContain(secret);
      expect(stored).not.toContain(secret);
      expect(listed).not.toContain(secret);
    }
    expect((await browser.call('DELETE', '/session/authenticator')).status).toBe(200);
    expect((await browser.call('DELETE', '/session/authenticator')).status).toBe(404);
    expect(await isSignedIn(await signIn(service, person))).toBe(true);
  });

  it('completes a sign-in that the password alone does not', async () => {
    const { key } = await addAuthenticator(browser);
    const there = openBrowser(service);
    const asked = await there.call('POST', '/session', person);
    expect(asked.body).toEqual({
      message: 'Use your second factor to complete the sign-in (POST /session:factor).',
      type: 'Unauthorized',
      code: 401,
      required: 'SECOND_FACTOR',
      factors: ['AUTHENTICATOR', 'RECOVERY_CODE'],
    });
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sluice_signing_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    expect(await isSignedIn(there)).toBe(false);
    expect((await there.call('GET', '/session')).body).toEqual({ session: null });
    const wrong = await complete(there, { code: wrongCode(key) });
    expect(wrong.body).toMatchObject({
      code: 401,
      required: 'SECOND_FACTOR',
      message: expect.stringMatching(/^code: /),
    });
    const right = await complete(there, { code: codeOf(key, 1) });
    expect(right.body).toMatchObject({ session: { email: person.email } });
    expect(right.headers.getSetCookie()[0]).toMatch(/^sluice_signing_in=; .*Max-Age=0/);
    expect(await isSignedIn(there)).toBe(true);
    const [entered, failed] = await audited(owner, 'sessionFactor');
    expect(entered).toMatchObject({ outcome: 'SUCCEEDED', resource_id: user_id });
    expect(failed).toMatchObject({ outcome: 'FAILED', actor_name: person.email });
  });

  it('has codes that work once: not again, not an earlier one, and in one of two requests at once', async () => {
    const { key, used } = await addAuthenticator(browser);
    const there = await enterPassword(service, person);
    expect((await complete(there, { code: used })).body['message']).toMatch(/^code: not the current code, or used/);
    const both = [there, await enterPassword(service, person)];
    const next = codeOf(key, 1);
    const answers = await Promise.all(both.map((each) => complete(each, { code: next })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const later = await enterPassword(service, person);
    for (const code of [next, used]) expect((await complete(later, { code })).status).toBe(401);
    for (const steps of [-2, 3])
      expect((await complete(await enterPassword(service, person), { code: codeOf(key, steps) })).status).toBe(401);
  });

  it('has codes that work once on all nodes, and a sign-in continues on another node', async () => {
    const env = { DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir };
    const second: Service = await startService({ env });
    try {
      const { key, recovery_codes } = await addAuthenticator(browser);
      const there = await enterPassword(service, person);
      const elsewhere = await enterPassword(second, person);
      const code = codeOf(key, 1);
      const answers = await Promise.all([complete(there, { code }), complete(elsewhere, { code })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const [recovery_code] = recovery_codes ?? [];
      const asked = await second.api('POST', '/session', person, { key: null, headers: { origin: second.url } });
      const cookie = asked.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      const done = await service.api(
        'POST',
        '/session:factor',
        { recovery_code },
        {
          key: null,
          headers: { origin: service.url, cookie },
        },
      );
      expect(done.status).toBe(200);
    } finally {
      await second.stop();
    }
  });
});

describe('recovery codes', () => {
  it('work once each, in any spelling; new ones replace them', async () => {
    const { recovery_codes } = await addAuthenticator(browser);
    const [first = '', second = '', third = ''] = recovery_codes ?? [];
    expect(first).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/);
    const there = await enterPassword(service, person);
    const spelled = ` ${first.toUpperCase().replaceAll('-', ' ')} `;
    expect((await complete(there, { recovery_code: spelled })).status).toBe(200);
    expect((await there.call('GET', '/session/factors')).body).toMatchObject({ recovery_codes_left: 9 });
    const next = await enterPassword(service, person);
    expect((await complete(next, { recovery_code: first })).body).toMatchObject({
      code: 401,
      required: 'SECOND_FACTOR',
      message: 'recovery_code: not one of your unused recovery codes',
    });
    const both = [next, await enterPassword(service, person)];
    const answers = await Promise.all(both.map((each) => complete(each, { recovery_code: second })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const renewed = await there.call<{ recovery_codes: string[] }>('POST', '/session/recovery-codes');
    expect(renewed.body.recovery_codes).toHaveLength(10);
    const last = await enterPassword(service, person);
    expect((await complete(last, { recovery_code: third })).status).toBe(401);
    expect((await complete(last, { recovery_code: renewed.body.recovery_codes[0] })).status).toBe(200);
  });

  it('come only with a factor', async () => {
    expect((await browser.call('POST', '/session/recovery-codes')).status).toBe(409);
    expect((await openBrowser(service).call('POST', '/session/recovery-codes')).status).toBe(401);
  });
});

describe('the second step', () => {
  it('takes exactly one factor', async () => {
    await addAuthenticator(browser);
    const there = await enterPassword(service, person);
    for (const body of [
      {},
      { code: '123456', recovery_code: 'x' },
      { code: '12345' },
      { code: 123456 },
      { recovery_code: '' },
      { recovery_code: 'x'.repeat(101) },
      { passkey: {} },
      { password: 'x' },
    ])
      expect((await complete(there, body)).status, JSON.stringify(body)).toBe(400);
  });

  it('is bound to the browser, and ends after ten minutes or with a new password', async () => {
    const { recovery_codes } = await addAuthenticator(browser);
    const body = { recovery_code: recovery_codes?.[0] };
    const there = await enterPassword(service, person);
    expect((await complete(openBrowser(service), body)).status).toBe(401);
    const cookie = `sluice_signing_in=${'x'.repeat(43)}`;
    expect((await openBrowser(service).call('POST', '/session:factor', body, { cookie })).status).toBe(401);
    await service.services.db
      .updateTable('pending_sign_ins')
      .set({ expires_at: fromNow(-1) })
      .execute();
    const late = await complete(there, body);
    expect(late.body).toMatchObject({
      code: 401,
      message: expect.stringMatching(/enter your email and password again/),
    });
    expect(late.body).not.toHaveProperty('required');
    const next = await enterPassword(service, person);
    const changed = { current_password: person.password, new_password: 'golden anchor winter' };
    expect((await browser.call('POST', '/session:password', changed)).status).toBe(200);
    expect((await complete(next, body)).status).toBe(401);
  });

  it('allows five wrong codes per password, also to a client that keeps the cookie', async () => {
    const { key } = await addAuthenticator(browser);
    const asked = await openBrowser(service).call('POST', '/session', person);
    const cookie = asked.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const attempt = (code: string) => openBrowser(service).call('POST', '/session:factor', { code }, { cookie });
    for (let i = 0; i < 4; i++) expect((await attempt(wrongCode(key))).body).toHaveProperty('required');
    expect((await attempt(wrongCode(key))).body).not.toHaveProperty('required');
    expect((await attempt(codeOf(key, 1))).status).toBe(401);
    expect((await complete(await enterPassword(service, person), { code: codeOf(key, 1) })).status).toBe(200);
  });

  it('counts wrong codes per person in all browsers; a known browser and a recovery code still work', async () => {
    const { key, recovery_codes } = await addAuthenticator(browser);
    const known = await enterPassword(service, person);
    expect((await complete(known, { recovery_code: recovery_codes?.[0] })).status).toBe(200);
    known.forgetSession();
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const there = await enterPassword(service, person);
      for (let j = 0; j < 4; j++) statuses.push((await complete(there, { code: wrongCode(key) })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    await known.call('POST', '/session', person);
    expect((await complete(known, { code: codeOf(key, 1) })).status).toBe(200);

    // 50 a day, also from known browsers; a recovery code is not a guess.
    const { db } = service.services;
    await db.updateTable('sign_in_limits').set({ tokens: 0 }).where('scope', 'like', 'codes:%').execute();
    known.forgetSession();
    await known.call('POST', '/session', person);
    const refused = await complete(known, { code: codeOf(key, 1) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await complete(known, { recovery_code: recovery_codes?.[1] })).status).toBe(200);
  });
});

it('a forgotten password does not replace the second factor', async () => {
  const { key } = await addAuthenticator(browser);
  const { stdout } = await script(person.email);
  const there = openBrowser(service);
  const token = tokenOf(/http\S+/.exec(stdout)?.[0] ?? '');
  const accepted = await there.call('POST', '/session:accept', { token, password: 'silver mountain breakfast' });
  expect(accepted.body).toEqual({ session: null });
  expect(await isSignedIn(there)).toBe(false);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await complete(there, { code: codeOf(key, 1) })).status).toBe(200);
  await enterPassword(service, { ...person, password: 'silver mountain breakfast' });
});

describe('an operator', () => {
  it('removes the second factors of a person, who then signs in with the password', async () => {
    await addAuthenticator(browser);
    await addPasskey(browser, service);
    const { stdout } = await script(person.email, '--second-factor');
    expect(stdout).toContain(`2 second factors of ${person.email} removed`);
    expect(await isSignedIn(browser)).toBe(false);
    const there = await signIn(service, person);
    expect((await there.call('GET', '/session/factors')).body).toMatchObject({
      passkeys: [],
      authenticator: null,
      recovery_codes_left: 0,
    });
    for (const operation of ['passkeyDelete', 'authenticatorDelete'])
      expect((await audited(owner, operation))[0]).toMatchObject({ actor_name: 'npm run reset-password' });
  });

  it('gets an error for an unknown address or option', async () => {
    await expect(script('unknown@example.com', '--second-factor')).rejects.toMatchObject({ code: 1 });
    await expect(script('--second-factor')).rejects.toMatchObject({ code: 2 });
    await expect(script(person.email, '--everything')).rejects.toMatchObject({ code: 2 });
  });
});

function script(...args: string[]) {
  return promisify(execFile)(process.execPath, ['scripts/reset-password.ts', ...args], {
    cwd: ROOT,
    env: { SLUICE_DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl },
  });
}

describe('an account that requires a second factor', () => {
  const required = forAll(
    () => startService(),
    (started) => started.stop(),
  );
  const require = (of: Browser, require_second_factor: unknown) =>
    of.call('PATCH', '/account', { require_second_factor });

  it('is the choice of an owner who has one; members can only set one up, API keys are not affected', async () => {
    const boss = await signIn(required);
    const { person: anna, browser: hers } = await newMember(boss, required, 'ADMIN');
    expect((await hers.call('GET', '/account')).body).toMatchObject({ account: { require_second_factor: false } });
    expect((await require(boss, true)).body).toMatchObject({
      code: 409,
      message: expect.stringMatching(/^require_second_factor: /),
    });
    await addPasskey(boss, required);
    expect((await require(boss, 'yes')).status).toBe(400);
    expect((await require(hers, true)).status).toBe(403);
    const { db } = required.services;
    await db
      .updateTable('sessions')
      .set({ confirmed_at: fromNow(-2 * 3_600_000) })
      .execute();
    expect((await require(boss, true)).body).toMatchObject({ required: 'CONFIRM_PASSWORD' });
    await boss.call('POST', '/session:confirm', { password: ADMIN.password });
    await hers.call('POST', '/session:confirm', { password: anna.password });
    expect((await require(boss, true)).body).toMatchObject({ account: { require_second_factor: true } });

    const refused = { code: 403, required: 'SET_UP_SECOND_FACTOR' };
    for (const [method, path] of [
      ['GET', '/account'],
      ['GET', '/events:stream'],
      ['POST', '/api-keys'],
    ] as const)
      expect((await hers.call(method, path, method === 'POST' ? { name: 'mine' } : undefined)).body).toMatchObject(
        refused,
      );
    expect((await required.api('GET', '/account')).status).toBe(200);
    const again = await signIn(required, anna);
    expect((await again.call('GET', '/session')).body).toMatchObject({
      session: { email: anna.email, required: 'SET_UP_SECOND_FACTOR' },
    });
    expect((await again.call('GET', '/runs')).body).toMatchObject(refused);

    type Members = { members: { email: string; second_factor: boolean | null }[] };
    const members = async (of: Browser) =>
      (await of.call<Members>('GET', '/account/members')).body.members.map(({ second_factor }) => second_factor);
    expect(await members(boss)).toEqual([true, false]);
    const { key } = await addAuthenticator(again);
    expect((await again.call('GET', '/account')).status).toBe(200);
    expect((await again.call('GET', '/session')).body['session']).not.toHaveProperty('required');
    expect(await members(boss)).toEqual([true, true]);
    expect(await members(again)).toEqual([null, null]);

    const last = await again.call('DELETE', '/session/authenticator');
    expect(last.body).toMatchObject({
      code: 409,
      message: expect.stringMatching(/^My account requires a second factor/),
    });
    await addPasskey(again, required);
    expect((await again.call('DELETE', '/session/authenticator')).status).toBe(200);
    expect((await complete(await enterPassword(required, anna), { code: codeOf(key, 1) })).status).toBe(401);
    expect((await require(boss, false)).body).toMatchObject({ account: { require_second_factor: false } });
    expect((await audited(boss, 'accountUpdate'))[0]).toMatchObject({ outcome: 'SUCCEEDED' });
  });

  it('counts a passkey alone as two factors', async () => {
    const { db } = required.services;
    await db.deleteFrom('passkeys').execute();
    const { browser: hers } = await newMember(await signIn(required), required);
    await db.updateTable('accounts').set({ require_second_factor: true }).execute();
    const { passkey } = await addPasskey(hers, required);
    const there = openBrowser(required);
    const used = { passkey: passkey.use(await ask(there, 'SIGN_IN')) };
    expect((await there.call('POST', '/session:passkey', used)).status).toBe(200);
    expect(await isSignedIn(there)).toBe(true);
  });
});

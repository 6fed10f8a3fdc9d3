/** Passkeys: added, used alone, after the password and in its place; hostile authenticators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fromNow } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type Browser, openBrowser, signIn } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { cbor, newPasskey } from './authenticator.ts';
import {
  addPasskey,
  ask,
  audited,
  enterPassword,
  isSignedIn,
  newMember,
  originOf,
  type Person,
} from './factor-support.ts';

const service = serviceForAll();
const owner = forAll(() => signIn(service));

let person: Person;
let browser: Browser;
beforeEach(async () => {
  await service.services.db.deleteFrom('sign_in_limits').execute();
  ({ person, browser } = await newMember(owner, service));
});

type Factors = {
  passkeys: { passkey_id: string; name: string; synced: boolean; last_used_at: string | null }[];
  recovery_codes_left: number;
  passkeys_unavailable: string | null;
};
const factors = async (of = browser) => (await of.call<Factors>('GET', '/session/factors')).body;
const optionsToAdd = async () =>
  (await browser.call<{ options: Parameters<typeof newPasskey>[0] }>('POST', '/session/passkeys:options')).body.options;

describe('a passkey', () => {
  it('is added with recovery codes, listed, renamed and removed; other sessions end', async () => {
    const elsewhere = await signIn(service, person);
    const first = await addPasskey(browser, service, 'Laptop');
    expect(first.recovery_codes).toHaveLength(10);
    expect(await isSignedIn(elsewhere)).toBe(false);
    const second = await addPasskey(browser, service, 'Phone');
    expect(second.recovery_codes).toBeNull();
    expect(await factors()).toMatchObject({
      passkeys: [
        { name: 'Laptop', synced: true, last_used_at: null },
        { name: 'Phone', synced: true },
      ],
      recovery_codes_left: 10,
      passkeys_unavailable: null,
      has_password: true,
      authenticator: null,
    });
    expect(JSON.stringify(await factors())).not.toMatch(/credential|public_key|counter/);

    const at = `/session/passkeys/${first.passkey_id}`;
    expect((await browser.call('PATCH', at, { name: 'Old laptop' })).body).toMatchObject({
      passkey: { name: 'Old laptop' },
    });
    expect((await browser.call('PATCH', at, { name: '' })).body['message']).toMatch(/^name: /);
    const { browser: other } = await newMember(owner, service);
    for (const [method, body] of [
      ['PATCH', { name: 'mine' }],
      ['DELETE', undefined],
    ] as const) {
      expect((await other.call(method, at, body)).status).toBe(404);
      expect((await browser.call(method, `/session/passkeys/${newId()}`, body)).status).toBe(404);
      expect((await openBrowser(service).call(method, at, body)).status).toBe(401);
    }
    expect((await browser.call('DELETE', at)).status).toBe(200);
    expect((await factors()).passkeys.map(({ name }) => name)).toEqual(['Phone']);
    expect((await browser.call('DELETE', `/session/passkeys/${second.passkey_id}`)).status).toBe(200);
    expect(await factors()).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect(await isSignedIn(await signIn(service, person))).toBe(true);
  });

  it('needs a recent confirmation to be added or removed', async () => {
    const { passkey_id } = await addPasskey(browser, service);
    await service.services.db
      .updateTable('sessions')
      .set({ confirmed_at: fromNow(-2 * 3_600_000) })
      .execute();
    for (const [method, path] of [
      ['POST', '/session/passkeys:options'],
      ['DELETE', `/session/passkeys/${passkey_id}`],
      ['POST', '/session/recovery-codes'],
      ['POST', '/session/authenticator'],
    ] as const)
      expect((await browser.call(method, path)).body).toMatchObject({ code: 403, required: 'CONFIRM_PASSWORD' });
    await owner.call('POST', '/session:confirm', { password: 'a long enough password' });
  });

  it('confirms in place of the password', async () => {
    const { passkey } = await addPasskey(browser, service);
    await service.services.db
      .updateTable('sessions')
      .set({ confirmed_at: fromNow(-2 * 3_600_000) })
      .execute();
    const wrong = passkey.use(await ask(browser, 'CONFIRM'), { verified: false });
    expect((await browser.call('POST', '/session:confirm', { passkey: wrong })).body['message']).toMatch(/^passkey: /);
    const right = passkey.use(await ask(browser, 'CONFIRM'));
    for (const body of [{}, { password: 'x', passkey: right }])
      expect((await browser.call('POST', '/session:confirm', body)).status).toBe(400);
    expect((await browser.call('POST', '/session:confirm', { passkey: right })).status).toBe(200);
    expect((await browser.call('POST', '/session/recovery-codes')).status).toBe(200);
    await owner.call('POST', '/session:confirm', { password: 'a long enough password' });
  });

  it('of one person are at most 20', async () => {
    const { person_id } = await service.services.db
      .selectFrom('people')
      .select('person_id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 19 }, (_, i) => ({
      person_id,
      passkey_id: newId(),
      credential_id: `filler-${person.email}-${i}`,
      public_key: '',
      counter: 0,
      transports: '[]',
      name: `Filler ${i}`,
      synced: false,
      created_at: fromNow(0),
      last_used_at: null,
    }));
    await service.services.db.insertInto('passkeys').values(rows).execute();
    const [one, two] = [await optionsToAdd(), await optionsToAdd()];
    const statuses = await Promise.all(
      [one, two].map(async (options) => {
        const { credential } = newPasskey(options, originOf(service));
        return (await browser.call('POST', '/session/passkeys', { name: 'Last', passkey: credential })).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await browser.call('POST', '/session/passkeys:options')).status).toBe(409);
  });
});

describe('a new credential is refused', () => {
  const add = async (credential: object, of = browser) =>
    of.call('POST', '/session/passkeys', { name: 'Laptop', passkey: credential });

  it('of another origin or site, without user verification, with a used challenge or one of another session', async () => {
    const origin = originOf(service);
    for (const flags of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }]) {
      const refused = await add(newPasskey(await optionsToAdd(), origin, flags).credential);
      expect(refused.body).toMatchObject({ code: 400, message: 'passkey: not a valid passkey of this site' });
    }
    const options = await optionsToAdd();
    const { browser: other } = await newMember(owner, service);
    const { credential } = newPasskey(options, origin);
    expect((await add(credential, other)).body['message']).toMatch(/expired or was answered/);
    expect((await add(credential)).status).toBe(200);
    expect((await add(credential)).body['message']).toMatch(/expired or was answered/);
    expect((await add(newPasskey({ ...options, challenge: 'invented' }, origin).credential)).status).toBe(400);
  });

  it('after five minutes', async () => {
    const { credential } = newPasskey(await optionsToAdd(), originOf(service));
    await service.services.db
      .updateTable('passkey_challenges')
      .set({ expires_at: fromNow(-1) })
      .execute();
    expect((await add(credential)).body['message']).toMatch(/expired or was answered/);
  });

  it('if it is junk, and the reply names the field', async () => {
    const { credential } = newPasskey(await optionsToAdd(), originOf(service));
    const { response, ...rest } = credential as { response: Record<string, string> };
    const deep = Buffer.alloc(11_000, 0x81).toString('base64url');
    const certified = cbor({ fmt: 'packed', attStmt: { x5c: 'certificates' }, authData: Buffer.alloc(37) });
    const changes = [
      { attestationObject: '' },
      { attestationObject: deep },
      { attestationObject: Buffer.from('{}').toString('base64url') },
      { attestationObject: certified.toString('base64url') },
      { attestationObject: 'not base64url!' },
      { attestationObject: 'A'.repeat(16_001) },
      { clientDataJSON: 'A'.repeat(4_001) },
      { clientDataJSON: Buffer.from('[1]').toString('base64url') },
      { clientDataJSON: 7 },
    ];
    for (const change of changes) {
      const options = await optionsToAdd();
      const data = { ...JSON.parse(Buffer.from(response['clientDataJSON'] ?? '', 'base64url').toString()), ...options };
      const clientDataJSON = Buffer.from(JSON.stringify({ ...data, type: 'webauthn.create' })).toString('base64url');
      const refused = await add({ ...rest, response: { ...response, clientDataJSON, ...change } });
      expect(refused.body, JSON.stringify(change).slice(0, 80)).toMatchObject({
        code: 400,
        message: expect.stringMatching(/^passkey/),
      });
    }
    for (const junk of [null, 7, 'x', [], {}, { id: '', type: 'public-key', response: {} }])
      expect((await add(junk as object)).body).toMatchObject({ code: 400, message: expect.stringMatching(/^passkey/) });
    expect((await factors()).passkeys).toEqual([]);
  });
});

describe('signing in with a passkey alone', () => {
  it('opens a session, marks the browser, and records the use', async () => {
    const { passkey } = await addPasskey(browser, service);
    const there = openBrowser(service);
    passkey.counter = 5;
    const options = await ask(there, 'SIGN_IN');
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    const answer = await there.call('POST', '/session:passkey', {
      passkey: passkey.use(options, { synced: false }),
    });
    expect(answer.body).toMatchObject({ session: { email: person.email } });
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/sluice_device=/);
    expect(await isSignedIn(there)).toBe(true);
    const [used] = (await factors()).passkeys;
    expect(used).toMatchObject({ synced: false, last_used_at: expect.any(String) });
    expect((await audited(owner, 'sessionPasskey'))[0]).toMatchObject({ outcome: 'SUCCEEDED' });
  });

  it('is refused without user verification, for another site or person, in another browser, and twice', async () => {
    const { passkey } = await addPasskey(browser, service);
    const there = openBrowser(service);
    const use = async (...given: Parameters<typeof passkey.use>) =>
      there.call('POST', '/session:passkey', { passkey: passkey.use(...given) });
    const userHandle = Buffer.from(newId()).toString('base64url');
    for (const flags of [
      { verified: false },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userHandle },
    ]) {
      const refused = await use(await ask(there, 'SIGN_IN'), flags);
      expect(refused.body).toMatchObject({ code: 401, message: 'passkey: the signature is not valid' });
      expect(refused.body).not.toHaveProperty('required');
    }
    const [refusal] = await audited(owner, 'sessionPasskey');
    expect(refusal).toMatchObject({ outcome: 'FAILED', actor_name: person.email });
    const options = await ask(there, 'SIGN_IN');
    const elsewhere = openBrowser(service);
    await ask(elsewhere, 'SIGN_IN');
    const used = { passkey: passkey.use(options) };
    expect((await elsewhere.call('POST', '/session:passkey', used)).status).toBe(401);
    expect((await openBrowser(service).call('POST', '/session:passkey', used)).status).toBe(401);
    expect((await there.call('POST', '/session:passkey', used)).status).toBe(200);
    expect((await there.call('POST', '/session:passkey', used)).status).toBe(401);
    // A challenge of another purpose is of no use.
    expect((await use(await ask(browser, 'CONFIRM'))).status).toBe(401);
  });

  it('is refused after the passkey was removed', async () => {
    const { passkey, passkey_id } = await addPasskey(browser, service);
    await browser.call('DELETE', `/session/passkeys/${passkey_id}`);
    const there = openBrowser(service);
    const answer = await there.call('POST', '/session:passkey', { passkey: passkey.use(await ask(there, 'SIGN_IN')) });
    expect(answer.body).toMatchObject({ code: 401, message: expect.stringMatching(/not known here/) });
  });

  it('is refused if the counter did not increase: a cloned authenticator, also at the same time', async () => {
    const { passkey, passkey_id } = await addPasskey(browser, service);
    const enter = async (counter: number) => {
      const there = openBrowser(service);
      const options = await ask(there, 'SIGN_IN');
      passkey.counter = counter;
      return there.call('POST', '/session:passkey', { passkey: passkey.use(options) });
    };
    expect((await enter(7)).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      const refused = await enter(counter);
      expect(refused.body).toMatchObject({ code: 401, message: expect.stringMatching(/counter did not increase/) });
    }
    expect((await audited(owner, 'sessionPasskey'))[0]).toMatchObject({ outcome: 'FAILED', resource_id: passkey_id });
    expect(service.logged()).toContain('passkey counter did not increase');
    const both = [openBrowser(service), openBrowser(service)];
    const prompts = await Promise.all(both.map((each) => ask(each, 'SIGN_IN')));
    passkey.counter = 8;
    const uses = prompts.map((options) => ({ passkey: passkey.use(options) }));
    const answers = await Promise.all(both.map((each, i) => each.call('POST', '/session:passkey', uses[i])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('a passkey after the password', () => {
  it('completes the sign-in; only a passkey of this person, in this browser', async () => {
    const { passkey } = await addPasskey(browser, service);
    const { browser: other, person: theirs } = await newMember(owner, service);
    const { passkey: foreign } = await addPasskey(other, service);
    const there = await enterPassword(service, person);
    const refused = await there.call('POST', '/session:factor', {
      passkey: foreign.use(await ask(there, 'SECOND_FACTOR')),
    });
    expect(refused.body).toMatchObject({ code: 401, required: 'SECOND_FACTOR', factors: ['PASSKEY', 'RECOVERY_CODE'] });
    const options = await ask(there, 'SECOND_FACTOR');
    expect(options).toMatchObject({ allowCredentials: [{ id: passkey.id, transports: ['internal'] }] });
    const elsewhere = await enterPassword(service, theirs);
    const used = { passkey: passkey.use(options, { verified: false }) };
    expect((await elsewhere.call('POST', '/session:factor', used)).status).toBe(401);
    expect((await there.call('POST', '/session:factor', used)).status).toBe(200);
    expect(await isSignedIn(there)).toBe(true);
  });

  it('is not asked for without the password', async () => {
    const refused = await openBrowser(service).call('POST', '/session:passkey-options', { purpose: 'SECOND_FACTOR' });
    expect(refused.status).toBe(401);
    for (const purpose of ['ADD', '', null])
      expect((await browser.call('POST', '/session:passkey-options', { purpose })).status).toBe(400);
  });
});

it('a console URL without https or with an IP address has no passkeys, and every reply says why', async () => {
  const plain = await startService({ env: { SLUICE_CONSOLE_URL: 'http://sluice.example:8080' } });
  try {
    const origin = { origin: 'http://sluice.example:8080', host: 'sluice.example:8080' };
    const there = openBrowser(plain);
    await there.call('POST', '/session', { email: 'admin@example.com', password: 'a long enough password' }, origin);
    const { body } = await there.call<Factors>('GET', '/session/factors', undefined, origin);
    expect(body.passkeys_unavailable).toBe(
      'Passkeys need a console URL with https and a host name; http://sluice.example:8080 is plain http (SLUICE_CONSOLE_URL).',
    );
    for (const [path, input] of [
      ['/session/passkeys:options', undefined],
      ['/session:passkey-options', { purpose: 'SIGN_IN' }],
    ] as const)
      expect((await there.call('POST', path, input, origin)).body).toMatchObject({
        code: 409,
        message: body.passkeys_unavailable,
      });
  } finally {
    await plain.stop();
  }
});

import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, tokenOf } from '../../test/browser.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { firstStart } from '../first-start.ts';

const NOTHING = { email: undefined, password: undefined, apiKey: undefined };

const service = serviceForAll();
beforeEach(async () => {
  await sql`truncate accounts cascade`.execute(service.services.db);
});

const accounts = () => service.services.db.selectFrom('accounts').selectAll().execute();

describe('without settings', () => {
  it('every start prints the same one-time link until the owner sets a password', async () => {
    const link = await firstStart(service.services, NOTHING);
    expect(link).toMatch(new RegExp(`^http://localhost:${service.port}/welcome#token=[\\w-]{43}$`));
    expect(await firstStart(service.services, NOTHING)).toBe(link);
    const token = tokenOf(link ?? '');
    const browser = openBrowser(service);
    const read = await browser.call('POST', '/session:invitation', { token });
    expect(read.body).toEqual({
      invitation: { purpose: 'WELCOME', account_name: 'My account', email: null, role: 'OWNER' },
    });

    const password = 'the first password';
    const nameless = await browser.call('POST', '/session:accept', { token, password });
    expect(nameless.status).toBe(400);
    expect(nameless.body['message']).toMatch(/^email: /);
    const accepted = await browser.call('POST', '/session:accept', {
      token,
      password,
      email: 'Boss@Example.com',
      name: 'Boss',
    });
    expect(accepted.body).toMatchObject({ session: { email: 'boss@example.com', name: 'Boss', role: 'OWNER' } });
    expect((await browser.call('GET', '/account')).status).toBe(200);

    expect(await firstStart(service.services, NOTHING)).toBeNull();
    expect(
      (await openBrowser(service).call('POST', '/session:accept', { token, password, email: 'b@example.com' })).status,
    ).toBe(404);
  });

  it('nodes that start at once create one account', async () => {
    const links = await Promise.all(Array.from({ length: 4 }, () => firstStart(service.services, NOTHING)));
    expect(new Set(links).size).toBe(1);
    expect(await accounts()).toHaveLength(1);
  });
});

describe('with settings', () => {
  const apiKey = 'my-own_key-of-20-chars';

  it('creates the owner and the key, without a link', async () => {
    const first = { email: 'Head@Less.example', password: 'long enough', apiKey };
    expect(await firstStart(service.services, first)).toBeNull();
    const { status } = await openBrowser(service).call('POST', '/session', {
      email: 'head@less.example',
      password: 'long enough',
    });
    expect(status).toBe(200);
    expect((await service.api('GET', '/account', undefined, { key: apiKey })).status).toBe(200);
    await firstStart(service.services, { ...first, password: 'x', apiKey: 'x' });
    expect(await accounts()).toHaveLength(1);
  });

  it('accepts a key without an owner, who is invited', async () => {
    expect(await firstStart(service.services, { ...NOTHING, apiKey: `${apiKey}-2` })).toContain('/welcome#token=');
    expect((await service.api('GET', '/account', undefined, { key: `${apiKey}-2` })).status).toBe(200);
  });

  it.each([
    [{ email: 'missing', password: 'long enough' }, 'SLUICE_ADMIN_EMAIL: expected an email address'],
    [{ email: 'a@example.com', password: 'too short' }, 'SLUICE_ADMIN_PASSWORD: expected at least 10 characters'],
    [{ email: 'a@example.com' }, 'SLUICE_ADMIN_PASSWORD: required because SLUICE_ADMIN_EMAIL is set'],
    [{ password: 'long enough' }, 'SLUICE_ADMIN_EMAIL: required because SLUICE_ADMIN_PASSWORD is set'],
    [{ apiKey: 'short' }, 'SLUICE_API_KEY: expected 20 to 200 characters of A-Z, a-z, 0-9, _ and -'],
    [{ apiKey: 'twenty characters and ü' }, 'SLUICE_API_KEY: expected 20 to 200 characters of A-Z, a-z, 0-9, _ and -'],
  ])('refuses %j and makes nothing', async (settings, message) => {
    await expect(firstStart(service.services, { ...NOTHING, ...settings })).rejects.toMatchObject({
      name: 'Refusal',
      message,
    });
    expect(await accounts()).toHaveLength(0);
  });
});

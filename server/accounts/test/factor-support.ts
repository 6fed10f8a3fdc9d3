/** People with a second factor, for tests: set up and used through the API. */
import { expect } from 'vitest';
import { type Browser, invite, openBrowser } from '../../test/browser.ts';
import type { Service } from '../../test/service.ts';
import { codeOf, newPasskey, type Passkey } from './authenticator.ts';

export type Person = { email: string; password: string };
type Options = { options: { challenge: string; rpId: string; rp: { id: string }; user: { id: string } } };

export const originOf = (service: Service): string => new URL(service.services.settings.addresses.console_url).origin;

let count = 0;

/** A new member of the first account, signed in. */
export async function newMember(owner: Browser, service: Service, role = 'VIEWER') {
  const person: Person = { email: `factor${++count}@example.com`, password: 'violet tractor evening' };
  return { person, ...(await invite(owner, service, person, role)) };
}

/** Adds a passkey to the signed-in person. */
export async function addPasskey(
  browser: Browser,
  service: Service,
  name = 'Laptop',
): Promise<{ passkey: Passkey; passkey_id: string; recovery_codes: string[] | null }> {
  const { options } = (await browser.call<Options>('POST', '/session/passkeys:options')).body;
  const { passkey, credential } = newPasskey(options, originOf(service));
  const added = await browser.call<{ passkey: { passkey_id: string }; recovery_codes: string[] | null }>(
    'POST',
    '/session/passkeys',
    { name, passkey: credential },
  );
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  return { passkey, passkey_id: added.body.passkey.passkey_id, recovery_codes: added.body.recovery_codes };
}

/**
 * Adds an authenticator app to the signed-in person, with the code of this time step. The next one is right for the
 * next sign-in, also if a step begins meanwhile.
 */
export async function addAuthenticator(
  browser: Browser,
): Promise<{ key: string; used: string; recovery_codes: string[] | null }> {
  const { body } = await browser.call<{ authenticator: { key: string } }>('POST', '/session/authenticator');
  const { key } = body.authenticator;
  const used = codeOf(key);
  const confirmed = await browser.call<{ recovery_codes: string[] | null }>('POST', '/session/authenticator:confirm', {
    code: used,
  });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  return { key, used, recovery_codes: confirmed.body.recovery_codes };
}

/** A browser in which the person entered the right password; the second step is next. */
export async function enterPassword(service: Service, person: Person): Promise<Browser> {
  const browser = openBrowser(service);
  const answer = await browser.call('POST', '/session', person);
  expect(answer.body).toMatchObject({ code: 401, required: 'SECOND_FACTOR' });
  return browser;
}

/** The options of a prompt for a passkey. */
export async function ask(browser: Browser, purpose: string): Promise<Options['options']> {
  const { status, body } = await browser.call<Options>('POST', '/session:passkey-options', { purpose });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.options;
}

export const isSignedIn = async (browser: Browser) => (await browser.call('GET', '/account')).status === 200;

type Entry = { operation: string; outcome: string; resource_id: string; actor_name: string };

/** The newest audit entries of an operation. */
export const audited = async (owner: Browser, operation: string) =>
  (await owner.call<{ entries: Entry[] }>('GET', `/audit?limit=20&operation=${operation}`)).body.entries;

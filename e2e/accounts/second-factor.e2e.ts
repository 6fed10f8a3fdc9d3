/** Second factors in the browser: passkeys of a virtual authenticator, an authenticator app, recovery codes. */
import type { CDPSession, Page } from '@playwright/test';
import { codeOf } from '../../server/accounts/test/authenticator.ts';
import { EVERY_RULE, violationsOf } from '../support/accessibility.ts';
import { openClient } from '../support/another-account.ts';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { ADMIN, type RunningService } from '../support/service.ts';

const test = onSeparateService();
test.describe.configure({ mode: 'serial' });
test.beforeEach(() => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[0139]' });
});

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });

/** A virtual authenticator that verifies its user, as the screen lock of a laptop does. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function enterPassword(page: Page, service: RunningService, who = ADMIN): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole('textbox', { name: 'Email' }).fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'My account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

const passkeys = (page: Page) => page.getByRole('table', { name: 'Passkeys' });
const codes = (page: Page) => page.getByRole('dialog', { name: 'Your recovery codes' });

test('a first passkey signs in alone, after the password, and in place of it', async ({
  page,
  service,
  axe,
  axeInBothSchemes,
}) => {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await enterPassword(page, service);
  await expect(overview(page)).toBeVisible();
  await page.goto(`${service.url}/settings/security`);
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeVisible();
  await axeInBothSchemes('no second factor');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await axe('a new passkey');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Work laptop');

  // the person cancels the prompt of the browser
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('The prompt was closed or timed out');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await expect(codes(page).getByRole('listitem')).toHaveCount(10);
  await axe('recovery codes');
  await codes(page).getByRole('button', { name: 'I have stored them' }).click();
  await expect(passkeys(page).getByRole('row', { name: /Work laptop/ })).toContainText('never');
  await expect(page.getByText('10 unused codes left')).toBeVisible();
  await axeInBothSchemes('a passkey');

  await page.getByRole('button', { name: 'Rename Work laptop' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Old laptop');
  await page.keyboard.press('Enter');
  await expect(passkeys(page).getByRole('row', { name: /Old laptop/ })).toBeVisible();

  // the only factor
  await signOut(page);
  await axe('the sign-in page');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(overview(page)).toBeVisible();

  // after the password
  await signOut(page);
  await enterPassword(page, service);
  await expect(page.getByText('The password is right.')).toBeVisible();
  await axe('the second step with a passkey');
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await expect(overview(page)).toBeVisible();

  // in place of the password, an hour later
  const database = await openClient(service);
  await database.query(`update sessions set confirmed_at = now() - interval '61 minutes'`);
  await database.end();
  await page.goto(`${service.url}/settings/security`);
  await expect(passkeys(page).getByRole('row', { name: /Old laptop/ })).not.toContainText('never');
  await page.getByRole('button', { name: 'Replace codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace codes' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(confirm.getByRole('button', { name: 'Use a passkey instead' })).toBeVisible();
  await axe('a confirmation with a passkey');
  await confirm.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(codes(page).getByRole('listitem')).toHaveCount(10);
  await codes(page).getByRole('button', { name: 'I have stored them' }).click();

  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await expect(passkeys(page)).toHaveCount(0);
});

test('an authenticator app is asked for after the password, and a recovery code replaces it', async ({
  page,
  service,
  axe,
}) => {
  await enterPassword(page, service);
  await expect(overview(page)).toBeVisible();
  await page.goto(`${service.url}/settings/security`);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await axe('the key of an authenticator app');
  const key = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  const code = dialog.getByLabel('Code', { exact: true });
  await code.fill('12345');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/6 digits/);
  await code.fill(codeOf(key));
  await page.keyboard.press('Enter');
  const first = await codes(page).getByRole('listitem').first().innerText();
  await codes(page).getByRole('button', { name: 'I have stored them' }).click();
  await expect(page.getByRole('button', { name: 'Remove authenticator app' })).toBeVisible();

  await signOut(page);
  await enterPassword(page, service);
  const asked = page.getByLabel('Code', { exact: true });
  await expect(asked).toBeFocused();
  await axe('the second step with a code');
  await asked.fill(codeOf(key, -4));
  await page.keyboard.press('Enter');
  await expect(asked).toHaveAccessibleDescription(/not the current code/i);
  await asked.fill(codeOf(key, 1));
  await page.keyboard.press('Enter');
  await expect(overview(page)).toBeVisible();

  await signOut(page);
  await enterPassword(page, service);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await axe('the second step with a recovery code');
  await page.getByLabel('Recovery code').fill(first);
  await page.keyboard.press('Enter');
  await expect(overview(page)).toBeVisible();
  await page.goto(`${service.url}/settings/security`);
  await expect(page.getByText('9 unused codes left')).toBeVisible();
});

test('an owner requires a second factor, and a member can only set one up', async ({
  page,
  browser,
  service,
  axe,
  axeInBothSchemes,
}) => {
  const viewer = { email: 'vera@example.com', password: 'a viewer looks around' };
  // without the factor of the test before
  const database = await openClient(service);
  await database.query('delete from authenticators');
  await database.end();
  await enterPassword(page, service);
  await expect(overview(page)).toBeVisible();

  await page.goto(`${service.url}/settings/account`);
  const requirement = page.getByRole('switch', { name: 'Require a second factor of all members' });
  await requirement.click();
  await expect(page.getByText('set up a second factor of your own first')).toBeVisible();
  await expect(requirement).not.toBeChecked();
  await addAuthenticator(page);
  await page.goto(`${service.url}/settings/security`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await codes(page).getByRole('button', { name: 'I have stored them' }).click();

  const invited = await page.request.post(`${service.url}/api/account/members`, {
    data: { email: viewer.email, role: 'VIEWER' },
    headers: { origin: service.url },
  });
  const { invite_url } = (await invited.json()) as { invite_url: string };
  const there = await (await browser.newContext()).newPage();
  await there.goto(invite_url);
  await there.getByLabel('Password').fill(viewer.password);
  await there.getByRole('button', { name: 'Set password' }).click();
  await expect(overview(there)).toBeVisible();

  await page.goto(`${service.url}/settings/account`);
  await requirement.click();
  await expect(requirement).toBeChecked();
  await axeInBothSchemes('a required second factor');
  await page.goto(`${service.url}/settings/members`);
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByRole('row', { name: /vera/ })).toContainText('No');

  // the member's open console leads to the page that sets one up, as any other page does
  await expect(there.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await there.goto(`${service.url}/runs`);
  await expect(there.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await there.getByRole('button', { name: 'Sign out' }).click();
  await expect(there.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await enterPassword(there, service, viewer);
  await expect(there.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  expect.soft(await violationsOf(there, EVERY_RULE), 'accessibility of the page that sets one up').toEqual([]);
  await addAuthenticator(there);
  await there.getByRole('button', { name: 'Add passkey' }).click();
  await there.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await codes(there).getByRole('button', { name: 'I have stored them' }).click();
  await expect(overview(there)).toBeVisible();
  await page.reload();
  await expect(members.getByRole('row', { name: /vera/ })).toContainText('Yes');
  await axe('members and their second factors');
  await there.context().close();
});

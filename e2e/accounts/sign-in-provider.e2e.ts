/** Sign-in by OpenID Connect: an owner sets up a provider, members sign in through it, and failures say what to do. */
import type { Page } from '@playwright/test';
import {
  type IdentityProviderForTest,
  newClient,
  startIdentityProvider,
} from '../../server/accounts/test/identity-provider.ts';
import { openClient } from '../support/another-account.ts';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, onSeparateService, signIn } from '../support/fixtures.ts';
import { ADMIN } from '../support/service.ts';

const test = onSeparateService();
test.describe.configure({ mode: 'serial' });
// The provider's pages load a web font.
test.beforeEach(({ context }) => context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ body: '' })));
/** A refused request is an error in the browser's console. */
const allow = (description: string) => test.info().annotations.push({ type: 'allow-console', description });

let provider: IdentityProviderForTest;
test.beforeAll(async ({ service }) => {
  const { account } = await service.call('accountGet');
  provider = await startIdentityProvider({
    callbacks: [`${service.url}/sign-in/callback/${account.account_id}`],
    sign_out_urls: [`${service.url}/sign-in`],
    client: newClient(),
  });
  const user = (sub: string, more: object = {}) =>
    provider.users.set(sub, {
      sub,
      name: sub === 'ada' ? 'Ada Lovelace' : sub,
      email: `${sub}@northwind.example`,
      email_verified: true,
      ...more,
    });
  user('ada', { groups: ['ops'] });
  user('eve', { email: 'eve@elsewhere.example' });
  user('una', { email_verified: false });
  provider.users.set('mira', { sub: 'mira', email: ADMIN.email, email_verified: true });
});
test.afterAll(() => provider.close());

/** Signs in on the provider's pages. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('an owner sets up a provider, with the URL to register there', async ({ signedIn: page, service, axe }) => {
  allow('status of 400');
  await page.goto(`${service.url}/settings/sso`);
  await expect(page.getByText('No identity providers yet')).toBeVisible();
  await axe('single sign-on without providers');
  await page.getByRole('button', { name: 'New provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'New identity provider' });
  await expect(dialog.getByText(/\/sign-in\/callback\/[\w-]{36}/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Northwind ID');
  await dialog.getByRole('textbox', { name: 'Issuer' }).fill('http://127.0.0.1:1');
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill(provider.client.client_id);
  await dialog.getByLabel('Client secret').fill(provider.client.client_secret);
  await dialog.getByRole('textbox', { name: 'Email domains' }).fill('northwind.example, example.com');
  await dialog.getByRole('checkbox', { name: 'Create members at their first sign-in' }).check();
  await dialog.getByRole('textbox', { name: 'Role claim' }).fill('groups');
  await dialog.getByRole('textbox', { name: 'Roles by value of the claim' }).fill('ops = ADMIN');
  await dialog.getByRole('textbox', { name: 'Additional scopes' }).fill('groups');
  await axe('the form of a provider');
  await dialog.getByRole('button', { name: 'Create provider', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Issuer' })).toHaveAccessibleDescription(/refuses connections/);
  await dialog.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
  await dialog.getByRole('button', { name: 'Create provider', exact: true }).click();
  const row = page.getByRole('row', { name: /Northwind ID/ });
  await expect(row).toContainText('Enabled');
  await axe('single sign-on with a provider');

  await row.getByRole('button', { name: 'Actions for Northwind ID' }).click();
  await page.getByRole('menuitem', { name: 'Test' }).click();
  await expect(page.getByText('Northwind ID can be reached')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await noSidewaysScroll(page, 'single sign-on on a phone');
});

test('a new member signs in through it, and signs out there too', async ({ page, service, axe }) => {
  await page.goto(`${service.url}/events?status=FAILED`);
  await page.getByRole('button', { name: 'Use single sign-on' }).click();
  await page.getByRole('textbox', { name: 'Work email' }).fill('ada@nowhere.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/No identity provider is set up for this address/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Work email' }).fill('ada@northwind.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText(new URL(provider.issuer).host)).toBeVisible();
  await axe('the sign-in page with a provider');
  await page.getByRole('button', { name: 'Continue with Northwind ID' }).click();
  await signInThere(page, 'ada');
  await expect(page).toHaveURL(`${service.url}/events?status=FAILED`);
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();

  await page.goto(`${service.url}/settings/sso`);
  await expect(page.getByText(/Owners of the account set up/)).toBeVisible();
  await page.getByRole('button', { name: 'My account' }).click();
  await expect(page.getByText('Ada Lovelace · ada@northwind.example')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(new RegExp(`^${service.url}/sign-in`));
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a failed sign-in says why, with the request id', async ({ page, service, axe }) => {
  allow('status of 40[03]');
  const { account } = await service.call('accountGet');
  const cases: [string, RegExp][] = [
    ['eve', /Northwind ID is not set up here for addresses of elsewhere\.example/],
    ['una', /Northwind ID did not verify your email address/],
  ];
  for (const [login, message] of cases) {
    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in?account=${account.account_id}`);
    await page.getByRole('button', { name: 'Continue with Northwind ID' }).click();
    await signInThere(page, login);
    await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(page.getByRole('alert')).toContainText(/Request [\w-]{8}/);
  }
  await axe('a refused sign-in');
  await page.setViewportSize({ width: 390, height: 844 });
  await noSidewaysScroll(page, 'a refused sign-in on a phone');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(/This sign-in was finished already/);
  await page.goto(`${service.url}/sign-in/callback`);
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('an owner links the provider, turns passwords off and confirms there', async ({ page, context, service, axe }) => {
  allow('status of 40[039]');
  const { account } = await service.call('accountGet');
  const goThere = async () => {
    await page.goto(`${service.url}/sign-in?account=${account.account_id}`);
    await page.getByRole('button', { name: 'Continue with Northwind ID' }).click();
    await signInThere(page, 'mira');
  };
  await goThere();
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  await axe('the member confirms the link');
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/not the current password/i);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  await page.goto(`${service.url}/settings/sso`);
  await page.getByRole('button', { name: 'Turn passwords off…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn passwords off' });
  await axe('the question before passwords are turned off');
  await dialog.getByRole('button', { name: 'Turn passwords off' }).click();
  await expect(page.getByText('Members sign in through an identity provider only.')).toBeVisible();

  // An hour later, the provider is asked again, in another tab.
  const database = await openClient(service);
  await database.query(`update sessions set confirmed_at = now() - interval '61 minutes'`);
  await database.end();
  await page.getByRole('button', { name: 'Turn passwords on' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await axe('the session is confirmed at the provider');
  const opened = context.waitForEvent('page');
  await again.getByRole('button', { name: 'Continue with Northwind ID' }).click();
  const tab = await opened;
  await tab.getByPlaceholder('Enter any login').fill('mira');
  await tab.getByPlaceholder('and password').fill('any');
  await tab.getByRole('button', { name: 'Sign-in' }).click();
  await expect(tab.getByRole('heading', { name: 'You are confirmed' })).toBeVisible();
  await expect(page.getByText('Members sign in with a password or through an identity provider.')).toBeVisible();
  await signIn(page, service);
});

/** Several accounts of one person: a new one, the switch, a tab of the other account, and an invitation to join. */
import type { Page } from '@playwright/test';
import type { Reply } from '../../contract/operations.ts';
import { expect, onSeparateService, signIn } from '../support/fixtures.ts';

const test = onSeparateService({ env: { SLUICE_NEW_ACCOUNTS: 'on' } });
test.describe.configure({ mode: 'serial' });

const menu = (page: Page) => page.getByRole('button', { name: /^(My account|Globex|Initech)$/ });
const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });

test('a person creates a second account and switches by keyboard; the tab of the first one reloads', async ({
  page,
  context,
  service,
  axeInBothSchemes,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 409' });
  await signIn(page, service);
  await page.goto(`${service.url}/settings`);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('My account');

  const tab = await context.newPage();
  await tab.goto(service.url);
  await menu(tab).focus();
  await tab.keyboard.press('Enter');
  await expect(tab.getByRole('menuitem', { name: 'New account' })).toBeFocused();
  await tab.keyboard.press('Enter');
  const dialog = tab.getByRole('dialog', { name: 'New account' });
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Enter a name/);
  await dialog.getByLabel('Name').fill('Globex');
  await tab.keyboard.press('Enter');
  await expect(menu(tab)).toHaveAccessibleName('Globex');
  await expect(overview(tab)).toBeVisible();

  // Its next request is for the account that it shows.
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(menu(page)).toHaveAccessibleName('Globex');

  // Otherwise the switch reloads it, and Chromium may hang when it closes a tab that loads.
  await tab.close();
  await menu(page).click();
  await expect(page.getByRole('menuitem', { name: 'Switch to My account' })).toBeVisible();
  await axeInBothSchemes('the account menu');
  await page.getByRole('menuitem', { name: 'Switch to My account' }).press('Enter');
  await expect(menu(page)).toHaveAccessibleName('My account');
  await expect(overview(page)).toBeVisible();
});

test('a person who signs in already joins another account', async ({ page, browser, service, axeInBothSchemes }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[14]' });
  await signIn(page, service);
  const make = async (path: string, data: object) => {
    const reply = await page.request.post(`${service.url}/api${path}`, { data, headers: { origin: service.url } });
    expect(reply.ok(), await reply.text()).toBe(true);
    return reply.json() as Promise<Reply<'memberCreate'>>;
  };
  const grace = { email: 'grace@example.com', password: 'golden anchor winter' };
  const first = await make('/account/members', { email: grace.email, role: 'VIEWER' });
  const other = await (await browser.newContext()).newPage();
  await other.goto(first.invite_url);
  await other.getByLabel('Password').fill(grace.password);
  await other.keyboard.press('Enter');
  await expect(overview(other)).toBeVisible();

  await make('/session/accounts', { name: 'Initech' });
  const { invite_url } = await make('/account/members', { email: grace.email, role: 'ADMIN' });
  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(invite_url);
  await expect(fresh.getByRole('heading', { name: 'Join Initech' })).toBeVisible();
  await expect(fresh.getByText('grace@example.com signs in already: sign in to join.')).toBeVisible();
  await fresh.getByLabel('Password').fill(grace.password);
  await fresh.keyboard.press('Enter');
  await expect(fresh.getByText('You are signed in as grace@example.com')).toBeVisible();

  await page.context().clearCookies();
  const signedIn = await page.request.post(`${service.url}/api/session`, {
    data: grace,
    headers: { origin: service.url },
  });
  expect(signedIn.ok()).toBe(true);
  await page.goto(invite_url);
  const join = page.getByRole('button', { name: 'Join' });
  await expect(join).toBeVisible();
  await axeInBothSchemes('joining an account');
  await join.press('Enter');
  await expect(menu(page)).toHaveAccessibleName('Initech');
  await fresh.getByRole('button', { name: 'Join' }).click();
  await expect(fresh.getByText(/this link was used already/)).toBeVisible();
});

/** Access: the one-time link, the password, API keys, and members by role. */
import type { Page } from '@playwright/test';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { ADMIN, type RunningService } from '../support/service.ts';
import { endUnder } from '../support/session-end.ts';

/** A service without a password. */
const test = onSeparateService({ headless: false });
test.describe.configure({ mode: 'serial' });

const settings = (page: Page, tab: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: tab });

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });

async function setPassword(page: Page, { email, password }: { email?: string; password: string }): Promise<void> {
  if (email !== undefined) await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
}

async function trySignIn(page: Page, service: RunningService, { email, password }: typeof ADMIN): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signIn(page: Page, service: RunningService, who: typeof ADMIN): Promise<void> {
  await trySignIn(page, service, who);
  await expect(overview(page)).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'My account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

test('the printed link sets a password once; afterwards only the password signs in', async ({ page, service, axe }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[14] .*/api/(session|invitation)' });
  const link = service.welcomeUrl ?? 'no link was printed';
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to My account' })).toBeVisible();
  // the token is not left in the address, and a reload still has it
  await expect(page).toHaveURL(`${service.url}/welcome`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome to My account' })).toBeVisible();
  // a link of an older version
  await page.goto(link.replace('#', '?'));
  await expect(page.getByRole('heading', { name: 'Welcome to My account' })).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/welcome`);
  await setPassword(page, { email: 'missing', password: 'short' });
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(/Enter an email address/);
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 10 characters/);
  await axe('the welcome page with mistakes');
  await setPassword(page, ADMIN);
  await expect(overview(page)).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/`);

  // signed out: the console is closed, and remembers the requested page
  await signOut(page);
  await page.goto(`${service.url}/settings/keys`);
  await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Fsettings%2Fkeys`);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await axe('a link that was used');
  await page.getByRole('link', { name: 'Sign in' }).click();

  // a wrong password and an unknown email address have the same message
  const messages: string[] = [];
  for (const wrong of [
    { ...ADMIN, password: 'not the password' },
    { ...ADMIN, email: 'somebody@example.com' },
  ]) {
    await trySignIn(page, service, wrong);
    messages.push(await page.getByRole('alert').locator('p').first().innerText());
    await expect(page).toHaveURL(`${service.url}/sign-in`);
  }
  expect(new Set(messages).size).toBe(1);
  await axe('a refused sign-in');

  await page.goto(`${service.url}/settings/keys`);
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/settings/keys`);
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
});

test('a session that ends during work shows a message, and work continues after signing in', async ({
  page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 401' });
  const ended = page.getByText('Your session has expired');
  await signIn(page, service, ADMIN);
  await page.goto(`${service.url}/events?status=FAILED&received=7d`);
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  await endUnder('GET', page, service, '/runs');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(ended).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  await axe('a session that has ended');
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();

  // a slow service: the frame is shown immediately, with a pending state
  const asked = Promise.withResolvers<void>();
  await page.route('**/api/session', (route) => asked.promise.then(() => route.continue()));
  await page.goto(`${service.url}/events`);
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for the service' })).toBeVisible();
  asked.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();

  // after a deliberate sign-out the message is not shown
  await signOut(page);
  await expect(ended).toHaveCount(0);
});

test('a key is shown once, works until it is revoked, and never again', async ({ page, context, service, axe }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, service, ADMIN);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await settings(page, 'API keys').click();
  await page.getByRole('button', { name: 'New key', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('nightly-report');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();

  const once = page.getByRole('dialog', { name: 'nightly-report is ready' });
  const shown = await once.getByText(/^slc_[A-Za-z0-9_-]{20,}$/).innerText();
  await once.getByRole('button', { name: 'Copy key' }).click();
  await expect(once.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await axe('the key, shown once');
  await once.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /nightly-report/ });
  await expect(row).toContainText('never');
  expect(await page.content()).not.toContain(shown);
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(shown);

  const statusWith = async (key: string) =>
    (await fetch(`${service.url}/api/account`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await statusWith(shown)).toBe(200);
  await page.getByRole('button', { name: 'Actions for nightly-report' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  const confirm = page.getByRole('dialog', { name: 'Revoke nightly-report' });
  await confirm.getByRole('textbox').fill('nightly-report');
  await confirm.getByRole('button', { name: 'Revoke key' }).click();
  await expect(confirm).toBeHidden();
  await expect(row).toHaveCount(0);
  expect(await statusWith(shown)).toBe(401);
});

test('an invited viewer sees everything, and why actions are disabled', async ({ page, service, axe }) => {
  const viewer = { email: 'vera@example.com', password: 'a viewer looks around' };
  await signIn(page, service, ADMIN);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await settings(page, 'Members').click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a member' });
  await invite.getByRole('textbox', { name: 'Email' }).fill(viewer.email);
  await invite.getByRole('radio', { name: 'Viewer' }).check();
  await invite.getByRole('button', { name: 'Create invitation', exact: true }).click();
  const made = page.getByRole('dialog', { name: `${viewer.email} is invited` });
  const link = await made.getByText(/\/welcome#token=/).innerText();
  await made.getByRole('button', { name: 'Done' }).click();
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByRole('row', { name: /vera@example.com/ })).toContainText('Invited');

  await signOut(page);
  await page.goto(link);
  await expect(page.getByText('Your role is viewer.')).toBeVisible();
  await setPassword(page, { password: viewer.password });
  await expect(overview(page)).toBeVisible();

  const why = 'Your role is VIEWER; this needs ';
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await settings(page, 'API keys').click();
  const newKey = page.getByRole('button', { name: 'New key', exact: true });
  await expect(newKey).toHaveAttribute('aria-disabled', 'true');
  await expect(newKey).toHaveAccessibleDescription(`${why}ADMIN.`);
  await newKey.press('Enter');
  await expect(page.getByRole('tooltip')).toHaveText(`${why}ADMIN.`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await settings(page, 'Members').click();
  await expect(members.getByRole('row', { name: /vera@example.com/ })).toContainText('Active');
  await expect(page.getByRole('button', { name: 'Invite', exact: true })).toHaveAccessibleDescription(`${why}OWNER.`);
  await axe('what a viewer sees of the members');
  const refused = await page.request.post(`${service.url}/api/api-keys`, {
    data: { name: 'mine' },
    headers: { origin: service.url },
  });
  expect(refused.status()).toBe(403);

  // the same user as an admin, from the next request on
  await signOut(page);
  await signIn(page, service, ADMIN);
  await page.goto(`${service.url}/settings/members`);
  await page.getByRole('button', { name: 'Actions for vera' }).click();
  await page.getByRole('menuitemradio', { name: 'Admin' }).click();
  await expect(members.getByRole('row', { name: /vera@example.com/ })).toContainText('Admin');
  await signOut(page);
  await signIn(page, service, viewer);
  await page.goto(`${service.url}/settings/keys`);
  for (const name of ['left behind', 'taken along']) {
    await page.getByRole('button', { name: 'New key', exact: true }).click();
    await page.getByRole('dialog', { name: 'New API key' }).getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  }

  // the owner sees what keys a member leaves behind
  await signOut(page);
  await signIn(page, service, ADMIN);
  await page.goto(`${service.url}/settings/members`);
  const remove = page.getByRole('dialog', { name: 'Remove vera' });
  const openRemoval = async () => {
    await page.getByRole('button', { name: 'Actions for vera' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
  };
  await openRemoval();
  await expect(remove).toContainText('They created 2 API keys: taken along, left behind.');
  await axe('the removal of a member who created keys');
  await remove.getByRole('textbox').fill('vera');
  await remove.getByRole('button', { name: 'Remove member' }).click();
  await expect(members.getByRole('row', { name: /vera/ })).toHaveCount(0);
  await settings(page, 'API keys').click();
  await expect(
    page.getByText('2 keys were created by members who were removed and may still know them.'),
  ).toBeVisible();
  const left = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /left behind/ });
  await expect(left).toContainText('removed');
  await axe('keys of a removed member');
  await page.getByRole('button', { name: 'Actions for left behind' }).click();
  await page.getByRole('menuitem', { name: 'Rotate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(left).not.toContainText('removed');
  await expect(page.getByText('taken along was created by a member who was removed')).toBeVisible();
});

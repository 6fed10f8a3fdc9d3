/** The password and the sessions of the signed-in user: changed, forgotten, confirmed, ended. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { openClient } from '../support/another-account.ts';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { ADMIN, type RunningService } from '../support/service.ts';

const test = onSeparateService();
test.describe.configure({ mode: 'serial' });

const BETTER = 'quiet river lantern';
const LAST = 'golden anchor winter';

async function signInWith(page: Page, service: RunningService, password: string): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
}

test('a person changes the password, and ends a session in another browser', async ({
  page,
  browser,
  service,
  axeInBothSchemes,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[01]' });
  const there = await (
    await browser.newContext({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' })
  ).newPage();
  await signInWith(there, service, ADMIN.password);
  await signInWith(page, service, ADMIN.password);
  await page.goto(`${service.url}/settings/security`);
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await expect(sessions.getByRole('row', { name: /Firefox on Linux/ })).toBeVisible();
  await axeInBothSchemes('your sign-in');
  await page.getByRole('button', { name: 'End session of Firefox on Linux' }).click();
  await expect(sessions.getByRole('row', { name: /Firefox on Linux/ })).toHaveCount(0);
  await there.goto(`${service.url}/runs`);
  await expect(there.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signInWith(there, service, ADMIN.password);

  const current = page.getByLabel('Current password');
  const next = page.getByLabel('New password');
  const change = page.getByRole('button', { name: 'Change password' });
  await current.fill('not the password');
  await next.fill(BETTER);
  await change.click();
  await expect(current).toHaveAccessibleDescription(/not the current password/i);
  await expect(current).toBeFocused();
  await current.fill(ADMIN.password);
  await next.fill('password12');
  await change.click();
  await expect(next).toHaveAccessibleDescription(/too easy to guess/i);
  await next.fill(BETTER);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(sessions.getByRole('row', { name: /This browser/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'End all others' })).toHaveAccessibleDescription(
    'This is the only session.',
  );
  await there.goto(`${service.url}/runs`);
  await expect(there.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await there.context().close();
});

test('a forgotten password is replaced with a link from the server', async ({ page, service, axe }) => {
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await axe('a forgotten password');
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`npm run reset-password -- ${ADMIN.email}`)).toBeVisible();
  await axe('how to get a link');

  const root = join(import.meta.dirname, '..', '..');
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/reset-password.ts', ADMIN.email], {
    cwd: root,
    env: { SLUICE_DATA_DIR: service.dataDir, SLUICE_PORT: String(service.port) },
  });
  await page.goto(/http\S+/.exec(stdout)?.[0] ?? 'no link was printed');
  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible();
  await page.getByLabel('Password').fill(LAST);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});

test('a new key needs the password again an hour after the sign-in', async ({ page, service, axe }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[03]' });
  await signInWith(page, service, LAST);
  const database = await openClient(service);
  await database.query(`update sessions set confirmed_at = now() - interval '61 minutes'`);
  await database.end();
  await page.goto(`${service.url}/settings/keys`);
  const create = async (name: string) => {
    await page.getByRole('button', { name: 'New key', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
    await page.keyboard.press('Enter');
  };
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
  await create('nightly-report');
  await expect(confirm.getByLabel('Password')).toBeFocused();
  await axe('the password is asked for');
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(page.getByText(/Confirm your password first/)).toBeVisible();
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await confirm.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(confirm.getByLabel('Password')).toHaveAccessibleDescription(/not the current password/i);
  await confirm.getByLabel('Password').fill(LAST);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'nightly-report is ready' })).toBeVisible();
});

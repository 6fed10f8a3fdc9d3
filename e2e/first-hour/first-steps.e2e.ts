/** The first sign-in: the four steps of the Overview with their defaults, by keyboard, each checked by what happened. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { ADMIN, type RunningService } from '../support/service.ts';

/** Services without a password, a key or any resource. */
const test = onSeparateService({ headless: false });
/** Without private ranges, as by default: it can't call its own API on loopback. */
const onBlocked = onSeparateService({ headless: false, env: { SLUICE_ALLOW_PRIVATE_CIDRS: '' } });
const run = promisify(execFile);

async function press(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  await control.focus();
  await expect(control).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Creates the first account by keyboard. */
async function welcome(page: Page, service: RunningService): Promise<Locator> {
  await page.goto(service.welcomeUrl ?? 'no link was printed');
  await page.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.type(ADMIN.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press('Enter');
  return page.getByRole('region', { name: /^First steps/ });
}

test('a new account sends a webhook, deploys, connects and calls the API with defaults and keys', async ({
  page,
  service,
  axe,
}, info) => {
  // the app does not exist yet
  info.annotations.push({ type: 'allow-console', description: 'status of 404 .*/apps/this-sluice' });
  const steps = await welcome(page, service);
  await expect(steps.getByRole('heading', { level: 2 })).toHaveText('First steps 4 left');
  await axe('the first steps');
  const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title });

  // a real, signed request to the public URL of a trigger
  const webhook = step('Send a test webhook');
  await press(page, webhook.getByRole('button', { name: 'Send a test webhook' }));
  await expect(webhook).toContainText('delivered: the function responded 200.');
  await expect(webhook.getByRole('heading')).toContainText('done');
  await expect(steps.getByRole('heading', { level: 2 })).toHaveText('First steps 3 left');

  // the same from a terminal
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = (wanted: RegExp) =>
    expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(wanted);
  const inTerminal = async () =>
    JSON.parse((await run('sh', ['-c', await page.evaluate(() => navigator.clipboard.readText())])).stdout);
  await press(page, webhook.getByRole('button', { name: 'Copy as curl' }));
  await copied(/openssl/);
  expect(await inTerminal()).toMatchObject({ event_ids: [expect.any(String)] });

  const deploy = step('Deploy a starter function');
  await expect(deploy.getByRole('heading')).not.toContainText('done');
  await press(page, deploy.getByRole('button', { name: 'Deploy' }));
  await expect(deploy.getByRole('heading')).toContainText('done');
  await expect(deploy).toContainText('scheduled-report is deployed at http://');

  const connect = step('Connect an app by key');
  await press(page, connect.getByRole('button', { name: 'Connect this service' }));
  await expect(connect).toContainText('Connected: the API responded 200.');
  await expect(connect.getByRole('heading')).toContainText('done');

  // the command is run as it is copied
  const key = step('Create an API key');
  await press(page, key.getByRole('button', { name: 'Create a key' }));
  await expect(key).toContainText('Waiting for the first call with this key…');
  await expect(key.getByRole('heading')).not.toContainText('done');
  await axe('the first steps with results');
  await press(page, key.getByRole('button', { name: 'Copy command' }));
  await copied(/^curl '/);
  expect(await inTerminal()).toMatchObject({ account: { name: 'My account' } });
  await expect(key).toContainText('The first call with this key has arrived');
  await expect(steps.getByRole('heading', { level: 2 })).toHaveText('First steps all done');

  // what was done is no longer offered after a reload
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Latest events' })).toContainText('First webhook');
  await expect(steps).toHaveCount(0);
});

onBlocked('a service that can’t call itself says so and offers another app', async ({ page, service, axe }) => {
  const steps = await welcome(page, service);
  const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title });
  const connect = step('Connect an app by key');
  await expect(connect).toContainText(/because localhost \(.*\) is not a public address \(loopback\)/);
  await expect(connect.getByRole('button', { name: 'Connect this service' })).toHaveCount(0);
  await axe('a step without its default');
  await press(page, step('Send a test webhook').getByRole('button', { name: 'Send a test webhook' }));
  await expect(step('Send a test webhook')).toContainText('delivered: the function responded 200.');
  await press(page, connect.getByRole('link', { name: 'Add a custom app' }));
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toBeVisible();
  await page.goBack();
  await press(page, connect.getByRole('link', { name: 'Choose an app' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New connection');
});

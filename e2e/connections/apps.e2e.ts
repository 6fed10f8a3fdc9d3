/** Apps: found in the picker, viewed, added as custom apps, edited and deleted. */
import type { Page } from '@playwright/test';
import { type OAuthProvider, startProvider } from '../../server/connections/test/oauth-provider.ts';
import {
  agree,
  callApp,
  makeApp,
  makeConnection,
  signInAsViewer,
  statusOf,
  troublesOf,
} from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

let provider: OAuthProvider;
test.beforeAll(async ({ service }) => {
  provider = await startProvider({ redirect_urls: [`${service.url}/connect/oauth/callback`] });
});
test.afterAll(() => provider.close());

const focused = (page: Page) => page.locator(':focus');

test('an app is found by name or purpose, and reached with the arrow keys', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await page.goto(`${service.url}/connections/new`);
  const search = page.getByRole('textbox', { name: 'Find an app' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('pull requests');
  await expect(page.getByRole('link', { name: /^GitHub / }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /^Stripe/ })).toHaveCount(0);
  await expect(page).toHaveURL(/q=pull\+requests/);

  // into the list, along it, and back to the search box
  await search.fill('');
  await expect(page).toHaveURL(`${service.url}/connections/new`);
  await page.keyboard.press('ArrowDown');
  const first = await focused(page).getAttribute('href');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page).getAttribute('href')).not.toBe(first);
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect(focused(page)).toHaveAttribute('href', first ?? '');
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();

  await page.getByRole('button', { name: /^Finance/ }).click();
  await expect(page.getByRole('button', { name: /^Finance/, pressed: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Stripe/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^GitHub / })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: /^Stripe/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^GitHub / })).toHaveCount(0);
  await axe('the apps of a category');

  // Enter opens the first match
  await page.keyboard.press('/');
  await page.keyboard.type('stri');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Stripe' })).toBeFocused();
  await expect(page).toHaveURL(`${service.url}/connections/apps/stripe`);
  await page.goto(`${service.url}/connections/new?app=stripe`);
  await expect(page).toHaveURL(`${service.url}/connections/apps/stripe`);
});

test('a custom OAuth 2 app is added, its client entered, and connected at the provider', async ({
  signedIn: page,
  service,
  context,
  axe,
}) => {
  // the rejection of invalid input
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  // the provider's pages load a web font
  await context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ body: '' }));
  await page.goto(`${service.url}/connections/new?custom=on`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cloud drive');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${provider.url}/api`);
  await page.getByRole('checkbox', { name: /^API key/ }).uncheck();
  await page.getByRole('checkbox', { name: /^OAuth 2/ }).check();
  await page.getByRole('textbox', { name: 'Authorization URL' }).fill(`${provider.url}/auth`);
  await page.getByRole('textbox', { name: 'Token URL' }).fill(`${provider.url}/token#here`);
  await page.getByRole('textbox', { name: 'Scopes' }).fill('openid read');
  await expect(page.getByRole('group', { name: 'The user authorizes' })).toContainText(
    `redirect_uri=${service.url}/connect/oauth/callback&state=…&scope=openid read&code_challenge=…`,
  );

  // API validation errors are shown at their field too
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  const token = page.getByRole('textbox', { name: 'Token URL' });
  await expect(token).toHaveAccessibleDescription(/fragment/);
  await expect(token).toBeFocused();
  await axe('a custom app of OAuth 2 with a mistake');
  await token.fill(`${provider.url}/token`);
  await page.getByRole('button', { name: 'Add app', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Cloud drive' })).toBeFocused();
  const connect = page.getByRole('button', { name: 'Connect Cloud drive', exact: true });
  await expect(connect).toHaveAccessibleDescription('Add a client of Cloud drive first.');
  await expect(page.getByText(`${service.url}/connect/oauth/callback`, { exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Client ID' }).fill(provider.client.client_id);
  await page.getByRole('button', { name: 'Save client', exact: true }).click();
  await expect(page.getByLabel('Client secret')).toHaveAccessibleDescription(/Enter the client secret/);
  await page.getByLabel('Client secret').fill(provider.client.client_secret);
  await axe('a client that is entered');
  await page.getByRole('button', { name: 'Save client', exact: true }).click();
  await expect(page.getByText('Saved. Cloud drive can be connected by OAuth 2 now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit…' })).toBeFocused();
  expect(await page.content()).not.toContain(provider.client.client_secret);

  // the window shows the requested access, and redirects to the provider and back
  const opening = page.waitForEvent('popup');
  await connect.click();
  const opened = await opening;
  const troubles = troublesOf(opened);
  await expect(opened.getByRole('heading', { name: 'Cloud drive will be asked to allow' })).toBeVisible();
  await expect(opened.getByRole('listitem')).toHaveText(['openid', 'read']);
  await expect(statusOf(page)).toHaveText('Pending');
  await opened.getByRole('button', { name: 'Continue to Cloud drive' }).click();
  const closing = opened.waitForEvent('close');
  await agree(opened);
  await expect(statusOf(page)).toHaveText('Active');
  await closing;
  expect(troubles, 'complaints of the connect window').toEqual([]);
  expect(JSON.parse((await callApp(service, '/cloud-drive/whoami')).body)).toMatchObject({ scope: 'openid read' });
});

test('a client is edited without its secret, and removed after its impact is shown', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const params = { app: 'github', method: 'OAUTH2' };
  const body = { client_id: 'first-client', client_secret: 'never-seen-again' };
  await service.call('appCredentialPut', { params, body });
  await page.goto(`${service.url}/connections/apps/github`);
  await expect(page.getByText('first-client')).toBeVisible();
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByRole('textbox', { name: 'Client ID' }).fill('second-client');
  await page.getByRole('textbox', { name: 'Scopes' }).fill('gist, repo');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByText('second-client')).toBeVisible();
  await expect(page.getByText('stored, never shown')).toBeVisible();
  const { credentials } = await service.call('appCredentialList', { params: { app: 'github' } });
  expect(credentials).toMatchObject([{ client_id: 'second-client', has_secret: true, scopes: ['gist', 'repo'] }]);

  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByRole('checkbox', { name: /Public client/ }).check();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByText('none (public client)')).toBeVisible();
  await axe('the page of an app with a client');

  await page.getByRole('button', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the client of GitHub' });
  await expect(dialog).toContainText('No active connection uses it.');
  await axe('removing a client');
  await dialog.getByRole('button', { name: 'Remove client' }).click();
  await expect(page.getByRole('button', { name: 'Add client…' })).toBeVisible();
  expect((await service.call('appCredentialList', { params: { app: 'github' } })).credentials).toMatchObject([
    { client_id: null },
  ]);
});

test('a custom app is edited, and deleted once it has no connections', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  // the live stream may report the deletion before the page is left
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[04]' });
  await makeApp(service, 'to-change', `${sink.url}/v1`);
  const connection_id = await makeConnection(service, 'to-change', 'keeps it');
  await page.goto(`${service.url}/connections/apps/to-change`);
  await expect(page.getByRole('link', { name: 'keeps it' })).toBeVisible();
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edit App to-change' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Changed');
  await expect(page.getByRole('textbox', { name: 'ID', exact: true })).toHaveValue('to-change');
  await page.getByRole('checkbox', { name: /^User name and password/ }).check();
  await page.getByRole('textbox', { name: 'User name label' }).fill('Account id');
  await page.getByRole('textbox', { name: 'Headers' }).fill('X-Version: 2\nnonsense');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveAccessibleDescription(/^Line 2: expected a name/);
  await page.getByRole('textbox', { name: 'Headers' }).fill('X-Version: 2');
  // unsaved edits: leaving asks for confirmation
  await page.getByRole('link', { name: 'Connections', exact: true }).first().click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Changed' })).toBeFocused();
  await expect(page.getByText('X-Version: 2')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^Account id$/ })).toBeVisible();
  const { app } = await service.call('appGet', { params: { app: 'to-change' } });
  expect(app.definition).toMatchObject({ name: 'Changed', default_headers: { 'X-Version': '2' } });
  expect(app.methods.map(({ method }) => method)).toEqual(['API_KEY', 'BASIC']);

  const remove = page.getByRole('button', { name: 'Delete app…' });
  await expect(remove).toHaveAccessibleDescription('It has 1 connection: delete it first.');
  await service.call('connectionDelete', { params: { connection_id } });
  await expect(page.getByText('There are no connections to Changed yet.')).toBeVisible();
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Delete the app Changed' });
  await axe('deleting an app');
  await dialog.getByRole('textbox').fill('Changed');
  await dialog.getByRole('button', { name: 'Delete app' }).click();
  await expect(page).toHaveURL(`${service.url}/connections/new`);
  await expect(page.getByRole('link', { name: /^Changed/ })).toHaveCount(0);
  expect((await callApp(service, '/to-change/items')).status).toBe(400);
});

test('all authentication methods can be configured at once, on a phone', async ({ signedIn: page, service, axe }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/connections/new?custom=on&q=All+of+them`);
  await page.getByRole('textbox', { name: 'Base URL' }).fill('https://{shop}.example.com/v1');
  for (const name of [/^User name/, /^Signed token/, /^OAuth 1/, /^OAuth 2/, /^MCP server/])
    await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  // the first missing field has the focus
  await expect(page.getByRole('textbox', { name: 'Request token URL' })).toBeFocused();
  const address = (name: string, value: string) =>
    page.getByRole('textbox', { name, exact: true }).fill(`https://a.example.com/${value}`);
  await address('Request token URL', '1');
  await page.getByRole('textbox', { name: 'Authorization URL' }).first().fill('https://a.example.com/2');
  await address('Access token URL', '3');
  await page.getByRole('textbox', { name: 'Authorization URL' }).last().fill('https://a.example.com/4');
  await address('Token URL', '5');
  await address('Server URL', 'mcp');
  await page.getByRole('combobox', { name: 'Signed token' }).selectOption('rfc7523');
  await expect(page.getByRole('textbox', { name: 'Value' }).nth(1)).toHaveValue('Bearer {access_token}');
  await page.getByRole('textbox', { name: 'Token URL' }).first().fill('https://a.example.com/6');
  for (const method of ['Basic', 'JWT', 'OAuth 1', 'OAuth 2', 'MCP']) {
    await page.getByRole('radio', { name: method, exact: true }).check();
    await expect(page.getByRole('group', { name: 'Request to the app' })).toContainText('authorization: ');
  }
  await axe('all ways to connect on a phone');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All of them' })).toBeVisible();
  const { app } = await service.call('appGet', { params: { app: 'all-of-them' } });
  expect(app.methods.map(({ method }) => method)).toEqual(['API_KEY', 'BASIC', 'JWT', 'OAUTH1', 'OAUTH2', 'MCP']);
});

test('viewers see an app with disabled buttons', async ({ page, service, sink }) => {
  await makeApp(service, 'seen-only', sink.url);
  await signInAsViewer(page, service, 'vito.looks@example.com');
  const reason = 'Your role is VIEWER; this needs ADMIN.';
  await page.goto(`${service.url}/connections/apps/seen-only`);
  for (const name of ['Connect App seen-only', 'Edit', 'Delete app…'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(reason);
  await page.goto(`${service.url}/connections/apps/slack`);
  await expect(page.getByRole('button', { name: 'Add client…' })).toHaveAccessibleDescription(reason);
});

/** From adding an app to a call of its API through the gateway; then the pages and actions of a connection. */

import {
  callApp,
  complete,
  makeApp,
  makeConnection,
  noSidewaysScroll,
  SECRET,
  signInAsViewer,
  statusOf,
  troublesOf,
} from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { loaded } from '../support/loaded.ts';

test('a custom app is added, connected in its window, and called through the gateway', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  // The window posts to these only if one of their pages opened it.
  await service.call('connectSettingsUpdate', { body: { allowed_origins: ['https://app.example.com'] } });
  await page.goto(`${service.url}/connections`);
  await page.getByRole('link', { name: 'New connection' }).first().click();
  await expect(page.getByRole('heading', { name: 'New connection' })).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('order ledger');
  await expect(page.getByText('No app matches order ledger.')).toBeVisible();
  await page.getByRole('button', { name: 'Custom app…' }).click();

  // the ID follows the name, and the preview updates while typing
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order ledger (EU)');
  await expect(page.getByRole('textbox', { name: 'ID', exact: true })).toHaveValue('order-ledger-eu');
  await page.getByRole('textbox', { name: 'Base URL' }).fill('127.0.0.1');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toHaveAccessibleDescription(
    'Enter a URL that starts with https:// or http://.',
  );
  await axe('a custom app with a mistake');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${sink.url}/v1`);
  await page.getByRole('radio', { name: 'Query' }).check();
  await expect(page.getByRole('group', { name: 'Request to the app' })).toContainText('&api_key=••••••');
  await page.getByRole('radio', { name: 'Header' }).check();
  await page.getByRole('textbox', { name: 'Field name' }).fill('x-api-key');
  await page.getByRole('textbox', { name: 'Value' }).fill('{api_key}');
  await expect(page.getByRole('group', { name: 'Request to the app' })).toContainText('x-api-key: ••••••');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();

  // the window opens synchronously, and names the app and the account
  await expect(page.getByRole('heading', { name: 'Order ledger (EU)' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bookkeeping');
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Connect Order ledger (EU)', exact: true }).click();
  const opened = await opening;
  const troubles = troublesOf(opened);
  await expect(opened.getByRole('heading', { name: 'Connect Order ledger (EU)' })).toBeVisible();
  await expect(opened.getByText('asks for access to your Order ledger (EU) account.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Bookkeeping' })).toBeVisible();
  await expect(statusOf(page)).toHaveText('Pending');

  // on success it notifies its opener and closes
  const closing = opened.waitForEvent('close');
  await expect(opened.getByLabel('API key')).toBeFocused();
  await opened.keyboard.type(SECRET);
  await opened.keyboard.press('Enter');
  await expect(opened.getByRole('heading', { name: 'Order ledger (EU) is connected' })).toBeVisible();
  await expect(statusOf(page)).toHaveText('Active');
  await closing;
  expect(troubles, 'complaints of the connect window').toEqual([]);

  // calls now include the key, and the displayed command works
  const answer = await callApp(service, '/order-ledger-eu/items?page=2');
  expect(answer).toMatchObject({ status: 200, app: 'ledger' });
  expect(JSON.parse(answer.body)).toMatchObject({ path: '/v1/items?page=2' });
  const got = sink.received.find(({ path }) => path === '/v1/items?page=2');
  expect(got?.headers['x-api-key']).toBe(SECRET);
  const command = page.getByRole('group', { name: 'With this connection' });
  await expect(command).toContainText(`curl '${service.url}/api/order-ledger-eu/'`);
  await expect(command).toContainText(`Service-Connection: ${page.url().split('/').at(-1)}`);
  await expect(page.getByText('uses this connection')).toBeVisible();
  // its use is recorded within a second, and shown without a reload
  await expect(page.getByRole('definition').filter({ hasText: 'never' })).toHaveCount(0);
  await axe('an active connection');
});

test('connecting with an API key takes three clicks and the key', async ({ signedIn: page, service, sink }) => {
  await makeApp(service, 'three-clicks', sink.url);
  await page.goto(`${service.url}/connections`);
  await page.evaluate(() => {
    sessionStorage.setItem('clicks', '0');
    addEventListener('click', () => sessionStorage.setItem('clicks', String(Number(sessionStorage['clicks']) + 1)));
  });
  await page.getByRole('link', { name: 'New connection' }).first().click();
  await page.getByRole('link', { name: /App three-clicks/ }).click();
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Connect App three-clicks', exact: true }).click();
  const opened = await opening;
  await opened.getByLabel('API key').fill(SECRET);
  await opened.keyboard.press('Enter');
  await expect(statusOf(page)).toHaveText('Active');
  expect(await page.evaluate(() => sessionStorage['clicks'])).toBe('3');
});

test('filters are part of the URL', async ({ signedIn: page, service, sink }) => {
  await makeApp(service, 'filtered-a', sink.url);
  await makeApp(service, 'filtered-b', sink.url);
  await complete(service, await makeConnection(service, 'filtered-a', 'one active'));
  await makeConnection(service, 'filtered-a', 'one pending');
  await makeConnection(service, 'filtered-b', 'another pending');
  await page.goto(`${service.url}/connections?app=filtered-a`);
  const rows = page.getByRole('table', { name: 'Connections' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Active' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('one active');
  await page.keyboard.press('/');
  await page.keyboard.type('missing');
  await expect(page.getByText('No connections match these filters.')).toBeVisible();
  await expect(page).toHaveURL(/app=filtered-a&status=ACTIVE&q=missing/);
  await page.reload();
  await expect(page.getByText('No connections match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${service.url}/connections`);
  await expect(page.getByRole('row', { name: /another pending/ })).toBeVisible();
});

test('a connection is renamed, made the default, and deleted after its impact is shown', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  // the live stream may report the deletion before the page is left
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[04]' });
  await makeApp(service, 'settled', sink.url);
  const first = await makeConnection(service, 'settled', 'first');
  const second = await makeConnection(service, 'settled', 'second');
  await complete(service, first);
  await complete(service, second);
  await page.goto(`${service.url}/connections/${second}`);
  await expect(page.getByText('uses first')).toBeVisible();

  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('renamed');
  const metadata = page.getByRole('textbox', { name: 'Metadata' });
  await metadata.fill('{"team":');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(metadata).toHaveAccessibleDescription('Enter a JSON object, such as {"team": "sales"}.');
  await metadata.fill('{"failure": 1}');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(metadata).toHaveAccessibleDescription(/^Expected no key named failure/);
  await axe('settings with a mistake');
  await metadata.fill('{"team": "sales"}');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'renamed' })).toBeVisible();
  await page.getByRole('button', { name: 'Make default', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Make default', exact: true })).toHaveAccessibleDescription(
    'This is already the default.',
  );
  const { connection } = await service.call('connectionGet', { params: { connection_id: second } });
  expect(connection).toMatchObject({ name: 'renamed', metadata: { team: 'sales' }, is_default: true });

  await page.getByRole('button', { name: 'Delete connection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the connection renamed' });
  await expect(dialog).toContainText('It has not been used yet.');
  await expect(dialog).toContainText('use first instead');
  await axe('deleting a connection');
  await dialog.getByRole('textbox').fill('renamed');
  await dialog.getByRole('button', { name: 'Delete connection' }).click();
  await expect(page).toHaveURL(`${service.url}/connections`);
  await expect(page.getByRole('table', { name: 'Connections' })).toContainText('first');
  await expect(page.getByRole('table', { name: 'Connections' })).not.toContainText('renamed');
  expect((await callApp(service, '/settled/v1/items', { 'service-connection': second })).status).toBe(404);
  expect((await callApp(service, '/settled/v1/items')).status).toBe(200);
});

test('viewers see disabled buttons with the reason, and no connect link', async ({ page, service, sink }) => {
  await makeApp(service, 'looked-at', sink.url);
  const connection_id = await makeConnection(service, 'looked-at');
  await signInAsViewer(page, service, 'vera.looks@example.com');
  const reason = 'Your role is VIEWER; this needs ADMIN.';
  await page.goto(`${service.url}/connections/${connection_id}`);
  await expect(page.getByRole('button', { name: 'Complete', exact: true })).toHaveAccessibleDescription(reason);
  await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText('token=');
  await page.goto(`${service.url}/connections/${connection_id}/settings`);
  for (const name of ['Make default', 'Delete connection…'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(reason);
  await page.goto(`${service.url}/connections/apps/looked-at`);
  await expect(page.getByRole('button', { name: 'Connect App looked-at', exact: true })).toHaveAccessibleDescription(
    reason,
  );
});

test('every step of connecting works in both color schemes, on a phone', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 404' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  const long = 'so-long-that-it-does-not-fit';
  await makeApp(service, long, `${sink.url}/${'deep/'.repeat(60)}`);
  const active = await makeConnection(service, long, 'A name that is far too long '.repeat(3).trim());
  await complete(service, active);
  const steps: [name: string, path: string, heading: string | RegExp][] = [
    ['the list', '/connections', 'Connections'],
    ['nothing found', '/connections?q=missing', 'Connections'],
    ['the apps', '/connections/new', 'New connection'],
    ['no such app', '/connections/new?q=missing', 'New connection'],
    ['apps of a category', '/connections/new?category=finance', 'New connection'],
    ['an app that is not there', '/connections/apps/missing', 'Not found'],
    ['a custom app', '/connections/new?custom=on', 'Custom app'],
    ['changing a custom app', `/connections/apps/${long}/edit`, `Edit App ${long}`],
    ['a chosen app', `/connections/apps/${long}`, `App ${long}`],
    ['an app of many ways', '/connections/apps/github', 'GitHub'],
    ['a connection', `/connections/${active}`, /A name that is far/],
    ['its settings', `/connections/${active}/settings`, /A name that is far/],
    ['no such connection', '/connections/01a1fd48-186a-7450-bb90-a3e1276506c0', 'Not found'],
  ];
  for (const [name, path, heading] of steps) {
    await page.goto(service.url + path);
    await expect(page.getByRole('heading', { level: 1, name: heading }), name).toBeVisible();
    await loaded(page, name);
    await axeInBothSchemes(name);
    await noSidewaysScroll(page, name);
  }
});

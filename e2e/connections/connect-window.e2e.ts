/** The connect window: from a shared link to each possible outcome. */

import {
  linkOf,
  makeApp,
  makeConnection,
  noSidewaysScroll,
  SECRET,
  statusOf,
  troublesOf,
} from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

test('a shared link is completed on a phone, and the row turns active without a reload', async ({
  signedIn: page,
  service,
  sink,
  browser,
  axe,
}) => {
  await makeApp(service, 'by-link', sink.url);
  const connection_id = await makeConnection(service, 'by-link', 'Sent to a colleague');
  await page.goto(`${service.url}/connections?q=colleague`);
  const row = page.getByRole('row', { name: /Sent to a colleague/ });
  await expect(row).toContainText('Pending');
  await axe('the list of connections');

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const window = await phone.newPage();
  const troubles = troublesOf(window);
  await window.goto(await linkOf(service, connection_id));
  // the token is not left in the address, and a reload still has it
  await expect(window).toHaveURL(`${service.url}/connect`);
  await window.reload();
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByLabel('API key')).toHaveAccessibleDescription('API key is required.');
  await noSidewaysScroll(window, 'the connect window on a phone');
  await window.getByLabel('API key').fill(SECRET);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByRole('heading', { name: 'App by-link is connected' })).toBeVisible();
  await expect(window.getByText('You can close this window.')).toBeVisible();
  await expect(window.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await expect(row).toContainText('Active');
  expect(troubles, 'complaints of the connect window').toEqual([]);
  await phone.close();
});

test('unusable links show the reason, in both themes, on a phone and on a desktop', async ({
  page,
  service,
  sink,
  axe,
  axeInBothSchemes,
}) => {
  // the error responses
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[04]' });
  await makeApp(service, 'used-links', `${sink.url}/{area}`);
  const connection_id = await makeConnection(service, 'used-links');
  const link = await linkOf(service, connection_id);
  const refused = page.getByRole('alert');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const label = (what: string) => `${what}, ${width} px`;

    await page.goto(link);
    await page.getByLabel('Area').fill('not one label');
    await page.getByLabel('API key').fill(SECRET);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Area')).toHaveAccessibleDescription(/^Area is not valid\. Fills \{area\}/);
    await expect(page.getByLabel('Area')).toBeFocused();
    await axeInBothSchemes(label('a refused form'));
    await noSidewaysScroll(page, label('a refused form'));

    await page.goto(`${link}x`);
    await expect(refused).toContainText('The link was altered. Ask for a new one.');
    await axeInBothSchemes(label('a forged link'));
    // from another page: at the same address it would be a reload, which still has the token
    await page.goto('about:blank');
    await page.goto(`${service.url}/connect`);
    await expect(refused).toContainText('This link is incomplete');
    await axeInBothSchemes(label('half a link'));
  }
  await page.goto(link);
  await page.getByLabel('Area').fill('eu');
  await page.getByLabel('API key').fill(SECRET);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'App used-links is connected' })).toBeVisible();
  await axe('a completed link');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'App used-links is connected' })).toBeVisible();
  // a newer link replaces it
  await service.call('connectionReconnect', { params: { connection_id } });
  await page.goto(link);
  await expect(refused).toContainText(
    'This connect link was already used, or was replaced by a newer one. Ask for a new one.',
  );
  await axe('a used link');
  // a new link replaces the key, and shows a note
  await page.goto(await linkOf(service, connection_id));
  await expect(page.getByText('It is already connected')).toBeVisible();
});

test('credentials are checked: wrong ones can be corrected, unconfirmed ones are labeled', async ({
  signedIn: page,
  service,
  sink,
  context,
  axeInBothSchemes,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const probed = (app: string, path: string) =>
    service.call('appCreate', {
      body: {
        app,
        name: `App ${app}`,
        base_url: sink.url,
        probe: { path },
        methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
      },
    });
  await probed('checked', '/v1/me');
  const connection_id = await makeConnection(service, 'checked');
  await page.goto(`${service.url}/connections/${connection_id}`);
  const window = await context.newPage();
  await window.setViewportSize({ width: 390, height: 844 });
  await window.goto(await linkOf(service, connection_id));
  await window.getByLabel('API key').fill('wrong');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('alert')).toHaveText(
    'App checked rejected these credentials (401). Check them and enter them again.',
  );
  await expect(statusOf(page)).toHaveText('Pending');
  await expect(page.getByText(/^Last attempt failed .* ago: App checked rejected these credentials/)).toBeVisible();
  await axeInBothSchemes('a connection whose last attempt failed');
  await window.getByLabel('API key').fill(SECRET);
  await window.keyboard.press('Enter');
  await expect(window.getByRole('heading', { name: 'App checked is connected' })).toBeVisible();
  await expect(statusOf(page)).toHaveText('Active');
  await expect(page.getByText(/^Last attempt failed/)).toHaveCount(0);

  await probed('in-trouble', '/broken');
  const unsure = await makeConnection(service, 'in-trouble');
  await window.goto(await linkOf(service, unsure));
  await window.getByLabel('API key').fill('any');
  await window.keyboard.press('Enter');
  const said = 'Credentials saved; App in-trouble could not confirm them. App in-trouble returned 503';
  await expect(window.getByText(said)).toBeVisible();
  await window.reload();
  await expect(window.getByText(said)).toBeVisible();
  await page.goto(`${service.url}/connections/${unsure}`);
  await expect(statusOf(page)).toHaveText('Active');
  await expect(page.getByText(said)).toBeVisible();
  await page.goto(`${service.url}/connections?app=in-trouble`);
  await expect(page.getByRole('row', { name: /App in-trouble/ })).toContainText('Credentials not confirmed');
});

test('a link that was used elsewhere, or whose connection is deleted, offers no action', async ({
  page,
  service,
  sink,
  context,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[04]' });
  await makeApp(service, 'two-windows', sink.url);
  const connection_id = await makeConnection(service, 'two-windows');
  const link = await linkOf(service, connection_id);
  const second = await context.newPage();
  for (const each of [page, second]) {
    await each.goto(link);
    await each.getByLabel('API key').fill(SECRET);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Done. You can close this window.')).toBeVisible();
  await second.getByRole('button', { name: 'Connect' }).click();
  await expect(second.getByText('Connected in another window. You can close this one.')).toBeVisible();

  const gone = await makeConnection(service, 'two-windows');
  await second.goto(await linkOf(service, gone));
  await second.getByLabel('API key').fill(SECRET);
  await service.call('connectionDelete', { params: { connection_id: gone } });
  await second.getByRole('button', { name: 'Connect' }).click();
  await expect(second.getByText('This connection was deleted')).toBeVisible();
  await expect(second.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('a blocked connect window offers a link instead', async ({ signedIn: page, service, sink }) => {
  await makeApp(service, 'kept-closed', sink.url);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${service.url}/connections/apps/kept-closed`);
  await page.getByRole('button', { name: 'Connect App kept-closed', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser blocked the connect window.');
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open it in a tab' }).click();
  const tab = await opening;
  await tab.getByLabel('API key').fill(SECRET);
  const closing = tab.waitForEvent('close');
  await tab.keyboard.press('Enter');
  await expect(statusOf(page)).toHaveText('Active');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await closing;
});

test('the copied link is new and works', async ({ signedIn: page, service, sink, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeApp(service, 'copied-link', sink.url);
  const connection_id = await makeConnection(service, 'copied-link');
  await page.goto(`${service.url}/connections/${connection_id}`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await expect(page.getByRole('heading', { name: 'Connect App copied-link' })).toBeVisible();
});

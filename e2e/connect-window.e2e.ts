/** The connect window: from a link that was sent, in every way it can end. */

import {
  linkOf,
  makeApp,
  makeConnection,
  noSidewaysScroll,
  SECRET,
  statusOf,
  troublesOf,
} from './support/connecting.ts';
import { expect, test } from './support/fixtures.ts';

test('a link that was sent is completed on a phone, and the row turns active by itself', async ({
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
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByLabel('API key')).toHaveAccessibleDescription('API key is missing.');
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

test('links that can’t be used say why, in both themes, on a phone and on a desk', async ({
  page,
  service,
  sink,
  axe,
  axeInBothSchemes,
}) => {
  // the refusals themselves
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
    await expect(page.getByLabel('Area')).toHaveAccessibleDescription(/^That can’t be right for Area\. Fills \{area\}/);
    await expect(page.getByLabel('Area')).toBeFocused();
    await axeInBothSchemes(label('a refused form'));
    await noSidewaysScroll(page, label('a refused form'));

    await page.goto(`${link}x`);
    await expect(refused).toContainText('It was changed on its way, or what it was for was deleted.');
    await axeInBothSchemes(label('a forged link'));
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
  await page.goto(link);
  await expect(refused).toContainText(
    'This connect link was already used, or a newer one took its place. Ask whoever sent it for a new one.',
  );
  await axe('a used link');
  // a fresh one replaces the key, and says so
  await page.goto(await linkOf(service, connection_id));
  await expect(page.getByText('It is connected already')).toBeVisible();
});

test('a browser that keeps the window closed is no dead end', async ({ signedIn: page, service, sink }) => {
  await makeApp(service, 'kept-closed', sink.url);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${service.url}/connections/apps/kept-closed`);
  await page.getByRole('button', { name: 'Connect App kept-closed', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser kept the connect window closed.');
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

test('the copied link works, and is a fresh one', async ({ signedIn: page, service, sink, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeApp(service, 'copied-link', sink.url);
  const connection_id = await makeConnection(service, 'copied-link');
  await page.goto(`${service.url}/connections/${connection_id}`);
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await expect(page.getByRole('heading', { name: 'Connect App copied-link' })).toBeVisible();
});

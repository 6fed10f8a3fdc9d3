/** The palette before it has loaded: input after its shortcut reaches it, however long its code takes to load. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

const CHUNK = /\/assets\/parts\/Palette-[^/]*\.js$/;

/** Holds the palette's code back until the returned function is called. */
async function holdPalette(page: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(CHUNK, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('input typed before the palette has loaded reaches it, and triggers no page shortcut', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const release = await holdPalette(page);
  await page.goto(`${service.url}/triggers`);
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events' });
  await place.focus();
  const asked = page.waitForRequest(CHUNK);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('/audjt');
  await asked;
  await axe('the palette on its way');
  for (const key of ['Backspace', 'Backspace', 'Home', 'Delete', 'End']) await page.keyboard.press(key);
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toHaveValue('aud');
  await expect(page.getByRole('dialog')).toBeHidden();

  release();
  const field = page.getByRole('combobox', { name: 'Search or jump to' });
  await expect(field).toHaveValue('aud');
  await expect(field).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toBeHidden();
  await page.keyboard.type('it log');
  await expect(field).toHaveValue('audit log');
  await expect(page.getByRole('option', { name: 'Audit log', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(place).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('audit');
  await expect(page.getByRole('option', { name: 'Audit log', exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/settings/audit`);
});

test('Esc before the palette has loaded cancels it and restores the focus', async ({ signedIn: page, service }) => {
  const release = await holdPalette(page);
  await page.goto(`${service.url}/triggers`);
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events' });
  await place.focus();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('aud');
  await page.keyboard.press('Escape');
  await expect(place).toBeFocused();
  const came = page.waitForResponse(CHUNK);
  release();
  await came;
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toBeHidden();
});

test('the palette opened while a page loads stays open at the page that a redirect leads to', async ({
  signedIn: page,
  service,
}) => {
  await page.goto(`${service.url}/triggers`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // an address in the history that redirects to the search
  await page.evaluate(() => {
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    history.pushState({ usr: null, key: 'redirecting', idx: idx + 1 }, '', '/functions?q=quorum');
  });
  await page.goBack();
  const field = page.getByRole('combobox', { name: 'Search or jump to' });
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/assets\/.*\.js$/);
  await page.evaluate(() => history.forward());
  await asked;
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('aud');
  await expect(field).toHaveValue('aud');
  release();
  await expect(page).toHaveURL(`${service.url}/functions/search?q=quorum`);
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toHaveText('Functions');
  await expect(field).toHaveValue('aud');
  await expect(field).toBeFocused();
});

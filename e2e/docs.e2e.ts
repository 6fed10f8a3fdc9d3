/** The documentation in the console: each page, its links and pictures, "?" and the palette. */
import type { Page } from '@playwright/test';
import { docPages } from '../scripts/docs/doc-file.ts';
import { expect, test } from './support/fixtures.ts';

const HELP = 'Documentation of this page';
const pages = [...docPages().keys()];
const article = (page: Page) => page.getByRole('main').getByRole('article');

/** The links of the page to others, without those of its frame. */
const linksOf = (page: Page) =>
  article(page)
    .locator('a[href^="/docs"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).getAttribute('href') ?? ''));

test('each page opens, and its links and pictures exist', async ({ signedIn: page, service }) => {
  const known = new Set(pages.map((name) => (name ? `/docs/${name}` : '/docs')));
  for (const name of pages) {
    await page.goto(`${service.url}/docs/${name}`);
    await expect(article(page).getByRole('heading', { level: 1 }), name).toBeVisible();
    const targets = (await linksOf(page)).map((href) => href.split('#')[0] ?? '');
    expect
      .soft(
        targets.filter((target) => !known.has(target.replace(/\/$/, ''))),
        name,
      )
      .toEqual([]);
    const pictures = article(page).locator('img:visible');
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect(picture).toHaveJSProperty('complete', true);
      expect.soft(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth), name).toBeGreaterThan(0);
    }
  }
});

test('a page has its sections, copies its code and passes axe', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  await page.goto(`${service.url}/docs/reference/problems`);
  await expect(article(page).getByRole('heading', { level: 1 })).toBeVisible();
  await axeInBothSchemes('a page of the documentation');
  const code = article(page).getByRole('group', { name: /^Code/ }).first();
  await code.hover();
  await expect(
    article(page)
      .getByRole('button', { name: /^Copy code/ })
      .first(),
  ).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'States' }).click();
  await expect(page).toHaveURL(/#states$/);
  await expect(article(page).getByRole('heading', { name: 'States' })).toBeInViewport();

  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Deliveries', exact: true })
    .click();
  await expect(article(page).getByRole('heading', { level: 1, name: 'Deliveries' })).toBeFocused();
});

test('"?" opens the page about the page, and the palette finds sections', async ({ signedIn: page, service }) => {
  for (const [path, title] of [
    ['/connections', 'Connections'],
    ['/events', 'Deliveries'],
    ['/functions/search?q=%22hello%22', 'Code search'],
  ] as const) {
    await page.goto(service.url + path);
    await page.getByRole('link', { name: HELP }).click();
    await expect(article(page).getByRole('heading', { level: 1, name: title })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(service.url + path);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('circuit');
  await page.getByRole('option', { name: 'Circuit breaker' }).click();
  await expect(page).toHaveURL(`${service.url}/docs/reference/deliveries#circuit-breaker`);
  await expect(article(page).getByRole('heading', { name: 'Circuit breaker' })).toBeInViewport();
});

test('a page that does not exist says so', async ({ signedIn: page, service }) => {
  await page.goto(`${service.url}/docs/reference/none`);
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
});

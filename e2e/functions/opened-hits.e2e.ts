/** A hit that is opened keeps its query: marks, the next hit by one key, counts in the file tree, and find. */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const FILES = {
  'index.ts': 'export default { fetch: () => new Response("magnet") };\n\n// a magnet, and a Magnet\n',
  'lib/far.ts': `// magnet\n${'\n'.repeat(200)}// the last magnet\n`,
  'lib/none.ts': '// nothing\n',
};
const results = (page: Page, url: string, q: string) =>
  page.goto(`${url}/functions/search?${new URLSearchParams({ q })}`);
const hitsOf = (page: Page) => page.getByRole('group', { name: 'Results' }).locator('[data-hit]');
const bar = (page: Page) => page.getByRole('region', { name: 'Search hits' });

test('the next hit in an opened file is one key away, and Back returns to the results', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await make(service, 'magnets', FILES);
  await results(page, service.url, '"magnet"');
  await expect(hitsOf(page)).toHaveCount(4);
  await hitsOf(page).first().focus();
  await page.keyboard.press('Enter');
  await expect(bar(page)).toContainText('"magnet"');
  await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
  await expect(page.locator('.code-hit')).toHaveText(['magnet', 'magnet', 'Magnet']);
  const tree = page.getByRole('navigation', { name: 'Files' });
  await expect(tree.getByRole('button', { name: /^index\.ts ?, 2 search hits$/ })).toBeVisible();
  await expect(tree.getByRole('button', { name: /^far\.ts ?, 2 search hits$/ })).toBeVisible();
  await expect(tree.getByRole('button', { name: 'none.ts', exact: true })).toBeVisible();
  await axe('an opened hit');

  await page.keyboard.press('n');
  await expect(bar(page).getByRole('status')).toHaveText('2 of 4');
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'lib/far.ts' })).toBeAttached();
  await page.keyboard.press('n');
  await expect(bar(page).getByRole('status')).toHaveText('4 of 4');
  await expect(page.locator('.code-hit').getByText('magnet')).toBeInViewport();
  await page.keyboard.press('n');
  await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
  await page.keyboard.press('Shift+N');
  await expect(bar(page).getByRole('status')).toHaveText('4 of 4');

  await page.goBack();
  await expect(hitsOf(page).first()).toBeFocused();
});

test('find in the opened file takes the query over', async ({ signedIn: page, service }) => {
  await make(service, 'finds', FILES);
  await results(page, service.url, '/magnet\\b/');
  await hitsOf(page).first().click();
  await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
  await expect(page.locator('.code-hit').first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('dialog', { name: /find/i }).getByRole('textbox', { name: 'Find', exact: true });
  await expect(find).toBeFocused();
  await expect(find).toHaveValue('magnet\\b');
  await page.keyboard.press('Escape');
  await bar(page).getByRole('button', { name: 'Hide hits' }).click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.locator('.code-hit')).toHaveCount(0);
});

test('a hit in an earlier version and in read-only code has its marks there', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'earlier', FILES);
  await service.call('versionCreate', {
    params: { function_id },
    body: { files: { 'index.ts': 'export default { fetch: () => new Response("gone") };\n' } },
  });
  await page.goto(`${service.url}/functions/search?${new URLSearchParams({ q: '"magnet"', history: 'on' })}`);
  await hitsOf(page).first().click();
  await expect(page.getByText('Version 1; version 2 is live')).toBeVisible();
  await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
  // the focus is in the code, where nothing can be typed
  await page.locator('.view-line').first().click();
  await page.keyboard.press('n');
  await expect(bar(page).getByRole('status')).toHaveText('2 of 4');
});

test('the hits of an edited file are not marked, as their lines may have moved', async ({
  signedIn: page,
  service,
}) => {
  await make(service, 'edited', FILES);
  await results(page, service.url, '"magnet"');
  await hitsOf(page).first().click();
  await expect(page.locator('.code-hit')).toHaveCount(3);
  await page.locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('n');
  await expect(page.locator('.code-hit')).toHaveCount(0);
  await expect(bar(page).getByRole('status')).toHaveText('2 hits');
});

test('the bar of hits fits a phone', async ({ signedIn: page, service, axe }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await make(service, 'phone', FILES);
  await results(page, service.url, '"magnet"');
  await hitsOf(page).first().click();
  await expect(bar(page).getByRole('button', { name: 'Next hit' })).toBeInViewport({ ratio: 1 });
  await bar(page).getByRole('button', { name: 'Next hit' }).click();
  await expect(bar(page).getByRole('status')).toHaveText('2 of 4');
  await noSidewaysScroll(page, 'an opened hit');
  await axe('hits on a phone');
});

test('the palette lists each hit once, with its line number below a long path', async ({ signedIn: page, service }) => {
  const file = `lib/${'deep/'.repeat(12)}place.ts`;
  const { function_id } = await make(service, 'a function with a rather long name', {
    'index.ts': FILES['index.ts'].replaceAll(/magnet/gi, 'x'),
    [file]: '\n// onlyOnce\n',
  });
  await service.call('functionUpdate', { params: { function_id }, body: { visibility: 'PUBLIC' } });
  await page.goto(`${service.url}/functions`);
  await expect(page.getByRole('textbox', { name: 'Search functions and code' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('"onlyOnce"');
  const hit = page.getByRole('option', { name: /place\.ts:2/ });
  await expect(page.getByRole('option', { name: /All results/ })).toHaveText([/1 hit/, /1 hit/]);
  await expect(hit).toHaveCount(1);
  await expect(hit.getByText('// onlyOnce')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  const label = hit.getByText(/place\.ts:2$/);
  expect(await label.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
});

test('a query in the URL of the list opens the search, whose filters fold in a low window', async ({
  signedIn: page,
  service,
}) => {
  await make(service, 'folded', FILES);
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto(`${service.url}/functions?${new URLSearchParams({ q: '"magnet" name:folded' })}`);
  await expect(page).toHaveURL(/\/functions\/search\?q=/);
  await expect(hitsOf(page)).toHaveCount(4);
  const filters = page.getByRole('complementary', { name: 'Search filters' });
  await expect(filters.getByRole('group', { name: 'Runtime' }).getByRole('checkbox').first()).toBeHidden();
  await filters.getByText('Runtime', { exact: true }).click();
  await expect(filters.getByRole('checkbox', { name: /nodejs/ })).toBeVisible();
});

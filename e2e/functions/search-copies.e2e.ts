/** Results: copies below their original, sorted, by file, with a preview of more lines, and matches of several lines. */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const results = (page: Page) => page.getByRole('group', { name: 'Results' });
const hitsOf = (page: Page) => results(page).locator('[data-hit]');
const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search functions and code' });
const open = (page: Page, url: string, query: Record<string, string>) =>
  page.goto(`${url}/functions/search?${new URLSearchParams(query)}`);
const headings = (page: Page) => results(page).getByRole('heading', { level: 2 });
const code = (word: string) => `export default { fetch: () => new Response('${word}') };\n`;

test('copies are one result, which lists them with the original first', async ({ signedIn: page, service, axe }) => {
  await make(service, 'osprey original', { 'index.ts': code('osprey') });
  for (const n of [1, 2, 3]) await make(service, `osprey copy ${n}`, { 'index.ts': `// ${n}\n${code('osprey')}` });
  await make(service, 'osprey other', { 'index.ts': code('osprey 2') });
  await open(page, service.url, { q: '"osprey"' });
  await expect(page.getByText('2 hits in 2 functions')).toBeVisible();
  await expect(headings(page).filter({ hasText: 'osprey original' })).toBeVisible();
  await page.getByRole('button', { name: 'and 3 copies of osprey original' }).press('Enter');
  const copies = page.getByRole('region', { name: 'Copies of osprey original' });
  await expect(copies.getByRole('link')).toHaveText(['osprey copy 1', 'osprey copy 2', 'osprey copy 3']);
  await expect(copies.getByRole('link').first()).toBeFocused();
  await axe('a list of copies');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'osprey copy 2' })).toBeVisible();
  await page.goBack();
  await expect(copies.getByRole('link').nth(1)).toBeFocused();

  await page.getByRole('switch', { name: 'Fold copies' }).click();
  await expect(page.getByText('5 hits in 5 functions')).toBeVisible();
  await page.reload();
  await expect(page.getByText('5 hits in 5 functions')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('copies')).toBe('all');
});

test('results are sorted, and grouped by file, as the address says', async ({ signedIn: page, service, axe }) => {
  const first = await make(service, 'plover one', { 'index.ts': code('plover one') });
  await make(service, 'plover two', {
    'index.ts': code('plover two'),
    'lib/b.ts': '// plover\n',
    'lib/c.ts': '// plover\n',
  });
  await service.call('functionStar', { params: { function_id: first.function_id } });
  await open(page, service.url, { q: '"plover"' });
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  await sort.selectOption('Last deploy');
  await expect(headings(page)).toHaveText(['plover two', 'plover one']);
  await sort.selectOption('Stars');
  await expect(headings(page)).toHaveText(['plover one', 'plover two']);
  await page.getByRole('radio', { name: 'By file' }).click();
  await expect(headings(page)).toHaveText(['index.ts', 'index.ts', 'lib/b.ts', 'lib/c.ts']);
  await axe('results by file');
  await page.reload();
  await expect(sort).toHaveValue('stars');
  await expect(headings(page)).toHaveText(['index.ts', 'index.ts', 'lib/b.ts', 'lib/c.ts']);
  await hitsOf(page).nth(2).click();
  await expect(page.getByRole('textbox', { name: 'lib/b.ts' })).toBeAttached();
  await page.goBack();
  // runs of other accounts are not known
  await page.getByRole('radio', { name: 'By function' }).click();
  await expect(sort.getByRole('option', { name: 'Runs of the last day' })).toBeAttached();
  await open(page, service.url, { q: '"plover"', owner: 'ALL', sort: 'runs' });
  await expect(page.getByText(/^No code of public functions matches/)).toBeVisible();
});

const TALL = `${Array.from({ length: 40 }, (_, n) => `const line${n + 1} = ${n + 1};`).join('\n')}\n// curlew\n${code('x')}`;

test('more lines are shown by the pointer, by p, and closed by Esc', async ({ signedIn: page, service, axe }) => {
  await make(service, 'curlews', { 'index.ts': TALL });
  await open(page, service.url, { q: '"curlew"' });
  const card = page.getByRole('dialog', { name: 'Preview of index.ts, line 41' });
  await hitsOf(page).first().hover();
  await expect(card).toContainText('const line29 = 29;');
  await expect(card.locator('mark')).toHaveText('curlew');
  await boxOf(page).hover();
  await expect(card).toBeHidden();
  await hitsOf(page).first().focus();
  await page.keyboard.press('p');
  await expect(card).toBeFocused();
  await expect(card).toContainText('lines 29 to 42 of 42');
  await axe('a preview');
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await expect(hitsOf(page).first()).toBeFocused();
});

test('pasted lines are one literal, marked in all lines of the match', async ({ signedIn: page, service }) => {
  await make(service, 'dunlins', { 'index.ts': `// dunlin one\nconst two = 'dunlin';\n// three\n${code('y')}` });
  await page.goto(`${service.url}/functions`);
  const marked = async () => (await results(page).locator('mark').allTextContents()).join('');
  await boxOf(page).focus();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, "dunlin one\nconst two = 'dunlin';\n// three\n");
  await expect(boxOf(page)).toHaveValue('"dunlin one↵const two = \'dunlin\';↵// three"');
  // without its last line, the columns of a match are not known
  await expect.poll(marked).toBe("// dunlin oneconst two = 'dunlin';");
  await expect(page.getByText('match continues to line 3')).toBeVisible();
  await page.getByRole('button', { name: 'More context' }).click();
  await expect(page.getByText('match continues to line 3')).toBeHidden();
  await expect.poll(marked).toBe("dunlin oneconst two = 'dunlin';// three");
  await page.reload();
  await expect(boxOf(page)).toHaveValue('"dunlin one↵const two = \'dunlin\';↵// three"');
  await expect(hitsOf(page)).toHaveCount(1);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a button shows more lines, and nothing scrolls sideways', async ({
    signedIn: page,
    service,
    axeInBothSchemes,
  }) => {
    await make(service, 'whimbrel original', { 'index.ts': TALL.replace('curlew', 'whimbrel') });
    await make(service, 'whimbrel copy', { 'index.ts': TALL.replace('curlew', 'whimbrel') });
    await open(page, service.url, { q: '"whimbrel"' });
    await page.getByRole('button', { name: /^and 1 copy/ }).tap();
    await expect(page.getByRole('link', { name: 'whimbrel copy', exact: true })).toBeVisible();
    await noSidewaysScroll(page, 'results with copies');
    await axeInBothSchemes('results with copies on a phone');
    await page.getByRole('button', { name: 'Preview index.ts around line 41' }).tap();
    const card = page.getByRole('dialog', { name: 'Preview of index.ts, line 41' });
    await expect(card).toContainText('// whimbrel');
    await noSidewaysScroll(page, 'a preview');
    await page.getByRole('textbox', { name: 'Search functions and code' }).tap();
    await expect(card).toBeHidden();
  });
});

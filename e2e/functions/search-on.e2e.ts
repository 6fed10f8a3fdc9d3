/** A search of all functions, beyond the best ones, and exports of its hits. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import type { RunningService } from '../support/service.ts';

/** More than are listed at first. */
const CALLERS = 28;
const LISTED = 25;

const all = (page: Page) => page.getByRole('region', { name: 'All functions' });
const others = (page: Page) => page.getByRole('list', { name: 'Other functions found' }).locator('[data-found]');

/** Callers with different code, as copies would be shown as one. */
async function makeCallers(service: RunningService, word: string): Promise<void> {
  for (let n = 0; n < CALLERS; n++) {
    const lines = Array.from(
      { length: n },
      (_, at) => `if (${at} > total) total = ${at} ${n % 2 ? '*' : '-'} total;\n`,
    );
    const code = `let total = 0;\n${lines.join('')}export default { fetch: () => ${word}(total) };\n`;
    await make(service, `${word}-${n}`, { 'index.ts': code });
  }
}

test('searches on to the exact total by keyboard, exports all callers in two clicks, and comes back', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  test.setTimeout(180_000);
  await makeCallers(service, 'narwhal');
  await page.goto(`${service.url}/functions/search?q=${encodeURIComponent('"narwhal("')}`);
  await expect(page.getByText(`Only the ${LISTED} best matches are shown.`)).toBeVisible();
  await expect(all(page).getByRole('status')).toHaveText('Searches all functions for up to a minute, and counts them.');

  const button = all(page).getByRole('button');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(all(page).getByRole('status')).toContainText(
    `functions searched: ${CALLERS} hits in ${CALLERS} functions.`,
  );
  await expect(others(page)).toHaveCount(CALLERS - LISTED);
  await expect(button).toBeFocused();
  await expect(button).toHaveText('Search all again');
  await axeInBothSchemes('a search of all functions');

  // export all callers: 2 clicks
  const download = async (format: RegExp): Promise<string[]> => {
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    const file = await started;
    expect(file.suggestedFilename()).toMatch(/^search-\d{12}\.(csv|ndjson)$/);
    return readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
  };
  expect(await download(/^CSV/)).toHaveLength(CALLERS + 1);
  const rows = (await download(/^NDJSON/)).map((line) => JSON.parse(line) as { name: string; text: string });
  expect(rows).toHaveLength(CALLERS);
  expect(rows[0]).toMatchObject({ path: 'index.ts', text: 'export default { fetch: () => narwhal(total) };' });

  // what was found is still there after a hit was opened
  await others(page).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('narwhal-');
  await page.goBack();
  await expect(others(page)).toHaveCount(CALLERS - LISTED);

  await page.setViewportSize({ width: 390, height: 800 });
  await button.scrollIntoViewIfNeeded();
  await noSidewaysScroll(page, 'a search of all functions');
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('menuitem', { name: /^CSV/ })).toBeInViewport();
});

test('all versions that contained a key: one query and one click', async ({ signedIn: page, service }) => {
  const key = 'sk_test_walrus';
  const { function_id } = await make(service, 'had-a-key', {
    'index.ts': `const key = '${key}';\nexport default { key };\n`,
  });
  await service.call('versionCreate', {
    params: { function_id },
    body: { files: { 'index.ts': 'export default {};\n' }, message: 'without the key' },
  });
  await page.goto(`${service.url}/functions`);
  await page.getByRole('textbox', { name: 'Search functions and code' }).fill(`"${key}"`);
  // the one click
  await page.getByRole('link', { name: 'In all versions' }).click();
  await expect(page.getByText('hits only in v1')).toBeVisible();
});

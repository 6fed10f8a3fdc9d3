/**
 * Journeys of code search with budgets of queries, clicks and keys, on a wide screen and on a phone, in both color
 * schemes: with the pointer, and with the keyboard alone.
 */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import { countPresses, tabTo } from '../support/presses.ts';
import type { RunningService } from '../support/service.ts';

const HOST = 'api.pelican.example';
const SECRET = 'sk_test_pelican';
const CALLS = `export default { fetch: () => fetch('https://${HOST}/v1') };\n`;
const SCREENS = [
  { name: 'at 1280 px in light', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'at 390 px in dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search functions and code' });
const results = (page: Page) => page.getByRole('group', { name: 'Results' });
const found = (page: Page) => results(page).locator('[data-found]');
const inAllVersions = (page: Page) => page.getByRole('link', { name: 'In all versions' });
const hitsBar = (page: Page) => page.getByRole('region', { name: 'Search hits' });
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export' });

/** Functions that call a host directly, through the gateway, and that once had a key. */
async function makeFunctions(service: RunningService): Promise<void> {
  const { functions } = await service.call('functionSearch', { query: { q: `"${HOST}"` } });
  if (functions.length > 0) return;
  await make(service, 'calls-directly', { 'index.ts': `${CALLS}// ${HOST}\n` });
  await make(service, 'calls-by-gateway', {
    'index.ts': `// ${HOST}, by the gateway\nexport default { fetch: () => fetch(process.env.SLUICE_GATEWAY_URL) };\n`,
  });
  const { function_id } = await make(service, 'had-a-key', { 'index.ts': `const key = '${SECRET}';\n${CALLS}` });
  const body = { files: { 'index.ts': 'export default { fetch: () => new Response("") };\n' } };
  await service.call('versionCreate', { params: { function_id }, body });
}

/** Distinct queries of the searches that the page sends, without those that count its examples. */
function countQueries(page: Page): () => string[] {
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const q = searchParams.get('q') ?? '';
    if (pathname.endsWith('/functions/search') && q.includes('pelican')) asked.add(q);
  });
  return () => [...asked];
}

async function open(page: Page, service: RunningService): Promise<void> {
  await page.goto(`${service.url}/functions`);
  await expect(boxOf(page)).toBeVisible();
}

async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const started = page.waitForEvent('download');
  await press();
  return (await started).suggestedFilename();
}

for (const { name, width, height, colorScheme } of SCREENS) {
  test.describe(name, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('who calls a host, and not through the gateway: one query, no click', async ({ signedIn: page, service }) => {
      await makeFunctions(service);
      const pressed = await countPresses(page);
      const queries = countQueries(page);
      await open(page, service);
      await boxOf(page).fill(`host:${HOST}`);
      await expect(found(page)).toHaveText(['calls-directly']);
      expect(queries()).toEqual([`host:${HOST}`]);
      expect((await pressed()).presses).toBe(0);
      await noSidewaysScroll(page, 'calls of a host');
    });

    test('all versions that contained a key: one query and one click', async ({ signedIn: page, service }) => {
      await makeFunctions(service);
      const pressed = await countPresses(page);
      await open(page, service);
      // the one query
      await boxOf(page).fill(`"${SECRET}"`);
      await inAllVersions(page).click();
      await expect(page.getByText('hits only in v1')).toBeVisible();
      expect((await pressed()).presses).toBe(1);
      await noSidewaysScroll(page, 'all versions that contained a key');
    });

    test('the next hit in the opened file: one key or one click', async ({ signedIn: page, service }) => {
      await makeFunctions(service);
      const pressed = await countPresses(page);
      await page.goto(`${service.url}/functions/search?${new URLSearchParams({ q: `host:${HOST} "${HOST}"` })}`);
      await results(page).locator('[data-hit]').first().click();
      await expect(hitsBar(page).getByRole('status')).toHaveText('1 of 2');
      const before = await pressed();
      await page.keyboard.press('n');
      await expect(hitsBar(page).getByRole('status')).toHaveText('2 of 2');
      await hitsBar(page).getByRole('button', { name: 'Next hit' }).click();
      await expect(hitsBar(page).getByRole('status')).toHaveText('1 of 2');
      expect(await pressed()).toEqual({ presses: before.presses + 1, keys: before.keys + 1 });
      await noSidewaysScroll(page, 'an opened hit');
    });

    test('export all callers: two clicks', async ({ signedIn: page, service }) => {
      await makeFunctions(service);
      const pressed = await countPresses(page);
      await page.goto(`${service.url}/functions/search?${new URLSearchParams({ q: `"${HOST}"` })}`);
      await expect(found(page)).toHaveCount(2);
      const file = await download(page, async () => {
        await exportButton(page).click();
        await page.getByRole('menuitem', { name: /^CSV/ }).click();
      });
      expect(file).toMatch(/\.csv$/);
      expect((await pressed()).presses).toBe(2);
    });

    test('with the keyboard alone: callers of a host, their next hit, their export, versions that had a key', async ({
      signedIn: page,
      service,
    }) => {
      await makeFunctions(service);
      const pressed = await countPresses(page);
      await open(page, service);
      await page.keyboard.press('/');
      await expect(boxOf(page)).toBeFocused();
      await page.keyboard.insertText(`host:${HOST} "${HOST}"`);
      await expect(found(page)).toHaveText(['calls-directly']);

      await tabTo(page, exportButton(page));
      const file = await download(page, async () => {
        await page.keyboard.press('Enter');
        await expect(page.getByRole('menuitem').first()).toBeFocused();
        await page.keyboard.press('Enter');
      });
      expect(file).toMatch(/\.(csv|ndjson)$/);

      await tabTo(page, results(page).locator('[data-hit]').first());
      await page.keyboard.press('Enter');
      await expect(hitsBar(page).getByRole('status')).toHaveText('1 of 2');
      await page.keyboard.press('n');
      await expect(hitsBar(page).getByRole('status')).toHaveText('2 of 2');

      await open(page, service);
      await page.keyboard.press('/');
      await expect(boxOf(page)).toBeFocused();
      await page.keyboard.insertText(`"${SECRET}"`);
      await tabTo(page, inAllVersions(page));
      await page.keyboard.press('Enter');
      await expect(page.getByText('hits only in v1')).toBeVisible();
      expect((await pressed()).presses).toBe(0);
    });
  });
}

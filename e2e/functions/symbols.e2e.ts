/** Definitions, references and the outline of opened code; what code imports, calls and reads as filters of a search. */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const FILES = {
  'index.ts':
    'import { sendParcel } from "./lib/parcel.ts";\n\nexport default { fetch: () => sendParcel(process.env.PARCEL_KEY) };\n',
  'lib/parcel.ts':
    'class Courier {\n  send() {\n    return fetch("https://api.parcels.example/v1");\n  }\n}\n\nexport const sendParcel = (key?: string) => new Courier().send();\n',
};
const editor = (page: Page, file: string) => page.getByRole('textbox', { name: file });
const outline = (page: Page, file: string) => page.getByRole('list', { name: `Definitions in ${file}` });

test('a name leads to its definition and its references by keyboard, and the outline to each line', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  const { function_id } = await make(service, 'parcels', FILES);
  await page.goto(`${service.url}/functions/${function_id}?file=index.ts`);
  await expect(editor(page, 'index.ts')).toBeAttached();
  await page.goto(`${service.url}/functions/${function_id}?file=lib/parcel.ts`);
  await expect(outline(page, 'lib/parcel.ts').getByRole('button')).toHaveText([
    /^Courier\s*class\s*1$/,
    /^Courier\.send\s*method\s*2$/,
    /^sendParcel\s*(function|variable)\s*7$/,
  ]);
  await outline(page, 'lib/parcel.ts').getByRole('button', { name: 'sendParcel' }).press('Enter');
  await expect(page).toHaveURL(/line=7/);

  await page.goto(`${service.url}/functions/${function_id}?file=index.ts&line=1`);
  await expect(page.locator('.view-line').filter({ hasText: 'sendParcel } from' })).toBeVisible();
  await page
    .locator('.view-line span', { hasText: /^\s?sendParcel\s?$/ })
    .first()
    .click();
  await page.keyboard.press('F12');
  await expect(editor(page, 'lib/parcel.ts')).toBeAttached();
  await expect(page).toHaveURL(/file=lib(%2F|\/)parcel\.ts.*line=7/);

  await page
    .locator('.view-line span', { hasText: /^\s?sendParcel\s?$/ })
    .first()
    .click();
  await page.keyboard.press('Shift+F12');
  const references = page.getByRole('region', { name: 'References of sendParcel' });
  await expect(references.getByRole('button', { name: /index\.ts:|parcel\.ts:/ })).toHaveText([
    /index\.ts:1/,
    /index\.ts:3/,
    /lib\/parcel\.ts:7\s*definition/,
  ]);
  await expect(references).toContainText('Defined in version 1');
  await axeInBothSchemes('references of a name');
  await references.getByRole('button', { name: 'index.ts:3' }).press('Enter');
  await expect(editor(page, 'index.ts')).toBeAttached();
  await page.setViewportSize({ width: 390, height: 800 });
  await noSidewaysScroll(page, 'code with references');
});

test('a click with Control on a name leads to its definition', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'parcels by click', FILES);
  await page.goto(`${service.url}/functions/${function_id}?file=index.ts`);
  const name = page.locator('.view-line span', { hasText: /^\s?sendParcel\s?$/ });
  await page.keyboard.down('Control');
  await name.last().hover();
  await expect(page.locator('.view-line .code-link')).toHaveText('sendParcel');
  await page.keyboard.up('Control');
  await name.last().click();
  await expect(editor(page, 'index.ts')).toBeAttached();
  await name.last().click({ modifiers: ['Control'] });
  await expect(editor(page, 'lib/parcel.ts')).toBeAttached();
  await expect(page).toHaveURL(/file=lib(%2F|\/)parcel\.ts.*line=7/);
});

test('a search finds a definition, a called host and a variable, and offers them as filters', async ({
  signedIn: page,
  service,
}) => {
  await make(service, 'parcels again', FILES);
  const found = page.getByRole('group', { name: 'Results' }).locator('[data-found]');
  const search = (q: string) => page.goto(`${service.url}/functions/search?${new URLSearchParams({ q })}`);
  for (const q of ['symbol:Courier', 'host:api.parcels.example', 'env:PARCEL_KEY']) {
    await search(`${q} name:again`);
    await expect(found, q).toHaveText(['parcels again']);
  }
  await search('"sendParcel" name:again');
  await expect(found).toHaveText(['parcels again']);
  const filters = page.getByRole('complementary', { name: 'Search filters' });
  await filters.getByRole('checkbox', { name: /api\.parcels\.example/ }).press('Space');
  await expect(page).toHaveURL(/host%3Aapi\.parcels\.example/);
  await expect(found).toHaveText(['parcels again']);
});

/** Code search for several terms: how the query is read, where a mistake is, and words that are found in code. */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search functions and code' });
const hitsOf = (page: Page) => page.getByRole('group', { name: 'Results' });
const found = (page: Page) => hitsOf(page).locator('[data-found]');

test('one query finds who calls a host, and not through the gateway', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  const direct = "export default { fetch: () => fetch('https://api.narwhal.example/v1/orders') };\n";
  const gateway =
    "export const viaGateway = 1; // instead of api.narwhal.example\nexport default { fetch: () => new Response('') };\n";
  await make(service, 'calls-directly', { 'index.ts': direct });
  await make(service, 'calls-by-gateway', { 'index.ts': gateway });
  await page.goto(`${service.url}/functions`);
  await expect(boxOf(page)).toBeVisible();
  await page.keyboard.press('/');
  await expect(boxOf(page)).toBeFocused();
  await page.keyboard.type('"api.narwhal.example" -("viaGateway" OR /SLUICE_\\w+/)');
  await expect(found(page)).toHaveText(['calls-directly']);
  await expect(hitsOf(page).locator('mark')).toHaveText(['api.narwhal.example']);

  // the reading, as nested lists
  const all = page.getByRole('list', { name: 'All of' });
  await expect(all.getByRole('listitem').first()).toHaveText('api.narwhal.example');
  const any = all.getByRole('list', { name: 'Any of' });
  await expect(any.getByRole('listitem')).toHaveText(['viaGateway', 'or/SLUICE_\\w+/']);
  await axeInBothSchemes('a query of several terms');
  await page.setViewportSize({ width: 390, height: 800 });
  await noSidewaysScroll(page, 'a query of several terms');
  await expect(any).toBeVisible();
});

test('a mistake is shown where it is, while typing, and the results stay', async ({ signedIn: page, service }) => {
  await make(service, 'has-two-terms', { 'index.ts': 'export const ibex = "capra"; export default {};\n' });
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/functions/search')) asked.push(url.searchParams.get('q') ?? '');
  });
  await page.goto(`${service.url}/functions`);
  await boxOf(page).fill('"ibex" "capra"');
  await expect(found(page)).toHaveText(['has-two-terms']);
  const said = page.locator('[data-mistake]');
  await boxOf(page).fill('"ibex" ("capra"');
  await expect(said).toHaveText('This ( is not closed, at character 8');
  await boxOf(page).fill('"ibex" "capra" langg:ts');
  await expect(said).toHaveText('There is no filter langg: (did you mean lang:?), at character 16');
  await boxOf(page).fill('"ibex" OR');
  await expect(said).toHaveText('Expected a term after this, at character 8');
  await boxOf(page).fill('"ibex" "capra" lang:ts');
  await expect(found(page)).toHaveText(['has-two-terms']);
  await expect(said).toHaveCount(0);
  await expect
    .poll(() => asked.filter((q) => q.includes('ibex')))
    .toEqual(['"ibex" "capra"', '"ibex" "capra" lang:ts']);
});

test('words are also found in code, below the functions with such a name', async ({ signedIn: page, service }) => {
  await make(service, 'okapi', { 'index.ts': 'export default { fetch: () => new Response("") };\n' });
  await make(service, 'zoo-list', { 'index.ts': 'export const animals = ["okapi"]; export default {};\n' });
  // the hits in code arrive late, and must not move the link from under the pointer
  let respond = () => {};
  const late = new Promise<void>((ok) => {
    respond = ok;
  });
  await page.route('**/api/functions/search?*%22okapi%22*', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(`${service.url}/functions/search?q=okapi`);
  const inCode = page.getByRole('region', { name: 'In the code' });
  const link = inCode.getByRole('link', { name: 'Search the code for "okapi"' });
  await expect(link).toBeVisible();
  const before = await link.boundingBox();
  await expect(inCode.locator('[data-found]')).toHaveCount(0);
  respond();
  await expect(inCode.locator('[data-found]')).toHaveText(['zoo-list']);
  await expect(inCode.locator('mark')).toHaveText(['okapi']);
  expect(await link.boundingBox()).toEqual(before);
  await link.click();
  await expect(page.getByText('Read as a literal')).toBeVisible();
  await expect(found(page)).toHaveText(['zoo-list']);
});

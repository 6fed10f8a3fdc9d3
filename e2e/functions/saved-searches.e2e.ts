/** Saved searches, and a trigger that reports functions which begin to match one. */
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const ENTRY = 'export default { fetch: () => new Response("") };\n';

test('a search is saved, opened again and watched by a trigger, with the keyboard alone', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  const fn = await make(service, 'ledger-export', { 'index.ts': ENTRY });
  await page.goto(`${service.url}/functions/search?q=host:api.ledger.example`);
  await page.getByRole('button', { name: 'Save search…' }).press('Enter');
  const saving = page.getByRole('dialog', { name: 'Save search' });
  await saving.getByRole('textbox', { name: 'Name' }).fill('Calls to the ledger');
  await page.keyboard.press('Enter');
  const saved = page.getByRole('dialog', { name: 'Saved searches' });
  await expect(saved.getByRole('listitem').filter({ hasText: 'Calls to the ledger' })).toContainText(
    'host:api.ledger.example',
  );
  await axeInBothSchemes('saved searches');
  await page.setViewportSize({ width: 390, height: 760 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await saved.getByRole('link', { name: 'Create trigger for Calls to the ledger' }).press('Enter');

  await expect(page.getByRole('combobox', { name: 'Saved search' })).toContainText('Calls to the ledger');
  await page.getByRole('button', { name: /^Remove destination/ }).click();
  await page.getByRole('button', { name: 'Create trigger', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/triggers\/[0-9a-f-]{36}/);
  await service.call('versionCreate', {
    params: { function_id: fn.function_id },
    body: { files: { 'index.ts': `${ENTRY}fetch("https://api.ledger.example/v1");\n` } },
  });
  await expect(page.getByRole('row').filter({ hasText: 'ledger-export' }).first()).toBeVisible();

  await page.goto(`${service.url}/functions/search?q=other`);
  await page.getByRole('button', { name: 'Saved searches' }).press('Enter');
  await expect(saved).toContainText('watched by 1 trigger');
  await expect(saved.getByRole('button', { name: 'Delete Calls to the ledger' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await saved.getByRole('link', { name: 'Calls to the ledger', exact: true }).press('Enter');
  await expect(page).toHaveURL(/q=host%3Aapi.ledger.example/);
  await expect(page.getByRole('link', { name: 'ledger-export' }).first()).toBeVisible();
});

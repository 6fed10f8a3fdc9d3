/** A version is tried on past requests, and deployed from there. */
import { expect, test } from '../support/fixtures.ts';
import { make, write } from '../support/functions.ts';
import { countPresses } from '../support/presses.ts';

const code = (body: string) =>
  `export default { async fetch(request: Request) {\n  const { items } = await request.json();\n  ${body}\n} };\n`;
const V1 = code("console.log('summing', items.length);\n  return Response.json({ count: items.length });");

/** In one line, as the editor indents and closes brackets. */
const BROKEN =
  'export const at = (body: string) => JSON.parse(body).items.at(0).length; export default ({ body }) => ({ count: at(body) });';

async function made(service: Parameters<typeof make>[0], name: string) {
  const fn = await make(service, name, { 'index.ts': V1 });
  const params = { function_id: fn.function_id };
  for (const items of [[1, 2], [3], []])
    await service.call('functionInvoke', { params, body: { body: JSON.stringify({ items }) } });
  return { fn, params };
}

test('a version is tried and deployed in four clicks', async ({ signedIn: page, service, axe }) => {
  const { fn, params } = await made(service, 'four-clicks');
  const files = { 'index.ts': V1.replace('items.length }', 'items.length + 0 }') };
  await service.call('versionCreate', { params, body: { files, serve: false } });
  const presses = await countPresses(page);
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Try on past requests' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Try version 2 on past requests' })).toBeVisible();
  await axe('before the shadow');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('status').filter({ hasText: '3 of 3 requests compared.' })).toBeVisible();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await axe('a version that passed');
  await page.getByRole('button', { name: 'Deploy' }).click();
  await expect(page.getByText('It is live.')).toBeVisible();
  expect(await presses()).toEqual({ presses: 4, keys: 0 });
  expect((await service.call('functionGet', { params })).function.version).toBe(2);

  // by keyboard alone
  await service.call('versionCreate', { params, body: { files: { 'index.ts': V1 }, serve: false } });
  await page.goto(`${service.url}/functions/${fn.function_id}/versions`);
  await page.getByRole('link', { name: 'Try on past requests' }).first().press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Try version 3 on past requests' })).toBeFocused();
  await page.getByRole('button', { name: 'Start' }).press('Enter');
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Deploy' }).press('Enter');
  await expect(page.getByText('It is live.')).toBeVisible();
  expect((await service.call('functionGet', { params })).function.version).toBe(3);
});

test('the editor tries undeployed code, and shows what it breaks', async ({ signedIn: page, service, axe }) => {
  const { fn, params } = await made(service, 'breaks');
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await write(page, BROKEN);
  await page.getByRole('button', { name: 'Try on past requests' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Version 2 on past requests' })).toBeVisible();
  await expect(page.getByText('1 request succeeded with version 1 and failed with version 2.')).toBeVisible();
  const matrix = page.getByRole('table', { name: 'Outcomes with version 1 and version 2' });
  await expect(matrix.getByRole('row', { name: /^Success/ })).toContainText('21');
  await axe('a version that failed');

  const rows = page.getByRole('table', { name: 'Requests' });
  await page.getByRole('checkbox', { name: 'Only requests that differ' }).click();
  await expect(page).toHaveURL(/differs=true/);
  await rows.getByRole('link').first().press('Enter');
  await expect(page.getByRole('region', { name: 'Version 2' })).toContainText('Failure');
  await expect(page.getByRole('textbox', { name: 'response of version 2' })).toBeAttached();
  await page.getByRole('radio', { name: 'Log' }).press('Space');
  await expect(page.getByRole('textbox', { name: 'log of version 1' })).toBeAttached();
  await axe('a request with both versions');

  await page.getByRole('link', { name: 'Version 2 on past requests' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Version 2 on past requests' })).toBeVisible();
  await page.getByRole('button', { name: 'Deploy anyway…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Deploy version 2?' });
  await expect(dialog).toContainText('failed with version 2');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
  expect((await service.call('functionGet', { params })).function.version).toBe(1);
});

test('a version serves a share of the calls, and the list of versions shows it', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { fn, params } = await made(service, 'share');
  await service.call('versionCreate', { params, body: { files: { 'index.ts': V1 }, serve: false } });
  await page.goto(`${service.url}/functions/${fn.function_id}/versions`);
  const open = async () => {
    await page.getByRole('button', { name: 'Actions for version 2' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Serve a share of calls…' }).press('Enter');
  };
  await open();
  const dialog = page.getByRole('dialog', { name: 'Serve version 2 to a share of calls' });
  const percent = dialog.getByRole('textbox', { name: 'Percent of the calls' });
  await percent.fill('100');
  await expect(dialog.getByRole('alert').filter({ hasText: 'Enter a whole number from 1 to 99.' })).toBeVisible();
  await percent.fill('25');
  await axe('the share of a version');
  await percent.press('Enter');
  const versions = page.getByRole('list', { name: 'Versions' });
  await expect(versions.getByRole('listitem').first()).toContainText('25 % of calls');
  expect((await service.call('gradualGet', { params })).gradual).toMatchObject({ version: 2, percent: 25 });
  await axe('a version with a share');

  await open();
  await expect(percent).toHaveValue('25');
  await dialog.getByRole('button', { name: 'End' }).press('Enter');
  await expect(versions.getByText('25 % of calls')).toHaveCount(0);
  await expect.poll(async () => (await service.call('gradualGet', { params })).gradual).toBeNull();
});

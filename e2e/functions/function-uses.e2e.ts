/** The impact of changes, runs by version, owners, and saved test requests. */
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const CODE = {
  'index.ts': `export default { async fetch(request: Request) {
  if (request.url.includes('/charge')) await fetch('https://api.payments.example/v1');
  return new Response('ok');
} };
`,
};

test('settings and deletion show their impact beforehand', async ({ signedIn: page, service, axe }) => {
  const fn = await make(service, 'depended-on', CODE);
  const { function_id } = fn;
  const params = { function_id };
  await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'nightly',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `${fn.url}/orders`, name: 'orders' }],
    },
  });
  for (let i = 0; i < 2; i++)
    await service.call('functionInvoke', { params, body: { headers: { 'user-agent': 'billing/2.1' } } });

  await page.goto(`${service.url}/functions/${function_id}/settings`);
  const touched = page.getByRole('region', { name: 'Impact of this change' });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await page.getByRole('textbox', { name: 'Description' }).fill('No one minds');
  await expect(touched).toHaveCount(0);
  await name.fill('otherwise-named');
  await expect(touched).toContainText(`${fn.url} stops responding`);
  await expect(touched.getByRole('link', { name: 'orders' })).toBeVisible();
  await expect(touched).toContainText('billing/2.1: 2 calls');
  await axe('what a new name touches');
  await name.fill('depended-on');
  await expect(touched).toHaveCount(0);
  await page.getByRole('radio', { name: 'Blocked' }).focus();
  await page.keyboard.press('Space');
  await expect(touched).toContainText('1 host that will be blocked: api.payments.example');
  await page.getByRole('radio', { name: 'Allowlist' }).check();
  await page.getByRole('textbox', { name: 'Allowed hosts' }).fill('*.payments.example');
  await expect(touched).toContainText('names no host that this would block');
  await page.getByRole('radio', { name: /^Public\b(?! addresses)/ }).check();
  await expect(touched).toContainText('Other accounts see version 1 and later.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(touched).toHaveCount(0);

  await page.getByRole('button', { name: 'Delete function…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete depended-on' });
  await expect(dialog).toContainText('It ran 2 times in the last 7 days.');
  await expect(dialog.getByRole('link', { name: 'orders' })).toBeVisible();
  await axe('what deleting touches');
});

test('each version shows its share of the runs, which links to them', async ({ signedIn: page, service, axe }) => {
  const { function_id } = await make(service, 'shared-out', CODE);
  const params = { function_id };
  for (let i = 0; i < 3; i++) await service.call('functionInvoke', { params });
  const broken = { 'index.ts': 'export default { fetch: () => { throw new Error("broken"); } };' };
  await service.call('versionCreate', { params, body: { files: broken, message: 'Break it' } });
  await service.call('functionInvoke', { params });
  await page.goto(`${service.url}/functions/${function_id}/versions`);
  const rows = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
  await expect(rows.first()).toContainText('25.0 %');
  await expect(rows.first()).toContainText('1 failed');
  await expect(rows.last()).toContainText('75.0 %');
  // the diff beside the list is part of the page
  await expect(page.locator('.view-lines').last()).toContainText('broken');
  await axe('versions with their part of the runs');
  // a new run is counted
  await service.call('functionInvoke', { params });
  await expect(rows.first()).toContainText('40.0 %');
  // check() verifies at once, and the URL changes a moment later
  await page.getByRole('radio', { name: '7 d' }).click();
  await expect(page).toHaveURL(/runs=7d/);
  await rows
    .last()
    .getByRole('link', { name: /3 runs of version 1/ })
    .press('Enter');
  await expect(page).toHaveURL(/runs\?version=1&since=7d/);
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('rowgroup').last().getByRole('row')).toHaveCount(3);
});

test('a request is saved under a name, without its secrets, and sent again', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const echo = 'export default { fetch: async (r) => new Response(r.method + " " + await r.text()) };';
  const { function_id } = await make(service, 'tried-again', { 'index.ts': echo });
  await page.goto(`${service.url}/functions/${function_id}?test=on`);
  const panel = page.getByRole('complementary', { name: 'Test v1' });
  const field = (name: string) => panel.getByRole('textbox', { name });
  await field('Path and query').fill('/orders?limit=1');
  await field('Headers').fill('x-tag: one\nauthorization: Bearer not-to-be-kept');
  await field('Body').fill('first');
  await panel.getByRole('button', { name: 'Save this request…' }).press('Enter');
  await field('Name of the request').fill('An order');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('button', { name: 'Save this request…' })).toBeFocused();
  await axe('a kept request');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('not-to-be-kept');

  await page.reload();
  await expect(field('Body')).not.toHaveValue('first');
  await panel
    .getByRole('list', { name: 'Saved requests' })
    .getByRole('button', { name: 'POST An order' })
    .press('Enter');
  await expect(field('Path and query')).toHaveValue('/orders?limit=1');
  await expect(field('Headers')).toHaveValue('x-tag: one\nauthorization: ');
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(panel.getByRole('group', { name: 'Response body', exact: true })).toContainText('POST first');
  await panel.getByRole('button', { name: 'Delete An order' }).press('Enter');
  await expect(panel.getByRole('list', { name: 'Saved requests' })).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Save this request…' })).toBeFocused();
});

test('public functions show their owner, and can be starred', async ({ signedIn: page, service, axe }) => {
  const files = { 'index.ts': 'export default { fetch: () => new Response("hi") };' };
  const body = { name: 'for-everybody', runtime: 'nodejs24.x' as const, visibility: 'PUBLIC' as const, files };
  await service.call('functionCreate', { body });
  const { account } = await service.call('accountGet');
  await page.goto(`${service.url}/functions?owner=ALL`);
  const table = page.getByRole('table', { name: 'Functions' });
  await expect(table.getByRole('columnheader', { name: 'Owner' })).toBeVisible();
  const row = table.getByRole('row').filter({ hasText: 'for-everybody' });
  await expect(row).toContainText(account.name);
  await row.getByRole('link', { name: 'for-everybody' }).press('Enter');
  const star = page.getByRole('button', { name: /^Star 0.*for-everybody/ });
  await star.press('Enter');
  await expect(page.getByRole('button', { name: /^Starred 1.*for-everybody/, pressed: true })).toBeFocused();
  await axe('a starred function');
});

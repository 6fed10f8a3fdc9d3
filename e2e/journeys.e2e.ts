/**
 * The journeys through functions whose budgets are counted in presses; those of events and triggers are counted in
 * overview.e2e.ts and replays.e2e.ts, connecting an app in connections.e2e.ts.
 */
import { expect, test } from './support/fixtures.ts';
import { make } from './support/functions.ts';
import { countPresses } from './support/presses.ts';

const FAILS = {
  'index.ts': `import { check } from './lib/check.ts';\nexport default { fetch: (request: Request) => Response.json(check(request)) };\n`,
  'lib/check.ts': `export function check(request: Request) {\n  throw new Error('no stock of ' + request.method);\n}\n`,
};

test('why a run failed is read in the code that ran after three presses from the functions', async ({
  signedIn: page,
  service,
}) => {
  const { function_id } = await make(service, 'out-of-stock', FAILS);
  await service.call('functionInvoke', { params: { function_id }, body: {} });
  const pressed = await countPresses(page);
  await page.goto(`${service.url}/functions`);
  await expect(page.getByRole('heading', { level: 1, name: 'Functions' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('table', { name: 'Runs' })
    .getByRole('row', { name: /out-of-stock/ })
    .click();
  await page
    .getByRole('link', { name: /lib\/check\.ts:2/ })
    .first()
    .click();
  await expect(page).toHaveURL(/version=1&file=lib%2Fcheck\.ts&line=2/);
  await expect(page.locator('.code-line-mark')).toBeVisible();
  expect(await pressed()).toEqual({ presses: 3, keys: 0 });
});

test('what serves is compared with the version before in two presses, and rolled back in three with that in view', async ({
  signedIn: page,
  service,
}) => {
  const { function_id } = await make(service, 'second-thoughts', {
    'index.ts': FAILS['index.ts'],
    'lib/check.ts': FAILS['lib/check.ts'],
  });
  const files = { ...FAILS, 'lib/check.ts': FAILS['lib/check.ts'].replace('no stock of', 'sold out:') };
  await service.call('versionCreate', { params: { function_id }, body: { files, message: 'Say it better' } });
  const pressed = await countPresses(page);
  await page.goto(`${service.url}/functions/${function_id}`);
  await page.getByRole('main').getByRole('link', { name: 'Versions', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'lib/check.ts in version 1' })).toBeAttached();
  await expect(page.getByRole('textbox', { name: 'lib/check.ts in version 2' })).toBeAttached();
  expect((await pressed()).presses).toBeLessThanOrEqual(2);
  await page.getByRole('button', { name: 'Roll back to v1…' }).click();
  await expect(page.getByText('Roll back from v2 to v1?')).toBeVisible();
  await page.getByRole('button', { name: 'Roll back to v1', exact: true }).click();
  const row = page.getByRole('list', { name: 'Versions' }).getByRole('listitem').filter({ hasText: 'v1' });
  await expect(row).toContainText('Serving');
  expect(await pressed()).toEqual({ presses: 3, keys: 0 });
});

/**
 * Function journeys with click budgets. Those of events and triggers are in overview.e2e.ts and replays.e2e.ts,
 * connecting an app in connections.e2e.ts. One journey uses the keyboard alone.
 */
import { expect, test } from './support/fixtures.ts';
import { make } from './support/functions.ts';
import { countPresses, tabTo } from './support/presses.ts';

const FAILS = {
  'index.ts': `import { check } from './lib/check.ts';\nexport default { fetch: (request: Request) => Response.json(check(request)) };\n`,
  'lib/check.ts': `export function check(request: Request) {\n  throw new Error('no stock of ' + request.method);\n}\n`,
};

test('the failing line of a run is reached in three clicks from the functions', async ({ signedIn: page, service }) => {
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

test('the live version is compared with the previous one in two clicks, and rolled back in three', async ({
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
  await expect(row).toContainText('Live');
  expect(await pressed()).toEqual({ presses: 3, keys: 0 });
});

test('a trigger is created, tested, and its event read and replayed with the keyboard alone', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const arrived = () => sink.received.filter(({ path }) => path === '/by-keys').length;
  const pressed = await countPresses(page);
  await page.goto(`${service.url}/triggers`);
  await expect(page.getByRole('heading', { level: 1, name: 'Triggers' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('new trigger');
  await expect(page.getByRole('option', { name: 'New trigger', exact: true })).toHaveAttribute('data-highlighted', '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New trigger' })).toBeFocused();
  // its time does not come during the test
  await tabTo(page, page.getByRole('button', { name: 'Every day at 9' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('textbox', { name: 'URL', exact: true }));
  await page.keyboard.type(`${sink.url}/by-keys`);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('heading', { level: 1, name: /is ready$/ })).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: 'Send a test event' }));
  await page.keyboard.press('Enter');
  await expect.poll(arrived).toBe(1);
  await tabTo(page, page.getByRole('link', { name: 'Open event' }));
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  await page.keyboard.press('r');
  await expect.poll(arrived).toBe(2);
  await expect(panel.getByRole('button', { name: /^Attempt #2 .* Replay 200/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  // the focus is never lost: the page title has it after navigation, and the rows are one key away
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  expect((await pressed()).presses).toBe(0);
});

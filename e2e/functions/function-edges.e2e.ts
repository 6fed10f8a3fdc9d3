/** Function pages when a part fails to load, on other accounts' functions, and on a phone. */
import { anotherAccount } from '../support/another-account.ts';
import { expect, test } from '../support/fixtures.ts';
import { editor, INDEX, make, TOTAL } from '../support/functions.ts';

const PHONE = { width: 390, height: 844 };

test('a tab that fails to load leaves the others usable, and loads on retry', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_FAILED' });
  const { function_id } = await make(service, 'half-there');
  const versions = /\/versions(\?|$)/;
  let broken = true;
  await page.route(versions, (route) =>
    broken && route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
  );
  await page.goto(`${service.url}/functions/${function_id}/settings`);
  await page.getByRole('link', { name: 'Versions', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('No response');
  await expect(page.getByRole('heading', { level: 1, name: 'half-there' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Logs', exact: true })).toBeVisible();
  await axe('a tab that could not be loaded');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('v1');
});

test('a script that failed to load is fetched when the network is back', async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_INTERNET_DISCONNECTED' });
  const { function_id } = await make(service, 'cut-off');
  // the page's own scripts that load after the first page
  const words = page.waitForResponse(/page-errors/);
  await page.goto(`${service.url}/functions/${function_id}/settings`);
  await (await words).finished();
  const tab = page.getByRole('link', { name: 'Environment', exact: true });
  await expect(tab).toBeVisible();
  await page.context().setOffline(true);
  await tab.click();
  await expect(page.getByRole('alert')).toContainText('Part of the console could not be loaded');
  // offline, a reload would lose the rest of the page
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
  // the page loads as soon as the network is back
  await page.context().setOffline(false);
  await expect(page.getByText('No variables yet')).toBeVisible();
});

test('a frame script that failed to load breaks nothing else, and loads later', async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_FAILED' });
  const late = /\/assets\/parts\/late-[\w-]{8}\.js/;
  let refused = 0;
  let broken = true;
  await page.route(late, (route) => {
    if (!broken) return route.continue();
    refused++;
    return route.abort();
  });
  await page.goto(`${service.url}/functions`);
  await expect(page.getByRole('heading', { level: 1, name: 'Functions' })).toBeVisible();
  await page.keyboard.press('?');
  await expect.poll(() => refused).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Functions' })).toBeVisible();
  broken = false;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('private data of a public function is visible to its owner only; its row is readable on a phone', async ({
  signedIn: page,
  service,
}) => {
  const other = await anotherAccount(service, 'Owner of a closed book');
  const { function: fn } = await other.call('functionCreate', {
    body: {
      name: 'closed-book',
      runtime: 'nodejs24.x',
      visibility: 'PUBLIC',
      files: { 'index.ts': INDEX, 'total.ts': TOTAL },
    },
  });
  for (const part of ['settings', 'logs']) {
    await page.goto(`${service.url}/functions/${fn.function_id}/${part}`);
    await expect(page.getByRole('heading', { name: 'Only Owner of a closed book can see this' }), part).toBeVisible();
  }
  await page.setViewportSize(PHONE);
  await page.goto(`${service.url}/functions?owner=ALL`);
  const cells = page.getByRole('row').filter({ hasText: 'closed-book' }).getByRole('cell');
  await expect(cells.first()).toBeVisible();
  const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
  const overlap = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (b) => a && b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      ),
  );
  expect(overlap).toEqual([]);
});

test('on a phone, version actions and log lines stay within the screen', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'narrow');
  await service.call('versionCreate', {
    params: { function_id },
    body: { files: { 'index.ts': INDEX, 'total.ts': `${TOTAL}\n` } },
  });
  await service.call('functionInvoke', { params: { function_id }, body: { body: '{"items":[]}' } });
  await page.setViewportSize(PHONE);
  await page.goto(`${service.url}/functions/${function_id}?version=1`);
  await expect(page.getByRole('button', { name: 'Edit from here' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeInViewport({ ratio: 1 });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  const list = page.getByRole('group', { name: 'Log lines' });
  await expect(list.getByText('Error: no items to sum')).toBeVisible();
  expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test('a button that disappears when pressed leaves the focus nearby', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'by-keys');
  await service.call('versionCreate', {
    params: { function_id },
    body: { files: { 'index.ts': INDEX, 'total.ts': `${TOTAL}\n` } },
  });
  await page.goto(`${service.url}/functions/${function_id}/versions`);
  await page.getByRole('button', { name: 'Roll back to v1…' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Version 2 compared with version 1' })).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Version 1 compared with version 2' })).toBeFocused();

  await page.goto(`${service.url}/functions/${function_id}/environment`);
  await page.getByRole('button', { name: 'Add variable' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a variable' });
  await dialog.getByRole('textbox', { name: 'Key' }).fill('REGION');
  await dialog.getByRole('button', { name: 'Add variable' }).press('Enter');
  await expect(page.getByRole('table', { name: 'Environment' })).toContainText('REGION');
  await expect(page.getByRole('heading', { level: 1, name: 'by-keys' })).toBeFocused();

  await page.goto(`${service.url}/functions/${function_id}`);
  await expect(editor(page)).toBeAttached();
  await editor(page).focus();
  await page.keyboard.insertText('// changed\n');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('textbox', { name: 'Version message' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form', { name: 'Deploy' })).toBeHidden();
  await expect(editor(page)).toBeFocused();
});

/** API keys that can do less: limits from the calls log, tested on past use, and rotation. */
import { request } from 'node:http';
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Moody, startMoody } from '../support/moody.ts';
import type { RunningService } from '../support/service.ts';

let moody: Moody;
test.beforeAll(async () => {
  moody = await startMoody();
});
test.afterAll(() => moody.stop());

/** The status of a request with a key. */
const ask = (service: RunningService, key: string, method: string, path: string) =>
  new Promise<number>((ok, refuse) => {
    const headers = { authorization: `Bearer ${key}` };
    request(`${service.url}/api${path}`, { method, headers }, (response) => {
      response.resume();
      ok(response.statusCode ?? 0);
    })
      .on('error', refuse)
      .end();
  });

test('a scoped key from the calls log', async ({ signedIn: page, service, axeInBothSchemes }) => {
  await makeApp(service, 'keyed', moody.url);
  const id = await makeConnection(service, 'keyed', 'Of keys');
  await complete(service, id);
  const { key } = await service.call('apiKeyCreate', { body: { name: 'Reporting' } });
  for (let i = 0; i < 3; i++) expect(await ask(service, key, 'GET', '/keyed/items')).toBe(200);

  // the calls log names the key, and filters by it
  await page.goto(`${service.url}/connections/${id}/calls`);
  const rows = page.getByRole('table', { name: 'Gateway calls' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('Reporting');
  await page.getByRole('button', { name: 'API key' }).click();
  await page.getByRole('menuitemradio', { name: 'First key' }).click();
  await expect(page.getByText('No calls match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.first().getByRole('link').click();
  await page.getByRole('link', { name: 'Show use of this key' }).click();

  // its use, and the limits that permit exactly that
  const use = page.getByRole('dialog', { name: 'Use of Reporting' });
  await expect(use).toContainText(/3 calls since/);
  await expect(use.getByRole('region', { name: 'Calls of apps' })).toContainText(/GET keyed \/items\s*3/);
  await expect(use.getByRole('region', { name: 'Proposed limits' })).toContainText('GET keyed /items');
  await axeInBothSchemes('use of a key');
  await use.getByRole('button', { name: 'Limit to this use…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Reporting' });
  await expect(dialog.getByRole('radio', { name: /^Limited/ })).toBeChecked();
  await expect(dialog.getByLabel('Permitted calls')).toHaveValue('GET keyed /items');
  await expect(dialog.getByText(/^Would have refused 0 of 3 calls/)).toBeVisible();
  await axeInBothSchemes('limits of a key');

  // narrower limits would refuse calls, and say which
  await dialog.getByLabel('Permitted calls').fill('GET keyed /other');
  await expect(dialog.getByText(/^Would have refused 3 of 3 calls/)).toBeVisible();
  await expect(dialog).toContainText('its gateway limits name other paths');
  await dialog.getByLabel('Permitted calls').fill('keyed');
  await dialog.getByRole('button', { name: 'Save key', exact: true }).click();
  await expect(dialog.getByLabel('Permitted calls')).toHaveAccessibleDescription(/^Line 1: expected/);
  await dialog.getByLabel('Permitted calls').fill('GET keyed /items');
  await dialog.getByLabel('Permitted IP addresses').fill('nonsense');
  await dialog.getByRole('button', { name: 'Save key', exact: true }).click();
  await expect(dialog).toContainText('Line 1: expected an IP address or range, such as 203.0.113.0/24');
  await dialog.getByLabel('Permitted IP addresses').fill('');
  await dialog.getByRole('button', { name: 'Save key', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Reporting/ })).toContainText('call apps');

  expect(await ask(service, key, 'GET', '/keyed/items')).toBe(200);
  expect(await ask(service, key, 'DELETE', '/keyed/items')).toBe(403);
  expect(await ask(service, key, 'GET', '/triggers')).toBe(403);
});

test('a new key with permissions, and its rotation', async ({ signedIn: page, service, axe }) => {
  await page.goto(`${service.url}/settings/keys?new=key`);
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Deploys');
  await dialog.getByRole('radio', { name: /^Limited/ }).click();
  await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
  await expect(dialog).toContainText('Choose at least one permission, or full access.');
  await dialog.getByRole('combobox', { name: 'Functions' }).selectOption('write');
  await dialog.getByRole('combobox', { name: 'Events' }).selectOption('read');
  await axe('a new key');
  await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
  const first = await page.getByRole('dialog', { name: 'Deploys is ready' }).locator('code').first().textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Deploys/ });
  await expect(row).toContainText('events (read), functions');
  expect(await ask(service, first ?? '', 'GET', '/events')).toBe(200);
  expect(await ask(service, first ?? '', 'GET', '/connections')).toBe(403);

  await row.getByRole('button', { name: 'Actions for Deploys' }).click();
  await page.getByRole('menuitem', { name: 'Rotate…' }).click();
  await page
    .getByRole('dialog', { name: 'Rotate Deploys' })
    .getByRole('button', { name: 'Rotate key', exact: true })
    .click();
  const second = await page.getByRole('dialog', { name: 'Deploys is ready' }).locator('code').first().textContent();
  expect(second).not.toBe(first);
  await page.getByRole('button', { name: 'Done' }).click();
  for (const key of [first, second]) expect(await ask(service, key ?? '', 'GET', '/events')).toBe(200);
});

test('keys that nothing used are pointed out', async ({ signedIn: page, service, axe }) => {
  await service.call('apiKeyCreate', { body: { name: 'Left over' } });
  await page.clock.setFixedTime(Date.now() + 100 * 86_400_000);
  await page.goto(`${service.url}/settings/keys`);
  await expect(page.getByText(/not used for 90 days/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Left over/ })).toContainText('Unused');
  await axe('unused keys');
});

test('a function asks for the apps that its code calls', async ({ signedIn: page, service, axe }) => {
  const code = 'export default { fetch: (_, env) => fetch(env.GATEWAY_URL + "/slack/api/chat.postMessage") };';
  const { function: fn } = await service.call('functionCreate', {
    body: { name: 'Asks', runtime: 'nodejs24.x', files: { 'index.ts': code }, gateway_policy: 'DENY_ALL' },
  });
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await expect(page.getByText('Its code calls slack, which it is not granted')).toBeVisible();
  await page.getByRole('link', { name: 'Grant in settings' }).click();
  await expect(page.getByRole('radio', { name: /^None/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Grant slack' }).click();
  await expect(page.getByLabel('Granted connections')).toHaveValue('slack');
  await axe('grants of a function');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Asks saved')).toBeVisible();
  await expect(page.getByText(/not granted/)).toHaveCount(0);
  const { function: saved } = await service.call('functionGet', { params: { function_id: fn.function_id } });
  expect(saved).toMatchObject({
    gateway_policy: 'ALLOW_LIST',
    gateway_grants: [{ app: 'slack', connection_id: null }],
  });
});

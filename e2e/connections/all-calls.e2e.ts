/** The calls of all connections, refused ones, captures, and sending a captured call again. */
import { callApp, complete, makeApp, makeConnection, signInAsViewer } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Moody, startMoody } from '../support/moody.ts';
import { KEY } from '../support/service.ts';

let moody: Moody;
test.beforeAll(async () => {
  moody = await startMoody();
});
test.afterAll(() => moody.stop());

test('calls of all connections appear live with refused ones, are filtered and opened', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'all-one', moody.url);
  await makeApp(service, 'all-two', moody.url);
  const one = await makeConnection(service, 'all-one', 'First of all');
  await complete(service, one);
  await complete(service, await makeConnection(service, 'all-two', 'Second of all'));
  await page.goto(service.url);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Gateway calls' }).getByRole('rowgroup').last().getByRole('row');
  await callApp(service, '/all-one/items?secret=query');
  await expect(rows.filter({ hasText: 'First of all' })).toContainText('GET /items');
  await callApp(service, '/all-two/broken');
  await callApp(service, '/all-three/nothing');
  await expect(rows.filter({ hasText: 'Second of all' })).toContainText('503');
  const refused = rows.filter({ hasText: '/nothing' });
  await expect(refused).toContainText('Refused 400');
  await expect(refused).toContainText('Unknown app');
  await axeInBothSchemes('all calls');

  await page.getByRole('textbox', { name: 'Search paths' }).fill('/bro');
  await expect(page).toHaveURL(/q=%2Fbro/);
  const broken = rows.filter({ hasText: 'Second of all' });
  await expect(rows.filter({ hasText: 'First of all' })).toHaveCount(0);
  await expect(broken).toHaveCount(1);
  await page.reload();
  await expect(broken).toHaveCount(1);
  await broken.getByRole('link').first().click();
  const panel = page.getByRole('complementary', { name: 'GET /broken' });
  await expect(panel.getByRole('link', { name: 'Second of all' })).toBeVisible();
  await expect(panel.getByRole('link', { name: 'First key' })).toBeVisible();
  await axeInBothSchemes('a call of the list');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear search paths' }).click();
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Refused by the gateway' }).click();
  await expect(page).toHaveURL(/status=refused/);
  await expect(rows.filter({ hasText: 'First of all' })).toHaveCount(0);
  await rows.filter({ hasText: '/nothing' }).getByRole('link').click();
  await expect(page.getByRole('complementary', { name: 'GET /nothing' })).toContainText('GET /apps lists all apps.');
});

test('bodies are captured, shown masked, sent again, and the capture is stopped', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'captured', moody.url);
  const id = await makeConnection(service, 'captured', 'Ledger of captures');
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}/calls`);
  await page.getByRole('button', { name: 'Capture…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Capture requests and responses' });
  await dialog.getByLabel('For').selectOption('15 minutes');
  await axeInBothSchemes('the dialog of a capture');
  await dialog.getByRole('button', { name: 'Start capture' }).click();
  await expect(dialog).toHaveCount(0);
  const sign = page.getByRole('status').filter({ hasText: 'Bodies of Ledger of captures are captured until' });
  await expect(sign).toBeVisible();

  const response = await page.request.post(`${service.url}/api/captured/orders?page=2&api_key=hidden-value`, {
    headers: { authorization: `Bearer ${KEY}`, 'x-trace': 'abc' },
    data: { total: 42, password: 'hidden-value' },
  });
  expect(response.status()).toBe(200);
  await page.goto(`${service.url}/calls?connection=${id}`);
  await expect(sign).toBeVisible();
  const rows = page.getByRole('table', { name: 'Gateway calls' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'POST /orders' });
  const request = panel.getByRole('region', { name: 'Captured request', exact: true });
  await expect(request).toContainText('"total": 42');
  await expect(panel.getByRole('region', { name: 'Captured response', exact: true })).toContainText('200');
  await expect(page.getByRole('main')).not.toContainText('hidden-value');
  await axeInBothSchemes('a captured call');

  await panel.getByRole('link', { name: 'Send again…' }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue(/^\/orders\?page=2/);
  await expect(page.getByText('This is the request of call')).toContainText('Secrets in the body are masked');
  const body = page.getByRole('textbox', { name: 'Body' });
  await expect(body).toHaveValue(/"total":\s?42/);
  await page.getByRole('textbox', { name: 'Path' }).fill('/orders?page=3');
  await body.fill('{"total":43}');
  await page.getByRole('button', { name: /^Send(?! again)/ }).click();
  await expect(page.getByRole('region', { name: 'Response', exact: true })).toContainText('200');
  expect(moody.got()).toMatchObject({ method: 'POST', path: '/orders?page=3', body: '{"total":43}' });
  expect(moody.got()?.headers).toMatchObject({ 'x-trace': 'abc', 'content-type': 'application/json' });
  await axeInBothSchemes('a call that is sent again');

  await page.goto(`${service.url}/calls?connection=${id}`);
  await expect(rows).toHaveCount(2);
  await rows.first().getByRole('link').click();
  await expect(panel.getByText('Replay of')).toBeVisible();
  await page.keyboard.press('Escape');
  await sign.getByRole('button', { name: 'Stop' }).click();
  await expect(sign).toHaveCount(0);
});

test('works by keyboard on a phone, and says why a viewer can’t capture', async ({ page, service, axe }) => {
  await makeApp(service, 'phone', moody.url);
  const id = await makeConnection(service, 'phone', 'On a phone');
  await complete(service, id);
  await callApp(service, `/phone/${'long-segment/'.repeat(12)}end`);
  await signInAsViewer(page, service, 'calls@example.com');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/calls?app=phone`);
  const rows = page.getByRole('table', { name: 'Gateway calls' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(1);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(390);
  await page.getByRole('button', { name: 'Capture…' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('Your role is VIEWER');
  await page.keyboard.press('Escape');
  await rows.getByRole('link').focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: /^GET \/long-segment/ });
  await expect(panel).toBeVisible();
  expect(await width()).toBe(390);
  await axe('a call on a phone');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(rows.getByRole('link')).toBeFocused();
});

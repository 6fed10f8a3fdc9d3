/**
 * The main journey on an empty installation, by mouse except where the README uses `curl`. Key, function, connection,
 * trigger, live deliveries, a service that is killed and restarted, replay, diff, search.
 */
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { copiedBy } from '../support/clipboard.ts';
import { curl } from '../support/curl.ts';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { ADMIN } from '../support/service.ts';

const test = onSeparateService({ headless: false });

const INDEX = `import { total } from './total.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const { items = [] } = await request.json();
    console.log(JSON.stringify({ level: 'info', msg: 'summing', count: items.length }));
    return Response.json({ total: total(items) });
  },
};
`;
const TOTAL = 'export const total = (items: number[]) => items.reduce((sum, item) => sum + item, 0);';
const APP_KEY = 'app-secret-42';
const MORE_EVENTS = 14;

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
const tab = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const editor = (page: Page, file: string) => page.getByRole('textbox', { name: file });
const openFile = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name }).first().click();
const events = (page: Page) => page.getByRole('table', { name: 'Events' });
/** The row of an event. Of the ID, labels have the start and the end only, which another event may share. */
const eventRow = (page: Page, id: string) => events(page).locator(`[data-row="${id}"]`);
const panel = (page: Page) => page.getByRole('complementary');
const live = (page: Page) => page.getByRole('status').filter({ hasText: /^(Live|Reconnecting)$/ });
/** The time origin of the document: a reload changes it. */
const documentBegan = (page: Page) => page.evaluate(() => performance.timeOrigin);

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PAGE_PICTURES'];
  if (folder) await page.screenshot({ path: join(folder, `thread-${name}.png`) });
}

/** Presses the button and returns the ID of the acknowledged event. */
async function sendTestEvent(page: Page): Promise<string> {
  const acknowledged = page.waitForResponse((answer) => answer.url().endsWith(':test') && answer.ok());
  await page.getByRole('button', { name: 'Send a test event' }).first().click();
  const { event } = (await (await acknowledged).json()) as { event: { event_id: string } };
  return event.event_id;
}

/** State that must not change while a replayed event succeeds. */
async function placeOf(page: Page, list: Locator, row: Locator) {
  return {
    url: page.url(),
    top: await list.evaluate((element) => element.scrollTop),
    row: await row.boundingBox(),
    focus: await page.evaluate(() => document.activeElement?.textContent),
  };
}

test('from an empty installation to a replayed event', async ({ page, context, service, sink }) => {
  test.setTimeout(360_000);
  // while the service is down, only the page's own requests may fail
  test.info().annotations.push({
    type: 'allow-console',
    description: `^Failed to load resource: net::ERR_\\w+ \\(${service.url}/api/`,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  let key = '';
  let functionUrl = '';
  let eventId = '';

  await test.step('the printed link opens the console; a password is set', async () => {
    await page.goto(service.welcomeUrl ?? 'no link was printed');
    await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await expect(live(page)).toHaveText('Live');
    await picture(page, '0-overview');
  });
  const began = await documentBegan(page);

  await test.step('1: an API key is created and shown once', async () => {
    await goTo(page, 'Settings');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('terminal');
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    const once = page.getByRole('dialog', { name: 'terminal is ready' });
    const shown = once.getByText(/^slc_[A-Za-z0-9_-]{20,}$/);
    await expect(shown).toBeVisible();
    await once.getByRole('button', { name: 'Copy key', exact: true }).click();
    await expect(once.getByRole('button', { name: 'Copied' })).toBeVisible();
    key = await clipboard();
    await expect(shown).toHaveText(key);
    await picture(page, '1-key-once');
    await once.getByRole('button', { name: 'Done' }).click();
    await expect(once).toBeHidden();
    await expect(page.getByRole('table', { name: 'API keys' })).toContainText('terminal');
    expect(await page.content()).not.toContain(key);
    await picture(page, '1-keys');
  });

  await test.step('2: a function is deployed with two files, called from the test panel and by its URL', async () => {
    await goTo(page, 'Functions');
    await page.getByRole('link', { name: 'New function' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('sum-of-items');
    await editor(page, 'src/index.ts').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(INDEX);
    // the second starter file is replaced, with real key presses
    await page.getByRole('button', { name: 'Add a file' }).click();
    await page.getByRole('textbox', { name: 'Path of the new file' }).fill('src/total.ts');
    await page.keyboard.press('Enter');
    await expect(editor(page, 'src/total.ts')).toBeAttached();
    await editor(page, 'src/total.ts').focus();
    await page.keyboard.type(TOTAL);
    await picture(page, '2-new-function');
    await page.getByRole('button', { name: 'Deploy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'sum-of-items' })).toBeVisible();

    const test1 = page.getByRole('complementary', { name: 'Test v1' });
    await test1.getByRole('textbox', { name: 'Body' }).fill('{"items":[1,2,3]}');
    await test1.getByRole('button', { name: 'Send' }).click();
    await expect(test1.getByRole('group', { name: 'Response body', exact: true })).toContainText('"total": 6');
    await expect(test1.getByRole('group', { name: 'Log lines' })).toContainText('summing');
    await picture(page, '2-test-panel');

    functionUrl = await copiedBy(page, page.getByRole('button', { name: 'Copy URL' }));
    const answer = await curl(`${functionUrl}/orders?from=curl`, { key, method: 'POST', body: '{"items":[40,2]}' });
    expect(answer).toMatchObject({ status: 200, body: '{"total":42}' });

    // the run of that call, with request, response and log lines
    await tab(page, 'Runs').click();
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('row', { name: /\/orders/ });
    await run.click();
    await expect(page.getByText('POST /orders?from=curl')).toBeVisible();
    const exchange = page.getByRole('group', { name: 'Request and response' });
    await expect(exchange.getByRole('group', { name: 'Request body', exact: true })).toContainText('40');
    await expect(exchange.getByRole('group', { name: 'Response body', exact: true })).toContainText('42');
    await expect(exchange).not.toContainText(key);
    await expect(page.getByRole('group', { name: 'Log lines' })).toContainText('summing');
    await picture(page, '2-run');
  });

  await test.step('3: an app is connected through the connect window, and called through the gateway', async () => {
    await goTo(page, 'Connections');
    await page.getByRole('link', { name: 'New connection' }).first().click();
    await page.getByRole('button', { name: 'Custom app…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order ledger');
    await page.getByRole('textbox', { name: 'Base URL' }).fill(`${sink.url}/v1`);
    await page.getByRole('textbox', { name: 'Field name' }).fill('x-api-key');
    await page.getByRole('textbox', { name: 'Value' }).fill('{api_key}');
    await picture(page, '3-custom-app');
    await page.getByRole('button', { name: 'Add app', exact: true }).click();
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Connect Order ledger', exact: true }).click();
    const popup = await opening;
    await expect(popup.getByRole('heading', { name: 'Connect Order ledger' })).toBeVisible();
    await popup.getByLabel('API key').fill(APP_KEY);
    await picture(popup, '3-connect-window');
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByRole('main')).toContainText('Active');
    await closed;
    await expect(page.getByText('Calls through the gateway reach Order ledger with its credentials.')).toBeVisible();
    expect(await page.content()).not.toContain(APP_KEY);
    await picture(page, '3-connection');

    const answer = await curl(`${service.url}/api/order-ledger/invoices?page=2`, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-app']).toBe('ledger');
    expect(JSON.parse(answer.body)).toEqual({ path: '/v1/invoices?page=2', items: [{ id: 1, total: 8900 }] });
    const got = sink.received.find(({ path }) => path === '/v1/invoices?page=2');
    expect(got?.headers['x-api-key']).toBe(APP_KEY);
    expect(JSON.stringify(got)).not.toContain(key);
  });

  await test.step('4: a schedule with two destinations; events arrive live, one delivery succeeds, one is retried', async () => {
    sink.answer(503);
    await goTo(page, 'Triggers');
    await page.getByRole('link', { name: 'New trigger' }).first().click();
    await page.getByRole('textbox', { name: 'Cron expression' }).fill('* * * * *');
    const first = page.getByRole('group', { name: 'Destination 1' });
    await first.getByRole('button', { name: 'Own function' }).click();
    await page.getByRole('menuitem', { name: 'sum-of-items' }).click();
    await page.getByRole('button', { name: 'Add destination' }).click();
    const second = page.getByRole('group', { name: 'Destination 2' });
    await second.getByLabel('URL', { exact: true }).fill(`${sink.url}/hook/orders`);
    await second.getByRole('textbox', { name: 'Name' }).fill('erp');
    await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('every-minute');
    await picture(page, '4-new-trigger');
    await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
    await page.getByRole('link', { name: 'Open the trigger' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'every-minute', exact: true })).toBeVisible();

    // sent from another tab, visible in this one
    const other = await context.newPage();
    await other.goto(page.url());
    eventId = await sendTestEvent(other);
    await other.close();
    const row = eventRow(page, eventId);
    await expect(row).toContainText('sum-of-items');
    await expect(row).toContainText('Retrying');
    await expect(row).toContainText(/erp Retrying\s*503/);
    await picture(page, '4-events');

    await row.click();
    const event = panel(page);
    await expect(event.getByRole('button', { name: /^erp/ })).toContainText('Retrying');
    await expect(event.getByRole('button', { name: /^sum-of-items/ })).toContainText('Succeeded');
    const attempts = event.getByRole('list', { name: 'Attempts, newest first' });
    await expect(attempts.getByRole('button', { name: 'Attempt #2' })).toBeVisible();
    for (const number of [1, 2]) {
      const attempt = attempts.getByRole('listitem').filter({ has: page.getByText(`Attempt #${number}`) });
      const opener = attempt.getByRole('button', { name: `Attempt #${number}` });
      if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
      await attempt.getByRole('radio', { name: 'Request' }).click();
      const request = attempt.getByRole('region', { name: `Request of attempt ${number}` });
      await expect(request).toContainText(`POST ${sink.url}/hook/orders`);
      await expect(request).toContainText('webhook-signature');
      await expect(request).toContainText('* * * * *');
      await attempt.getByRole('radio', { name: 'Response' }).click();
      await expect(attempt.getByRole('region', { name: `Response to attempt ${number}` })).toContainText(
        'upstream_busy',
      );
    }
    await picture(page, '4-attempts');

    // the run that the other delivery caused, and the way back
    await event.getByRole('link', { name: 'Open run' }).click();
    await expect(page).toHaveURL(/\/functions\/[0-9a-f-]{36}\/runs\/[0-9a-f-]{36}$/);
    await expect(page.getByRole('group', { name: 'Log lines' })).toContainText('summing');
    await expect(page.getByRole('link', { name: /^event .*attempt 1$/ })).toBeVisible();
    await picture(page, '4-run-of-the-delivery');
    await page.goBack();
    await expect(event.getByRole('button', { name: /^erp/ })).toBeVisible();
    expect(await documentBegan(page), 'nothing was reloaded').toBe(began);
  });

  await test.step('the service is killed right after it acknowledged an event, and started again', async () => {
    const acknowledged = await sendTestEvent(page);
    await service.kill('SIGKILL');
    await expect(live(page)).toHaveText('Reconnecting');
    await picture(page, '4-service-killed');
    await service.start();
    await expect(live(page)).toHaveText('Live');
    expect(service.welcomeUrl, 'the account exists').toBeUndefined();
    // beside an open event, new ones wait above the list
    await page.getByRole('button', { name: /new events: show them$/ }).click();
    const row = eventRow(page, acknowledged);
    await expect(row).toContainText('sum-of-items');
    await expect(row).toContainText(/erp Retrying\s*503/);
    await expect(eventRow(page, eventId)).toContainText(/erp Retrying\s*503/);
    const [, trigger] = page.url().match(/\/triggers\/([^/]+)/) ?? [];
    const { body } = await curl(`${service.url}/api/triggers/${trigger}/events`, { key });
    expect(body).toContain(acknowledged);
    expect(body).toContain(eventId);
    expect(await documentBegan(page), 'nothing was reloaded').toBe(began);
    await picture(page, '4-service-back');
  });

  await test.step('5: the destination is fixed and the event replayed; its row succeeds in place', async () => {
    await panel(page).getByRole('link', { name: 'Edit destination' }).click();
    const destination = panel(page);
    await destination.getByLabel('URL', { exact: true }).fill(`${sink.url}/repaired/orders`);
    await expect(destination.getByText('Changed: address')).toBeVisible();
    await picture(page, '5-destination');
    await destination.getByRole('button', { name: 'Save changes' }).click();
    await expect(destination.getByRole('button', { name: 'Save changes' })).toBeHidden();

    // newer events move it down the list, which is scrolled to it
    await tab(page, 'Events').click();
    await page.setViewportSize({ width: 1280, height: 560 });
    for (let sent = 0; sent < MORE_EVENTS; sent += 1) await sendTestEvent(page);
    const list = page.getByRole('group', { name: 'Events, list' });
    await list.hover();
    // The list keeps its place when rows arrive above it, so scroll until its end is reached.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 10_000);
        return list.evaluate((box) => box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 1);
      })
      .toBe(true);
    const row = eventRow(page, eventId);
    await row.click();
    await expect(row).toContainText('Retrying');
    const event = panel(page);
    const replay = event.getByRole('button', { name: 'Replay event' });
    await replay.focus();
    await expect(row, 'what was pressed stays in view beside its panel').toBeInViewport({ ratio: 1 });
    const before = await placeOf(page, list, row);
    await replay.click();
    await expect(event.getByRole('button', { name: /^erp/ })).toContainText('Succeeded');
    await expect(event.getByRole('button', { name: /^sum-of-items/ })).toContainText('Succeeded');
    await expect(row).not.toContainText('Retrying');
    await expect(row).toContainText('Succeeded');
    expect(await placeOf(page, list, row), 'nothing moved').toEqual(before);
    const repaired = sink.received.filter(
      ({ path, headers }) => path === '/repaired/orders' && headers['webhook-id'] === eventId,
    );
    expect(repaired).toHaveLength(1);
    await picture(page, '5-replayed');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('6: a second version is deployed and compared in a diff', async () => {
    await goTo(page, 'Functions');
    await page
      .getByRole('table', { name: 'Functions' })
      .getByRole('link', { name: 'sum-of-items', exact: true })
      .click();
    await openFile(page, 'total.ts');
    await expect(editor(page, 'src/total.ts')).toBeAttached();
    await editor(page, 'src/total.ts').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(TOTAL.replace(', 0)', ', 100)'));
    const deploy = page.getByRole('form', { name: 'Deploy' });
    await expect(deploy).toContainText('1 changed file');
    await deploy.getByRole('textbox', { name: 'Version message' }).fill('Start at a hundred');
    await deploy.getByRole('button', { name: /^Deploy/ }).click();
    await expect(deploy).toBeHidden();
    await tab(page, 'Versions').click();
    await expect(page.getByRole('navigation', { name: 'Changed files' }).getByRole('button')).toHaveCount(1);
    await expect(page.getByRole('textbox', { name: 'src/total.ts in version 1' })).toBeAttached();
    await expect(page.getByRole('textbox', { name: 'src/total.ts in version 2' })).toBeAttached();
    await expect(page.getByText('1 change', { exact: true })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Versions' })).toContainText('Start at a hundred');
    await picture(page, '6-diff');
    const answer = await curl(functionUrl, { key, method: 'POST', body: '{"items":[1]}' });
    expect(answer.body, 'the second version is live').toBe('{"total":101}');
  });

  await test.step('7: the function is found by a literal and by a regular expression, and opened at the line', async () => {
    await goTo(page, 'Functions');
    const box = page.getByRole('textbox', { name: 'Search functions and code' });
    const hits = page.getByRole('group', { name: 'Results' });
    await box.fill(`"msg: 'summing'"`);
    await expect(page.getByText('Read as a literal')).toBeVisible();
    await expect(hits.getByRole('link', { name: /msg: 'summing'/ })).toHaveCount(1);
    await picture(page, '7-literal');
    await box.fill(String.raw`/reduce\(.*, \d{3}\)/`);
    await expect(page.getByText('Read as a regular expression')).toBeVisible();
    const hit = hits.getByRole('link', { name: /items\.reduce/ });
    await expect(hit).toHaveCount(1);
    const marked = async () => (await hits.locator('mark').allTextContents()).join('');
    await expect.poll(marked).toBe('reduce((sum, item) => sum + item, 100)');
    await picture(page, '7-regex');
    await hit.click();
    await expect(page).toHaveURL(/\?version=2&file=src%2Ftotal\.ts&line=1&q=/);
    await expect(editor(page, 'src/total.ts')).toBeAttached();
    await expect(page.locator('.code-line-mark')).toBeVisible();
    await picture(page, '7-line');
  });
  expect(await documentBegan(page), 'nothing was reloaded').toBe(began);
});

/** From creating a trigger to its events: delivered, retried, replayed, by mouse and by keyboard alone. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { sendEvents, sendUntilHeld } from '../support/send-events.ts';
import type { RunningService } from '../support/service.ts';

const ECHO = { 'index.ts': 'export default { fetch: () => Response.json({ counted: true }) };\n' };

const rows = (page: Page) => page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');
const panel = (page: Page) => page.getByRole('complementary');
const listBox = (page: Page) => page.getByRole('group', { name: 'Events, list' });
const scrollTop = (box: Locator) => box.evaluate((element) => element.scrollTop);
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

type Made = { trigger_id: string; destination_id: string };

/** A schedule that doesn't fire automatically, with one destination. */
async function makeTrigger(service: RunningService, name: string, url: string): Promise<Made> {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url }],
    },
  });
  return { trigger_id: trigger.trigger_id, destination_id: trigger.destinations[0]?.destination_id ?? '' };
}

const attemptsOf = async (service: RunningService, trigger_id: string, event_id: string) => {
  const { event } = await service.call('eventGet', { params: { trigger_id, event_id } });
  return event.deliveries[0]?.attempts ?? 0;
};

test('a trigger is created by mouse, and its test event shows a run and a retry', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await service.call('functionCreate', { body: { name: 'stock-sync', runtime: 'nodejs24.x', files: ECHO } });
  await page.goto(`${service.url}/triggers`);
  await page.getByRole('link', { name: 'New trigger' }).click();

  await page.getByRole('button', { name: 'Every day at 9' }).click();
  await expect(page.getByText('At 09:00, every day, UTC')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Next ten firings' }).getByRole('listitem')).toHaveCount(10);
  const first = page.getByRole('group', { name: 'Destination 1' });
  await first.getByRole('button', { name: 'Own function' }).click();
  await axe('the new trigger with its functions offered');
  await page.getByRole('menuitem', { name: 'stock-sync' }).click();
  await expect(first.getByText('Your function stock-sync')).toBeVisible();
  await page.getByRole('button', { name: 'Add destination' }).click();
  const second = page.getByRole('group', { name: 'Destination 2' });
  await second.getByLabel('URL', { exact: true }).fill(`${sink.url}/broken/inbound`);
  await second.getByRole('textbox', { name: 'Name' }).fill('erp');
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('daily-sync');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'daily-sync is ready' })).toBeVisible();
  await expect(page.getByText(/^whsec_/)).toHaveCount(2);
  await axe('a trigger whose destinations’ secrets are shown');
  await page.getByRole('link', { name: 'Open the trigger' }).click();
  await expect(page.getByRole('heading', { name: 'daily-sync', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/triggers\/[0-9a-f-]{36}\/events$/);
  await page.getByRole('button', { name: 'Send a test event' }).first().click();
  const row = rows(page).first();
  await expect(row.getByText('stock-sync')).toBeVisible();
  await expect(row.getByText('Retrying')).toBeVisible();
  await expect(row).toContainText(/erp Retrying\s*503/);

  await row.click();
  const event = panel(page);
  await expect(event.getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  await expect(event.getByRole('treeitem').filter({ hasText: 'cron_expression' })).toContainText('0 9 * * *');
  await expect(event.getByText(/Next attempt (in|now)/)).toBeVisible();
  await expect(event.getByRole('list', { name: /of 8 attempts made/ })).toBeVisible();
  await expect(event.getByText('upstream_busy')).toBeVisible();
  await event.getByRole('radio', { name: 'Request' }).click();
  await expect(event.getByText(`POST ${sink.url}/broken/inbound`)).toBeVisible();
  await expect(event.getByText('webhook-signature')).toBeVisible();
  await axe('an event with a delivery that is retried');

  await event.getByRole('button', { name: /^stock-sync/ }).click();
  await event.getByRole('link', { name: 'Open run', exact: true }).click();
  await expect(page).toHaveURL(/\/functions\/[0-9a-f-]{36}\/runs\/[0-9a-f-]{36}/);
});

/** Logs a line, waits until another call releases it, and logs another. */
const WAITS = {
  'index.ts': `let go = () => {};
const letGo = new Promise<void>((done) => { go = done; });
export default { async fetch(request: Request) {
  if (new URL(request.url).pathname === '/go') { go(); return new Response(); }
  console.log('before it waits');
  await letGo;
  for (let i = 0; i < 1200; i++) console.log('after it waited', i);
  return Response.json({ imported: true });
} };
`,
};

test('the run of a delivery is followed live beside its event, and disappears with its function', async ({
  signedIn: page,
  service,
  axe,
}, info) => {
  info.annotations.push({ type: 'allow-console', description: '404' });
  const { function: fn } = await service.call('functionCreate', {
    body: { name: 'waits-for-word', runtime: 'nodejs24.x', files: WAITS },
  });
  const { trigger_id } = await makeTrigger(service, 'caused-runs', fn.url);
  const [event_id] = await sendEvents(service, trigger_id, 1);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}`);
  const event = panel(page);
  const run = event.getByRole('region', { name: 'Function run' });
  const log = run.getByRole('group', { name: 'Log lines' });
  await expect(event.getByRole('button', { name: /^erp/ })).toContainText('Pending');
  await expect(run).toContainText('Running');
  await expect(log).toContainText('before it waits');
  await expect(run).toContainText('2 lines so far');
  await axe('an event whose run is in progress');
  await expect(event.getByRole('link', { name: 'Open run: erp' })).toBeVisible();

  await service.call('functionInvoke', { params: { function_id: fn.function_id }, body: { path: '/go' } });
  await expect(event.getByRole('button', { name: /^erp/ })).toContainText('Succeeded');
  await expect(run).toContainText('OK');
  await expect(run).toContainText('the first 1,000 lines');
  await run.getByRole('button', { name: 'Load more lines' }).click();
  await expect(log).toContainText('after it waited 1199');
  await expect(run).toContainText('1,204 lines');

  await service.call('functionDelete', { params: { function_id: fn.function_id } });
  await page.reload();
  await expect(event.getByText(/^The run no longer exists/)).toBeVisible();
  await expect(event.getByText('imported')).toBeVisible();
  await axe('an event whose function was deleted');
});

test('a replay to a fixed destination succeeds, and no row moves', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger_id } = await makeTrigger(service, 'to-be-repaired', `${sink.url}/broken`);
  await sendUntilHeld(service, trigger_id);
  await sendEvents(service, trigger_id, 60);
  await page.goto(`${service.url}/triggers/${trigger_id}/events`);
  await expect(rows(page).first()).toContainText('order-060');
  await expect(rows(page).first()).toContainText('Pending');

  const row = rows(page).filter({ hasText: 'order-040' });
  await listBox(page).evaluate((element) => element.scrollTo(0, 600));
  await row.click();
  await expect(panel(page).getByText(/^No attempts yet. Attempts to this destination have failed since/)).toBeVisible();
  await panel(page).getByRole('link', { name: 'Edit destination' }).click();
  const editor = panel(page);
  await editor.getByLabel('URL', { exact: true }).fill(`${sink.url}/repaired`);
  await expect(editor.getByText('Changed: address')).toBeVisible();
  await axe('the destination editor with unsaved changes');
  await editor.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();

  await page.getByRole('link', { name: 'Events', exact: true }).last().click();
  await listBox(page).evaluate((element) => element.scrollTo(0, 600));
  await row.click();
  const event = panel(page);
  const button = event.getByRole('button', { name: 'Replay event' });
  await button.focus();
  const before = { top: await scrollTop(listBox(page)), url: page.url(), focus: await focused(page) };
  const placeBefore = await row.boundingBox();
  expect(before.top).toBeGreaterThan(0);
  await button.click();
  await expect(row.getByText('Succeeded')).toBeAttached();
  await expect(event.getByRole('button', { name: /^erp/ })).toContainText('Succeeded');
  expect({ top: await scrollTop(listBox(page)), url: page.url(), focus: await focused(page) }).toEqual(before);
  expect(await row.boundingBox()).toEqual(placeBefore);

  // new events wait above the list, and move nothing
  await sendEvents(service, trigger_id, 2);
  const pill = page.getByRole('button', { name: /^2 new/ });
  await expect(pill).toBeVisible();
  expect(await scrollTop(listBox(page))).toBe(before.top);
  expect(await row.boundingBox()).toEqual(placeBefore);
  await pill.click();
  await expect(pill).toBeHidden();
  expect(await row.boundingBox()).toEqual(placeBefore);
});

test('no outcome is cut off beside an open event, with any number of destinations', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const names = ['first', 'second', 'third', 'fourth'];
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'many-fail',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: names.map((name) => ({ name: `${name}-place`, url: `${sink.url}/broken`, retry_schedule: [] })),
    },
  });
  const { trigger_id } = trigger;
  const [event_id = ''] = await sendEvents(service, trigger_id, 1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  const outcomes = rows(page)
    .first()
    .getByTitle(/first-place: Failed/);
  const cut = () => outcomes.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect(outcomes.getByText('2 more', { exact: true })).toBeVisible();
  expect(await cut()).toBe(0);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}?trigger=${trigger_id}`);
  await expect(outcomes.getByText('3 more', { exact: true })).toBeVisible();
  expect(await cut()).toBe(0);
});

test('moving quickly through events beside an open panel does not load each of them', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id } = await makeTrigger(service, 'quick-walk', `${sink.url}/fine`);
  const ids = await sendEvents(service, trigger_id, 8);
  await page.goto(`${service.url}/events/${trigger_id}/${ids.at(-1)}?trigger=${trigger_id}`);
  await expect(rows(page)).toHaveCount(8);
  await expect(panel(page)).toContainText('order-008');

  const read: string[] = [];
  page.on('request', (request) => {
    const event = new RegExp(`/api/triggers/${trigger_id}/events/([0-9a-f-]{36})$`).exec(request.url())?.[1];
    if (event !== undefined && event !== ids.at(-1)) read.push(event);
  });
  // one key press per task, like a held key on a slow machine
  await page.evaluate(async () => {
    for (let press = 0; press < 6; press += 1) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true }));
      await new Promise((next) => setTimeout(next));
    }
  });
  await expect(panel(page)).toContainText('order-002');
  await expect(page).toHaveURL(new RegExp(ids[1] ?? ''));
  // the first row opens at once, so one event that was passed may have been loaded
  expect(new Set(read).size).toBeLessThanOrEqual(2);
  expect(read).toContain(ids[1]);
  await page.keyboard.press('k');
  await expect(panel(page)).toContainText('order-003');
});

test('a key right after j acts on the event of that row', async ({ signedIn: page, service, sink }) => {
  const { trigger_id } = await makeTrigger(service, 'key-after-walk', `${sink.url}/fine`);
  const [oldest = '', second = '', third = '', newest = ''] = await sendEvents(service, trigger_id, 4);
  for (const id of [oldest, second, third, newest])
    await expect.poll(() => attemptsOf(service, trigger_id, id)).toBe(1);
  await page.goto(`${service.url}/events/${trigger_id}/${newest}?trigger=${trigger_id}`);
  await expect(panel(page)).toContainText('order-004');
  // the keys move among loaded rows; the panel may load first
  await expect(rows(page)).toHaveCount(4);

  await page.evaluate(() => {
    for (const key of ['j', 'j', 'r', 'j'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => attemptsOf(service, trigger_id, second)).toBe(2);
  await expect(panel(page)).toContainText('order-001');
  for (const id of [newest, third, oldest]) expect(await attemptsOf(service, trigger_id, id)).toBe(1);
});

test('events are browsed, replayed and selected by keyboard alone', async ({ signedIn: page, service, sink }) => {
  const { trigger_id } = await makeTrigger(service, 'by-keys', `${sink.url}/fine`);
  const ids = await sendEvents(service, trigger_id, 4);
  const [oldest = '', , third = '', newest = ''] = ids;
  await expect.poll(() => attemptsOf(service, trigger_id, newest)).toBe(1);
  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  await expect(rows(page)).toHaveCount(4);

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/events/${trigger_id}/${newest}\\?trigger=`));
  await expect(panel(page)).toContainText('order-004');
  await page.keyboard.press('j');
  await expect(panel(page)).toContainText('order-003');
  await page.keyboard.press('r');
  await expect.poll(() => attemptsOf(service, trigger_id, third)).toBe(2);
  await expect(page).toHaveURL(new RegExp(third));
  await page.keyboard.press(']');
  await expect(panel(page)).toContainText('order-004');
  await page.keyboard.press('[');
  await page.keyboard.press('[');
  await expect(panel(page)).toContainText('order-002');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL(`${service.url}/events?trigger=${trigger_id}`);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent))
    .toContain('order-002');

  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect.poll(() => attemptsOf(service, trigger_id, oldest)).toBe(2);
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Replay 2 events…' }).press('Enter');
  await page.getByRole('button', { name: 'Replay 2 deliveries' }).press('Enter');
  await expect(page.getByText('Replaying 2 deliveries')).toBeVisible();
  await expect.poll(() => attemptsOf(service, trigger_id, oldest)).toBe(3);
  await page.keyboard.press('/');
  await page.keyboard.type('order-002');
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=order-002/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('nothing has this');
  await expect(page.getByText('No events match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL(`${service.url}/events`);
});

test('a destination keeps its secrets, and disabled actions say why', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await makeTrigger(service, 'with-secrets', `${sink.url}/fine`);
  await sendEvents(service, trigger_id, 1);
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations`);
  await page.getByRole('link', { name: 'Add destination' }).click();
  const editor = panel(page);
  await editor.getByLabel('URL', { exact: true }).fill(`${sink.url}/crm`);
  await editor.getByRole('button', { name: 'Add header' }).click();
  await editor.getByLabel('Name of header 1').fill('x-api-key');
  await editor.getByLabel('Value of x-api-key').fill('a-secret-for-the-crm');
  await editor.getByRole('button', { name: 'Add destination', exact: true }).click();
  const once = page.getByRole('dialog');
  await expect(once.getByText(/^whsec_[A-Za-z0-9+/=]{32,}$/)).toBeVisible();
  await axe('the signing secret, shown once');
  await once.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/destinations\/[0-9a-f-]{36}$/);
  await expect(page.getByText(/whsec_[A-Za-z0-9+/=]{32,}/)).toHaveCount(0);
  await expect(editor.getByText('a-secret-for-the-crm')).toHaveCount(0);

  // another edit keeps the masked header
  await editor.getByLabel('Body template').fill('{ "order": "{{ payload.order }}" }');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  const from = sink.received.length;
  await editor.getByRole('button', { name: 'Send a test event' }).click();
  await expect(editor.getByText('Succeeded')).toBeVisible();
  const got = sink.received.slice(from).find(({ path }) => path === '/crm');
  expect(got?.headers['x-api-key']).toBe('a-secret-for-the-crm');
  expect(got?.body).toBe('{ "order": "" }');

  await editor.getByRole('button', { name: 'Disable' }).click();
  await expect(editor.getByText('Disabled manually.')).toBeVisible();
  await page.getByRole('link', { name: 'Open event' }).click();
  const replay = panel(page).getByRole('button', { name: /^Replay to 127/ });
  await expect(replay).toHaveAttribute('aria-disabled', 'true');
  await expect(replay).toHaveAccessibleDescription('The destination is disabled; enable it first.');

  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  await page.getByRole('button', { name: 'Delete trigger…' }).click();
  const confirm = page.getByRole('dialog');
  await expect(confirm).toContainText('It received 2 events in the last 24 h');
  await axe('deleting a trigger');
  await expect(confirm.getByRole('button', { name: 'Delete trigger' })).toHaveAttribute('aria-disabled', 'true');
  await confirm.getByRole('textbox').fill('with-secrets');
  await confirm.getByRole('button', { name: 'Delete trigger' }).click();
  await expect(page).toHaveURL(`${service.url}/triggers`);
  await expect(page.getByRole('link', { name: 'with-secrets' })).toHaveCount(0);
});

test('validation errors of the API are shown beside their fields', async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await page.goto(`${service.url}/triggers/new`);
  const cron = page.getByRole('textbox', { name: 'Cron expression' });
  await cron.fill('0 0 30 2 *');
  await expect(page.getByText('The schedule never fires.')).toBeVisible();
  const destination = page.getByRole('group', { name: 'Destination 1' });
  await destination.getByLabel('URL', { exact: true }).fill('http://10.0.0.1/inbound');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(cron).toHaveAccessibleDescription(/never fires/);
  await cron.fill('0 9 * * *');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(destination.getByLabel('URL', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(destination.getByRole('alert')).toBeVisible();

  // a click outside does not lose unsaved input
  await page.getByRole('link', { name: 'Overview' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await expect(cron).toHaveValue('0 9 * * *');
});

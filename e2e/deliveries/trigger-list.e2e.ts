/** The list of triggers and the links from a trigger: missed events, edited copies, custom retries. */
import { expect, test } from '../support/fixtures.ts';

const schedule = { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } };

test('the list shows recent events and failing destinations', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'figures',
      ...schedule,
      destinations: [
        { name: 'shop', url: `${sink.url}/fine` },
        { name: 'erp', url: `${sink.url}/broken/figures`, retry_schedule: [] },
      ],
    },
  });
  for (const _ of [1, 2, 3])
    await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await page.goto(`${service.url}/triggers`);
  const row = page.getByRole('row', { name: /figures/ });
  await expect(
    row.getByRole('img', { name: /3 events in the last 24 h; 3 deliveries succeeded, 3 failed/ }),
  ).toBeVisible();
  await expect(row).toContainText('3 failed');
  await expect(row).toContainText('erp failing');
  await axe('the list of triggers with figures');
});

test('the navigation badge counts triggers with a failing destination until they recover', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const body = {
    name: 'in need',
    ...schedule,
    destinations: [{ name: 'shop', url: `${sink.url}/hook/need`, retry_schedule: [] }],
  };
  const { trigger } = await service.call('triggerCreate', { body });
  const send = () => service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  const inNeed = async () => (await service.call('triggerList', { query: { failing: 'true' } })).triggers.length;
  const others = await inNeed();
  await page.goto(`${service.url}/settings/account`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Triggers/ });
  const named = (count: number) => (count === 0 ? 'Triggers' : `Triggers${count} triggers that need attention`);
  await expect(place).toHaveText(named(others));
  sink.answer(503);
  await send();
  await expect(place).toHaveText(named(others + 1));
  sink.answer(200);
  await send();
  await expect(place).toHaveText(named(others));
});

test('a new event updates its row live, and no row moves', async ({ signedIn: page, service, sink }) => {
  const ids: string[] = [];
  for (const name of ['fresh first', 'fresh second']) {
    const body = { name, ...schedule, destinations: [{ name: 'shop', url: `${sink.url}/fine` }] };
    ids.push((await service.call('triggerCreate', { body })).trigger.trigger_id);
  }
  // the navigation requests other lists, after the page is rendered
  const ofNavigation = Promise.all(
    [/\/triggers\?limit=\d+$/, /\/triggers\?failing=true/].map((list) => page.waitForResponse(list)),
  );
  await page.goto(`${service.url}/triggers?q=fresh`);
  await ofNavigation;
  const rows = page.getByRole('table', { name: 'Triggers' }).locator('tbody').getByRole('row');
  await expect(rows.filter({ hasText: 'never' })).toHaveCount(2);
  const lists = page.waitForRequest(/\/triggers\?/).then(() => 'asked');
  const [older = ''] = ids;
  await service.call('triggerTest', { params: { trigger_id: older }, body: {} });
  await expect(rows.nth(1)).toContainText('fresh first');
  await expect(rows.nth(1)).not.toContainText('never');
  await expect(rows.nth(0)).toContainText('fresh second');
  await expect(rows.nth(0)).toContainText('never');
  expect(await Promise.race([lists, 'not asked'])).toBe('not asked');
});

test('triggers are filtered by a part of the name from the keyboard, and the URL keeps the filter', async ({
  signedIn: page,
  service,
}) => {
  for (const name of ['Orders of the north', 'Orders of the south'])
    await service.call('triggerCreate', { body: { name, ...schedule } });
  await page.goto(`${service.url}/triggers`);
  const table = page.getByRole('table', { name: 'Triggers' });
  await expect(table.getByRole('row', { name: /of the south/ })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('THE NORTH');
  await expect(table.getByRole('row', { name: /of the south/ })).toBeHidden();
  await expect(table.getByRole('row', { name: /of the north/ })).toBeVisible();
  await expect(page).toHaveURL(/q=THE\+NORTH/);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Name or event type' })).toHaveValue('THE NORTH');
  await page.keyboard.press('/');
  await page.keyboard.type('missing');
  await expect(page.getByText(/No triggers match/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('row', { name: /of the south/ })).toBeVisible();
});

test('events missed during a pause are replayed with one click', async ({ signedIn: page, service, sink }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { name: 'paused', ...schedule, destinations: [{ name: 'shop', url: `${sink.url}/fine` }] },
  });
  const params = { trigger_id: trigger.trigger_id };
  await service.call('triggerUpdate', { params, body: { status: 'DISABLED' } });
  await service.call('triggerTest', { params, body: {} });
  await service.call('triggerUpdate', { params, body: { status: 'ENABLED' } });
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/events`);
  await page.getByRole('link', { name: 'Replay missed…' }).click();
  await expect(page.getByRole('heading', { name: 'Replay all events that match' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Skipped' })).toBeChecked();
  await page.getByRole('button', { name: 'Replay 1 delivery' }).click();
  const status = async () => (await service.call('eventList', { params })).events[0]?.outcomes[0]?.status;
  await expect.poll(status).toBe('SUCCEEDED');
});

test('an event links to its edited copies, and a copy to its original', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { name: 'edited', ...schedule, destinations: [{ name: 'shop', url: `${sink.url}/fine` }] },
  });
  const params = { trigger_id: trigger.trigger_id };
  const { event } = await service.call('triggerTest', { params, body: { payload: { n: 1 } } });
  await page.goto(`${service.url}/events/${trigger.trigger_id}/${event.event_id}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  const body = { payload: { n: 2 }, replay_of: event.event_id };
  const copy = (await service.call('eventCreate', { params, body })).event;
  const copies = panel.getByRole('region', { name: '1 edited copy' });
  await expect(copies).toBeVisible();
  await axe('an event with an edited copy');
  await copies.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(copy.event_id));
  await expect(panel).toContainText('Edited copy of');
  await panel.getByText('Edited copy of').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(event.event_id));
});

test('the timeline of a delivery follows the retry schedule of its destination', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'patient',
      ...schedule,
      destinations: [{ name: 'erp', url: `${sink.url}/broken/patient`, retry_schedule: [3600, 7200] }],
    },
  });
  const { event } = await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await page.goto(`${service.url}/events/${trigger.trigger_id}/${event.event_id}`);
  const rail = page.getByRole('complementary').getByRole('list', { name: '1 of 3 attempts made' });
  await expect(rail).toContainText('+1 h');
  await expect(rail).toContainText('+2 h');
});

/** The Overview: problems and their start, statistics over time, and journeys with click budgets. */
import { expect, onSeparateService } from './support/fixtures.ts';
import { countPresses } from './support/presses.ts';
import type { RunningService } from './support/service.ts';

/** A separate service: only the data of this file is counted. */
const test = onSeparateService();

const ECHO = { 'index.ts': 'export default { fetch: () => Response.json({ counted: true }) };\n' };
const schedule = { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } };

async function makeTrigger(service: RunningService, name: string, url: string, retry_schedule: number[] = []) {
  const body = { ...schedule, name, destinations: [{ name: `${name}-erp`, url, retry_schedule }] };
  const { trigger } = await service.call('triggerCreate', { body });
  const params = { trigger_id: trigger.trigger_id };
  return { ...params, send: () => service.call('triggerTest', { params, body: {} }) };
}

const counted = (service: RunningService, trigger_id: string, status: string) => async () =>
  (await service.call('eventListAll', { query: { trigger_id, status } })).events.length;

test('the newest failed event is replayed with one click, and its outcome appears', async ({
  signedIn: page,
  service,
  sink,
}) => {
  sink.answer(503);
  const { trigger_id, send } = await makeTrigger(service, 'two-presses', `${sink.url}/hook/two`);
  await send();
  await expect.poll(counted(service, trigger_id, 'FAILED')).toBe(1);
  sink.answer(200);
  const pressed = await countPresses(page);
  await page.goto(service.url);
  const card = page.getByRole('article').filter({ hasText: 'Delivery failed' });
  await expect(card).toContainText('two-presses');
  await card.getByRole('button', { name: 'Replay failed' }).click();
  // it is no longer a problem, and its row shows the outcome
  await expect(card.filter({ hasText: 'two-presses' })).toBeHidden();
  const latest = page.getByRole('region', { name: 'Latest events' }).getByRole('listitem').first();
  await expect(latest).toContainText('two-presses');
  await expect(latest).not.toContainText('Failed');
  expect(await pressed()).toEqual({ presses: 1, keys: 0 });
});

test('a failing destination shows its auto-disable time, and failures are replayed in four clicks', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  sink.answer(503);
  const { trigger_id, send } = await makeTrigger(service, 'last-night', `${sink.url}/hook/night`);
  for (const _ of [1, 2, 3]) await send();
  await expect.poll(counted(service, trigger_id, 'FAILED')).toBe(3);
  await page.goto(service.url);
  const failing = page.getByRole('article').filter({ hasText: 'Destination failing' });
  await expect(failing).toContainText('last-night-erp · last-night');
  await expect(failing).toContainText(/Every attempt has failed since .* Auto-disables in 4 d/);
  const failed = page.getByRole('article').filter({ hasText: 'Delivery failed' });
  await expect(failed.getByRole('link', { name: 'Replay all 3…' })).toHaveAttribute(
    'href',
    '/events?status=FAILED&bulk=all',
  );
  await axe('the overview with what needs a hand');
  await failing.getByRole('link', { name: 'Replay failed…' }).click();
  await expect(page.getByRole('button', { name: 'Replay 3 deliveries' })).toBeVisible();

  sink.answer(200);
  const pressed = await countPresses(page);
  await page.goto(`${service.url}/events`);
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByRole('button', { name: 'Last 24 hours' }).click();
  await page.getByRole('button', { name: 'Replay matching…' }).click();
  await page.getByRole('button', { name: 'Replay 3 deliveries' }).click();
  await expect.poll(counted(service, trigger_id, 'SUCCEEDED')).toBe(3);
  expect(await pressed()).toEqual({ presses: 4, keys: 0 });
});

test('a trigger every 5 minutes for an own function is created in five clicks without typing', async ({
  signedIn: page,
  service,
}) => {
  const made = await service.call('functionCreate', { body: { name: 'tidy-up', runtime: 'nodejs24.x', files: ECHO } });
  const pressed = await countPresses(page);
  await page.goto(`${service.url}/triggers`);
  await page.getByRole('link', { name: 'New trigger' }).first().click();
  await page.getByRole('button', { name: 'Every 5 minutes' }).click();
  await page.getByRole('button', { name: 'Own function' }).click();
  await page.getByRole('menuitem', { name: 'tidy-up' }).click();
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByRole('heading', { name: /is ready$/ })).toBeVisible();
  expect(await pressed()).toEqual({ presses: 5, keys: 0 });
  const { triggers } = await service.call('triggerList');
  expect(triggers.find(({ destinations }) => destinations[0]?.url === made.function.url)).toMatchObject({
    parameters: { cron_expression: '*/5 * * * *' },
  });
});

test('statistics are shown as charts and tables, and a brush opens the list of that period', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await service.call('functionCreate', { body: { name: 'charted', runtime: 'nodejs24.x', files: ECHO } });
  const { function_id } = made.function;
  await service.call('functionInvoke', { params: { function_id }, body: {} });
  const { trigger_id, send } = await makeTrigger(service, 'charted', `${sink.url}/fine`);
  await send();
  await expect.poll(counted(service, trigger_id, 'SUCCEEDED')).toBe(1);
  await page.goto(service.url);
  const over = page.getByRole('region', { name: 'Over time' });
  const events = over.getByRole('img', { name: /^\d+ events? and deliveries by outcome, last hour: [1-9]/ });
  await expect(events).toBeVisible();
  await expect(over.getByRole('img', { name: /^How long attempts took/ })).toBeVisible();
  const runs = over.getByRole('img', { name: /^[1-9]\d* runs? of functions, \d+ failed/ });
  await expect(runs).toBeVisible();
  await axe('the overview with charts');

  // from the middle to the right end, the present
  const brush = async (chart: typeof events) => {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('there is no chart');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
  };
  await brush(events);
  await expect(page).toHaveURL(/\/events\?after=.*&before=/);
  await expect(page.getByRole('table', { name: 'Events' }).getByRole('row', { name: /charted/ })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${service.url}/`);
  await brush(runs);
  await expect(page).toHaveURL(/\/runs\?since=.*&until=/);
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('row', { name: /charted/ })).toBeVisible();
  await page.getByRole('button', { name: /^Clear filter Time/ }).click();
  await expect(page).toHaveURL(`${service.url}/runs`);

  // the same by keyboard: the rows of the table are links too
  await page.goto(service.url);
  await over.getByRole('radio', { name: 'Table' }).focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/figures=table/);
  const table = over.getByRole('table', { name: 'Statistics, last hour' });
  await axe('the figures of the overview as a table');
  await table
    .getByRole('button', { name: /^Runs of/ })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/\/runs\?since=.*&until=/);
});

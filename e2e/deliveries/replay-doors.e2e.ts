/** Bulk replays from a destination, a trigger and a chart, with another body template, after a dry run. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { sendEvents } from '../support/send-events.ts';
import type { RunningService } from '../support/service.ts';

const panel = (page: Page) => page.getByRole('complementary').last();

/** A schedule that does not fire, with failed events at one of its two destinations. */
async function withFailures(service: RunningService, name: string, failing: string, other: string, events: number) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [
        { name: 'erp', url: failing, retry_schedule: [], body_template: '{ "order": {{ payload.order }} }' },
        { name: 'audit', url: other },
      ],
    },
  });
  const { trigger_id } = trigger;
  await sendEvents(service, trigger_id, events);
  await expect
    .poll(async () => {
      const query = { trigger_id, status: 'FAILED', limit: '100' };
      return (await service.call('eventListAll', { query })).events.length;
    })
    .toBe(events);
  const destination_id = trigger.destinations.find((each) => each.name === 'erp')?.destination_id ?? '';
  return { trigger_id, destination_id };
}

test('a destination is replayed through an edited template, and to no other destination', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const at = '/doors/repaired';
  const made = await withFailures(service, 'doors', `${sink.url}/broken/doors`, `${sink.url}/doors/audit`, 3);
  await service.call('destinationUpdate', { params: made, body: { url: sink.url + at } });
  const before = sink.received.filter(({ path }) => path === '/doors/audit').length;
  await page.goto(`${service.url}/triggers/${made.trigger_id}/destinations/${made.destination_id}`);
  await panel(page).getByRole('link', { name: 'Replay…' }).click();
  const dialog = panel(page);
  await expect(dialog.getByText('3 deliveries of 3 events')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'erp' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'audit' })).not.toBeChecked();
  await dialog.getByText('Change the request').click();
  const template = dialog.getByRole('textbox', { name: 'Body template' });
  await expect(template).toHaveValue('{ "order": {{ payload.order }} }');
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await template.fill('not JSON');
  await template.blur();
  await expect(dialog.getByText('body_template: expected a template for JSON').first()).toBeVisible();
  await axe('a replay with an invalid template');
  await template.fill('');
  await template.pressSequentially('{ "jkrx": [{{ payload.order }}] }');
  await template.blur();
  await expect(dialog.getByRole('table').first()).toContainText('"jkrx": [');
  await axe('the dry run of a replay with another template');
  await dialog.getByRole('button', { name: 'Replay 3 deliveries' }).click();
  await page.getByRole('button', { name: 'Open replay' }).click();
  await expect(page.getByText('3 of 3 deliveries done: 3 succeeded, 0 failed')).toBeVisible();
  await expect(page.getByText('with another body template')).toBeVisible();
  const bodies = sink.received.filter(({ path }) => path === at).map(({ body }) => Object.keys(JSON.parse(body)));
  expect(bodies).toEqual([['jkrx'], ['jkrx'], ['jkrx']]);
  expect(sink.received.filter(({ path }) => path === '/doors/audit')).toHaveLength(before);
});

test('a brushed period, and the events of a trigger, are replayed after a dry run', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const name = 'brushed-doors';
  const { trigger_id } = await withFailures(service, name, `${sink.url}/broken/brushed`, `${sink.url}/brushed`, 2);
  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  const chart = page.getByRole('img', { name: /^Deliveries by outcome/ });
  await expect(chart).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replay this period…' })).toBeHidden();
  const box = await chart.boundingBox();
  if (!box) throw new Error('there is no chart');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/after=.*&before=/);
  await page.getByRole('button', { name: 'Replay this period…' }).click();
  await expect(panel(page).getByText('2 deliveries of 2 events')).toBeVisible();
  await panel(page).getByRole('radio', { name: 'Not delivered' }).click();
  await expect(panel(page).getByText('2 deliveries of 2 events')).toBeVisible();

  await page.goto(`${service.url}/triggers/${trigger_id}`);
  await page.getByRole('button', { name: 'More actions for this trigger' }).click();
  await page.getByRole('menuitem', { name: 'Replay events…' }).click();
  await expect(panel(page).getByText('2 deliveries of 2 events')).toBeVisible();
});

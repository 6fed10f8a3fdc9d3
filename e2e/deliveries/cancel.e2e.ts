/** Open deliveries are canceled: one in the panel of its event, and all that match the filter of the list. */
import { expect, test } from '../support/fixtures.ts';
import { sendEvents } from '../support/send-events.ts';
import type { RunningService } from '../support/service.ts';

/** A schedule that does not fire, whose destination fails and is retried in an hour. */
async function makeTrigger(service: RunningService, name: string, url: string): Promise<string> {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url, retry_schedule: [3600, 3600] }],
    },
  });
  return trigger.trigger_id;
}

const retrying = async (service: RunningService, trigger_id: string) => {
  const { events } = await service.call('eventListAll', { query: { trigger_id, status: 'RETRYING', limit: '100' } });
  return events.length;
};

test('a retried delivery is canceled by keyboard, and replayed', async ({ signedIn: page, service, sink, axe }) => {
  const trigger_id = await makeTrigger(service, 'cancel-one', `${sink.url}/broken/one`);
  const [event_id] = await sendEvents(service, trigger_id, 1);
  await expect.poll(() => retrying(service, trigger_id)).toBe(1);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}`);
  const panel = page.getByRole('complementary');
  const delivery = panel.getByRole('button', { name: /^erp/ });
  await expect(delivery).toContainText('Retrying');
  await axe('an event with a retried delivery');
  await panel.getByRole('button', { name: 'Cancel delivery to erp' }).press('Enter');
  await expect(delivery).toContainText('Canceled');
  await expect(panel.getByText('The delivery was canceled.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Cancel delivery to erp' })).toHaveCount(0);
  const replay = panel.getByRole('button', { name: 'Replay to erp' });
  await expect(replay).toBeFocused();
  await replay.press('Enter');
  await expect(delivery).toContainText('Retrying');
});

test('all open deliveries of a filter are canceled from the list', async ({ signedIn: page, service, sink, axe }) => {
  const trigger_id = await makeTrigger(service, 'cancel-many', `${sink.url}/broken/many`);
  await sendEvents(service, trigger_id, 3);
  await expect.poll(() => retrying(service, trigger_id)).toBe(3);
  await page.goto(`${service.url}/events`);
  const more = page.getByRole('button', { name: 'More actions for this list' });
  await more.press('Enter');
  const item = page.getByRole('menuitem', { name: 'Cancel open deliveries…' });
  await expect(item).toHaveAccessibleDescription('Set a filter first, such as a time range.');
  await page.keyboard.press('Escape');

  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  await more.press('Enter');
  await item.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Cancel open deliveries' });
  await expect(dialog.getByRole('status')).toHaveText('3 open deliveries of 3 events');
  await axe('the dialog that cancels deliveries');
  await dialog.getByRole('button', { name: 'Cancel deliveries' }).press('Enter');
  await expect(page.getByText('3 deliveries canceled')).toBeVisible();
  await expect(dialog).toBeHidden();
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');
  await expect(rows.filter({ hasText: 'Canceled' })).toHaveCount(3);
  expect(await retrying(service, trigger_id)).toBe(0);

  await more.press('Enter');
  await item.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('0 open deliveries of 0 events');
  await expect(dialog.getByRole('button', { name: 'Cancel deliveries' })).toHaveAccessibleDescription(
    'No open deliveries match.',
  );
});

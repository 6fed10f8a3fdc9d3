/** An event is pinned by keyboard, gets a note, is found by a filter, and is unpinned. */
import { expect, test } from '../support/fixtures.ts';
import { sendEvents } from '../support/send-events.ts';

test('an event is pinned, found and unpinned', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'kept-orders',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/ok` }],
    },
  });
  const { trigger_id } = trigger;
  const [event_id] = await sendEvents(service, trigger_id, 3);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}?trigger=${trigger_id}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('button', { name: 'Pin the event' })).toBeVisible();
  await page.keyboard.press('p');
  await expect(panel.getByRole('button', { name: 'Unpin the event' })).toBeVisible();
  await panel.getByRole('button', { name: 'Add note…' }).press('Enter');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Ticket 4711');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('Ticket 4711')).toBeVisible();
  await axe('the panel of a pinned event');

  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'Pinned' })).toHaveCount(1);
  await page.getByRole('button', { name: 'More filters' }).press('Enter');
  await axe('the filters with pinned events');
  await page.getByRole('button', { name: 'Pinned events only' }).press('Enter');
  await expect(page).toHaveURL(/pinned=true/);
  await expect(rows).toHaveCount(1);
  await axe('a list of pinned events');
  await rows.first().getByRole('link').first().press('Enter');
  await panel.getByRole('button', { name: 'Unpin the event' }).press('Enter');
  await expect(panel.getByText('Ticket 4711')).toHaveCount(0);
  const { event } = await service.call('eventGet', { params: { trigger_id, event_id: event_id ?? '' } });
  expect(event.pin).toBeNull();
});

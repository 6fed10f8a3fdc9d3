/** A filter is saved, opened from the navigation by another member, changed, renamed and deleted. */

import { expect, signIn, test } from '../support/fixtures.ts';
import { sendEvents } from '../support/send-events.ts';

test('a filter is saved, counted in the navigation, shared, updated and deleted', async ({
  signedIn: page,
  service,
  sink,
  browser,
  axe,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'saved-orders',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/broken/saved`, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  await sendEvents(service, trigger_id, 2);
  const failed = async () =>
    (await service.call('eventListAll', { query: { trigger_id, status: 'FAILED' } })).events.length;
  await expect.poll(failed).toBe(2);

  await page.goto(`${service.url}/events`);
  const save = page.getByRole('button', { name: 'Save filter…' });
  await expect(save).toHaveAccessibleDescription('Set a filter first, such as a status.');
  await page.goto(`${service.url}/events?trigger=${trigger_id}&status=FAILED`);
  await save.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save filter' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Failed orders');
  await axe('the dialog that saves a filter');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('list', { name: 'Saved filters' });
  const link = links.getByRole('link', { name: 'Failed orders' });
  await expect(link).toHaveAccessibleName('Failed orders 2 events');
  await expect(link).toHaveAttribute('aria-current', 'true');
  await expect(page).toHaveURL(/trigger=.*saved=/);
  await axe('the navigation with a saved filter');

  // The count follows the events, and another member opens the URL.
  await sendEvents(service, trigger_id, 1);
  await expect(link).toHaveAccessibleName('Failed orders 3 events');
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, service);
  await other.goto(page.url());
  await expect(other.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row')).toHaveCount(3);
  await expect(other.getByRole('button', { name: 'Saved filter' })).toBeVisible();

  // A different filter is marked as changed, and the other member gets the update.
  await page.getByRole('button', { name: /^Status/ }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Skipped', exact: true }).press('Enter');
  await expect(page.getByText('changed', { exact: true })).toBeVisible();
  await axe('a list with a changed filter');
  await page.getByRole('button', { name: 'Update filter' }).press('Enter');
  await expect(page.getByText('changed', { exact: true })).toHaveCount(0);
  await expect(link).toHaveAccessibleName('Failed orders 0 events');
  await expect(other.getByText('changed', { exact: true })).toBeVisible();
  await other.getByRole('button', { name: 'Saved filter' }).press('Enter');
  await other.getByRole('menuitem', { name: 'Discard changes' }).press('Enter');
  await expect(other).toHaveURL(/status=SKIPPED/);
  await context.close();

  const menu = page.getByRole('button', { name: 'Saved filter' });
  await menu.press('Enter');
  await axe('the menu of a saved filter');
  await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Skipped orders');
  await page.keyboard.press('Enter');
  await links.getByRole('link', { name: 'Skipped orders' }).press('Enter');
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete filter…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete filter' }).press('Enter');
  await expect(page.getByText('Skipped orders deleted')).toBeVisible();
  await expect(links).toHaveCount(0);
  expect((await service.call('savedFilterList', {})).saved_filters).toEqual([]);
});

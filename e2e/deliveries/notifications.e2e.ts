/** A trigger of the source Sluice: created in the console, and notified of a failing destination. */
import { expect, onSeparateService } from '../support/fixtures.ts';

/** A separate service: a trigger that reports failures would add events to the lists of other tests. */
const test = onSeparateService();

test('a trigger that reports failures is created in the console, and its events link to the cause', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await page.goto(`${service.url}/triggers/new`);
  await page.getByRole('radio', { name: /^Sluice/ }).click();
  await expect(page.getByLabel('Event type of Sluice')).toHaveValue('sluice.failure');
  await expect(page.getByText('Every failure that needs a person')).toBeVisible();
  await expect(page.getByLabel('Failures in a row')).toHaveValue('5');
  await page.getByLabel('Failures in a row').fill('0');
  await page.getByLabel('Free storage in percent').fill('1');
  await page.getByLabel('URL', { exact: true }).fill(`${sink.url}/notified`);
  await page.getByLabel('Name', { exact: true }).last().fill('Notify me');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByLabel('Failures in a row')).toHaveAccessibleDescription(/1/);
  await page.getByLabel('Failures in a row').fill('1');
  await axe('a new trigger of the source Sluice');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Notify me is ready' })).toBeVisible();

  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'orders',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/broken/erp` }],
    },
  });
  await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await page.getByRole('link', { name: 'Open the trigger' }).click();
  await page.getByRole('row').filter({ hasText: 'Succeeded' }).first().click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText('Destination “erp” is failing');
  await axe('an event of the source Sluice');
  const { events } = await service.call('eventListAll', { query: { status: 'SUCCEEDED' } });
  const { trigger_id = '', event_id = '' } = events[0] ?? {};
  const { event } = await service.call('eventGet', { params: { trigger_id, event_id } });
  await page.goto(service.url + new URL((event.payload as { link: string }).link).pathname);
  await expect(page.getByRole('complementary').getByRole('heading', { name: 'erp' })).toBeVisible();
});

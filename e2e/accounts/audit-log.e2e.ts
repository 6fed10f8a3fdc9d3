/** The audit log shows operation summaries; the filter also shows operation names. */
import { expect, test } from '../support/fixtures.ts';

test('operations are listed and filtered by their summaries', async ({ signedIn: page, service, axe }) => {
  await service.call('apiKeyCreate', { body: { name: 'deploys' } });
  await service.call('triggerCreate', {
    body: { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } },
  });
  await page.goto(`${service.url}/settings/audit`);
  const table = page.getByRole('table', { name: 'Audit log' });
  await expect(table.getByText('Create a trigger')).toBeVisible();

  await page.getByRole('button', { name: 'Operation' }).click();
  const choice = page.getByRole('menuitemradio', { name: 'Create an API key' });
  await expect(choice).toContainText('apiKeyCreate');
  await axe('the operations of the audit log');
  await choice.click();
  await expect(page).toHaveURL(/\?operation=apiKeyCreate$/);
  await expect(table.getByText('Create a trigger')).toHaveCount(0);
  await expect(table.getByText('Create an API key').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear filter Operation: Create an API key' })).toBeVisible();

  await page.goto(`${service.url}/settings/audit?operation=triggerDelete`);
  await expect(page.getByText('Delete a trigger').first()).toBeVisible();
});

/** What uses a connection, its health, and its replacement by another. */
import { callApp, complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

test('a connection shows its health and uses, and is replaced by another everywhere', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await makeApp(service, 'replaced', sink.url);
  const old = await makeConnection(service, 'replaced', 'old');
  const other = await makeConnection(service, 'replaced', 'other');
  await complete(service, old);
  await complete(service, other);
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly import',
      parameters: { cron_expression: '0 0 1 1 *' },
      connection_id: old,
      destinations: [],
    },
  });
  expect((await callApp(service, '/replaced/items', { 'service-connection': old })).status).toBe(200);
  await page.goto(`${service.url}/connections/${old}`);
  await expect(page.getByRole('list', { name: 'Triggers that use it' })).toContainText('Nightly import');
  await expect(page.getByRole('definition').filter({ hasText: 'GET /items' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Functions and API keys that use it' })).toContainText(
    '1 call in 7 days',
  );
  await axe('what uses a connection');

  // the dialog says what the deletion breaks
  await page.goto(`${service.url}/connections/${old}/settings`);
  await page.getByRole('button', { name: 'Delete connection…' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete the connection old' });
  await expect(deleting).toContainText('The trigger Nightly import is disabled.');
  await expect(deleting).toContainText('called with it: 1 call in 7 days.');
  await expect(deleting).toContainText('use other instead');
  await deleting.getByRole('button', { name: 'Cancel', exact: true }).click();

  await page.getByRole('button', { name: 'Replace connection…' }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace the connection' });
  await expect(replacing).toContainText('This changes 1 trigger, 0 destinations, 0 functions and 0 API keys');
  await axe('replacing a connection');
  await replacing.getByRole('button', { name: 'Replace connection' }).click();
  await expect(replacing).toHaveCount(0);
  await page.goto(`${service.url}/connections/${other}`);
  await expect(page.getByRole('list', { name: 'Triggers that use it' })).toContainText('Nightly import');
  const { trigger: moved } = await service.call('triggerGet', { params: { trigger_id: trigger.trigger_id } });
  expect(moved.connection_id).toBe(other);
});

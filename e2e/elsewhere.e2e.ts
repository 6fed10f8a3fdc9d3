/** Changes by another tab or script to an open resource. */
import { expect, test } from './support/fixtures.ts';

test('a page whose resource is deleted elsewhere shows that in place, with the actor', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 404' });
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly',
      parameters: { cron_expression: '0 0 1 1 *' },
    },
  });
  const { trigger_id } = trigger;
  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Typed meanwhile');
  await service.call('triggerDelete', { params: { trigger_id } });
  const said = page.getByText(/This trigger was deleted by First key/);
  await expect(said).toBeVisible();
  await axe('a trigger that was deleted elsewhere');
  await expect(name).toHaveValue('Typed meanwhile');

  // the response to Ctrl+S scrolls into view
  await name.press('ControlOrMeta+s');
  await expect(page.getByRole('alert').filter({ hasText: 'Trigger not found' })).toBeInViewport();
});

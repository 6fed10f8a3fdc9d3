/** Problems: from the Overview to the cause, acknowledged, ignored and resolved, on all widths and in both themes. */
import { expect, onSeparateService } from '../support/fixtures.ts';

const test = onSeparateService();

test('a cause of failures is found on the Overview, read, acknowledged and resolved', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  sink.answer(422, '{"message":"currency \\"USD\\" of order 4711 is not supported"}');
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'orders',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/hook/problems`, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  for (const id of [1, 2, 3])
    await service.call('triggerTest', { params: { trigger_id }, body: { payload: { id, currency: 'USD' } } });
  await expect
    .poll(async () => (await service.call('problemList', {})).problems.map(({ failures }) => failures))
    .toEqual([3]);
  const title = 'Destination “erp” returns 422: currency “…” of order … is not supported';

  await page.goto(service.url);
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Problems1 open problems');
  const open = page.getByRole('region', { name: 'Problems' });
  await expect(open.getByRole('heading', { name: '1 open problem' })).toBeVisible();
  await axeInBothSchemes('the Overview with a problem');
  await open.getByRole('link', { name: title }).click();

  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What fails' })).toContainText('3: 3 deliveries');
  await expect(page.getByRole('region', { name: 'Changes before' })).toContainText('Create a trigger');
  await expect(page.getByRole('region', { name: 'Samples' }).getByText('Response 422')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Affected' }).getByRole('listitem')).toHaveCount(3);
  await axeInBothSchemes('the page of a problem');

  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Acknowledge the problem' });
  await dialog.getByLabel('Note').fill('Asking the vendor');
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await expect(page.getByText('Asking the vendor')).toBeVisible();
  await page.getByRole('button', { name: 'Ignore', exact: true }).click();
  const ignore = page.getByRole('dialog', { name: 'Ignore the problem' });
  await axeInBothSchemes('the dialog that ignores a problem');
  await ignore.getByRole('button', { name: 'Ignore', exact: true }).click();
  await expect(page.getByText('Open again above 30 failures.')).toBeVisible();
  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByText(/^Resolved by /)).toBeVisible();

  // A failure after this is a regression, and the page shows it without a reload.
  await service.call('triggerTest', { params: { trigger_id }, body: { payload: { id: 4, currency: 'USD' } } });
  await expect(page.getByText(/It was resolved and fails again/)).toBeVisible();

  await page.goto(`${service.url}/problems`);
  const list = page.getByRole('table', { name: 'Problems' });
  await expect(list.getByRole('link', { name: title })).toBeVisible();
  await axeInBothSchemes('the list of problems');
  // The page changes with its URL, after the click.
  await page.getByRole('radio', { name: 'Ignored' }).click();
  await expect(page.getByText('No ignored problems')).toBeVisible();
});

/** Failed counts on the Overview, in the list of triggers and on a function's page link to the failures. */
import { expect, onSeparateService } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

/** A separate service: the counts cover only the data of this file. */
const test = onSeparateService();

test('failed counts are links to the failed runs and events', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  const { function_id } = await make(service, 'picky');
  const invoke = (body: string) => service.call('functionInvoke', { params: { function_id }, body: { body } });
  for (const body of ['{"items":[1]}', '{"items":[]}', '{"items":[]}']) await invoke(body);
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/broken`, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  await service.call('triggerTest', { params: { trigger_id }, body: {} });
  await expect
    .poll(async () => (await service.call('eventListAll', { query: { status: 'FAILED' } })).events.length)
    .toBe(1);
  const rows = (table: string) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('rowgroup').last().getByRole('row');

  await page.goto(service.url);
  const failedRuns = page.getByRole('link', { name: 'Runs: Failed 2' });
  await expect(failedRuns).toBeVisible();
  await axeInBothSchemes('counts of failures on the Overview');
  await failedRuns.click();
  await expect(page).toHaveURL(`${service.url}/runs?status=FAILED&since=1h`);
  await expect(rows('Runs')).toHaveCount(2);

  await page.goto(service.url);
  await page.getByRole('link', { name: 'Events and deliveries: Failed 1' }).click();
  await expect(page).toHaveURL(`${service.url}/events?status=FAILED&time=1h`);
  await expect(rows('Events')).toHaveCount(1);

  // a row of the table is one minute, and the two may have failed in two
  const { buckets } = await service.call('runStats', { query: { range: '1h' } });
  const minutes = buckets.map(({ failed }) => failed).filter((failed) => failed > 0);
  expect(minutes.reduce((sum, failed) => sum + failed)).toBe(2);
  const newest = minutes.at(-1) ?? 0;
  await page.goto(`${service.url}/?figures=table`);
  const ofMinute = page.getByRole('link', { name: / runs failed, / });
  await expect(ofMinute).toHaveCount(minutes.length);
  await expect(ofMinute.first()).toHaveAccessibleName(new RegExp(`^${newest} runs failed, `));
  await ofMinute.first().click();
  await expect(page).toHaveURL(/\/runs\?status=FAILED&since=.+&until=.+/);
  await expect(rows('Runs')).toHaveCount(newest);

  await page.goto(`${service.url}/functions/${function_id}`);
  await page.getByRole('link', { name: '2 failed in 24 h' }).click();
  await expect(page).toHaveURL(`${service.url}/functions/${function_id}/runs?status=FAILED&since=24h`);
  await expect(rows('Runs')).toHaveCount(2);
  await invoke('{"items":[]}');
  await expect(page.getByRole('link', { name: '3 failed in 24 h' })).toBeVisible();

  await page.goto(`${service.url}/triggers?health=failing`);
  await expect(rows('Triggers')).toHaveCount(1);
  await page.getByRole('link', { name: '1 failed' }).click();
  await expect(page).toHaveURL(`${service.url}/events?trigger=${trigger_id}&status=FAILED&time=24h`);
  await expect(rows('Events')).toHaveCount(1);
});

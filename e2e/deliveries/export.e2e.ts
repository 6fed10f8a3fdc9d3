/** A filtered list is downloaded as NDJSON and as CSV; charts and the time filter reach 30 days. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixtures.ts';
import { sendEvents } from '../support/send-events.ts';

test('the list that is shown is exported, and charts reach 30 days', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'export-orders',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url: `${sink.url}/ok` }],
    },
  });
  const { trigger_id } = trigger;
  await sendEvents(service, trigger_id, 3);
  const list = async () =>
    (await service.call('eventListAll', { query: { trigger_id, status: 'SUCCEEDED', limit: '100' } })).events;
  await expect.poll(async () => (await list()).length).toBe(3);
  const ids = (await list()).map(({ event_id }) => event_id);

  const download = async (name: RegExp): Promise<[string, string]> => {
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    const started = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).press('Enter');
    // for a few seconds, however long the service takes to begin
    await expect(page.getByText('Export started')).toBeVisible();
    const file = await started;
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
  };
  await page.goto(`${service.url}/events?trigger=${trigger_id}&status=SUCCEEDED`);
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  await expect(page.getByText('Events that match: Status Succeeded, Trigger export-orders')).toBeVisible();
  await axe('the menu that exports events');
  await page.keyboard.press('Escape');
  const [name, lines] = await download(/^NDJSON/);
  expect(name).toMatch(/^events-\d{12}\.ndjson$/);
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event_id),
  ).toEqual(ids);
  await expect(page.getByText('3 events exported')).toBeVisible();

  await page.goto(`${service.url}/triggers/${trigger_id}?status=SUCCEEDED`);
  const [, csv] = await download(/^CSV/);
  expect(
    csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  ).toEqual(ids);

  await page.goto(`${service.url}/events?trigger=${trigger_id}&figures=table`);
  // The rows of the previous range are shown until those of the new one arrive.
  const month = page.waitForResponse(/stats\?range=30d/);
  await page.getByRole('radio', { name: '30 d' }).press('Space');
  await month;
  const figures = page.getByRole('table', { name: 'Event statistics, last 30 days' });
  await figures
    .getByRole('button', { name: /^Show events of/ })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/after=.*before=.*range=30d|range=30d.*after=/);
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
});

/** Gateway calls on the page of their connection. */
import { copiedBy } from '../support/clipboard.ts';
import { callApp, complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Moody, startMoody } from '../support/moody.ts';

let moody: Moody;
test.beforeAll(async () => {
  moody = await startMoody();
});
test.afterAll(() => moody.stop());

test('calls appear live in list and charts, and are filtered, brushed and repeated', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await makeApp(service, 'called', moody.url);
  const id = await makeConnection(service, 'called', 'Of called');
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}`);
  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Calls' }).click();
  await expect(page.getByRole('heading', { name: 'No calls yet' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'First call' })).toContainText(`curl '${service.url}/api/called/'`);
  await axe('no calls');

  // each call appears without a reload
  await callApp(service, '/called/items?secret=query');
  const table = page.getByRole('table', { name: 'Gateway calls' });
  const rows = table.getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('GET /items');
  await expect(rows).toContainText('200');
  await callApp(service, '/called/broken');
  await callApp(service, '/called/cut');
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('main')).not.toContainText('secret=query');
  await expect(page.getByRole('img', { name: /^Calls by outcome, last hour: 3 calls/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Duration of calls as percentiles.*Latest: p50/ })).toBeVisible();
  await axe('calls with charts');

  // a chosen range stays
  await page.getByRole('radio', { name: '24 h' }).click();
  const chart = page.getByRole('img', { name: /^Calls by outcome, last 24 hours: 3 calls/ });
  await expect(chart).toBeVisible();

  // the same data as a table, whose rows filter the list
  await page.getByRole('radio', { name: 'Table' }).click();
  const figures = page.getByRole('table', { name: 'Call statistics, last 24 hours' });
  // a row is half an hour, and the calls may be of two
  const { buckets } = await service.call('connectionCallStats', {
    params: { connection_id: id },
    query: { range: '24h' },
  });
  const busy = buckets.filter(({ count }) => count > 0).reverse();
  expect(busy.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  for (const [at, { count, ok, client_errors, server_errors, unanswered }] of busy.entries()) {
    const counts = [count, ok, client_errors, server_errors, unanswered].join('.*');
    await expect(figures.getByRole('row').nth(at + 1)).toContainText(new RegExp(`to .*${counts}`));
  }
  await axe('figures of calls');
  await figures
    .getByRole('button', { name: /^Show calls of/ })
    .first()
    .click();
  await expect(page).toHaveURL(/after=.*before=/);
  await expect(rows).toHaveCount(busy[0]?.count ?? 0);
  await page.goBack();
  await expect(page).not.toHaveURL(/after=/);

  // a click on the chart selects its bucket; an empty bucket selects nothing
  await page.getByRole('radio', { name: 'Charts' }).click();
  await chart.click({ position: { x: 20, y: 40 } });
  await expect(page.getByText('No calls match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(3);

  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'No response' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('/cut');
  await page.reload();
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'GET /cut' });
  await expect(panel).toContainText('No response');
  await axe('one call');
  const command = await copiedBy(page, panel.getByRole('button', { name: 'Copy as curl: GET /cut' }));
  expect(command).toContain(`curl '${service.url}/api/called/cut'`);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await rows.getByRole('link').click();
  await panel.getByRole('link', { name: 'Open in request builder' }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/cut');
});

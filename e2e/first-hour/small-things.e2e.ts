/** Details that people notice: the icon of the tab, types, copied tables, contrast. */
import { expect, onSeparateService } from '../support/fixtures.ts';

/** A separate service: a failure shows on every page. */
const test = onSeparateService();

test('events of one source show the type in their payload, rows are copied as a table, and right-to-left text stays apart', async ({
  signedIn: page,
  service,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { source: 'webhook', event_type: 'webhook.received', name: 'types' },
  });
  const url = trigger.ingress?.url ?? '';
  const payload = { type: 'order.paid', customer: '\u05e9\u05dc\u05d5\u05dd', amount: 3 };
  const sent = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  expect(sent.status).toBe(200);
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/events`);
  const row = page.getByRole('table', { name: 'Events' }).getByRole('row').nth(1);
  await expect(row.getByText('order.paid', { exact: true })).toBeVisible();
  await expect(page.getByText(payload.customer).first()).toHaveAttribute('dir', 'auto');

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy events as a table' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(copied)
    .toMatch(/^Time\tType\tSummary\tDeliveries\n\d{4}-.*\twebhook\.received\t\{"type":"order\.paid"/);
});

test('the icon of the tab has a dot while something is failing', async ({ signedIn: page, service, sink }) => {
  const icon = page.locator('link[rel=icon]');
  await page.goto(service.url);
  await expect(icon).toHaveAttribute('href', '/favicon.svg');
  sink.answer(503);
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: `${sink.url}/hook/dot`, retry_schedule: [] }],
    },
  });
  await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await expect(icon).toHaveAttribute('href', '/favicon-failing.svg');
  expect((await page.request.get(`${service.url}/favicon-failing.svg`)).headers()['content-type']).toContain('svg');
});

test('more contrast, print and the name of the time zone', async ({ signedIn: page, service, axe }) => {
  await page.emulateMedia({ contrast: 'more', colorScheme: 'dark' });
  await page.goto(`${service.url}/triggers`);
  const zone = page.getByRole('group', { name: 'Time zone' }).getByTitle(/^(\w+\/\w+|UTC)/);
  await expect(zone.first()).toContainText('Local');
  const token = (name: string) =>
    page.evaluate((each) => getComputedStyle(document.documentElement).getPropertyValue(each), name);
  await expect.poll(() => token('--fg-3')).toBe(await token('--fg'));
  await axe('the triggers with more contrast');
  await page.emulateMedia({ media: 'print', contrast: 'no-preference' });
  await expect(page.getByRole('heading', { level: 1, name: 'Triggers' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
});

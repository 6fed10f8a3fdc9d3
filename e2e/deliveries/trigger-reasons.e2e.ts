/** The cause of a trigger without events: in the list, on its page and on the Overview. */
import { expect, onSeparateService } from '../support/fixtures.ts';

const env: Record<string, string> = {};
/** A separate service: it is restarted without access to private networks. */
const test = onSeparateService({ env });

test('a feed with a blocked URL shows the cause and the next step everywhere', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'rss',
      event_type: 'feed.item',
      name: 'status-feed',
      parameters: { url: `${sink.url}/feed` },
      destinations: [{ name: 'chat', url: `${sink.url}/chat` }],
    },
  });
  const params = { trigger_id: trigger.trigger_id };
  await service.call('triggerUpdate', { params, body: { status: 'DISABLED' } });
  await service.kill('SIGTERM');
  env['SLUICE_ALLOW_PRIVATE_CIDRS'] = '';
  await service.start();
  await page.goto(`${service.url}/triggers/${params.trigger_id}/events`);
  await expect(page.getByRole('heading', { level: 1, name: 'status-feed' })).toBeVisible();
  await service.call('triggerUpdate', { params, body: { status: 'ENABLED' } });

  const detail = /^Its URL resolves to a private network address, which is blocked/;
  await expect(page.getByRole('status').filter({ hasText: detail })).toBeVisible();
  await expect(page.getByRole('main').getByText('Blocked URL', { exact: true })).toBeVisible();
  await axeInBothSchemes('a trigger with a blocked URL');
  await page.goto(`${service.url}/triggers`);
  await expect(page.getByRole('row', { name: /status-feed/ })).toContainText('Blocked URL');
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.getByText('Blocked URL', { exact: true }), `at ${width} px`).toBeInViewport({ ratio: 1 });
  }
  await axeInBothSchemes('the triggers with a blocked URL');
  await page.goto(service.url);
  const card = page.getByRole('article').filter({ hasText: 'status-feed' });
  await expect(card).toContainText('Trigger stopped');
  await expect(card.getByText(detail)).toBeVisible();
  await card.getByRole('link', { name: 'Open trigger' }).click();
  await expect(page).toHaveURL(`${service.url}/triggers/${params.trigger_id}/events`);
});

/** Events are found by a text, by a field of their payload and by a header of their request. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row');

test('events are found by text, payload field and header', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'search-orders',
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [{ name: 'erp', url: `${sink.url}/ok` }],
    },
  });
  const { trigger_id } = trigger;
  for (const [id, event] of [
    ['cust_4321', 'push'],
    ['cust_4321', 'fork'],
    ['cust_43210', 'push'],
  ] as const) {
    const response = await fetch(trigger.ingress?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-github-event': event },
      body: JSON.stringify({ customer: { id } }),
    });
    expect(response.status).toBe(200);
  }
  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  await expect(rows(page)).toHaveCount(3);
  const box = page.getByRole('textbox', { name: 'Search payloads and headers' });
  const conditions = page.getByRole('list', { name: 'Search conditions' }).getByRole('listitem');

  await box.fill('"cust_4321"');
  await expect(rows(page)).toHaveCount(2);
  await expect(conditions).toHaveCount(0);

  await box.fill('payload.customer.id = cust_4321 headers.X-GitHub-Event = push');
  await expect(conditions).toHaveText(['payload.customer.id is cust_4321', 'headers.x-github-event is push']);
  await expect(rows(page)).toHaveCount(1);
  await axe('a list of events found by conditions on fields');

  await box.fill('payload.customer.id =');
  await expect(page.getByText('at character 22: expected a value after =')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await axe('a search text that cannot be read');

  await box.fill('payload.customer.id = cust_1');
  await expect(page.getByText('No events match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter Search: payload.customer.id = cust_1' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(box).toHaveValue('');
});

/** The request of a source: in the event's panel, and accepted after it was rejected. */
import { expect, test } from '../support/fixtures.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

test('an event shows the request of its source and its trace, and a rejected one is accepted', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'shop',
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [{ name: 'erp', url: `${sink.url}/shop-orders` }],
    },
  });
  const post = (type: string, body: string) =>
    fetch(`${trigger.ingress?.url}/orders?page=2&token=a-long-secret-1`, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-shop-event': 'order.paid',
        'x-api-key': 'key-0123456789',
        traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
      },
      body,
    });
  expect((await post('application/x-www-form-urlencoded', 'id=7&note=two+words')).status).toBe(200);
  expect((await post('application/json', '{"broken":')).status).toBe(400);

  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/events`);
  await page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row').first().click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('treeitem').filter({ hasText: 'note' })).toContainText('two words');
  await expect(panel.getByText(TRACE_ID)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Copy trace ID' })).toBeVisible();
  const request = panel.getByRole('region', { name: /^Request/ });
  await request.getByRole('button', { name: /^Request POST \/orders\?page=2/ }).press('Enter');
  await expect(request.getByText('order.paid')).toBeVisible();
  await expect(request.getByText('••••••••6789')).toBeVisible();
  await expect(request.getByText('••••••••et-1', { exact: true })).toBeVisible();
  await request.getByRole('button', { name: 'Show body' }).click();
  await expect(request.getByText('id=7&note=two+words')).toBeVisible();
  await axeInBothSchemes('an event with its request');
  const download = page.waitForEvent('download');
  await request.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.body$/);

  await page.getByRole('button', { name: 'Close panel' }).click();
  await page.getByRole('link', { name: 'Rejected requests' }).click();
  await page.getByRole('row', { name: /Not JSON/ }).click();
  await axeInBothSchemes('a rejected request that can be accepted');
  await panel.getByRole('button', { name: 'Accept and deliver' }).click();
  await panel.getByRole('link', { name: 'Open event' }).click();
  await expect(panel.getByRole('treeitem').filter({ hasText: 'content_type' })).toContainText('application/json');
  await expect(panel.getByRole('treeitem').filter({ hasText: 'broken' })).toBeVisible();
  await expect.poll(() => sink.received.filter(({ path }) => path === '/shop-orders').length).toBe(2);
});

test('a destination gets the original body with the source’s headers, or a template of them', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'repository',
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [{ name: 'ci', url: `${sink.url}/ci` }],
    },
  });
  // the rejection of the invalid header
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const push = () =>
    fetch(trigger.ingress?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
      body: '{ "ref":"main" }',
    });
  await push();
  const arrived = () => sink.received.filter(({ path }) => path === '/ci');
  await expect.poll(() => arrived().length).toBe(1);
  const { trigger_id, destinations } = trigger;
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destinations[0]?.destination_id}`);
  const editor = page.getByRole('complementary');
  await editor.getByLabel('Body template').fill('{ "event": "{{ headers.x-github-event }}" }');
  await expect(editor.getByRole('region', { name: 'Rendered body', exact: true })).toContainText('{ "event": "push" }');
  await editor.getByLabel('Body', { exact: true }).selectOption('The original body, unchanged');
  await expect(editor.getByLabel('Body template')).toBeHidden();
  await editor.getByLabel('Forward headers').fill('X-GitHub-Event, Authorization');
  await page.keyboard.press('Control+s');
  await expect(editor.getByText(/credentials are not forwarded/)).toBeVisible();
  await axe('a destination with the original body');
  await editor.getByLabel('Forward headers').fill('X-GitHub-Event');
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await push();
  await expect.poll(() => arrived().length).toBe(2);
  expect(arrived()[1]).toMatchObject({ body: '{ "ref":"main" }', headers: { 'x-github-event': 'push' } });
});

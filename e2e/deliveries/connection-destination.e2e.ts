/** A connected app as a destination: choose it, choose what to send, preview it, send it. */
import type { Page } from '@playwright/test';
import { complete, makeApp, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

async function makeTrigger(service: RunningService, name: string): Promise<string> {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name,
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [],
    },
  });
  return trigger.trigger_id;
}

async function openForm(page: Page, service: RunningService, trigger_id: string) {
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/new`);
  const form = page.getByRole('complementary', { name: /^New destination/ });
  await expect(form).toBeVisible();
  return form;
}

test('a connection is a destination: its path is previewed with the last event, and the attempt shows the request', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await makeApp(service, 'ledger-target', sink.url);
  const connection_id = await makeConnection(service, 'ledger-target', 'Acme');
  await complete(service, connection_id);
  const trigger_id = await makeTrigger(service, 'to-a-connection');
  await service.call('triggerTest', { params: { trigger_id }, body: { payload: { order: 'a/1' } } });
  const form = await openForm(page, service, trigger_id);
  await form.getByRole('button', { name: 'Connection' }).click();
  await page.getByRole('menuitem', { name: /Acme$/ }).click();
  await expect(form.getByRole('textbox', { name: 'URL' })).toHaveCount(0);
  await form.getByLabel('Path').fill('/orders/{{ payload.order }}');
  await expect(form.getByText('For the newest event: /orders/a%2F1')).toBeVisible();
  await axe('the form with a connection');
  await form.getByRole('button', { name: 'Add destination', exact: true }).click();
  const panel = page.getByRole('complementary', { name: /Acme$/ });
  await expect(panel.getByLabel('Path')).toHaveValue('/orders/{{ payload.order }}');
  await expect(panel.getByRole('heading', { name: 'Signing' })).toHaveCount(0);
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations`);
  await expect(page.getByText(/^\/orders\/\{\{ payload\.order \}\} via .* · Acme$/)).toBeVisible();
  const { event } = await service.call('triggerTest', { params: { trigger_id }, body: { payload: { order: 'a/2' } } });
  await expect.poll(() => sink.received.filter((each) => each.path === '/orders/a%2F2').length).toBe(1);
  await page.goto(`${service.url}/events/${trigger_id}/${event.event_id}`);
  await expect(page.getByRole('link', { name: 'Open connection' }).first()).toBeVisible();
  await page.goto(`${service.url}/connections/${connection_id}`);
  await expect(page.getByRole('list', { name: 'Destinations that use it' }).getByRole('link')).toHaveText(/Acme$/);
});

test('a ready-made request fills in the destination, by keyboard and on a phone', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await service.call('connectionCreate', { body: { app: 'slack' } });
  const trigger_id = await makeTrigger(service, 'to-slack');
  await page.setViewportSize({ width: 390, height: 844 });
  const form = await openForm(page, service, trigger_id);
  await form.getByRole('button', { name: 'Connection' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Slack/ }).focus();
  await page.keyboard.press('Enter');
  await form.getByLabel('Ready-made request').selectOption('Post a message');
  await form.getByLabel('Channel').fill('C012AB3CD');
  await expect(form.getByLabel('Path')).toHaveValue('/api/chat.postMessage');
  await expect(form.getByRole('textbox', { name: /^Body template/ })).toHaveValue(/"channel": "C012AB3CD"/);
  await expect(form.getByRole('region', { name: 'Rendered body' })).toContainText('C012AB3CD');
  await expect(form.getByRole('link', { name: 'Documentation of the request' })).toHaveAttribute(
    'href',
    /docs\.slack\.dev/,
  );
  await axe('the form with a ready-made request');
  await noSidewaysScroll(page, 'new destination');
  await form.getByRole('button', { name: 'Use a URL instead' }).click();
  await expect(form.getByRole('textbox', { name: 'URL' })).toHaveValue('');
});

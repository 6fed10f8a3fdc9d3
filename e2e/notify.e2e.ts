/** Overview: three clicks to notifications by email or by a webhook. */
import { expect } from './support/fixtures.ts';
import { testWithMail as test } from './support/mail.ts';

test('a pasted address is recognised, notified of failures, and gets a test message', async ({
  signedIn: page,
  service,
  mail,
  sink,
  axeInBothSchemes,
}) => {
  await page.goto(service.url);
  const offer = page.getByRole('button', { name: 'Notify me when something fails' });
  await offer.click();
  const dialog = page.getByRole('dialog', { name: 'Notify me when something fails' });
  const address = dialog.getByLabel('Send to');
  await expect(address).toBeFocused();
  const create = dialog.getByRole('button', { name: 'Create and send a test', exact: true });

  await address.fill('somewhere');
  await create.click();
  await expect(address).toHaveAccessibleDescription(/^Enter the URL of a webhook/);
  await address.fill('https://events.pagerduty.com/v2/enqueue');
  await expect(dialog.getByText('PagerDuty', { exact: true })).toBeVisible();
  await create.click();
  await expect(dialog.getByLabel('Integration key')).toHaveAccessibleDescription(/^Enter the integration key/);
  await axeInBothSchemes('the form of notifications');
  await address.fill('ops@example.com, oncall@example.com');
  await expect(dialog.getByText('Email', { exact: true })).toBeVisible();
  await create.click();

  const made = page.getByRole('dialog', { name: 'Notifications are on' });
  await expect(made.getByText('Email accepted a test message.')).toBeVisible();
  await axeInBothSchemes('notifications that are on');
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(made).toBeHidden();
  await expect(offer).toBeHidden();
  const [message] = mail.received('oncall@example.com');
  expect(message?.to).toEqual(['ops@example.com', 'oncall@example.com']);
  expect(message?.source).toContain('5 attempts in a row failed');
  const { triggers } = await service.call('triggerList', { query: { source: 'sluice' } });
  expect(triggers).toMatchObject([{ event_type: 'sluice.failure', destinations: [{ name: 'Email' }] }]);

  // Without such a trigger it is offered again; a receiver that rejects the test leads to its settings.
  await service.call('triggerDelete', { params: { trigger_id: triggers[0]?.trigger_id ?? '' } });
  await offer.click();
  await address.fill(`${sink.url}/broken`);
  await expect(dialog.getByText('Webhook', { exact: true })).toBeVisible();
  await create.click();
  const rejected = page.getByRole('dialog', { name: 'The test message was not accepted' });
  await expect(rejected.getByText('upstream_busy')).toBeVisible();
  const [request] = sink.received.filter(({ path }) => path === '/broken');
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'destination.failing',
    state: 'opened',
    severity: 'error',
  });
  await rejected.getByRole('link', { name: 'Change the destination' }).click();
  await expect(page.getByRole('complementary', { name: 'Webhook' })).toBeVisible();
});

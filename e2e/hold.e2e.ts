/** An installation on hold: the banner, the dialog by keyboard, and the release. */
import { expect, onSeparateService } from './support/fixtures.ts';

const test = onSeparateService({ env: { SLUICE_START: 'held' } });

test('an owner ends the hold by keyboard', async ({ signedIn: page, service, sink, axeInBothSchemes }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'after-hold',
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [{ url: `${sink.url}/after-hold` }],
    },
  });
  const url = trigger.ingress?.url ?? '';
  const send = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  expect((await send()).status).toBe(503);

  await page.goto(`${service.url}/events`);
  const banner = page.getByText(/This copy of Sluice is on hold since .+: it accepts no events and sends nothing\./);
  await expect(banner).toBeVisible();
  const end = page.getByRole('button', { name: 'End the hold…' });
  await end.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'This copy is on hold' });
  await expect(dialog.getByText('Started with SLUICE_START=held')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel deliveries…' })).toHaveAccessibleDescription(
    'No deliveries wait.',
  );
  await axeInBothSchemes('the dialog of a hold');
  await page.keyboard.press('Escape');
  await expect(end).toBeFocused();
  await end.press('Enter');
  await dialog.getByRole('button', { name: 'Release…' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Release' })
    .getByRole('button', { name: 'Release', exact: true })
    .press('Enter');
  await expect(banner).toBeHidden();
  await expect.poll(async () => (await send()).status).toBe(200);
});

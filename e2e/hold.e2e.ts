/** An installation on hold: the banner, the dialog by keyboard, the release, and a lost master key. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from '../server/test/operator-script.ts';
import { complete, makeApp, makeConnection } from './support/connecting.ts';
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

test('after a lost master key, the dialog leads to the connections that lost their secret', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'keyed', sink.url);
  const connection_id = await makeConnection(service, 'keyed', 'Lost with the key');
  await complete(service, connection_id);
  await service.kill('SIGTERM');
  rmSync(join(service.dataDir, 'master.key'));
  const { code } = await runScript('replace-key', ['--remove-secrets'], { SLUICE_DATA_DIR: service.dataDir });
  expect(code).toBe(0);
  await service.start();

  await page.goto(`${service.url}/connections`);
  await expect(page.getByText(/Sluice is on hold since .+: it accepts no events and sends nothing\./)).toBeVisible();
  await page.getByRole('button', { name: 'End the hold…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sluice is on hold' });
  await expect(dialog.getByText('A new master key')).toBeVisible();
  await expect(dialog.getByText('Disconnect tokens')).toHaveCount(0);
  await axeInBothSchemes('the dialog of a lost key');
  await dialog.getByRole('link', { name: 'Failed connections' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Lost with the key' })).toBeVisible();
});

/** Scheduled checks, the expiry of credentials, and what needs attention. */
import { callApp, complete, makeApp, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

test('checks are set for an app and a connection; an expiry and rejected calls need attention', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'checked', sink.url);
  await service.call('appUpdate', { params: { app: 'checked' }, body: { probe: { path: '/me' } } });
  const id = await makeConnection(service, 'checked', 'Billing key');
  await complete(service, id);

  await page.goto(`${service.url}/connections/apps/checked`);
  const ofApp = page.getByRole('combobox', { name: /^Check the connections to/ });
  await ofApp.selectOption('Every hour');
  await expect(ofApp).toHaveValue('60');

  await page.goto(`${service.url}/connections/${id}/settings`);
  const own = page.getByRole('combobox', { name: 'Check the credentials' });
  await expect(own.getByRole('option', { name: 'As the app: Every hour' })).toHaveCount(1);
  await own.selectOption('Every day');
  await expect(own).toBeEnabled();
  await expect(own).toHaveValue('1440');
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const date = page.getByLabel('Credentials expire on');
  await date.fill(soon);
  await date.blur();
  const badge = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Connections/ });
  await expect(badge).toHaveAccessibleName(/\d connections that need attention$/);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await noSidewaysScroll(page, `checks at ${width} px`);
    await axeInBothSchemes(`checks at ${width} px`);
  }

  await page.goto(`${service.url}/connections/${id}`);
  await expect(page.getByText(/The credentials expire at .* Replace them before\./)).toBeVisible();
  await expect(page.getByText('Next check')).toBeVisible();

  sink.answer(403);
  for (let call = 0; call < 3; call++)
    expect((await callApp(service, '/checked/hook/items', { 'service-connection': id })).status).toBe(403);
  await expect(page.getByText('The app rejected the last 3 calls with 401 or 403.')).toBeVisible();
  await page.goto(`${service.url}/connections?health=attention&app=checked`);
  await expect(page.getByRole('row', { name: /Billing key/ })).toContainText('Last calls rejected');
  await axeInBothSchemes('connections that need attention');
});

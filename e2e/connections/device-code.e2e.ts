/** A device code in the connect window: shown, entered in another browser, refused. */
import { enterCode, type OAuthProvider, startProvider } from '../../server/connections/test/oauth-provider.ts';
import { openVisitor } from '../../server/test/visitor.ts';
import { callApp, linkOf, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

let provider: OAuthProvider;
test.beforeAll(async ({ service }) => {
  provider = await startProvider({
    redirect_urls: [`${service.url}/connect/oauth/callback`],
    configuration: { features: { deviceFlow: { enabled: true } } },
  });
});
test.afterAll(() => provider.close());

test('an app is connected by a code that the user enters in another browser', async ({
  signedIn: page,
  service,
  browser,
  axeInBothSchemes,
}) => {
  // the app is added in the console
  await page.goto(`${service.url}/connections/new?custom=on`);
  await page.getByLabel('Name', { exact: true }).fill('Television');
  await page.getByLabel('Base URL').fill(`${provider.url}/api`);
  await page.getByRole('checkbox', { name: 'API key' }).click();
  await page.getByRole('checkbox', { name: 'OAuth 2' }).click();
  await page.getByRole('radio', { name: /^Device code/ }).click();
  await page.getByLabel('Device authorization URL').fill(`${provider.url}/device/auth`);
  await page.getByLabel('Token URL').fill(`${provider.url}/token`);
  await page.getByLabel('Scopes').first().fill('openid offline_access read');
  await axeInBothSchemes('the form of an app with a device code');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  await expect(page).toHaveURL(/\/connections\/apps\/television$/);
  await service.call('appCredentialPut', { params: { app: 'television', method: 'OAUTH2' }, body: provider.client });

  const connection_id = await makeConnection(service, 'television', 'Living room');
  await page.goto(`${service.url}/connections/${connection_id}`);
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const window = await phone.newPage();
  await window.goto(await linkOf(service, connection_id));
  await window.getByRole('button', { name: 'Get a code' }).click();
  const code = window.getByRole('status', { name: 'Code' });
  await expect(code).toHaveText(/^[A-Z]{4}-[A-Z]{4}$/);
  await expect(window.getByText('Waiting for Television…')).toBeVisible();
  await noSidewaysScroll(window, 'a device code on a phone');

  // refused: the form returns, with the reason
  await enterCode(openVisitor(), `${provider.url}/device`, await code.innerText(), true);
  await expect(window.getByRole('alert')).toContainText('denied access');

  await window.getByRole('button', { name: 'Try again' }).click();
  await expect(code).toHaveText(/^[A-Z]{4}-[A-Z]{4}$/);
  await expect(window.getByRole('link', { name: /\/device/ })).toHaveAttribute('href', /user_code=/);
  await enterCode(openVisitor(), `${provider.url}/device`, await code.innerText());
  await expect(window.getByRole('heading', { name: 'Television is connected' })).toBeVisible();
  await expect(page.getByText('Calls through the gateway reach Television')).toBeVisible();
  expect(await callApp(service, '/television/whoami')).toMatchObject({ status: 200 });
  await phone.close();
});

/** OAuth on the provider's pages: authorized, denied, and a redirect without a flow. */
import { type OAuthProvider, startProvider } from '../../server/connections/test/oauth-provider.ts';
import { agree, callApp, linkOf, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

let provider: OAuthProvider;
test.beforeAll(async ({ service }) => {
  provider = await startProvider({ redirect_urls: [`${service.url}/connect/oauth/callback`] });
});
test.afterAll(() => provider.close());

// The provider's pages load a web font.
test.beforeEach(({ context }) => context.route(/^https:\/\/fonts\./, (route) => route.fulfill({ body: '' })));

async function makeCloud(service: RunningService, app: string): Promise<void> {
  const [method] = provider.methods() as [never];
  await service.call('appCreate', {
    body: { app, name: 'Cloud', base_url: `${provider.url}/api`, methods: [method] },
  });
  await service.call('appCredentialPut', { params: { app, method: 'OAUTH2' }, body: provider.client });
}

test('a user authorizes at the provider and returns to an active connection', async ({
  signedIn: page,
  service,
  browser,
}) => {
  await makeCloud(service, 'cloud');
  const connection_id = await makeConnection(service, 'cloud', 'Of the finance team');
  await page.goto(`${service.url}/connections?q=finance`);
  const row = page.getByRole('row', { name: /Of the finance team/ });
  await expect(row).toContainText('Pending');

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const window = await phone.newPage();
  await window.goto(await linkOf(service, connection_id));
  await window.getByRole('button', { name: 'Continue to Cloud' }).click();
  await agree(window);
  await expect(window.getByRole('heading', { name: 'Cloud is connected' })).toBeVisible();
  await noSidewaysScroll(window, 'the end on a phone');
  await expect(row).toContainText('Active');
  expect(await callApp(service, '/cloud/whoami')).toMatchObject({ status: 200 });

  // the result page can be reloaded
  await window.reload();
  await expect(window.getByRole('heading', { name: 'Cloud is connected' })).toBeVisible();
  await phone.close();
});

test('a user who denies access sees that on return, and can authorize afterwards', async ({ page, service, axe }) => {
  await makeCloud(service, 'cloud-denied');
  const connection_id = await makeConnection(service, 'cloud-denied');
  await page.goto(await linkOf(service, connection_id));
  await page.getByRole('button', { name: 'Continue to Cloud' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toContainText('Cloud denied access');
  await expect(page.getByRole('alert')).toContainText('Cloud denied access.');
  await axe('the window after a no');
  const { connection } = await service.call('connectionGet', { params: { connection_id } });
  expect(connection).toMatchObject({ status: 'FAILED', metadata: { failure: { code: 'ACCESS_DENIED' } } });

  await page.getByRole('button', { name: /again|Continue to Cloud/i }).click();
  await agree(page);
  await expect(page.getByRole('heading', { name: 'Cloud is connected' })).toBeVisible();
  const after = await service.call('connectionGet', { params: { connection_id } });
  expect(after.connection).toMatchObject({ status: 'ACTIVE', metadata: {} });
});

test('a redirect that matches no flow of this browser explains what to do', async ({ page, service, browser, axe }) => {
  await makeCloud(service, 'cloud-astray');
  const connection_id = await makeConnection(service, 'cloud-astray');
  await page.goto(await linkOf(service, connection_id));
  const leaving = page.waitForRequest((request) => request.url().startsWith(`${provider.url}/auth?`));
  await page.getByRole('button', { name: 'Continue to Cloud' }).click();
  const state = new URL((await leaving).url()).searchParams.get('state') ?? '';

  const other = await browser.newContext();
  const astray = await other.newPage();
  await astray.goto(`${service.url}/connect/oauth/callback?code=stolen&state=${state}`);
  await expect(astray.getByText('This sign-in was started in another browser')).toBeVisible();
  await other.close();

  await page.goto(`${service.url}/connect/oauth/callback?code=x&state=nothing`);
  await expect(page.getByText('This sign-in has expired')).toBeVisible();
  await axe('a return that belongs to nothing');
  const { connection } = await service.call('connectionGet', { params: { connection_id } });
  expect(connection.status).toBe('PENDING');
});

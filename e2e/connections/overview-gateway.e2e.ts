/** The Overview of an account that only uses the gateway: its calls by app, and failed connections. */
import { callApp, linkOf, makeApp, makeConnection, noSidewaysScroll, SECRET } from '../support/connecting.ts';
import { expect, onSeparateService } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** A separate service, without events or runs. */
const test = onSeparateService();

async function connect(service: RunningService, app: string, api_key: string): Promise<string> {
  const connection_id = await makeConnection(service, app);
  const token = new URL(await linkOf(service, connection_id)).searchParams.get('token');
  await fetch(`${service.url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'API_KEY', fields: { api_key } }),
  });
  return connection_id;
}

test('the Overview shows calls by app and revoked keys for an account without events or runs', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'ledger-api', sink.url);
  await makeApp(service, 'depot-api', sink.url);
  await connect(service, 'ledger-api', SECRET);
  await connect(service, 'depot-api', SECRET);
  for (const path of ['/ledger-api/v1/a', '/ledger-api/v1/b', '/depot-api/v1/c']) await callApp(service, path);
  await page.goto(service.url);
  const chart = page.getByRole('img', {
    name: /^3 gateway calls by app, last hour: App ledger-api 2, App depot-api 1/,
  });
  await expect(chart).toBeVisible();
  const table = page.getByRole('table', { name: /^Gateway calls by app/ });
  await expect(table.getByRole('row', { name: /App ledger-api/ })).toContainText('2');
  await expect(page.getByRole('img', { name: /^How long attempts took/ })).toHaveCount(0);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await noSidewaysScroll(page, `the Overview at ${width} px`);
    await axeInBothSchemes(`the Overview of gateway calls at ${width} px`);
  }

  // five keys are revoked, each after three 401 responses
  for (let i = 0; i < 5; i++) {
    const id = await connect(service, 'ledger-api', 'revoked');
    for (let call = 0; call < 3; call++) {
      const { status } = await callApp(service, '/ledger-api/v1/x', { 'service-connection': id });
      expect(status).toBe(401);
    }
  }
  const cards = page.getByRole('article').filter({ hasText: 'Connection failed' });
  await expect(cards).toHaveCount(3);
  await expect(cards.first().getByRole('heading')).toHaveText('App ledger-api');
  await expect(cards.first()).toContainText('returned 401 for the last 3 calls');
  await page.getByRole('link', { name: '2 more unhealthy connections' }).click();
  await expect(page).toHaveURL(/\/connections\?health=attention$/);
  await expect(page.getByRole('table', { name: 'Connections' }).getByRole('row')).toHaveCount(6);
});

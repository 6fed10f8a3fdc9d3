/** Connect sessions: the page of an end user, and the connect button on a page of another origin. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { Body } from '../../contract/operations.ts';
import { makeApp, noSidewaysScroll, SECRET, troublesOf } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Product = { origin: string; stop: () => Promise<void> };

/** The account's product, on another port and so another origin: pages with the connect button. */
async function startProduct(service: RunningService, session: () => Promise<unknown>): Promise<Product> {
  const server: Server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0];
    if (req.method === 'POST' && path === '/session') {
      session().then(
        (reply) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)),
        (error: unknown) => res.writeHead(500).end(String(error)),
      );
      return;
    }
    const attribute = path === '/done' ? ' data-return' : '';
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      // As a product with a strict policy: the script and the connection to its own server are all that is needed.
      'content-security-policy': `default-src 'none'; img-src data:; script-src ${service.url} 'unsafe-inline'; connect-src 'self'`,
    });
    res.end(`<!doctype html><html lang="en"><title>Product</title><link rel="icon" href="data:,">
      <script src="${service.url}/connect-v1.js"${attribute}></script>
      <h1>Product</h1><button data-sluice-connect="/session">Connect an app</button>
      <script>
        window.results = [];
        window.raw = [];
        addEventListener('message', ({ origin, data }) => raw.push({ origin, data }));
        addEventListener('sluice:connect', ({ detail }) => results.push(detail));
      </script></html>`);
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
}

const create = (
  service: RunningService,
  body: Pick<Body<'connectSessionCreate'>, 'apps'> & Partial<Body<'connectSessionCreate'>>,
) => service.call('connectSessionCreate', { body: body as Body<'connectSessionCreate'> });
type Result = { status: string; final: boolean; connection_id?: string; app?: string };
const resultsOf = (page: Page) => page.evaluate(() => Reflect.get(window, 'results') as Result[]);
const popupOf = async (page: Page): Promise<Page> => {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Connect an app' }).click(),
  ]);
  return popup;
};
/** The same with a session that exists, by the function of the script. */
const popupAt = async (page: Page, url: string): Promise<Page> => {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((given) => {
      const script = Reflect.get(window, 'SluiceConnect') as {
        open: (url: string, report: (result: object) => void) => void;
      };
      script.open(given, (result) => (Reflect.get(window, 'results') as object[]).push(result));
    }, url),
  ]);
  return popup;
};

test('an end user chooses an app by keyboard on a phone, connects it and is redirected', async ({
  page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  // the page of the redirect tries to close itself, as it would be in a popup
  test.info().annotations.push({ type: 'allow-console', description: 'Scripts may close only' });
  await makeApp(service, 'choice-one', `${sink.url}/v1`);
  await makeApp(service, 'choice-two', `${sink.url}/v1`);
  const product = await startProduct(service, async () => ({}));
  await service.call('connectSettingsUpdate', {
    body: { allowed_origins: [product.origin], accent: '#f2c200', logo: LOGO },
  });
  const { session, url } = await create(service, {
    apps: ['choice-one', 'choice-two'],
    redirect_url: `${product.origin}/done`,
    state: 'from-the-list',
    end_user: { id: 'customer-7' },
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(url);
  await expect(page).toHaveURL(`${service.url}/connect`);
  await expect(page.getByRole('heading', { name: 'Connect an app' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'My account' })).toBeVisible();
  await axeInBothSchemes('the choice of an app');
  await noSidewaysScroll(page, 'the choice of an app');

  await page.getByRole('button', { name: 'App choice-one' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Connect App choice-one' })).toBeVisible();
  await axeInBothSchemes('the form with the colour of the account');
  await page.goBack();
  await page.getByRole('button', { name: 'App choice-two' }).press('Enter');
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', /status=canceled/);
  await page.getByLabel('API key').fill(SECRET);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`^${product.origin}/done\\?`));
  const query = Object.fromEntries(new URL(page.url()).searchParams);
  expect(query).toEqual({
    status: 'connected',
    app: 'choice-two',
    connection_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    session_id: session.session_id,
    state: 'from-the-list',
  });
  const { connection } = await service.call('connectionGet', {
    params: { connection_id: query['connection_id'] ?? '' },
  });
  expect(connection).toMatchObject({ status: 'ACTIVE', end_user: { id: 'customer-7' } });
  await service.call('connectSettingsUpdate', { body: { accent: null, logo: null } });
  await product.stop();
});

test('the connect button on another origin reports success, denial by closing, cancel and expiry', async ({
  page,
  context,
  service,
  sink,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: "recipient window's origin|status of 40[04]" });
  await makeApp(service, 'buttoned', `${sink.url}/v1`);
  let way: object = {};
  let last: Awaited<ReturnType<typeof create>> | undefined;
  const product = await startProduct(service, async () => {
    last = await create(service, { apps: ['buttoned'], allowed_origins: [product.origin], ...way });
    return last;
  });
  await service.call('connectSettingsUpdate', { body: { allowed_origins: [product.origin, 'https://other.example'] } });
  await page.goto(product.origin);

  const popup = await popupOf(page);
  const troubles = troublesOf(popup);
  await popup.getByLabel('API key').fill(SECRET);
  const closed = popup.waitForEvent('close');
  await popup.keyboard.press('Enter');
  await closed;
  await expect
    .poll(() => resultsOf(page))
    .toEqual([
      { status: 'connected', final: true, app: 'buttoned', connection_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  expect(troubles.filter((trouble) => !trouble.includes("recipient window's origin"))).toEqual([]);
  const raw = await page.evaluate(() => Reflect.get(window, 'raw') as { origin: string; data: object }[]);
  expect(JSON.stringify(raw)).not.toContain(SECRET);
  expect(JSON.stringify(raw)).not.toContain(last?.token);
  expect(raw.map(({ origin }) => origin)).toEqual([service.url]);

  await page.reload();
  await (await popupOf(page)).close();
  await expect.poll(() => resultsOf(page)).toEqual([{ status: 'closed', final: true }]);

  // With a redirect URL there is a way back.
  way = { redirect_url: `${product.origin}/done` };
  await page.reload();
  const canceled = await popupOf(page);
  await canceled.getByRole('link', { name: 'Cancel' }).click();
  await expect.poll(() => resultsOf(page)).toEqual([{ status: 'canceled', final: true }]);

  // Used by somebody else while the window was open.
  way = {};
  await page.reload();
  const late = await popupOf(page);
  await expect(late.getByLabel('API key')).toBeVisible();
  const other = await context.newPage();
  await other.goto(last?.url ?? '');
  await other.getByLabel('API key').fill(SECRET);
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'App buttoned is connected' })).toBeVisible();
  await page.reload();
  const reopened = await popupAt(page, last?.url ?? '');
  await expect.poll(() => reopened.isClosed()).toBe(true);
  await expect
    .poll(() => resultsOf(page))
    .toEqual([{ status: 'expired', final: true, message: 'This connect session was already used.' }]);
  await product.stop();
});

test('a page of another origin than the session’s gets no message, and its messages change nothing', async ({
  page,
  service,
  sink,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: "recipient window's origin" });
  await makeApp(service, 'guarded', `${sink.url}/v1`);
  const allowed = await startProduct(service, async () => ({}));
  const stranger = await startProduct(service, async () => create(service, { apps: ['guarded'] }));
  await service.call('connectSettingsUpdate', { body: { allowed_origins: [allowed.origin] } });
  await page.goto(stranger.origin);
  const popup = await popupOf(page);
  await expect(popup.getByLabel('API key')).toBeVisible();
  // Neither a message of the page itself nor of another window counts as one of the connect window.
  await page.evaluate(() => {
    const forged = { type: 'sluice:connected', app: 'x', connection_id: 'forged' };
    window.postMessage(forged, '*');
  });
  await popup.getByLabel('API key').fill(SECRET);
  const closed = popup.waitForEvent('close');
  await popup.keyboard.press('Enter');
  await closed;
  await expect.poll(() => resultsOf(page)).toEqual([{ status: 'closed', final: true }]);
  const raw = await page.evaluate(() => Reflect.get(window, 'raw') as { origin: string }[]);
  expect(raw.map(({ origin }) => origin)).toEqual([stranger.origin]);
  await Promise.all([allowed.stop(), stranger.stop()]);
});

test('the connect page can’t be framed, and its script can be loaded by any page', async ({ request, service }) => {
  const framed = await request.get(`${service.url}/connect`, { headers: { accept: 'text/html' } });
  expect(framed.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(framed.headers()['x-frame-options']).toBe('DENY');
  expect(framed.headers()['cross-origin-opener-policy']).toBeUndefined();
  const script = await request.get(`${service.url}/connect-v1.js`);
  expect(script.headers()['cross-origin-resource-policy']).toBe('cross-origin');
  expect((await request.get(`${service.url}/theme.js`)).headers()['cross-origin-resource-policy']).toBe('same-origin');
  expect((await script.body()).length).toBeLessThan(4 * 1024);
});

test('an admin sets origins, colour and logo of the connect window, also on a phone', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/settings/account`);
  const origins = page.getByRole('textbox', { name: 'Allowed origins' });
  const save = page.getByRole('button', { name: 'Save connect window', exact: true });
  await origins.fill('https://app.example.com/path');
  await save.press('Enter');
  await expect(origins).toHaveAccessibleDescription(/^Enter one origin per line/);
  await origins.fill('https://app.example.com\nhttp://localhost:3000');
  await page.getByRole('textbox', { name: 'Color' }).fill('#0a7d33');
  const logo = { name: 'logo.png', mimeType: 'image/png' };
  await page.getByLabel('Logo file').setInputFiles({ ...logo, buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await save.click();
  await expect(page.getByText('logo: expected the bytes of an image/png file')).toBeVisible();
  const png = Buffer.from(LOGO.split(',')[1] ?? '', 'base64');
  await page.getByLabel('Logo file').setInputFiles({ ...logo, buffer: png });
  await save.click();
  await expect(page.getByText('Connect window saved')).toBeVisible();
  await axeInBothSchemes('the settings of the connect window');
  await noSidewaysScroll(page, 'the settings of the connect window');
  const { settings } = await service.call('connectSettingsGet');
  expect(settings).toMatchObject({
    allowed_origins: ['https://app.example.com', 'http://localhost:3000'],
    accent: '#0a7d33',
    logo: LOGO,
  });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await save.click();
  await expect.poll(async () => (await service.call('connectSettingsGet')).settings.logo).toBeNull();
});

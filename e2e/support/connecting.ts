/** Apps, connections and gateway calls for the connection tests. */
import { request as httpRequest } from 'node:http';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { ADMIN, KEY, type RunningService } from './service.ts';

/** Signs in at the OAuth provider of the tests, and agrees. */
export async function agree(page: Page): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill('mira');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The key that the sink's app accepts. */
export const SECRET = 'app-secret-42';

/** An app with the key in a header, as the sink expects. */
export const makeApp = (service: RunningService, app: string, base_url: string) =>
  service.call('appCreate', {
    body: {
      app,
      name: `App ${app}`,
      base_url,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
    },
  });

export const makeConnection = async (service: RunningService, app: string, name?: string) => {
  const { connection_id } = await service.call('connectionCreate', { body: { app, ...(name ? { name } : {}) } });
  return connection_id;
};

export const linkOf = async (service: RunningService, connection_id: string) => {
  const { connection } = await service.call('connectionGet', { params: { connection_id } });
  return connection.url;
};

/** Completes the link without a browser. */
export async function complete(service: RunningService, connection_id: string): Promise<void> {
  const token = new URL(await linkOf(service, connection_id)).searchParams.get('token');
  const response = await fetch(`${service.url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'API_KEY', fields: { api_key: SECRET } }),
  });
  expect(response.status).toBe(200);
}

type Answer = { status: number; app: string | undefined; body: string };

/** Calls the app through the gateway with an API key. */
export function callApp(service: RunningService, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((ok, refuse) => {
    const request = httpRequest(
      `${service.url}/api${path}`,
      { headers: { authorization: `Bearer ${KEY}`, ...headers } },
      (response) => {
        const app = response.headers['x-app'];
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => ok({ status: response.statusCode ?? 0, app: app?.toString(), body }));
      },
    );
    request.on('error', refuse);
    request.end();
  });
}

/** Signs in as a viewer. */
export async function signInAsViewer(page: Page, service: RunningService, email: string): Promise<void> {
  const headers = { origin: service.url };
  const password = 'correct horse battery';
  await page.request.post(`${service.url}/api/session`, { data: ADMIN, headers });
  const invited = await page.request.post(`${service.url}/api/account/members`, {
    data: { email, role: 'VIEWER' },
    headers,
  });
  const token = new URL((await invited.json()).invite_url).hash.replace('#token=', '');
  await page.request.post(`${service.url}/api/session:accept`, { data: { token, password }, headers });
}

/** The status in the head of a connection's page. */
export const statusOf = (page: Page) => page.getByRole('main').getByText(/^(Pending|Active|Failed)$/);

/** Editors and lists measure themselves after the window has changed, so the page may be too wide until then. */
export async function noSidewaysScroll(page: Page, label: string): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect
    .configure({ soft: true })
    .poll(over, { message: `${label} scrolls sideways` })
    .toBe(0);
}

/** Console errors of the connect window; the fixture watches those of the page. */
export function troublesOf(opened: Page): string[] {
  const troubles: string[] = [];
  opened.on('pageerror', (error) => troubles.push(error.message));
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  return troubles;
}

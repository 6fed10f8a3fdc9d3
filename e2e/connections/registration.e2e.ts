/** A trigger whose webhook is registered through its connection: created, registered again, rejected and removed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Identity, makeAuthority } from '../../server/test/certificates.ts';
import { type HookApp, startHookApp } from '../../server/triggers/test/hook-apps.ts';
import { linkOf } from '../support/connecting.ts';
import { expect, signIn, test } from '../support/fixtures.ts';
import { type RunningService, startService } from '../support/service.ts';

let folder: string;
let identity: Identity;
let service: RunningService;
let gitlab: HookApp;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-authority-'));
  const authority = makeAuthority('Somebody’s own');
  identity = authority.issue({ ip: '127.0.0.1' });
  const file = join(folder, 'authority.pem');
  writeFileSync(file, authority.cert);
  service = await startService({ env: { NODE_EXTRA_CA_CERTS: file } });
  gitlab = await startHookApp('gitlab', 0, identity);
});
test.afterAll(async () => {
  await service.stop();
  await gitlab.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connectGitlab(name: string): Promise<void> {
  const { connection_id } = await service.call('connectionCreate', { body: { app: 'gitlab-self-managed', name } });
  const token = new URL(await linkOf(service, connection_id)).searchParams.get('token');
  const host = gitlab.url.slice('https://'.length);
  const answer = await fetch(`${service.url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'API_KEY', fields: { host, api_key: 'glpat-1' } }),
  });
  expect(answer.status).toBe(200);
}

test('a webhook is registered with its trigger, again on request, and removed with it', async ({ page, sink, axe }) => {
  await signIn(page, service);
  await connectGitlab('our gitlab');
  await page.goto(`${service.url}/triggers/new?source=gitlab-self-managed&event_type=push`);
  await page.getByText('Sample event of type gitlab-self-managed.push').click();
  const sample = page.getByRole('tree', { name: 'Sample of gitlab-self-managed.push' });
  await expect(sample).toContainText('refs/heads/master');
  await page.getByRole('textbox', { name: 'Project', exact: false }).fill('acme/site');
  await page.getByLabel('Connection', { exact: false }).selectOption({ label: 'our gitlab (active)' });
  await page.getByLabel('URL', { exact: true }).fill(`${sink.url}/pushes`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('pushes');
  await axe('a new trigger with automatic registration');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();

  await expect(page.getByRole('heading', { name: /is registered/ })).toBeVisible();
  await expect(page.getByText('Registered', { exact: true })).toBeVisible();
  await expect(page.getByText('/api/v4/projects/acme/site/hooks')).toBeVisible();
  expect(gitlab.hooks).toHaveLength(1);
  await expect(page.getByRole('heading', { name: 'Signing secret of the destination' })).toBeVisible();
  await expect(page.locator('code.select-all').filter({ hasText: /^whsec_/ })).toHaveCount(1);
  await axe('a trigger with a registered webhook');
  await page.getByRole('link', { name: 'Open the trigger' }).click();
  await expect(page).toHaveURL(/\/triggers\/[0-9a-f-]{36}\/events$/);
  const line = page.getByRole('region', { name: 'Webhook URL of this trigger' });
  await expect(line.getByRole('link', { name: 'our gitlab' })).toBeVisible();
  expect(await page.content()).not.toContain('whsec_');

  gitlab.odd = ({ method }) => (method === 'POST' ? { status: 403, body: { message: '403 Forbidden' } } : undefined);
  await line.getByRole('button', { name: 'Register again' }).click();
  await expect(line.getByText('Not registered')).toBeVisible();
  await expect(line.getByText(/it needs the scope api, and the role Maintainer/)).toBeVisible();
  await axe('a trigger whose app refused the hook');
  gitlab.odd = () => undefined;
  await line.getByRole('button', { name: 'Register again' }).click();
  await expect(line.getByText('Registered', { exact: true })).toBeVisible();
  expect(gitlab.hooks).toHaveLength(1);

  // an unreachable app is reported, and registration is retried automatically
  gitlab.odd = () => 'hang up';
  await page.getByRole('navigation', { name: 'Trigger' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete trigger…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('webhook registration is removed');
  await dialog.getByRole('textbox').fill('pushes');
  await dialog.getByRole('button', { name: 'Delete trigger' }).click();
  await expect(page.getByText('The webhook registration is being removed')).toBeVisible();
  await expect(page).toHaveURL(/\/triggers$/);
});

test('without a connection the webhook URL and setup steps are shown', async ({ page, axe }) => {
  await signIn(page, service);
  await page.goto(`${service.url}/triggers/new?source=gitlab-self-managed&event_type=push`);
  await page.getByRole('button', { name: 'Remove destination 1' }).click();
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByRole('heading', { name: /Set up GitLab/ })).toBeVisible();
  await expect(page.getByRole('list', { name: /Set up GitLab/ }).getByRole('listitem')).toHaveCount(3);
  await axe('what is to be pasted by hand');
});

test('the page of an app shows samples of its events', async ({ page, axe }) => {
  await signIn(page, service);
  await page.goto(`${service.url}/connections/apps/gitlab-self-managed`);
  await page.getByText('Sample of gitlab-self-managed.push', { exact: true }).click();
  await expect(page.getByRole('tree', { name: 'Sample of gitlab-self-managed.push', exact: true })).toContainText(
    'refs/heads/master',
  );
  await axe('an app with a sample open');
});

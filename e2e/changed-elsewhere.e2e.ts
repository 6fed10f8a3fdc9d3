/** An open form while another tab, member or API client changes the same resource. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { nightlyTrigger } from './support/nightly-trigger.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const notice = (page: Page, noun: string, by = 'First key') =>
  page.getByRole('status').filter({ hasText: `This ${noun} was changed by ${by}` });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('settings saved in another tab appear in a clean form, and a form with edits asks', async ({
  signedIn: page,
  context,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await nightlyTrigger(service, sink);
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(`${service.url}/triggers/${trigger_id}/settings`);

  await field(other, 'Name').fill('Renamed');
  await press(other, 'Save changes');
  await expect(field(page, 'Name')).toHaveValue('Renamed');
  await expect(page.getByText('This trigger was changed')).toBeHidden();

  // edits stay, and the other fields too, until the user chooses
  await field(page, 'Description').fill('Typed here');
  await field(other, 'Name').fill('Renamed again');
  await press(other, 'Save changes');
  await expect(notice(page, 'trigger', 'mira')).toBeVisible();
  await expect(field(page, 'Description')).toHaveValue('Typed here');
  await expect(field(page, 'Name')).toHaveValue('Renamed');
  await axe('settings that were changed elsewhere');

  await press(page, 'Keep my edits');
  await expect(page.getByText('This trigger was changed')).toBeHidden();
  await expect(field(page, 'Name')).toHaveValue('Renamed again');
  await expect(field(page, 'Name')).toBeFocused();
  await expect(field(page, 'Description')).toHaveValue('Typed here');
  await press(page, 'Save changes');
  await expect(field(other, 'Description')).toHaveValue('Typed here');
  await expect(other.getByText('This trigger was changed')).toBeHidden();
  await expect(page.getByText('This trigger was changed')).toBeHidden();
  expect((await service.call('triggerGet', { params: { trigger_id } })).trigger).toMatchObject({
    name: 'Renamed again',
    description: 'Typed here',
  });

  await field(page, 'Name').fill('Typed in vain');
  await service.call('triggerUpdate', { params: { trigger_id }, body: { description: 'By a program' } });
  await expect(notice(page, 'trigger')).toBeVisible();
  await press(page, 'Reload');
  await expect(field(page, 'Name')).toHaveValue('Renamed again');
  await expect(field(page, 'Description')).toHaveValue('By a program');
  await expect(page.getByText('This trigger was changed')).toBeHidden();
});

test('a destination, function, connection and app keep edits when they change elsewhere', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id, destination_id } = await nightlyTrigger(service, sink);
  const { function: fn } = await service.call('functionCreate', {
    body: { name: 'changed-elsewhere', runtime: 'nodejs24.x', files: { 'index.ts': 'export default {};' } },
  });
  const { function_id } = fn;
  await service.call('appCreate', {
    body: { app: 'changed-app', name: 'Changed app', base_url: sink.url, methods: [{ method: 'BASIC' }] },
  });
  const { connection_id } = await service.call('connectionCreate', { body: { app: 'changed-app', name: 'Ledger' } });
  const params = { trigger_id, destination_id };

  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destination_id}`);
  await expect(field(page, 'Name')).toHaveValue('erp');
  await service.call('destinationUpdate', { params, body: { name: 'erp 2', headers: { 'x-a': '1' } } });
  await expect(field(page, 'Name')).toHaveValue('erp 2');
  await field(page, 'Name').fill('typed');
  await service.call('destinationUpdate', { params, body: { url: `${sink.url}/elsewhere` } });
  await expect(notice(page, 'destination')).toBeVisible();
  await press(page, 'Keep my edits');
  await expect(field(page, 'Name')).toHaveValue('typed');
  await press(page, 'Save changes');
  await expect(page.getByRole('heading', { name: 'typed' })).toBeVisible();
  const { destination } = await service.call('destinationGet', { params });
  expect(destination).toMatchObject({ name: 'typed', url: `${sink.url}/elsewhere` });

  await page.goto(`${service.url}/functions/${function_id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('changed-elsewhere');
  await service.call('functionUpdate', { params: { function_id }, body: { description: 'First' } });
  await expect(field(page, 'Description')).toHaveValue('First');
  await field(page, 'Name').fill('typed-name');
  await service.call('functionUpdate', { params: { function_id }, body: { description: 'Second' } });
  await expect(notice(page, 'function')).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('typed-name');
  // saved without a choice: only the edited fields are sent
  await press(page, 'Save settings');
  await expect(field(page, 'Description')).toHaveValue('Second');
  const saved = await service.call('functionGet', { params: { function_id } });
  expect(saved.function).toMatchObject({ name: 'typed-name', description: 'Second' });
  await expect(page.getByText('This function was changed')).toBeHidden();

  await page.goto(`${service.url}/connections/${connection_id}/settings`);
  await expect(field(page, 'Name')).toHaveValue('Ledger');
  await service.call('connectionUpdate', { params: { connection_id }, body: { name: 'Ledger 2' } });
  await expect(field(page, 'Name')).toHaveValue('Ledger 2');
  await field(page, 'Name').fill('typed');
  await service.call('connectionUpdate', { params: { connection_id }, body: { metadata: { team: 'sales' } } });
  await expect(notice(page, 'connection')).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('typed');
  await press(page, 'Reload');
  await expect(field(page, 'Name')).toHaveValue('Ledger 2');
  await expect(field(page, 'Metadata')).toHaveValue(/"team": "sales"/);

  await page.goto(`${service.url}/connections/apps/changed-app/edit`);
  await expect(field(page, 'Name')).toHaveValue('Changed app');
  await service.call('appUpdate', { params: { app: 'changed-app' }, body: { name: 'App 2' } });
  await expect(field(page, 'Name')).toHaveValue('App 2');
  await field(page, 'Name').fill('Typed app');
  await service.call('appUpdate', { params: { app: 'changed-app' }, body: { docs_url: 'https://example.com/docs' } });
  await expect(notice(page, 'app')).toBeVisible();
  await press(page, 'Save changes');
  await expect(page).toHaveURL(/\/connections\/apps\/changed-app$/);
  const { app } = await service.call('appGet', { params: { app: 'changed-app' } });
  expect(app.definition).toMatchObject({ name: 'Typed app', docs_url: 'https://example.com/docs' });
});

test('keys, members and replays update when they change elsewhere', async ({ signedIn: page, service, sink }) => {
  const { trigger_id } = await nightlyTrigger(service, sink);
  await page.goto(`${service.url}/settings/keys`);
  const { api_key } = await service.call('apiKeyCreate', { body: { name: 'made elsewhere' } });
  const row = page.getByRole('row').filter({ hasText: 'made elsewhere' });
  await expect(row).toBeVisible();
  await service.call('apiKeyDelete', { params: { key_id: api_key.key_id } });
  await expect(row).toBeHidden();

  await page.goto(`${service.url}/settings/members`);
  await expect(page.getByRole('row').filter({ hasText: 'mira@example.com' })).toBeVisible();
  const invited = await page.request.post(`${service.url}/api/account/members`, {
    data: { email: 'jo@example.com', role: 'VIEWER' },
    headers: { origin: service.url },
  });
  expect(invited.ok(), await invited.text()).toBe(true);
  await expect(page.getByRole('row').filter({ hasText: 'jo@example.com' })).toBeVisible();

  for (const _ of [1, 2, 3, 4]) await service.call('triggerTest', { params: { trigger_id } });
  const { replay } = await service.call('replayCreate', { body: { filter: { trigger_id }, rate_per_second: 0.1 } });
  const params = { replay_id: replay?.replay_id ?? '' };
  await service.call('replayPause', { params });
  await page.goto(`${service.url}/replays/${params.replay_id}`);
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await service.call('replayCancel', { params });
  await expect(page.getByRole('button', { name: /Retry still-failing/ })).toBeVisible();
});

test('renaming the account keeps unsaved input in another tab', async ({ signedIn: page, context, service }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(`${service.url}/settings/account`);
  const before = await field(page, 'Name').inputValue();
  await field(other, 'Name').fill('Renamed account');
  await press(other, 'Rename account');
  await expect(field(page, 'Name')).toHaveValue('Renamed account');

  await field(page, 'Name').fill('Typed here');
  await field(other, 'Name').fill(before);
  await press(other, 'Rename account');
  await expect(page.getByRole('status').filter({ hasText: 'This account was changed' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Typed here');
  await press(page, 'Reload');
  await expect(field(page, 'Name')).toHaveValue(before);
  await expect(other.getByText('This account was changed')).toBeHidden();
});

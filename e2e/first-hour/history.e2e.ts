/** The history of resources: what was changed, on which page, and the undo while nothing was changed since. */
import { expect, test } from '../support/fixtures.ts';

test('a change of a trigger is in its history, and is undone with the ordinary operation', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { source: 'webhook', event_type: 'webhook.received', name: 'orders' },
  });
  const params = { trigger_id: trigger.trigger_id };
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('orders of the shop');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  // by key, as what is above it may still load and move it
  await page.getByText('History', { exact: true }).press('Enter');
  const history = page.getByRole('list', { name: 'History' });
  const change = history.getByRole('listitem').filter({ hasText: 'orders of the shop' });
  await expect(change).toContainText('Update a trigger');
  await expect(change).toContainText(`on /triggers/${trigger.trigger_id}/settings`);
  await expect(change).toContainText('name');
  await axe('the history of a trigger');
  await change.getByRole('button', { name: 'Undo' }).click();
  await expect(name).toHaveValue('orders');
  expect((await service.call('triggerGet', { params })).trigger.name).toBe('orders');

  // what was changed again since is left as it is
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await expect(history.getByRole('button', { name: 'Undo' }).nth(1)).toHaveAccessibleDescription(
    'name has been changed again since.',
  );

  // the audit log names and links it
  await page.getByRole('link', { name: 'Open in the audit log' }).click();
  const row = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1);
  await expect(row).toContainText('Update a trigger · name');
  await row.getByRole('link', { name: 'orders' }).click();
  await expect(page).toHaveURL(`${service.url}/triggers/${trigger.trigger_id}/settings`);
});

test('a status and a pause are undone as with their button, unless the service has disabled since', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'webhook',
      event_type: 'webhook.received',
      name: 'returns',
      destinations: [{ url: `${sink.url}/hook/returns`, name: 'returns-erp' }],
    },
  });
  const { trigger_id } = trigger;
  const destination_id = trigger.destinations[0]?.destination_id ?? '';
  const history = page.getByRole('list', { name: 'History' });
  const undoOf = (text: RegExp) =>
    history.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Undo' });

  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  const enabled = page.getByRole('switch', { name: 'returns: enabled' });
  await page.getByText('History', { exact: true }).press('Enter');
  await enabled.click();
  await undoOf(/ENABLED\s+DISABLED/).click();
  await expect(enabled).toBeChecked();
  const now = await service.call('triggerGet', { params: { trigger_id } });
  expect(now.trigger.status).toBe('ENABLED');
  await expect(undoOf(/ENABLED\s+DISABLED/)).toHaveAccessibleDescription('status has been changed again since.');

  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destination_id}`);
  await page.getByText('History', { exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await undoOf(/false\s+true/).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await undoOf(/ENABLED\s+DISABLED/).click();
  await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible();
  const params = { trigger_id, destination_id };
  const destination = async () => (await service.call('destinationGet', { params })).destination;
  expect(await destination()).toMatchObject({ status: 'ENABLED', paused_at: null });

  // the same value, but set by the service: the page offers to enable it, the older change does not
  sink.answer(410);
  await service.call('triggerTest', { params: { trigger_id } });
  await expect.poll(async () => (await destination()).reason).toBe('GONE');
  sink.answer(200);
  await expect(undoOf(/ENABLED\s+DISABLED/)).toHaveAccessibleDescription('It has been disabled automatically since.');
});

test('members, keys, apps, connections, functions, destinations and saved searches have a history', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const files = { 'index.ts': 'export default { fetch: () => new Response() };' };
  const made = await service.call('functionCreate', { body: { name: 'old-times', runtime: 'nodejs24.x', files } });
  const { function_id } = made.function;
  await service.call('functionUpdate', { params: { function_id }, body: { timeout_seconds: 7 } });
  const app = 'history-ledger';
  await service.call('appCreate', {
    body: {
      app,
      name: 'Ledger',
      base_url: sink.url,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
    },
  });
  await service.call('appUpdate', { params: { app }, body: { name: 'The ledger' } });
  const { connection_id } = await service.call('connectionCreate', { body: { app } });
  await service.call('connectionUpdate', { params: { connection_id }, body: { name: 'Books' } });
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'webhook',
      event_type: 'webhook.received',
      destinations: [{ url: `${sink.url}/a`, name: 'erp' }],
    },
  });
  const { trigger_id } = trigger;
  const destination_id = trigger.destinations[0]?.destination_id ?? '';
  await service.call('destinationUpdate', { params: { trigger_id, destination_id }, body: { name: 'new erp' } });
  const { saved_search } = await service.call('savedSearchCreate', { body: { name: 'calls', q: '"fetch"' } });
  const search = { saved_search_id: saved_search.saved_search_id };
  await service.call('savedSearchUpdate', { params: search, body: { name: 'all calls' } });
  const { api_key } = await service.call('apiKeyCreate', { body: { name: 'deploys' } });
  await service.call('apiKeyUpdate', { params: { key_id: api_key.key_id }, body: { name: 'all deploys' } });

  const history = page.getByRole('list', { name: 'History' });
  for (const [path, text] of [
    [`/functions/${function_id}/settings`, 'timeout_seconds'],
    [`/connections/apps/${app}`, 'The ledger'],
    [`/connections/${connection_id}/settings`, 'Books'],
    [`/triggers/${trigger_id}/destinations/${destination_id}`, 'new erp'],
  ] as const) {
    await page.goto(service.url + path);
    await page.getByText('History', { exact: true }).press('Enter');
    await expect(history, path).toContainText(text);
  }
  await page.goto(`${service.url}/functions/search`);
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await page.getByRole('dialog').getByText('History', { exact: true }).press('Enter');
  await expect(history).toContainText('all calls');
  await page.goto(`${service.url}/settings/keys`);
  await page.getByRole('button', { name: 'Actions for all deploys' }).click();
  await page.getByRole('menuitem', { name: /^(Change|Edit)/ }).click();
  await page.getByRole('dialog').getByText('History', { exact: true }).press('Enter');
  await expect(history).toContainText('all deploys');
  await page.goto(`${service.url}/settings/members`);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'History…' }).click();
  await expect(history).toBeVisible();
});

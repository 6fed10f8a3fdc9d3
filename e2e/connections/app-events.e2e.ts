/** A custom app that sends webhooks: configured, used by a trigger, registered and edited. */
import { createHmac } from 'node:crypto';
import { type HookApp, startHookApp } from '../../server/triggers/test/hook-apps.ts';
import { complete, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

let api: HookApp;
test.beforeAll(async () => {
  api = await startHookApp('github');
});
test.afterAll(() => api.close());

const BODY = {
  name: 'web',
  events: '{events}',
  config: { url: '{url}', content_type: 'json', secret: '{secret}' },
};

test('events of a custom app are configured, and its webhook is registered automatically', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  // the API's rejection of an invalid value
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await page.goto(`${service.url}/connections/new?custom=on`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Code forge');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(api.url);
  const sends = page.getByRole('region', { name: 'Webhooks' });
  await sends.getByRole('checkbox', { name: /^Sends webhooks/ }).check();
  await sends.getByRole('textbox', { name: 'Verification header' }).fill('X-Hub-Signature-256');
  await sends.getByRole('textbox', { name: 'Prefix' }).fill('sha256=');
  await sends.getByLabel('Event type location').selectOption('header');
  await sends.getByRole('textbox', { name: 'Header', exact: true }).fill('X-GitHub-Event');
  await sends.getByLabel('Event ID location').selectOption('body');
  await sends.getByRole('textbox', { name: 'Path', exact: true }).fill('delivery..id');
  const first = sends.getByRole('group', { name: 'Event type 1' });
  await first.getByRole('textbox', { name: 'Event type' }).fill('push');
  await first.getByRole('textbox', { name: 'Sample payload' }).fill('{ "ref": "refs/heads/main" ');
  await sends.getByRole('checkbox', { name: /^Register webhooks/ }).check();
  await sends.getByRole('textbox', { name: 'Create path (POST)' }).fill('/repos/acme/site/hooks');
  await sends.getByRole('textbox', { name: 'Request body' }).fill(JSON.stringify({ ...BODY, '{who}': 1 }));
  await sends.getByRole('textbox', { name: 'List path (GET)' }).fill('/repos/acme/site/hooks?per_page=100');
  await sends.getByRole('textbox', { name: 'URL in an item' }).fill('config.url');
  await sends.getByRole('textbox', { name: 'Delete path (DELETE)' }).fill('/repos/acme/site/hooks/{id}');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  const id = sends.getByRole('textbox', { name: 'Path', exact: true });
  await expect(id).toHaveAccessibleDescription(/a path such as/);
  await expect(id).toBeFocused();
  await expect(first.getByRole('textbox', { name: 'Sample payload' })).toHaveAccessibleDescription(/a JSON object/);
  await axe('a custom app that sends, with mistakes');
  await id.fill('delivery');
  await first.getByRole('textbox', { name: 'Sample payload' }).fill('{ "ref": "refs/heads/main", "delivery": "d1" }');
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  // API validation errors are shown at their field too
  const body = sends.getByRole('textbox', { name: 'Request body' });
  await expect(body).toHaveAccessibleDescription(/unknown placeholder \{who\}/i);
  await body.fill(JSON.stringify(BODY));
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Code forge' })).toBeFocused();
  await axe('the page of a custom app that sends');

  const connection_id = await makeConnection(service, 'code-forge', 'our forge');
  await complete(service, connection_id);
  await page.getByRole('link', { name: 'New trigger' }).click();
  await page.getByLabel('Connection', { exact: false }).selectOption({ label: 'our forge (active)' });
  await page.getByText('Sample event of type code-forge.push').click();
  await expect(page.getByRole('tree', { name: 'Sample of code-forge.push' })).toContainText('refs/heads/main');
  await page.getByLabel('URL', { exact: true }).fill(`${sink.url}/forge`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('forge');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByText('Registered', { exact: true })).toBeVisible();
  const [hook] = api.hooks;
  expect(hook).toMatchObject({ place: '/repos/acme/site/hooks', events: ['push'] });

  const payload = '{"ref":"refs/heads/main","delivery":"d2"}';
  const signature = createHmac('sha256', hook?.secret ?? '')
    .update(payload)
    .digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'x-github-event': 'push' };
  for (const _ of [1, 2])
    expect((await fetch(hook?.url ?? '', { method: 'POST', headers, body: payload })).status).toBe(200);
  await page.getByRole('link', { name: 'Open the trigger' }).click();
  await expect(page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row')).toHaveCount(1);
});

test('events of a custom app are edited; event types in use by a trigger stay', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const type = (event_type: string) => ({ event_type, sample: { type: event_type } });
  await service.call('appCreate', {
    body: {
      app: 'ledger-events',
      name: 'Ledger',
      base_url: api.url,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
      events: {
        signature: { kind: 'token', header: 'X-Token' },
        name: { body: 'type' },
        types: [type('booked'), type('settled')],
      },
    },
  });
  await service.call('triggerCreate', { body: { name: 'booked', source: 'ledger-events', event_type: 'booked' } });
  await page.goto(`${service.url}/connections/apps/ledger-events/edit`);
  const sends = page.getByRole('region', { name: 'Webhooks' });
  await expect(sends.getByRole('textbox', { name: 'Verification header' })).toHaveValue('X-Token');
  await sends.getByRole('button', { name: 'Remove event type 1' }).click();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(
    sends.getByRole('alert').getByText(/Expected booked among them, as a trigger uses ledger-events.booked/),
  ).toBeVisible();
  await axe('event types that are waited for');
  await sends.getByRole('button', { name: 'Add event type' }).click();
  const second = sends.getByRole('group', { name: 'Event type 2' });
  await second.getByRole('textbox', { name: 'Event type' }).fill('booked');
  await second.getByRole('textbox', { name: 'Sample payload' }).fill('{ "type": "booked", "total": 3 }');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeFocused();
  const { app } = await service.call('appGet', { params: { app: 'ledger-events' } });
  expect(app.definition?.events?.types.map(({ event_type }) => event_type)).toEqual(['settled', 'booked']);
  expect(app.definition?.events?.signature).toEqual({ kind: 'token', header: 'X-Token' });
});

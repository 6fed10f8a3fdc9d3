/**
 * Every ID opens its resource: from the palette, from the search boxes of Events and Runs; a host opens code search.
 */
import { expect, test } from './support/fixtures.ts';
import { make } from './support/functions.ts';
import { KEY, type RunningService } from './support/service.ts';

const YEARLY = { cron_expression: '0 0 1 1 *' };

async function delivered(service: RunningService, url: string) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly export',
      parameters: YEARLY,
      destinations: [{ url, name: 'orders' }],
    },
  });
  const { trigger_id } = trigger;
  const { event } = await service.call('triggerTest', { params: { trigger_id }, body: {} });
  return { trigger, event, delivery: event.deliveries[0], destination: trigger.destinations[0] };
}

test('an ID pasted into the palette opens its page with Enter', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger, event, delivery, destination } = await delivered(service, sink.url);
  const fn = await make(service, 'summing');
  const { run } = await service.call('functionInvoke', {
    params: { function_id: fn.function_id },
    body: { body: '{"items":[1]}' },
  });
  const { api_key } = await service.call('apiKeyCreate', { body: { name: 'CI' } });
  const events = `/events/${trigger.trigger_id}/${event.event_id}`;
  const leads: [id: string | undefined, option: RegExp, path: string][] = [
    [event.event_id, /^Event schedule\.elapsed/, events],
    [delivery?.delivery_id, /^Delivery orders/, `${events}?delivery=${delivery?.delivery_id}`],
    [trigger.trigger_id, /^Trigger Nightly export/, `/triggers/${trigger.trigger_id}/events`],
    [
      destination?.destination_id.toUpperCase(),
      /^Destination orders/,
      `/triggers/${trigger.trigger_id}/destinations/${destination?.destination_id}`,
    ],
    [`  ${fn.function_id} `, /^Function summing/, `/functions/${fn.function_id}`],
    [run.run_id, /^Run POST \//, `/functions/${fn.function_id}/runs/${run.run_id}`],
    [api_key.key_id, /^API key CI/, '/settings/keys'],
  ];
  await page.goto(`${service.url}/settings/members`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [id, option, path] of leads) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(id ?? '');
    const first = page.getByRole('option').first();
    await expect(first).toHaveAccessibleName(option);
    if (path === events) await axe('the palette with an id');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(service.url + path);
  }

  // the ID of an API request opens its change in the audit log
  await fetch(`${service.url}/api/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-request-id': 'deploy-4711' },
    body: JSON.stringify({ name: 'from a script' }),
  });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('deploy-4711');
  await expect(page.getByRole('option').first()).toHaveAccessibleName(/^Audit entry apiKeyCreate/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/settings/audit?request=deploy-4711`);
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(2);
});

test('the search boxes of Events and Runs open the page of an ID', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger, event, delivery } = await delivered(service, sink.url);
  await page.goto(`${service.url}/events`);
  await page.getByRole('textbox', { name: 'Payload' }).fill(delivery?.delivery_id ?? '');
  await expect(page.getByRole('link', { name: /orders/ }).first()).toBeVisible();
  await axe('an id in the search box of Events');
  await page.getByRole('textbox', { name: 'Payload' }).press('Enter');
  await expect(page).toHaveURL(
    `${service.url}/events/${trigger.trigger_id}/${event.event_id}?delivery=${delivery?.delivery_id}`,
  );

  const fn = await make(service, 'looked-up');
  const { run } = await service.call('functionInvoke', {
    params: { function_id: fn.function_id },
    body: { body: '{"items":[1]}' },
  });
  await page.goto(`${service.url}/runs`);
  await page.getByRole('textbox', { name: 'Search runs' }).fill(run.run_id);
  // Enter may be pressed before the ID is resolved
  await page.getByRole('textbox', { name: 'Search runs' }).press('Enter');
  await expect(page).toHaveURL(`${service.url}/functions/${fn.function_id}/runs/${run.run_id}`);
});

test('a host in the palette searches public code at once', async ({ signedIn: page, service }) => {
  await service.call('functionCreate', {
    body: {
      name: 'caller',
      runtime: 'nodejs24.x',
      visibility: 'PUBLIC',
      files: { 'index.ts': "export default { fetch: () => fetch('https://api.shop.example/v1/orders') };" },
    },
  });
  await page.goto(`${service.url}/settings/members`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('https://api.shop.example/v1');
  await expect(page.getByRole('option').first()).toHaveAccessibleName(
    /^All results for "api\.shop\.example\/v1".*1 hit/,
  );
  await expect(page.getByRole('option', { name: /caller index\.ts:1/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/functions\/search\?q=%22api\.shop\.example%2Fv1%22&owner=ALL/);
});

test('failed counts link to the failed runs, and Runs filters by function, version, caller and text', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const fn = await make(service, 'picky');
  const { function_id } = fn;
  const call = (body: string, path = '/') =>
    service.call('functionInvoke', { params: { function_id }, body: { body, path } });
  await call('{"items":[1]}', '/first');
  const { run: failed } = await call('{"items":[]}', '/second');
  const other = await make(service, 'easy');
  await service.call('functionInvoke', { params: { function_id: other.function_id }, body: { body: '{"items":[2]}' } });
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('rowgroup').last().getByRole('row');

  await page.goto(`${service.url}/functions`);
  await page.getByRole('link', { name: /failed: 1 run of picky$/ }).click();
  await expect(page).toHaveURL(`${service.url}/functions/${function_id}/runs?status=FAILED&since=24h`);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('no items to sum');

  await page.goto(`${service.url}/runs`);
  await page.getByRole('button', { name: 'Function', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'picky' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: '1 failed', exact: true }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filter Status: Failed' }).click();
  await page.getByRole('textbox', { name: 'Search runs' }).fill('/FIRST');
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Runs over time' })).toContainText('Runs in the last hour: 1');
  await page.getByRole('button', { name: 'Called by', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Invoke API' }).click();
  await page.getByRole('button', { name: 'Version', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'v1' }).click();
  await expect(page).toHaveURL(new RegExp(`/runs\\?function=${function_id}&q=%2FFIRST&caller=API&version=1$`));
  await expect(rows).toHaveCount(1);
  await axe('runs with every filter');
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole('textbox', { name: 'Search runs' }).fill('nowhere to be found');
  await expect(page.getByText('No runs match')).toBeVisible();
  expect(failed.status).toBe('ERROR');
});

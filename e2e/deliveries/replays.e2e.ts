/** Bulk replays: previewed, stopped by a canary, paused, canceled, with their outcomes; and the chain of one event. */
import type { Page } from '@playwright/test';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdResponse } from '../support/held-response.ts';
import { sendEvents } from '../support/send-events.ts';
import type { RunningService } from '../support/service.ts';

/** Logs a line and calls an app through the gateway. */
const ASKING = `export default {
  async fetch(request: Request): Promise<Response> {
    console.log('asking the ledger, ' + request.method);
    const answer = await fetch(process.env.GATEWAY_URL + '/chain-ledger/v1/orders', {
      headers: { authorization: 'Bearer ' + process.env.GATEWAY_TOKEN },
    });
    return Response.json({ ledger: answer.status });
  },
};
`;

const panel = (page: Page) => page.getByRole('complementary').last();
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody').getByRole('row');

/** A schedule that does not fire, with one destination without retries. */
async function makeTrigger(service: RunningService, name: string, url: string) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: 'erp', url, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  return { trigger_id, destination_id: trigger.destinations[0]?.destination_id ?? '' };
}

/** Expects this many events of the trigger to have this status. */
async function expectAll(service: RunningService, trigger_id: string, status: string, count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { events } = await service.call('eventListAll', { query: { trigger_id, status, limit: '100' } });
      return events.length;
    })
    .toBe(count);
}

test('all failed events of a filter are replayed in four clicks, after a preview', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id, destination_id } = await makeTrigger(service, 'four-clicks', `${sink.url}/broken/four`);
  await sendEvents(service, trigger_id, 4);
  await expectAll(service, trigger_id, 'FAILED', 4);
  await service.call('destinationUpdate', {
    params: { trigger_id, destination_id },
    body: { url: `${sink.url}/four`, body_template: '{ "order": "{{ payload.order }}", "again": true }' },
  });

  await page.goto(`${service.url}/events?trigger=${trigger_id}`);
  await expect(rows(page, 'Events')).toHaveCount(4);
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Failed' }).click();
  await page.getByRole('button', { name: 'Replay matching…' }).click();
  const bulk = panel(page);
  await expect(bulk.getByText('4 deliveries of 4 events')).toBeVisible();
  const differences = bulk.getByRole('table').first();
  await expect(differences).toContainText(`was: POST ${sink.url}/broken/four`);
  await expect(differences).toContainText(`now: POST ${sink.url}/four`);
  await expect(differences).toContainText('"again": true');
  await axe('the dry run of a bulk replay');
  const address = page.url();
  await bulk.getByRole('button', { name: 'Replay 4 deliveries' }).click();

  await expect(page.getByText('Replaying 4 deliveries')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  // it is offered for a few seconds, however long the replay takes
  await page.getByRole('button', { name: 'Open replay' }).click();
  const { replays } = await service.call('replayList');
  await expect(page).toHaveURL(`${service.url}/replays/${replays[0]?.replay_id}`);
  await expectAll(service, trigger_id, 'SUCCEEDED', 4);
  await expect(page.getByText('4 of 4 deliveries done: 4 succeeded, 0 failed')).toBeVisible();
  await expect(page.getByText('Completed')).toBeVisible();

  await page.getByRole('button', { name: '4 was failed, is now succeeded' }).click();
  await expect(page).toHaveURL(/before=FAILED&after=SUCCEEDED/);
  await expect(rows(page, 'Deliveries')).toHaveCount(4);
  await rows(page, 'Deliveries').first().click();
  await expect(panel(page).getByText('Bulk replay')).toBeVisible();
  await expect(panel(page).getByText('Sent by a replay')).toBeVisible();
  await axe('an event beside the deliveries of a replay');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/replays\/[0-9a-f-]{36}\?before=FAILED&after=SUCCEEDED$/);
  await axe('a replay');

  await page.getByRole('link', { name: 'Its events' }).click();
  await expect(rows(page, 'Events')).toHaveCount(4);
  await page.getByRole('button', { name: /^Clear filter Replay/ }).click();
  await expect(page).toHaveURL(`${service.url}/events`);
});

test('a canary stops a replay that fails again, and the failed deliveries are retried after a fix', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id, destination_id } = await makeTrigger(service, 'canary', `${sink.url}/broken/canary`);
  await sendEvents(service, trigger_id, 3);
  await expectAll(service, trigger_id, 'FAILED', 3);
  await page.goto(`${service.url}/events?trigger=${trigger_id}&status=FAILED&bulk=all`);
  const bulk = panel(page);
  await bulk.getByRole('textbox', { name: 'Canary' }).fill('1000');
  await expect(bulk.getByRole('alert').getByText('Enter a whole number up to 100.')).toBeVisible();
  await bulk.getByRole('textbox', { name: 'Canary' }).fill('2');
  await bulk.getByRole('button', { name: 'Replay 3 deliveries' }).click();
  await page.getByRole('button', { name: 'Open replay' }).click();
  await expect(page.getByText('2 of the first 2 deliveries failed again.')).toBeVisible();
  await expect(page.getByText('1 delivery was not changed.')).toBeVisible();
  await axe('a replay that its canary stopped');

  await service.call('destinationUpdate', {
    params: { trigger_id, destination_id },
    body: { url: `${sink.url}/canary` },
  });
  const stopped = page.url();
  await page.getByRole('button', { name: 'Retry still-failing (3)' }).click();
  await expect(page.getByText('3 of 3 deliveries done: 3 succeeded, 0 failed')).toBeVisible();
  expect(page.url()).not.toBe(stopped);
  await page.goBack();
  await expect(page).toHaveURL(stopped);
});

test('a replay is paused, resumed and canceled while it is in progress', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await makeTrigger(service, 'slow-pace', `${sink.url}/slow-pace`);
  await sendEvents(service, trigger_id, 12);
  await expectAll(service, trigger_id, 'SUCCEEDED', 12);
  const { replay } = await service.call('replayCreate', { body: { filter: { trigger_id }, rate_per_second: 0.2 } });
  await page.goto(`${service.url}/replays`);
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Replays')).toHaveCount(1);
  const link = rows(page, 'Replays').first().getByRole('link');
  await expect(link).toHaveText('slow-pace → erp');
  await expect(rows(page, 'Replays').first()).toContainText(/12 from \d\d:\d\d:\d\d/);
  await axe('the list of replays');
  await link.click();
  await expect(page).toHaveURL(`${service.url}/replays/${replay?.replay_id}`);
  await expect(page.getByText('Running')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await axe('a paused replay');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Running')).toBeVisible();
  // it resumes, and the page follows
  await expect(page.getByText(/^[2-9] of 12 deliveries done/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(page.getByText('Canceled')).toBeVisible();
  await expect(page.getByRole('button', { name: /Retry still-failing/ })).toHaveAccessibleDescription(
    'No delivery of this replay has failed.',
  );
});

test('a replay that waits for an open circuit breaker shows the destination and the time', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await makeTrigger(service, 'circuit-open', `${sink.url}/broken-circuit-open`);
  await sendEvents(service, trigger_id, 5);
  await expectAll(service, trigger_id, 'FAILED', 5);
  const { replay } = await service.call('replayCreate', { body: { filter: { trigger_id } } });
  await page.goto(`${service.url}/replays/${replay?.replay_id}`);
  await expect(
    page.getByText(
      /^erp keeps failing: its circuit breaker is open until .*, when a few deliveries are sent as probes\./,
    ),
  ).toBeVisible();
  await axe('a replay that waits for a destination');
});

test('an event is edited and sent as a new event that links to the original', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await makeTrigger(service, 'to-edit', `${sink.url}/to-edit`);
  const [event_id = ''] = await sendEvents(service, trigger_id, 1);
  await expectAll(service, trigger_id, 'SUCCEEDED', 1);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}`);
  await expect(panel(page).getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and resend' });
  const payload = dialog.getByRole('textbox', { name: 'Payload' });
  await payload.fill('{\n  "order": "fixed",\n  oops\n}');
  await expect(dialog.getByRole('alert').getByText('Invalid JSON: see line 3.')).toBeVisible();
  await axe('an event being edited');
  // closing the panel loses nothing
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await panel(page).getByRole('button', { name: 'Edit and resend…' }).click();
  await expect(payload).toHaveValue(/oops/);
  await payload.fill('{ "order": "fixed" }');
  await dialog.getByRole('button', { name: 'Send as new event' }).click();
  await expect(page.getByText('Sent as a new event')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(event_id));
  await page.getByRole('button', { name: 'Open event' }).click();
  await expect(panel(page)).toContainText('Edited copy of');
  await expect.poll(() => sink.received.some(({ body }) => body.includes('fixed'))).toBe(true);
  await panel(page)
    .getByRole('link', { name: new RegExp(event_id.slice(0, 8)) })
    .click();
  await expect(page).toHaveURL(new RegExp(event_id));
  await expect(panel(page)).toContainText('order-001');
});

test('the response to a replay that arrives after the outcome does not replace it', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id, destination_id } = await makeTrigger(service, 'late-response', `${sink.url}/broken/late`);
  const [event_id = ''] = await sendEvents(service, trigger_id, 1);
  await expectAll(service, trigger_id, 'FAILED', 1);
  await service.call('destinationUpdate', {
    params: { trigger_id, destination_id },
    body: { url: `${sink.url}/late` },
  });
  const release = await holdResponse(page, 'POST', /:replay$/);
  await page.goto(`${service.url}/events/${trigger_id}/${event_id}?trigger=${trigger_id}`);
  const row = rows(page, 'Events').first();
  const delivery = panel(page).getByRole('button', { name: /^erp/ });
  await expect(delivery).toContainText('Failed');
  const replay = panel(page).getByRole('button', { name: 'Replay event' });
  await replay.click();
  await expect(delivery).toContainText('Succeeded');
  await expect(row).toContainText('Succeeded');
  await expect(replay).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(replay).not.toHaveAttribute('aria-busy', 'true');
  await expect(delivery).toContainText('Succeeded');
  await expect(row).toContainText('Succeeded');
});

test('numbers that JSON.parse would round are shown, edited and sent unchanged', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id } = await makeTrigger(service, 'long-numbers', `${sink.url}/long-numbers`);
  const sent = parseExactly('{"id":12345678901234567890,"far":1e400,"note":"first"}') as Record<string, unknown>;
  const { event } = await service.call('triggerTest', { params: { trigger_id }, body: { payload: sent } });
  await page.goto(`${service.url}/events`);
  const row = rows(page, 'Events').filter({ hasText: 'long-numbers' });
  await expect(row).toContainText('12345678901234567890 · 1e400 · first');
  await row.getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(event.event_id));
  await expect(panel(page).getByRole('tree', { name: 'Payload' })).toContainText('12345678901234567890');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and resend' });
  const payload = dialog.getByRole('textbox', { name: 'Payload' });
  await expect(payload).toHaveValue('{\n  "id": 12345678901234567890,\n  "far": 1e400,\n  "note": "first"\n}');
  await payload.fill((await payload.inputValue()).replace('first', 'repaired'));
  await dialog.getByRole('button', { name: 'Send as new event' }).click();
  await page.getByRole('button', { name: 'Open event' }).click();
  await expect(page).not.toHaveURL(new RegExp(event.event_id));
  await expect(panel(page).getByRole('tree', { name: 'Payload' })).toContainText('1e400');
  const made = new URL(page.url()).pathname.split('/').at(-1);
  const read = await page.request.get(`${service.url}/api/triggers/${trigger_id}/events/${made}`);
  expect(await read.text()).toContain('"payload":{"id":12345678901234567890,"far":1e400,"note":"repaired"}');
});

test('an event links to its run, log line and gateway call, and back', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await makeApp(service, 'chain-ledger', sink.url);
  const connection_id = await makeConnection(service, 'chain-ledger');
  await complete(service, connection_id);
  const made = await service.call('functionCreate', {
    body: { name: 'chain', runtime: 'nodejs24.x', files: { 'index.ts': ASKING } },
  });
  const { trigger_id } = await makeTrigger(service, 'chain', made.function.url);
  const [event_id = ''] = await sendEvents(service, trigger_id, 1);
  await expectAll(service, trigger_id, 'SUCCEEDED', 1);

  await page.goto(`${service.url}/events/${trigger_id}/${event_id}`);
  const chain = panel(page).getByRole('region', { name: 'Function run' });
  await expect(chain.getByText('asking the ledger, POST')).toBeVisible();
  const call = chain.getByRole('list', { name: 'Gateway calls of the run' }).getByRole('listitem');
  await expect(call).toContainText('GET /v1/orders');
  await expect(call).toContainText('200');
  await expect(chain.getByRole('link', { name: 'v1', exact: true })).toBeVisible();
  await axe('an event with the run it caused');

  await call.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/connections/${connection_id}/calls/`));
  await panel(page).getByRole('link', { name: /^Run/ }).click();
  await expect(page).toHaveURL(new RegExp(`/functions/${made.function.function_id}/runs/`));
  await page.getByRole('link', { name: /^event / }).click();
  await expect(page).toHaveURL(new RegExp(`/events/${trigger_id}/${event_id}`));
});

test('a link to a replay of picked events, none picked, shows the list with usable filters', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id } = await makeTrigger(service, 'picked-link', `${sink.url}/fine`);
  await sendEvents(service, trigger_id, 1);
  await page.goto(`${service.url}/events?trigger=${trigger_id}&bulk=picked`);
  await expect(rows(page, 'Events')).toHaveCount(1);
  await expect(page).toHaveURL(`${service.url}/events?trigger=${trigger_id}`);
  await page.keyboard.press('/');
  await page.keyboard.type('nothing has this');
  await expect(page.getByText('No events match these filters.')).toBeVisible();
});

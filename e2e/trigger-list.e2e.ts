/** What the list of triggers tells, and what leads on from a trigger: missed events, edited copies, its own retries. */
import { expect, test } from './support/fixtures.ts';

const schedule = { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } };

test('the list says how much came, and which destinations fail', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'figures',
      ...schedule,
      destinations: [
        { name: 'shop', url: `${sink.url}/fine` },
        { name: 'erp', url: `${sink.url}/broken/figures`, retry_schedule: [] },
      ],
    },
  });
  for (const _ of [1, 2, 3])
    await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await page.goto(`${service.url}/triggers`);
  const row = page.getByRole('row', { name: /figures/ });
  await expect(
    row.getByRole('img', { name: /3 events in the last 24 h; 3 deliveries succeeded, 3 failed/ }),
  ).toBeVisible();
  await expect(row).toContainText('3 failed');
  await expect(row).toContainText('erp failing');
  await axe('the list of triggers with figures');
});

test('what was missed in a pause is one click away', async ({ signedIn: page, service, sink }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { name: 'paused', ...schedule, destinations: [{ name: 'shop', url: `${sink.url}/fine` }] },
  });
  const params = { trigger_id: trigger.trigger_id };
  await service.call('triggerUpdate', { params, body: { status: 'DISABLED' } });
  await service.call('triggerTest', { params, body: {} });
  await service.call('triggerUpdate', { params, body: { status: 'ENABLED' } });
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/events`);
  await page.getByRole('link', { name: 'Replay missed…' }).click();
  await expect(page.getByRole('heading', { name: 'Replay all events that match' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Skipped' })).toBeChecked();
  await page.getByRole('button', { name: 'Start: 1 delivery' }).click();
  const status = async () => (await service.call('eventList', { params })).events[0]?.outcomes[0]?.status;
  await expect.poll(status).toBe('SUCCEEDED');
});

test('an event leads to its edited copies, and a copy to the event', async ({ signedIn: page, service, sink, axe }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: { name: 'edited', ...schedule, destinations: [{ name: 'shop', url: `${sink.url}/fine` }] },
  });
  const params = { trigger_id: trigger.trigger_id };
  const { event } = await service.call('triggerTest', { params, body: { payload: { n: 1 } } });
  await page.goto(`${service.url}/events/${trigger.trigger_id}/${event.event_id}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'schedule.elapsed' })).toBeVisible();
  const body = { payload: { n: 2 }, replay_of: event.event_id };
  const copy = (await service.call('eventCreate', { params, body })).event;
  const copies = panel.getByRole('region', { name: '1 edited copy' });
  await expect(copies).toBeVisible();
  await axe('an event with an edited copy');
  await copies.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(copy.event_id));
  await expect(panel).toContainText('An edited copy of');
  await panel.getByText('An edited copy of').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(event.event_id));
});

test('a delivery’s time line has its destination’s own schedule', async ({ signedIn: page, service, sink }) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name: 'patient',
      ...schedule,
      destinations: [{ name: 'erp', url: `${sink.url}/broken/patient`, retry_schedule: [3600, 7200] }],
    },
  });
  const { event } = await service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: {} });
  await page.goto(`${service.url}/events/${trigger.trigger_id}/${event.event_id}`);
  const rail = page.getByRole('complementary').getByRole('list', { name: '1 of 3 attempts made' });
  await expect(rail).toContainText('+1 h');
  await expect(rail).toContainText('+2 h');
});

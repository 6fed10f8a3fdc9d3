/** A function that turns events into the requests of a destination: made, edited, tested and deployed in the console. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { editor, write } from '../support/functions.ts';
import { countPresses } from '../support/presses.ts';
import type { RunningService } from '../support/service.ts';

/** On one line: the editor closes brackets at the end of a line that is inserted. */
const codeOf = (body: string) =>
  `export default (call: { body: string }) => { const event = JSON.parse(call.body); ${body} };`;

async function destinationOf(service: RunningService, name: string, url: string, payloads: Record<string, unknown>[]) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name,
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url, name }],
    },
  });
  const { trigger_id } = trigger;
  const { destination_id = '' } = trigger.destinations[0] ?? {};
  for (const payload of payloads) await service.call('triggerTest', { params: { trigger_id }, body: { payload } });
  return { trigger_id, destination_id, path: `/triggers/${trigger_id}/destinations/${destination_id}` };
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let steps = 0; steps < 100; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, 'the focus after a hundred Tabs').toBeFocused();
}

test('a transformation is made, tested with the last events and deployed with the keyboard alone', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  const { trigger_id, path } = await destinationOf(service, 'by-keys', `${sink.url}/transformed`, [
    { id: 1, state: 'paid' },
    { id: 2, state: 'draft' },
  ]);
  const pressed = await countPresses(page);
  await page.goto(service.url + path);
  const panel = page.getByRole('complementary', { name: 'by-keys' });
  await tabTo(page, panel.getByRole('link', { name: 'Transform events…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Transform events' })).toBeVisible();
  await axeInBothSchemes('the choice of a function');
  await tabTo(page, page.getByRole('button', { name: 'Create and edit' }));
  await page.keyboard.press('Enter');
  const cases = page.getByRole('region', { name: 'Test cases' });
  await expect(cases.getByRole('status').first()).toContainText(
    'Tested v1 with the last 2 events: 2 sent, 0 skipped, 0 failed.',
  );
  await expect(cases.getByRole('button').first()).toContainText('unchanged');

  await expect(editor(page)).toBeAttached();
  await write(
    page,
    codeOf(
      `console.log('order', event.data.id);  if (event.data.state === 'draft') return null;  return { method: 'PUT', path: event.request.path + '/' + event.data.id, body: { id: event.data.id } };`,
    ),
  );
  await expect(cases.getByRole('status').first()).toHaveText('The code changed since this test.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(cases.getByRole('status').first()).toContainText('1 sent, 1 skipped, 0 failed. Nothing was delivered.');
  const [draft, paid] = [cases.getByRole('button').nth(0), cases.getByRole('button', { name: /Sent$/ })];
  await expect(draft).toContainText('Skipped');
  // lets Tab leave the editor
  await page.keyboard.press('Escape');
  await tabTo(page, paid);
  await page.keyboard.press('Enter');
  await expect(cases.getByRole('table')).toContainText(`PUT ${sink.url}/transformed/1`);
  await expect(cases.getByText('INFO  order 1')).toBeVisible();
  await axeInBothSchemes('a tested transformation');
  const arrived = () => sink.received.filter((each) => each.path.startsWith('/transformed/'));
  expect(arrived()).toEqual([]);

  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Version 2 is live')).toBeVisible();
  await expect(cases.getByRole('status').first()).toContainText(
    'Tested v2 with the last 2 events: 1 sent, 1 skipped, 0 failed.',
  );
  const { event } = await service.call('triggerTest', { params: { trigger_id }, body: { payload: { id: 7 } } });
  await expect.poll(arrived).toMatchObject([{ method: 'PUT', path: '/transformed/7', body: '{"id":7}' }]);
  expect((await pressed()).presses).toBe(0);

  await page.goto(`${service.url}/triggers/${trigger_id}/events/${event.event_id}`);
  const attempt = page.getByRole('complementary').getByText('Transformed by');
  await expect(attempt).toContainText('Transform for by-keys');
  await expect(attempt).toContainText('v2');
  await attempt.getByRole('link', { name: 'run', exact: true }).click();
  await expect(page.getByRole('link', { name: /^transformation of event .*, attempt 1$/ })).toBeVisible();
});

test('a skipped event says why, and a failing function is an attempt with its error', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id, destination_id } = await destinationOf(service, 'erp', `${sink.url}/erp`, []);
  const { function: fn } = await service.call('functionCreate', {
    body: {
      name: 'shape-orders',
      runtime: 'nodejs24.x',
      files: { 'index.ts': codeOf(`if (event.data.skip) return null; throw new Error('no customer');`) },
    },
  });
  const params = { trigger_id, destination_id };
  await service.call('destinationUpdate', { params, body: { transform: { function_id: fn.function_id } } });
  const send = async (payload: Record<string, unknown>) =>
    (await service.call('triggerTest', { params: { trigger_id }, body: { payload } })).event.event_id;
  await page.goto(`${service.url}/triggers/${trigger_id}/events/${await send({ skip: true })}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('The transformation returned null, so the event was not sent.')).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Open run: erp' })).toBeVisible();
  await page.goto(`${service.url}/triggers/${trigger_id}/events/${await send({})}`);
  await expect(panel.getByText('The transformation failed, so nothing was sent. Error: no customer')).toBeVisible();
});

test('a chosen version stays, a function in use is removed, and broken code says where', async ({
  signedIn: page,
  service,
  sink,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const { path } = await destinationOf(service, 'pinned', `${sink.url}/pinned`, [{ id: 1 }]);
  const { function: fn } = await service.call('functionCreate', {
    body: { name: 'shape-pinned', runtime: 'nodejs24.x', files: { 'index.ts': codeOf('return {};') } },
  });
  await page.goto(`${service.url}${path}/transform`);
  await page.getByRole('combobox', { name: 'Function' }).selectOption('shape-pinned');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('pinned does not use shape-pinned yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Use for this destination' }).click();
  const version = page.getByRole('combobox', { name: 'Version of the destination' });
  await version.selectOption('Always v1');
  const setting = async () => {
    const [trigger_id = '', destination_id = ''] = path.split('/').filter((part) => part.includes('-'));
    const { destination } = await service.call('destinationGet', { params: { trigger_id, destination_id } });
    return destination.transform;
  };
  await expect.poll(setting).toEqual({ function_id: fn.function_id, version: 1 });
  await expect(editor(page)).toBeAttached();
  await write(page, codeOf('return 1 +;'));
  await page.getByRole('button', { name: /^Test/ }).click();
  await expect(page.getByRole('region', { name: 'Compile errors' })).toContainText('index.ts:1');
  await write(page, codeOf('return { body: 2 };'));
  await page.getByRole('button', { name: /^Deploy/ }).click();
  await expect(page.getByText('Version 2 is live')).toBeVisible();
  await expect.poll(setting).toEqual({ function_id: fn.function_id, version: 2 });
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove transformation' }).click();
  await expect.poll(setting).toBeNull();
});

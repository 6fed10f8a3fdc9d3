/** From a bad night to the receipt: fix the destination of a problem, replay what it affects, and read what arrived. */
import type { Locator } from '@playwright/test';
import { expect, onSeparateService } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import type { RunningService } from '../support/service.ts';

const test = onSeparateService({
  env: { SLUICE_SMTP_HOST: 'localhost', SLUICE_SMTP_FROM: 'Sluice <sluice@example.com>' },
});

/** A trigger whose destination fails with three events. */
async function badNight(service: RunningService, url: string, name: string, failures = 3) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'orders',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name, url, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  for (const id of [1, 2, 3]) await service.call('triggerTest', { params: { trigger_id }, body: { payload: { id } } });
  const [destination] = trigger.destinations;
  const resource_ids = destination?.destination_id ?? '';
  const problems = async () => (await service.call('problemList', { query: { resource_ids } })).problems;
  await expect.poll(async () => (await problems()).map((problem) => problem.failures)).toEqual([failures]);
  const problem_id = (await problems())[0]?.problem_id ?? '';
  return { trigger_id, destination_id: resource_ids, problem_id };
}

test('bad night to receipt in at most 8 clicks', async ({ signedIn: page, service, sink, axeInBothSchemes }) => {
  sink.answer(422, '{"message":"currency is not supported"}');
  await badNight(service, `${sink.url}/hook/old`, 'erp');
  let clicks = 0;
  const click = async (control: Locator) => {
    await control.click();
    clicks++;
  };
  await page.goto(service.url);
  await click(page.getByRole('link', { name: 'Destination “erp” returns 422: currency is not supported' }));
  const fix = page.getByRole('region', { name: 'Fix' });
  await click(fix.getByRole('link', { name: 'Edit destination erp' }));
  const destination = page.getByRole('complementary', { name: 'erp' });
  await destination.getByLabel('URL', { exact: true }).fill(`${sink.url}/hook/new`);
  await click(destination.getByRole('button', { name: 'Save changes' }));
  await expect(destination.getByRole('button', { name: 'Save changes' })).toBeHidden();
  sink.answer(200);
  await page.goBack();
  clicks++;
  await click(page.getByRole('button', { name: 'Replay affected' }));
  const dialog = page.getByRole('dialog', { name: 'Replay affected' });
  await expect(dialog.getByRole('list', { name: 'Destinations' })).toContainText('erp');
  await axeInBothSchemes('the dialog that replays a problem');
  await click(dialog.getByRole('button', { name: 'Replay 3 deliveries' }));
  const replay = page.getByRole('region', { name: 'Replay' });
  await expect(replay.getByRole('status')).toContainText('3 of 3 deliveries done: 3 succeeded, 0 failed');
  await click(replay.getByRole('link', { name: 'Receipt' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Receipt' })).toBeVisible();
  await expect(page.getByText('3 of 3 delivered, 0 twice')).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(8);
  await expect(page.getByText('Final since')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Deliveries' }).getByRole('link')).toHaveCount(3);
  await axeInBothSchemes('a receipt');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^receipt-.*\.csv$/);
  await page.getByRole('link', { name: /^Destination “erp” returns 422/ }).click();
  await expect(page.getByText(/^Resolved by a replay that delivered everything/)).toBeVisible();
});

test('a failing function is fixed with a version that is tried on the failed requests, with the keyboard', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  const code = (total: string) =>
    `export default { async fetch(request: Request) {\n  const { data } = await request.json();\n  return Response.json({ total: ${total} });\n} };\n`;
  const fn = await make(service, 'totals', { 'index.ts': code('data.order.total') });
  // Each run fails, and its delivery.
  const { problem_id } = await badNight(service, fn.url, 'totals', 6);
  await page.goto(`${service.url}/problems/${problem_id}`);
  const fix = page.getByRole('region', { name: 'Fix' });
  const attempt = fix.getByRole('link', { name: 'Try a version of totals' });
  await attempt.press('Enter');
  await expect(page.getByRole('heading', { name: 'No other version' })).toBeVisible();
  await axeInBothSchemes('nothing to try');
  const params = { function_id: fn.function_id };
  await service.call('versionCreate', {
    params,
    body: { files: { 'index.ts': code('data.order?.total ?? 0') }, serve: false },
  });
  await page.goto(`${service.url}/problems/${problem_id}`);
  await attempt.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Try version 2 on past requests' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('2');
  await axeInBothSchemes('a version and the requests of a problem');
  await page.getByRole('button', { name: 'Start' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '3 of 3 requests compared.' })).toBeVisible();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'On requests of a problem' }).press('Enter');
  const shadows = page.getByRole('list', { name: 'Shadows' });
  await shadows.getByRole('link', { name: 'Version 2 on 3 failed requests' }).press('Enter');
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
});

test('a transformation is added from a problem, and an email says why not', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  sink.answer(422, '{"message":"total is required"}');
  const { problem_id, trigger_id } = await badNight(service, `${sink.url}/hook/shape`, 'shape');
  await page.goto(`${service.url}/problems/${problem_id}`);
  const fix = page.getByRole('region', { name: 'Fix' });
  await fix.getByRole('link', { name: 'Add a transformation to shape' }).press('Enter');
  await page.getByRole('button', { name: 'Create and edit' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Deploy' })).toBeVisible();
  await page.goto(`${service.url}/problems/${problem_id}`);
  await expect(fix.getByRole('link', { name: 'Edit the transformation of shape' })).toBeVisible();
  const { destination } = await service.call('destinationCreate', {
    params: { trigger_id },
    body: { url: 'mailto:ops@example.com' },
  });
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destination.destination_id}/transform`);
  await expect(page.getByRole('heading', { name: 'Emails are not transformed' })).toBeVisible();
  await axeInBothSchemes('an email has no transformation');
});

test('which change caused it is found in at most 3 clicks, also at 390 px', async ({
  signedIn: page,
  service,
  sink,
}) => {
  sink.answer(400, '{"message":"moved"}');
  await badNight(service, `${sink.url}/hook/cause`, 'crm');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(service.url);
  await page.getByRole('link', { name: /^Destination “crm” returns 400/ }).press('Enter');
  await expect(page.getByText('“Create a trigger” by', { exact: false }).first()).toBeVisible();
});

test('a replay is started, paused after its canary, and resumed with the keyboard', async ({
  signedIn: page,
  service,
  sink,
}) => {
  sink.answer(500, 'broken');
  const { problem_id } = await badNight(service, `${sink.url}/hook/keys`, 'keys');
  sink.answer(200);
  await page.goto(`${service.url}/problems/${problem_id}`);
  const press = async (control: Locator, key = 'Enter') => {
    await control.focus();
    await expect(control).toBeFocused();
    await page.keyboard.press(key);
  };
  await press(page.getByRole('button', { name: 'Replay affected' }));
  const dialog = page.getByRole('dialog', { name: 'Replay affected' });
  await press(dialog.getByRole('radio', { name: /then all/ }), 'ArrowDown');
  await expect(dialog.getByRole('radio', { name: /then pause/ })).toBeChecked();
  await press(dialog.getByRole('button', { name: 'Replay 3 deliveries' }));
  const replay = page.getByRole('region', { name: 'Replay' });
  await expect(replay.getByRole('status')).toContainText('3 of 3 deliveries done');
  await press(replay.getByRole('link', { name: 'Receipt' }));
  await expect(page.getByText('3 of 3 delivered, 0 twice')).toBeVisible();
});

/** Waiting and missed deliveries of a destination: the same numbers and words on every page. */
import { expect, onSeparateService } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** A separate service: the counts cover only the data of this file. */
const test = onSeparateService();

async function makeTrigger(service: RunningService, name: string, url: string) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      name,
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ name: `${name}-erp`, url, retry_schedule: [] }],
    },
  });
  const { trigger_id } = trigger;
  const [destination] = trigger.destinations;
  return {
    trigger_id,
    at: `/triggers/${trigger_id}/destinations/${destination?.destination_id}`,
    send: async (count: number) => {
      for (let n = 0; n < count; n++)
        await service.call('triggerTest', { params: { trigger_id }, body: { payload: { order: n } } });
    },
  };
}

test('held deliveries are counted on every page, listed, and part of a replay of failed ones', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { at, send } = await makeTrigger(service, 'held', `${sink.url}/broken/held`);
  await send(40);
  await page.goto(service.url);
  const card = page.getByRole('article').filter({ hasText: 'Destination failing' });
  await expect(card).toContainText(/\d+ deliveries waiting, \d+ held, oldest \d+ (s|min)/);
  await axe('the overview with a backlog');
  await page.goto(`${service.url}/triggers`);
  const row = page.getByRole('row', { name: /held/ });
  await expect(row).toContainText(/held-erp failing/);
  await expect(row).toContainText(/\d+ waiting, oldest/);
  await axe('the triggers with a backlog');
  await page.goto(service.url + at);
  await expect(page.getByRole('complementary').getByText('Held by circuit breaker')).toBeVisible();
  await axe('a destination with a backlog');

  await page.goto(`${service.url}/events?status=HELD`);
  await expect(page.getByRole('button', { name: 'Status Held by circuit breaker', exact: true })).toBeVisible();
  // Probes are the oldest, the newest and one between: a row in the middle may be one, but not the next one too.
  await expect(async () => {
    await page.getByRole('row').filter({ hasText: 'Pending' }).nth(10).click();
    const text = page.getByText(/^Held by the circuit breaker, because the destination keeps failing/);
    await expect(text).toBeVisible({ timeout: 5000 });
  }).toPass();
  await page.goto(`${service.url}/events?status=FAILED&bulk=all`);
  const box = page.getByRole('checkbox', { name: /^Include \d+ held deliver/ });
  const start = page.getByRole('button', { name: /^Replay .*deliver/ });
  await expect(start).toBeVisible();
  const before = Number((await start.textContent())?.match(/\d+/)?.[0]);
  await box.check();
  await expect.poll(async () => Number((await start.textContent())?.match(/\d+/)?.[0])).toBeGreaterThan(before);
  await axe('a replay of what failed and what is held');
});

test('a destination that returned 410 has the same label on every page, and is enabled with a replay', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  sink.answer(410);
  const { at, send } = await makeTrigger(service, 'retired', `${sink.url}/hook/retired`);
  await send(1);
  const words = 'Disabled: endpoint returned 410 Gone';
  await page.goto(service.url);
  const card = page.getByRole('article').filter({ hasText: words });
  await expect(card).toContainText('retired-erp');
  await send(3);
  await expect(card).toContainText('3 events skipped since then');
  await page.goto(`${service.url}/triggers`);
  const row = page.getByRole('row', { name: /retired/ });
  await expect(row).toContainText(words);
  await expect(row).toContainText('3 skipped');
  await expect(row).not.toContainText('failing');
  await axe('the triggers with a disabled destination');
  await page.goto(service.url + at);
  await expect(page.getByText(new RegExp(`^${words}\\..*3 events skipped since then`))).toBeVisible();
  await axe('a disabled destination that missed events');

  sink.answer(200);
  await page.getByRole('button', { name: 'Enable and replay skipped…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enable retired-erp and replay skipped events' });
  await expect(dialog).toContainText('the 3 events skipped since it was disabled');
  await axe('the question before a replay of what was missed');
  await dialog.getByRole('button', { name: 'Enable and replay' }).click();
  await expect(page.getByText('retired-erp is enabled, 3 deliveries are replayed')).toBeVisible();
  await expect.poll(() => sink.received.filter(({ path }) => path === '/hook/retired').length).toBe(4);
  await expect(page.getByText(words)).toBeHidden();
});

/** Lists while events arrive: visible rows keep their place, and a tab sends few requests. */
import type { Page } from '@playwright/test';
import { expect, onSeparateService, signIn } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** A separate service: events of other tests would be counted. */
const test = onSeparateService();

/** More changes in one pause of the live stream than a page of the list. */
const BURST = 120;
const BURSTS = 5;
/** Sent together, and few enough that a stream which opens meanwhile resumes without reloading. */
const WHILE_LOADING = 40;

type Load = { trigger_id: string; send(count: number): Promise<void>; arrived(): Promise<void> };

/** A webhook trigger with a destination, and requests to it. */
async function makeLoad(service: RunningService, url: string): Promise<Load> {
  const { trigger } = await service.call('triggerCreate', {
    body: { name: 'orders', source: 'webhook', event_type: 'webhook.received', destinations: [{ name: 'erp', url }] },
  });
  const post = async (number: number) => {
    const response = await fetch(trigger.ingress?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order: `order-${number}` }),
    });
    expect(response.ok).toBe(true);
  };
  let sent = 0;
  return {
    trigger_id: trigger.trigger_id,
    async send(count) {
      const numbers = Array.from({ length: count }, (_, index) => sent + index + 1);
      sent += count;
      await Promise.all(numbers.map(post));
    },
    async arrived() {
      const open = async () => {
        const { triggers } = await service.call('triggerStats', { query: { range: '24h' } });
        return triggers.find(({ trigger_id }) => trigger_id === trigger.trigger_id)?.succeeded;
      };
      await expect.poll(open).toBe(sent);
    },
  };
}

/** API requests of the page, with their times. */
function countRequests(page: Page) {
  let startedAt = performance.now();
  let made: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) made.push(pathname + search.slice(0, 40));
  });
  return {
    restart() {
      startedAt = performance.now();
      made = [];
    },
    made: () => made,
    /** Request budget of a tab: a burst, then two a second after three seconds. */
    allowed: (atOnce: number) => atOnce + Math.max(0, (2 * (performance.now() - startedAt - 3_000)) / 1_000),
  };
}

const list = (page: Page) => page.getByRole('group', { name: 'Events, list' });
const rows = (page: Page) => list(page).locator('tbody').getByRole('row');
const pill = (page: Page) => page.getByRole('button', { name: /new events: show them$/ });

/** Records each position of a row in the middle of the list, frame by frame. */
const followRow = (page: Page) =>
  list(page).evaluate((box) => {
    const middle = box.getBoundingClientRect().top + box.clientHeight / 2;
    const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')];
    const eye = rows.find((row) => row.getBoundingClientRect().top > middle);
    const id = eye?.dataset['row'];
    const places: (number | 'gone')[] = [];
    const look = () => {
      const row = box.querySelector(`[data-row="${id}"]`);
      const at = row ? Math.round(row.getBoundingClientRect().top) : 'gone';
      if (places.at(-1) !== at) places.push(at);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { places });
    return id;
  });
const placesOf = (page: Page) => page.evaluate(() => (window as unknown as { places: unknown[] }).places);

for (const filter of ['', '?status=SUCCEEDED']) {
  test(`what is read stays in its place while hundreds of events arrive${filter && ', in a list with a filter'}`, async ({
    page,
    service,
    sink,
  }) => {
    const load = await makeLoad(service, `${sink.url}/orders`);
    await load.send(200);
    await load.arrived();
    await signIn(page, service);
    await page.goto(`${service.url}/events${filter}`);
    await expect(rows(page).nth(20)).toBeVisible();
    await list(page).hover();
    await page.mouse.wheel(0, 400);
    await expect.poll(() => list(page).evaluate((box) => box.scrollTop)).toBe(400);
    const id = await followRow(page);
    const requests = countRequests(page);
    for (let burst = 1; burst <= BURSTS; burst += 1) {
      await load.send(BURST);
      await load.arrived();
      await expect(pill(page)).toContainText(filter ? /new/ : `${burst * BURST} new`);
    }
    expect(requests.made().length, requests.made().join('\n')).toBeLessThanOrEqual(requests.allowed(10));
    const places = await placesOf(page);
    expect(places, 'the row never moved').toHaveLength(1);
    expect(places[0]).not.toBe('gone');

    await pill(page).click();
    await expect(pill(page)).toBeHidden();
    await expect.poll(() => list(page).evaluate((box) => box.scrollTop)).toBe(0);
    await expect(list(page).locator(`[data-row="${id}"]`)).toHaveCount(0);
  });
}

test('a row that changed out of view is current when it scrolls into view', async ({ page, service, sink }) => {
  sink.answer(422);
  const load = await makeLoad(service, `${sink.url}/hook/orders`);
  await load.send(1);
  await signIn(page, service);
  await page.goto(`${service.url}/triggers/${load.trigger_id}/events`);
  const oldest = rows(page).first();
  await expect(oldest).toContainText('Retrying');
  const id = await oldest.getAttribute('data-row');
  sink.answer(200);
  await load.send(150);
  await page.mouse.move(0, 0);
  await expect(list(page).locator(`[data-row="${id}"]`)).toHaveCount(0);
  const box = list(page);
  await box.hover();
  // down to the row, back to the top, and down once it was replayed
  const toEnd = async () => {
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000);
        return box.locator(`[data-row="${id}"]`).count();
      })
      .toBe(1);
  };
  await toEnd();
  await page.mouse.wheel(0, -20_000);
  await expect(box.locator(`[data-row="${id}"]`)).toHaveCount(0);
  await service.call('eventReplay', { params: { trigger_id: load.trigger_id, event_id: id ?? '' }, body: {} });
  await toEnd();
  await expect(box.locator(`[data-row="${id}"]`)).toContainText('Succeeded');
});

test('the Overview loads with at most ten requests, even while events arrive', async ({ page, service, sink }) => {
  const load = await makeLoad(service, `${sink.url}/orders`);
  await load.send(BURST);
  await signIn(page, service);
  const requests = countRequests(page);
  const arriving = load.send(WHILE_LOADING);
  await page.goto(service.url);
  await expect(page.getByRole('img', { name: /^Delivery latency|How long attempts took/ })).toBeVisible();
  expect(requests.made().length, requests.made().join('\n')).toBeLessThanOrEqual(requests.allowed(10));

  // afterwards the page updates within its budget
  await arriving;
  await load.arrived();
  requests.restart();
  for (let burst = 0; burst < BURSTS; burst += 1) {
    await load.send(BURST);
    await load.arrived();
  }
  const latest = page.getByRole('region', { name: 'Latest events' });
  const { events } = await service.call('eventListAll', { query: { limit: '1' } });
  await expect(latest.locator(`a[href$="${events[0]?.event_id}"]`)).toBeVisible();
  expect(requests.made().length, requests.made().join('\n')).toBeLessThanOrEqual(requests.allowed(10));
});

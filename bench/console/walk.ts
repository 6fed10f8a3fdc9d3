/**
 * Measures `j` on the list of events, from the key press to the frame that shows the result, with and without a slowed
 * CPU, with and without an open event panel. Run it with `npm run build && node bench/console/walk.ts`.
 *
 * Times are from the browser's Event Timing API: steps of 8 ms, at least 16 ms.
 */
import type { Page } from '@playwright/test';
import { pause } from '../hosted/host.ts';
import { quantile } from '../quantile.ts';
import { openConsole } from './opened.ts';

const SLOWED = 4;
const EVENTS = 300;
const KEYS = 120;

export type Walk = {
  slowed: number;
  panel: boolean;
  pauseMs: number;
  keys: number;
  p50Ms: number;
  p98Ms: number;
  maxMs: number;
};
type WalkOptions = Pick<Walk, 'slowed' | 'panel' | 'pauseMs' | 'keys'>;

/** Presses `j` many times, and `k` back. */
export async function measureWalk(page: Page, url: string, options: WalkOptions): Promise<Walk> {
  const { slowed, panel, pauseMs, keys } = options;
  await page.goto(`${url}/events`);
  const rows = page.getByRole('group', { name: 'Events, list' }).locator('tbody').getByRole('row');
  await rows.nth(20).waitFor();
  if (panel) {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('#event-deliveries').waitFor();
  }
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(globalThis, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') durations.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (let pressed = 0; pressed < keys; pressed += 1) {
    // down, then up again, so that neither end of the list is reached
    await page.keyboard.press(pressed < keys / 2 ? 'j' : 'k');
    if (pauseMs > 0) await pause(pauseMs);
  }
  await pause(500);
  const slow = await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  const all = [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 16)];
  return { ...options, p50Ms: quantile(all, 0.5), p98Ms: quantile(all, 0.98), maxMs: Math.max(...all) };
}

if (import.meta.main) {
  const opened = await openConsole();
  try {
    await opened.send(EVENTS);
    const page = await opened.newPage();
    for (const slowed of [SLOWED, 1])
      for (const panel of [false, true])
        for (const pauseMs of [0, 250]) {
          const keys = pauseMs > 0 ? KEYS / 2 : KEYS;
          const { p50Ms, p98Ms, maxMs } = await measureWalk(page, opened.url, { slowed, panel, pauseMs, keys });
          const pace = pauseMs > 0 ? `a key every ${pauseMs} ms` : 'keys without pauses';
          console.log(
            `slowed ${slowed}×, ${panel ? 'panel open' : 'list only'}, ${pace}: ` +
              `p50 ${p50Ms} ms, p98 ${p98Ms} ms, max ${maxMs} ms of ${keys} keys`,
          );
        }
  } finally {
    await opened.stop();
  }
}

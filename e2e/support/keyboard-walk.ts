/**
 * A page walked by its keys. What can be pressed is gathered first; then Tab is pressed from the top until it leaves
 * the page, and at each stop the page itself records where the focus is, so that a walk costs no more than its
 * keys. Groups that Tab enters once (radios, trees) are walked by arrow keys afterwards.
 */
import type { Page } from '@playwright/test';
import { answering, checking, grouping, listening, looking, missing, placing, seeing } from './keyboard-page.ts';

/** In this order: each knows what those before it have made. */
const PARTS = [seeing, looking, placing, checking, listening, grouping, missing, answering];
const WALK = '{ all: [], before: new Map(), reached: new Set(), found: [], stops: 0, left: false, walking: false }';

/** For a page before it is opened. */
export const watchKeys = (page: Page) =>
  page.addInitScript(`{ const tools = { walk: ${WALK} }; ${PARTS.map((part) => `(${part})(tools);`).join('\n')} }`);

const state = (page: Page) =>
  page.evaluate(() => window.keyboardWalk?.state() ?? { stops: 0, left: true, held: false });

/** Walks the page that is shown. What is wrong with it, in words. Without `groups` one of a group stands for all. */
export async function walkByKeys(page: Page, groups: boolean): Promise<string[]> {
  // the effects of a changed window are rendered after two frames, and after what these bring about: a panel takes the
  // focus. Waiting for the browser to be idle would take longer: it reports that seconds late where nothing is drawn
  await page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => void scheduler.postTask(() => done(0), { priority: 'background' })),
        ),
      ),
  );
  const count = await page.evaluate(() => window.keyboardWalk?.begin() ?? 0);
  let now = await state(page);
  for (let presses = 0; !now.left && presses < 2 * count + 20; ) {
    const batch = now.held ? 1 : 8;
    // an editor keeps Tab for itself until it is configured not to
    if (now.held) await page.keyboard.press('Escape');
    for (let press = 0; press < batch; press++, presses++) await page.keyboard.press('Tab');
    now = await state(page);
  }
  const trapped = now.left ? [] : ['Tab never leaves the page'];
  const found = groups ? await page.evaluate(() => window.keyboardWalk?.groups() ?? []) : [];
  for (const { at, members, key } of found) {
    await page.evaluate((where) => window.keyboardWalk?.focus(where), at);
    // not every group goes round
    if (key === 'j') for (let press = 0; press < members; press++) await page.keyboard.press('k');
    else await page.keyboard.press('Home');
    for (let press = 0; press < members; press++) await page.keyboard.press(key);
    // an open panel follows once the keys rest
    if (key === 'j') await page.waitForFunction(panelHasFollowed);
  }
  return [...trapped, ...(await page.evaluate((each) => window.keyboardWalk?.troubles(each) ?? [], groups))];
}

function panelHasFollowed(): boolean {
  const row = document.activeElement?.closest('[data-row]');
  return !row || row.querySelector('[aria-current]') !== null || !document.querySelector('[data-row] [aria-current]');
}

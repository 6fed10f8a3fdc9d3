/**
 * Walks a page by keyboard. The controls are collected first; then Tab is pressed from the top until it leaves the
 * page, and at each stop the page itself records the focus, so that a walk costs no more than its key presses. Groups
 * with one tab stop (radio buttons, trees) are walked with arrow keys afterwards.
 */
import type { Page } from '@playwright/test';
import { answering, checking, grouping, listening, looking, missing, placing, seeing } from './keyboard-page.ts';

/** In this order: each uses the tools of those before it. */
const PARTS = [seeing, looking, placing, checking, listening, grouping, missing, answering];
const WALK = '{ all: [], before: new Map(), reached: new Set(), found: [], stops: 0, left: false, walking: false }';

/** Prepares a page before it is opened. */
export const watchKeys = (page: Page) =>
  page.addInitScript(`{ const tools = { walk: ${WALK} }; ${PARTS.map((part) => `(${part})(tools);`).join('\n')} }`);

const state = (page: Page) =>
  page.evaluate(() => window.keyboardWalk?.state() ?? { stops: 0, left: true, held: false });

/** Walks the current page and returns its problems in words. Without `groups` one member represents each group. */
export async function walkByKeys(page: Page, groups: boolean): Promise<string[]> {
  // a resize is rendered after two frames, and its consequences later: a panel takes the focus. Waiting for an idle
  // browser would take longer: it reports that seconds late when nothing is drawn
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
    // an editor captures Tab until it is configured not to
    if (now.held) await page.keyboard.press('Escape');
    for (let press = 0; press < batch; press++, presses++) await page.keyboard.press('Tab');
    now = await state(page);
  }
  const trapped = now.left ? [] : ['Tab never leaves the page'];
  const found = groups ? await page.evaluate(() => window.keyboardWalk?.groups() ?? []) : [];
  for (const { at, members, key } of found) {
    await page.evaluate((where) => window.keyboardWalk?.focus(where), at);
    // not every group wraps around
    if (key === 'j') for (let press = 0; press < members; press++) await page.keyboard.press('k');
    else await page.keyboard.press('Home');
    for (let press = 0; press < members; press++) await page.keyboard.press(key);
    // an open panel updates once no key is pressed
    if (key === 'j') await page.waitForFunction(panelHasFollowed);
  }
  return [...trapped, ...(await page.evaluate((each) => window.keyboardWalk?.troubles(each) ?? [], groups))];
}

function panelHasFollowed(): boolean {
  const row = document.activeElement?.closest('[data-row]');
  return !row || row.querySelector('[aria-current]') !== null || !document.querySelector('[data-row] [aria-current]');
}

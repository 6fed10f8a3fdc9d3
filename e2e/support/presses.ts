/** Counts the clicks of a journey, which its budget limits; walks with the keyboard alone. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Counts from the next page load on. Key presses are counted separately: a click journey has none. */
export async function countPresses(page: Page): Promise<() => Promise<{ presses: number; keys: number }>> {
  await page.addInitScript(() => {
    const count = (name: string) => () => sessionStorage.setItem(name, String(Number(sessionStorage[name] ?? 0) + 1));
    // On the document: Playwright stops clicks on an element that just moved at the window, and repeats them.
    document.addEventListener('pointerdown', count('presses'), { capture: true });
    document.addEventListener('keydown', count('keys'), { capture: true });
  });
  return () =>
    page.evaluate(() => ({
      presses: Number(sessionStorage['presses'] ?? 0),
      keys: Number(sessionStorage['keys'] ?? 0),
    }));
}

/** Presses Tab until the element has the focus; fails if it never gets it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let steps = 0; steps < 100; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, 'the focus after a hundred Tabs').toBeFocused();
}

/** Counts the clicks of a journey, which its budget limits. */
import type { Page } from '@playwright/test';

/** Counts from the next page load on. Key presses are counted separately: a click journey has none. */
export async function countPresses(page: Page): Promise<() => Promise<{ presses: number; keys: number }>> {
  await page.addInitScript(() => {
    const count = (name: string) => () => sessionStorage.setItem(name, String(Number(sessionStorage[name] ?? 0) + 1));
    addEventListener('pointerdown', count('presses'), { capture: true });
    addEventListener('keydown', count('keys'), { capture: true });
  });
  return () =>
    page.evaluate(() => ({
      presses: Number(sessionStorage['presses'] ?? 0),
      keys: Number(sessionStorage['keys'] ?? 0),
    }));
}

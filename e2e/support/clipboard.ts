/**
 * Returns the text that a button copies. Copying is asynchronous, so the clipboard is cleared first and polled until it
 * has text.
 */
import { expect, type Locator, type Page } from '@playwright/test';

export async function copiedBy(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await button.click();
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return read();
}

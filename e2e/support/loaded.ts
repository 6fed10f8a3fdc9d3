import { expect, type Page } from '@playwright/test';

/**
 * Placeholders of data that is loading, except the two rows that represent the next page below a list of several; parts
 * that say that they load; and the room of charts until their code has loaded.
 */
const WAITED_FOR =
  '.ui-skeleton:not([role="status"]:has-text("Loading more") .ui-skeleton), [aria-busy="true"], .chart-room';

/** Waits until a page shows its data. */
export async function loaded(page: Page, name: string) {
  await expect(page.locator(WAITED_FOR), name).toHaveCount(0);
}

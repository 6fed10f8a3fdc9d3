/** Every page by keyboard alone: Tab reaches every control, visibly, in order, and leaves the page. */
import type { Locator, Page } from '@playwright/test';
import { codePagesOf, pagesOf, type Seeded, seeded } from './support/every-page.ts';
import { expect, test } from './support/fixtures.ts';
import { walkByKeys, watchKeys } from './support/keyboard-walk.ts';
import { loaded } from './support/loaded.ts';

// a trace of thousands of key presses would take longer than the test
test.use({ trace: 'off' });

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

test('every page is reachable by keyboard, at each width', async ({ signedIn: page, service, sink }, info) => {
  info.setTimeout(600_000);
  info.annotations.push({ type: 'allow-console', description: '404' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await watchKeys(page);
  const ids = await seeded(service, sink);
  for (const [name, path] of [...pagesOf(ids), ...codePagesOf(ids)]) {
    await page.goto(service.url + path);
    await expect(page.getByRole('heading', { level: 1 }).first(), name).toBeVisible();
    await loaded(page, name);
    if (/\/(events|destinations)\/[^/]+\/?[^/]*$|bulk=/.test(path) && !/\/(events$|transform\b)/.test(path))
      await expect(page.getByRole('complementary'), name).toBeVisible();
    for (const [index, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      const found = await walkByKeys(page, index === 0);
      expect.soft(found, `${name}, ${size.width} px`).toEqual([]);
    }
  }
});

/** Overlays on the pages of a function, each with its opener. A menu item follows its menu button. */
const opens = ({ function_id, run_id, failed_id }: Seeded): [path: string, buttons: string[]][] => {
  const of = `/functions/${function_id}`;
  return [
    [`${of}/environment`, ['Add variable']],
    [`${of}/environment`, ['Paste a .env…']],
    [`${of}/environment`, ['Actions for REGION', 'Change…']],
    [`${of}/environment`, ['Actions for REGION', 'Remove…']],
    [`${of}/settings`, ['Delete function…']],
    [`${of}/runs/${run_id}`, ['Run again…']],
    [`${of}/runs/${failed_id}`, ['Compare with…']],
    [`${of}/versions`, ['Actions for version 1']],
  ];
};

/** Presses it with a key once it has the focus. */
async function press(page: Page, button: Locator): Promise<void> {
  await button.focus();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
}

test('overlays opened with a key return the focus to their opener', async ({ signedIn: page, service, sink }) => {
  const over = page.locator('[role=dialog], [role=menu], [data-panel-over]').filter({ visible: true });
  for (const [path, [first = '', item]] of opens(await seeded(service, sink))) {
    await page.goto(service.url + path);
    const opener = page.getByRole('button', { name: first, exact: true }).first();
    await expect(opener, `${path} ${first}`).toBeVisible();
    await expect(over).toHaveCount(0);
    await press(page, opener);
    if (item) await press(page, page.getByRole('menuitem', { name: item }));
    await expect(over, `${path} ${first}`).toHaveCount(1);
    await expect.poll(() => over.evaluate((each) => each.contains(document.activeElement)), first).toBe(true);
    await page.keyboard.press('Escape');
    await expect(over).toHaveCount(0);
    await expect(opener, `${first} ${item ?? ''}`).toBeFocused();
  }

  // a panel beside the code takes no focus, and returns the focus that was inside
  const { function_id } = await seeded(service, sink);
  await page.goto(`${service.url}/functions/${function_id}`);
  const test = page.getByRole('button', { name: 'Test', exact: true });
  await press(page, test);
  const panel = page.getByRole('complementary', { name: 'Test v2' });
  await expect(panel).toBeVisible();
  await expect(test).toBeFocused();
  await panel.getByRole('textbox', { name: 'Body' }).focus();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(test).toBeFocused();
});

/** Every page by its keys alone: Tab reaches whatever can be pressed, in sight, in order, and finds the way out again. */
import { codePagesOf, pagesOf, seeded } from './support/every-page.ts';
import { expect, test } from './support/fixtures.ts';
import { walkByKeys, watchKeys } from './support/keyboard-walk.ts';

// a trace of thousands of keys would take longer than the keys
test.use({ trace: 'off' });

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

test('every page is walked by keys, at each width', async ({ signedIn: page, service, sink }, info) => {
  info.setTimeout(600_000);
  info.annotations.push({ type: 'allow-console', description: '404' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await watchKeys(page);
  const ids = await seeded(service, sink);
  for (const [name, path] of [...pagesOf(ids), ...codePagesOf(ids)]) {
    await page.goto(service.url + path);
    await expect(page.getByRole('heading', { level: 1 }).first(), name).toBeVisible();
    await expect(page.locator('.ui-skeleton'), name).toHaveCount(0);
    if (/\/(events|destinations)\/[^/]+\/?[^/]*$|bulk=/.test(path) && !path.endsWith('/events'))
      await expect(page.getByRole('complementary'), name).toBeVisible();
    for (const [index, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      const found = await walkByKeys(page, index === 0);
      expect.soft(found, `${name}, ${size.width} px`).toEqual([]);
    }
  }
});

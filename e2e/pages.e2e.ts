/**
 * Every page, in both themes, on a desk and on a phone: accessible, without horizontal scrolling, without Monaco where
 * no code is. And by its keys alone: Tab reaches whatever can be pressed, in sight, in order, and finds the way out again.
 */
import type { Page } from '@playwright/test';
import { codePagesOf, pagesOf, seeded } from './support/every-page.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { walkByKeys, watchKeys } from './support/keyboard-walk.ts';

test.describe.configure({ mode: 'parallel' });

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof SIZES;
const WALKED = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

const beyond = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

// Each page is opened once, by its address: half of them on a desk in light, half on a phone in dark. All else it is turned to.
for (const [half, opened, sizes] of [
  [0, 'light', ['desk', 'phone']],
  [1, 'dark', ['phone', 'desk']],
] as const) {
  test(`every page, first ${opened} on a ${sizes[0]}`, async ({ page, service, sink, axeInBothSchemes }, info) => {
    info.setTimeout(900_000);
    info.annotations.push({ type: 'allow-console', description: '404' });
    await page.emulateMedia({ colorScheme: opened, reducedMotion: 'reduce' });
    await watchKeys(page);
    const ids = await seeded(service, sink);
    await signIn(page, service);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const picture = async (name: string, theme: string, size: Size) => {
      const folder = process.env['PAGE_PICTURES'];
      if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${theme}-${size}.png` });
    };
    const visit = async (name: string, path: string) => {
      await page.setViewportSize(SIZES[sizes[0]]);
      await page.goto(service.url + path);
      const title = page.getByRole('heading', { level: 1 }).first();
      await expect(title, name).toBeVisible();
      if (name !== 'not found') await expect(title, name).not.toHaveText('Not found');
      await expect(page.locator('.ui-skeleton'), name).toHaveCount(0);
      if (/\/(events|destinations)\/[^/]+\/?[^/]*$|bulk=/.test(path) && !path.endsWith('/events'))
        await expect(page.getByRole('complementary'), name).toBeVisible();
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size]);
        await picture(name, opened, size);
        const other = opened === 'light' ? 'dark' : 'light';
        await axeInBothSchemes(`${name}, ${opened}, ${size}`, () => picture(name, other, size));
        expect.soft(await beyond(page), `${name} reaches beyond its window on a ${size}`).toEqual([0, 0]);
      }
      for (const [index, size] of WALKED.entries()) {
        await page.setViewportSize(size);
        const found = await walkByKeys(page, index === 0);
        expect.soft(found, `${name} by its keys, ${size.width} px`).toEqual([]);
      }
    };
    const visitHalf = async (pages: [name: string, path: string][]) => {
      for (const [at, [name, path]] of pages.entries()) if (at % 2 === half) await visit(name, path);
    };
    await visitHalf(pagesOf(ids));
    expect(requested.filter((url) => /monaco|editor\.worker/i.test(url))).toEqual([]);
    await visitHalf(codePagesOf(ids));
    expect(requested.some((url) => /monaco/i.test(url))).toBe(true);
  });
}

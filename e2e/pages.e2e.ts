/**
 * Every page, in both themes, on a desktop and on a phone: accessible, no horizontal scrolling, no Monaco without code.
 */
import { codePagesOf, pagesOf, seeded } from './support/every-page.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { loaded } from './support/loaded.ts';

test.describe.configure({ mode: 'parallel' });

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

// Each page is opened once per size, by its URL and in one scheme, and then switched to the other.
for (const [size, opened, other] of [
  ['desk', 'light', 'dark'],
  ['phone', 'dark', 'light'],
] as const) {
  test(`every page, ${opened} and ${other}, on a ${size}`, async ({ page, service, sink, axeInBothSchemes }, info) => {
    info.setTimeout(600_000);
    info.annotations.push({ type: 'allow-console', description: '404' });
    await page.emulateMedia({ colorScheme: opened, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZES[size]);
    const ids = await seeded(service, sink);
    await signIn(page, service);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const picture = async (name: string, theme: string) => {
      const folder = process.env['PAGE_PICTURES'];
      if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${theme}-${size}.png` });
    };
    const visit = async (name: string, path: string) => {
      await page.goto(service.url + path);
      const title = page.getByRole('heading', { level: 1 }).first();
      await expect(title, name).toBeVisible();
      if (name !== 'not found') await expect(title, name).not.toHaveText('Not found');
      await loaded(page, name);
      await picture(name, opened);
      await axeInBothSchemes(`${name}, ${opened}, ${size}`, () => picture(name, other));
      const beyond = await page.evaluate(() => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
        return [scrollWidth - clientWidth, scrollHeight - clientHeight];
      });
      expect.soft(beyond, `${name} reaches beyond its window on a ${size}`).toEqual([0, 0]);
    };
    for (const [name, path] of pagesOf(ids)) await visit(name, path);
    expect(requested.filter((url) => /monaco|editor\.worker/i.test(url))).toEqual([]);
    for (const [name, path] of codePagesOf(ids)) await visit(name, path);
    expect(requested.some((url) => /monaco/i.test(url))).toBe(true);
  });
}

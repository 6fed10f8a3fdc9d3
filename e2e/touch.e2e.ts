/** Touch targets of every page: none is smaller than 24 px, and primary ones have 40. */
import { codePagesOf, pagesOf, seeded } from './support/every-page.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { loaded } from './support/loaded.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const LEAST_PX = 24;
const MAIN_PX = 40;

test('every target on a phone is large enough', async ({ page, service, sink }, info) => {
  info.setTimeout(600_000);
  info.annotations.push({ type: 'allow-console', description: '404' });
  const ids = await seeded(service, sink);
  await signIn(page, service);
  for (const [name, path] of [...pagesOf(ids), ...codePagesOf(ids)]) {
    await page.goto(service.url + path);
    await expect(page.getByRole('heading', { level: 1 }).first(), name).toBeVisible();
    await loaded(page, name);
    const small = await page.evaluate(smallTargets, { least: LEAST_PX, main: MAIN_PX });
    expect.soft(small, name).toEqual([]);
  }
  await page.goto(service.url);
  await page.getByRole('button', { name: /navigation/i }).click();
  const links = page.getByRole('dialog', { name: 'Navigation' }).getByRole('link');
  const heights = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(MAIN_PX);
});

/**
 * Targets that are too small: measured is the area around the center of each that activates it. Links within a sentence
 * are as high as its lines, and a row is the target of its link.
 */
function smallTargets({ least, main }: { least: number; main: number }): string[] {
  const found: string[] = [];
  const targets = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="menuitem"]';
  for (const element of document.querySelectorAll<HTMLElement>(targets)) {
    if (
      element.closest('[inert], .monaco-editor, [data-row]')?.matches('[data-row]') &&
      element.matches('a[data-row-link]')
    )
      continue;
    // visible once it has the focus
    if (element.matches('.sr-only')) continue;
    if (element.closest('[inert], .monaco-editor') || !element.checkVisibility({ visibilityProperty: true })) continue;
    const sentence =
      element.matches('a.link') && getComputedStyle(element).display === 'inline' && element.closest('p');
    if (sentence) continue;
    const label = element.closest('label') ?? element;
    const box = label.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const isMain = element.matches('button:not([aria-label])') && element.className.includes('bg-accent-solid');
    const needed = isMain ? main : least;
    if (Math.round(box.height) >= needed && (Math.round(box.width) >= needed || isMain)) continue;
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const at = element.getBoundingClientRect();
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    const reach = needed / 2 - 1;
    const points = [
      [x, y - reach],
      [x, y + reach],
      [Math.max(x - reach, 0), y],
      [x + reach, y],
    ] as const;
    const leads = points.every(([px, py]) => {
      const hit = document.elementFromPoint(px, py);
      return hit !== null && (element.contains(hit) || label.contains(hit));
    });
    if (leads) continue;
    const said = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
    found.push(`${element.tagName.toLowerCase()} "${said}" ${Math.round(box.width)}×${Math.round(box.height)}`);
  }
  return found;
}

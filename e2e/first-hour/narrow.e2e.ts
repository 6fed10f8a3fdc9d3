/**
 * Every page in windows of 320 and 1024 px, and on two desktops at 200 % zoom: nothing reaches beyond its sides, and no
 * control or heading is cut off. Pages scroll down where the window is too low for them.
 */
import type { Page } from '@playwright/test';
import { codePagesOf, pagesOf, seeded } from '../support/every-page.ts';
import { expect, signIn, test } from '../support/fixtures.ts';
import { loaded } from '../support/loaded.ts';

/**
 * 1024 px is the narrowest with the navigation beside the page. A zoom of 200 % halves the window in CSS pixels and
 * doubles the pixels of the device.
 */
const WINDOWS = {
  '1024 px': { viewport: { width: 1024, height: 768 }, deviceScaleFactor: 1 },
  '320 px': { viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
  '200 % zoom of 1280 px': { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  '200 % zoom of 1440 px': { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
};

/** Headings, buttons, fields and links of which a part lies outside of the window, and no scrolling reaches it. */
function cutOff(): string[] {
  const scrollsTo = (element: Element): boolean => {
    for (let up = element.parentElement; up; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
    return false;
  };
  return [...document.querySelectorAll('h1, h2, h3, button, input, select, textarea, a')].flatMap((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const isShown = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    if (!isShown || element.closest('[inert], [aria-hidden=true], .sr-only, .monaco-editor')) return [];
    if ((left >= -1 && right <= innerWidth + 1) || scrollsTo(element)) return [];
    return [`${element.localName} “${(element.textContent || element.getAttribute('aria-label') || '').slice(0, 40)}”`];
  });
}

/** Pages, panels and lists that scroll sideways. Tables of figures, code and rows of controls may. */
function scrolledSideways(): string[] {
  return [...document.querySelectorAll('main *, [role=dialog], [role=dialog] *')].flatMap((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    const isScrolled = overflowX === 'auto' && overflowY === 'auto' && element.scrollWidth > element.clientWidth + 1;
    const isList = element.matches('[aria-label$=", list"]');
    const maySideways = /overflow-(x-)?auto/.test(element.className) && !isList;
    if (!isScrolled || maySideways || element.closest('.monaco-editor')) return [];
    return [`${element.localName} ${element.getAttribute('aria-label') ?? element.className}`];
  });
}

async function assertFits(page: Page, name: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(beyond, `${name} reaches beyond its window`).toBe(0);
  expect.soft(await page.evaluate(cutOff), `cut off on ${name}`).toEqual([]);
  expect.soft(await page.evaluate(scrolledSideways), `${name} scrolls sideways`).toEqual([]);
}

for (const [window, options] of Object.entries(WINDOWS)) {
  test(`every page at ${window}`, async ({ browser, service, sink }, info) => {
    info.setTimeout(600_000);
    const ids = await seeded(service, sink);
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, service);
    const listed = async () => (await service.call('problemList')).problems;
    // the longest title of them: the Overview shows it in one line
    await expect.poll(async () => (await listed()).some(({ title }) => title.includes('throws'))).toBe(true);
    const [problem] = await listed();
    const further = [
      ['problem', `/problems/${problem?.problem_id}`] as const,
      ['API reference', '/api-reference'] as const,
      ['operation', '/api-reference/triggerUpdate'] as const,
    ];
    for (const [name, path] of [...pagesOf(ids), ...codePagesOf(ids), ...further]) {
      await page.goto(service.url + path);
      await expect(page.getByRole('heading', { level: 1 }).first(), name).toBeVisible();
      await loaded(page, name);
      await assertFits(page, name);
    }
    await context.close();
  });
}

/** Runs axe on the current page, and on the same page in the other color scheme. */
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

type Rules = { type: 'tag' | 'rule'; values: string[] };
export const EVERY_RULE: Rules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** A scheme only changes colors: these are the rules of EVERY_RULE that check colors. */
export const COLOUR_RULES: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** One line per violated rule, with its elements. */
export async function violationsOf(page: Page, rules: Rules): Promise<string[]> {
  // A button that changes its variant has a color transition.
  await page.evaluate(() => {
    const passing = document.getAnimations().filter(({ playState, effect }) => {
      return playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime);
    });
    return Promise.allSettled(passing.map(({ finished }) => finished));
  });
  // axe is half a megabyte: evaluated once per document, not per check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (runOnly) =>
      // without a list of passed checks
      window.axe.run({ exclude: ['[data-base-ui-focus-guard]'] }, { runOnly, resultTypes: ['violations'] }),
    rules,
  );
  return violations.map(
    (each) =>
      `${each.id} (${each.impact}): ${each.nodes
        .map((node) => node.target.join(' '))
        .slice(0, 3)
        .join(' | ')}`,
  );
}

/** Switches the page to the other scheme; `back` switches it back. */
export async function otherScheme(page: Page): Promise<{ scheme: 'light' | 'dark'; back(): Promise<void> }> {
  const turn = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  };
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [was, scheme] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await turn(scheme);
  return { scheme, back: () => turn(was) };
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

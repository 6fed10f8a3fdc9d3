/** Forced colors: states that a background or a shadow shows elsewhere use system colors. */
import type { Locator } from '@playwright/test';
import { seeded } from './support/every-page.ts';
import { expect, test } from './support/fixtures.ts';

const styleOf = (element: Locator) =>
  element.evaluate((node) => {
    const { backgroundColor, color, outlineStyle } = getComputedStyle(node);
    return { backgroundColor, color, outlineStyle };
  });

test('the current page, the chosen segment, disabled controls and the legend differ', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const ids = await seeded(service, sink);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${service.url}/events`);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const current = await styleOf(navigation.getByRole('link', { name: 'Events' }));
  const other = await styleOf(navigation.getByRole('link', { name: 'Runs' }));
  expect(current.backgroundColor).not.toBe(other.backgroundColor);
  expect(current.color).not.toBe(current.backgroundColor);

  const segment = (name: string) => page.locator('label', { has: page.getByRole('radio', { name, exact: true }) });
  const chosen = await styleOf(segment('Chart'));
  expect(chosen.backgroundColor).not.toBe((await styleOf(segment('Table'))).backgroundColor);
  expect(chosen.color).not.toBe(chosen.backgroundColor);

  const off = page.getByRole('button', { name: 'Replay matching…' });
  await expect(off).toHaveAttribute('aria-disabled', 'true');
  expect((await styleOf(off)).color).not.toBe((await styleOf(page.getByRole('link', { name: 'Replays' }))).color);

  const legend = page.locator('figcaption i');
  await expect(legend.first()).toBeVisible();
  const inks = await legend.evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).backgroundColor));
  expect(new Set(inks).size).toBe(inks.length);

  await page.goto(`${service.url}/events/${ids.trigger_id}/${ids.event_id}`);
  const row = page.locator(`[data-row="${ids.event_id}"]`);
  await expect.poll(async () => (await styleOf(row)).outlineStyle).toBe('solid');
});

/** Code is found from the list of functions, by a literal and by a regular expression. */
import { expect, test } from './support/fixtures.ts';
import { make } from './support/functions.ts';

test('code is found by a literal and by a regular expression, and opened at the line', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const fn = await make(service, 'needle-holder', {
    'index.ts': `// first line\nimport { needle } from './lib/needle.ts';\nexport default { fetch: () => new Response(needle) };\n`,
    'lib/needle.ts': `export const hay = 'hay';\nexport const needle = 'Needle(42)';\n`,
  });
  await page.goto(`${service.url}/functions`);
  const box = page.getByRole('textbox', { name: 'Search functions and code' });
  await expect(box).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('"needle(4');
  await expect(page.getByText('Read as words')).toBeVisible();
  await page.keyboard.type('2)"');
  await expect(page.getByText('Read as a literal, case-insensitive.')).toBeVisible();
  const hits = page.getByRole('group', { name: 'Results' });
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await axe('hits of a literal');

  // heeding case finds nothing
  const heeded = page.getByRole('group', { name: 'Case' }).getByRole('radio', { name: 'yes' });
  await heeded.click();
  await expect(heeded).toBeChecked();
  await expect(hits).toContainText('No code of functions of this account matches');

  // a mistake in an expression is told while typing, at its place
  await box.fill('/needle\\((/');
  await expect(page.getByText(/missing closing \), at character \d+/i)).toBeVisible();
  await axe('a mistake in an expression');
  await box.fill('/Needle\\(\\d+\\)/');
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await expect(page.getByText('1 hit in 1 function')).toBeVisible();

  // the address restores the view; the keyboard opens the line
  await page.reload();
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await expect(box).toHaveValue('/Needle\\(\\d+\\)/');
  await box.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/functions/${fn.function_id}?version=1&file=lib%2Fneedle.ts&line=2`);
  await expect(page.getByRole('textbox', { name: 'lib/needle.ts' })).toBeAttached();
  await expect(page.locator('.code-line-mark')).toBeVisible();
  await page.goBack();
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
});

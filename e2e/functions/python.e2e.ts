/** A Python function, from the form to the line that raised an error. */
import { expect, test } from '../support/fixtures.ts';

/** The first use of Python on a machine creates its memory snapshot. */
const FIRST_MS = 120_000;
// One function per line: the editor indents text that is typed at once.
const BROKEN = 'def handler(event, context): return )\n';
const THROWS = 'import json\n\n\ndef handler(event, context): return json.loads(event["body"])["total"]\n';

test('a Python function is created, rejected by the compiler, called, and its error located', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.setTimeout(FIRST_MS * 2);
  // the rejected deploy
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await page.goto(`${service.url}/functions/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('total-of-order');
  const file = (name: string) => page.getByRole('textbox', { name: `${name}, ` });
  await expect(file('src/index.ts')).toBeAttached();
  await page.getByRole('combobox', { name: 'Runtime' }).click();
  await page.getByRole('option', { name: 'python3.12' }).click();

  // the starter code is included
  await expect(file('main.py')).toBeAttached();
  await expect(page.getByRole('textbox', { name: 'Handler' })).toHaveValue('main.handler');
  await expect(page.locator('.view-line span[class*="mtk"]').filter({ hasText: /^def$/ })).toBeVisible();
  await axe('a new function in Python');

  // a syntax error is shown with its position
  await file('main.py').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(BROKEN);
  await page.getByRole('button', { name: 'Deploy' }).click();
  const errors = page.getByRole('region', { name: 'Compile errors' });
  await expect(errors).toContainText('main.py:1:37', { timeout: FIRST_MS });
  await expect(errors).toContainText("unmatched ')'");
  await errors.getByRole('button').first().click();
  await expect(file('main.py')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(THROWS);
  await page.getByRole('button', { name: 'Deploy' }).click();

  // the call raises an error; the traceback frame links to its line
  const panel = page.getByRole('complementary', { name: 'Test v1' });
  await panel.getByRole('textbox', { name: 'Body' }).fill('{"sum":1}');
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'Error' })).toContainText('500', { timeout: FIRST_MS });
  await panel.getByRole('link', { name: 'Open run' }).click();
  const frame = page.getByRole('link', { name: 'File "main.py", line 4' }).first();
  await expect(frame).toBeVisible();
  await axe('a run that threw in Python');
  await frame.click();
  await expect(page).toHaveURL(/file=main\.py.*line=4|line=4.*file=main\.py/);
  await expect(page.locator('.active-line-number')).toHaveText('4');
});

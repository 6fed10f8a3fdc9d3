/** The life of a function in the browser: created, deployed, called, edited, compared, rolled back. */
import { text } from 'node:stream/consumers';
import { expect, test } from '../support/fixtures.ts';
import { editor, INDEX, openFile, TOTAL, write } from '../support/functions.ts';

test('a function is created, called, edited, compared and rolled back', async ({ signedIn: page, service, axe }) => {
  // the rejected deploy
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  // colors in transition have no meaningful contrast
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${service.url}/functions`);
  await page.getByRole('link', { name: 'New function' }).first().click();
  await expect(page.getByRole('heading', { name: 'New function' })).toBeVisible();

  // two files, in the editor
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('sum-of-items');
  await expect(editor(page)).toBeAttached();
  await write(page, INDEX);
  await page.getByRole('button', { name: 'Add a file' }).click();
  await page.getByRole('textbox', { name: 'Path of the new file' }).fill('src/total.ts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'src/total.ts' })).toBeAttached();
  await write(page, 'export const total = (items: number[]) => items.reduce((sum, item) => sum + item, 0;\n');
  await axe('a new function');

  // a compile error is shown with its position, and links to it
  await page.getByRole('button', { name: 'Deploy' }).click();
  const errors = page.getByRole('region', { name: 'Compile errors' });
  await expect(errors).toContainText('src/total.ts:1:');
  await axe('compile errors');
  await errors.getByRole('button').first().click();
  await expect(page.getByRole('textbox', { name: 'src/total.ts' })).toBeFocused();
  await write(page, TOTAL);
  await page.getByRole('button', { name: 'Deploy' }).click();

  // deployed: the test panel is beside the code
  await expect(page.getByRole('heading', { name: 'sum-of-items' })).toBeVisible();
  const panel = page.getByRole('complementary', { name: 'Test v1' });
  await panel.getByRole('textbox', { name: 'Body' }).fill('{"items":[1,2,3]}');
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'OK' })).toContainText('200');
  await expect(panel.getByRole('group', { name: 'Response body', exact: true })).toContainText('"total": 6');
  await expect(panel.getByRole('group', { name: 'Log lines' })).toContainText('summing');
  await axe('the test panel');

  // the run, with its log lines
  await panel.getByRole('link', { name: 'Open run' }).click();
  await expect(page.getByText('The run has ended.')).toBeVisible();
  const lines = page.getByRole('group', { name: 'Log lines' });
  await expect(lines.getByRole('listitem')).toHaveCount(4);
  await page.getByRole('textbox', { name: 'Filter pattern' }).fill('{ $.msg = ');
  await expect(page.getByText(/at character \d+$/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Filter pattern' }).fill('{ $.msg = "summing" }');
  await expect(page.getByText('JSON lines where $.msg is “summing”')).toBeVisible();
  await expect(lines.getByRole('listitem')).toHaveCount(1);
  await lines.getByRole('button', { name: /summing/ }).click();
  await expect(lines.getByRole('tree')).toBeVisible();
  await axe('a run');

  // run again with a failing request: the stack frame links to the line in the version that ran
  await page.getByRole('button', { name: 'Run again…' }).click();
  const again = page.getByRole('complementary', { name: 'Run sum-of-items again' });
  await again.getByRole('textbox', { name: 'Body' }).fill('{"items":[]}');
  await axe('run again');
  await again.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Error500')).toBeVisible();
  await page.getByRole('group', { name: 'Error' }).getByRole('link', { name: 'src/index.ts:7' }).click();
  await expect(page.getByRole('textbox', { name: 'src/index.ts' })).toBeAttached();
  await expect(page).toHaveURL(/file=src%2Findex\.ts&line=7|version=1/);

  // a second version; leaving with unsaved work asks
  await openFile(page, 'total.ts');
  await expect(page.getByRole('textbox', { name: 'src/total.ts' })).toBeAttached();
  await write(page, TOTAL.replace(', 0)', ', 100)'));
  const deploy = page.getByRole('form', { name: 'Deploy' });
  await expect(deploy).toContainText('1 changed file');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave without deploying?' });
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await expect(deploy).toBeVisible();
  await deploy.getByRole('textbox', { name: 'Version message' }).fill('Start at a hundred');
  await deploy.getByRole('button', { name: /^Deploy/ }).click();
  await expect(deploy).toBeHidden();

  // the two versions side by side
  await page.getByRole('link', { name: 'Versions' }).click();
  const changed = page.getByRole('navigation', { name: 'Changed files' });
  await expect(changed.getByRole('button')).toHaveCount(1);
  await expect(changed.getByRole('button')).toContainText('src/total.ts');
  await expect(page.getByRole('textbox', { name: 'src/total.ts in version 1' })).toBeAttached();
  await expect(page.getByRole('textbox', { name: 'src/total.ts in version 2' })).toBeAttached();
  await expect(page.getByText('1 change', { exact: true })).toBeVisible();
  await axe('a comparison');
  await page.getByRole('radio', { name: 'Inline' }).click();
  await expect(page).toHaveURL(/layout=inline/);

  // a version's code as a file
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Actions for version 2' }).click();
  await page.getByRole('menuitem', { name: 'Download the code' }).click();
  const bundle = JSON.parse(await text(await (await saved).createReadStream()));
  expect(bundle.files['src/total.ts']).toContain(', 100)');

  // a roll-back shows the diff, then asks
  await page.getByRole('button', { name: 'Roll back to v1…' }).click();
  await expect(page.getByText('Roll back from v2 to v1?')).toBeVisible();
  await axe('a roll-back');
  await page.getByRole('button', { name: 'Roll back to v1', exact: true }).click();
  const row = page.getByRole('list', { name: 'Versions' }).getByRole('listitem').filter({ hasText: 'v1' });
  await expect(row).toContainText('Live');
  const { functions } = await service.call('functionList');
  expect(functions.find(({ name }) => name === 'sum-of-items')).toMatchObject({ version: 1 });
});

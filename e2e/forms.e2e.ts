/** What every form of the console owes to whoever fills it in. */
import { expect, test } from './support/fixtures.ts';

test('the first press is heard, also where it leaves an empty field', async ({ signedIn: page, service }) => {
  await page.goto(`${service.url}/settings/keys?new=key`);
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await page.goto(`${service.url}/functions/new`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toBeFocused();
  await page.getByRole('button', { name: 'Add a file' }).click();
  await expect(page.getByRole('textbox', { name: 'Path of the new file' })).toBeFocused();

  // what is missing is told once it is sent, and no longer than that
  await page.getByRole('button', { name: /^Deploy/ }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Name the function.');
  await page.keyboard.type('x');
  await expect(name).toHaveAccessibleDescription('');
});

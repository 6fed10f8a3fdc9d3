/** Behaviour that every form of the console shares. */
import { expect, test } from './support/fixtures.ts';

test('the first click counts, even when it leaves an empty field', async ({ signedIn: page, service }) => {
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

  // a missing value is reported on submit, until it is entered
  await page.getByRole('button', { name: /^Deploy/ }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Enter a name.');
  await page.keyboard.type('x');
  await expect(name).toHaveAccessibleDescription(/^Determines the URL\./);
});

test('a rejected deploy or request scrolls into view and takes the focus', async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40' });
  const alert = page.getByRole('alert').filter({ hasText: 'Request' });
  await page.goto(`${service.url}/functions/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('refused');
  const handler = page.getByRole('textbox', { name: 'Handler', exact: true });
  await handler.fill('missing.default');
  await handler.press('ControlOrMeta+s');
  await expect(page.getByRole('alert').filter({ hasText: 'Not deployed: 1 compile error.' })).toBeFocused();

  const { function: fn } = await service.call('functionCreate', {
    body: { name: 'refused', runtime: 'nodejs24.x', files: { 'index.ts': 'export default {};' } },
  });
  await page.goto(`${service.url}/functions/${fn.function_id}?test=on`);
  await page.getByTitle('Choose another handler').click();
  await handler.fill('index.other');
  await service.call('functionDelete', { params: { function_id: fn.function_id } });
  await page.getByRole('button', { name: /^Deploy/ }).click();
  await expect(alert).toBeFocused();
  // again by keyboard: the first press opens the message field
  await page.getByRole('textbox', { name: 'Version message' }).press('ControlOrMeta+s');
  await expect(alert).toBeFocused();
  await page.getByRole('button', { name: 'Discard…' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(alert).toBeHidden();

  await page.getByRole('form', { name: 'Request' }).getByRole('button', { name: 'Send' }).click();
  await expect(alert).toBeFocused();
  await expect(alert).toBeInViewport();
});

test('a source is found by event type and selected with the arrow keys, and earlier input stays', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await page.goto(`${service.url}/triggers/new`);
  const sources = page.getByRole('group', { name: 'Source', exact: true });
  await expect(sources.getByRole('radio')).not.toHaveCount(0);
  await page
    .getByRole('group', { name: 'Destination 1' })
    .getByLabel('URL', { exact: true })
    .fill('https://example.com/typed');
  await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('typed before');

  const search = page.getByRole('textbox', { name: 'Search sources' });
  await page.keyboard.press('Escape');
  await search.focus();
  await page.keyboard.type('pull_request_rev');
  await expect(sources.getByRole('radio', { name: /GitHub.*pull_request_review/ })).toBeVisible();
  await axe('sources found by an event type');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/source=github&event_type=pull_request_review/);
  await expect(page.getByLabel('Event type of GitHub')).toHaveValue(/^pull_request_review/);
  await expect(search).toBeFocused();

  // without a filter: into the tiles, and along them by visual position
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await expect(sources.getByRole('radio', { name: /^GitHub/ })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(sources.getByRole('radio', { name: 'Schedule' })).toBeChecked();
  await page.keyboard.press('ArrowDown');
  const below = sources.getByRole('radio', { checked: true });
  await expect(below).toBeFocused();
  const [first, second] = [sources.getByRole('radio').first(), below];
  const [above, under] = [await first.boundingBox(), await second.boundingBox()];
  expect(under?.x).toBe(above?.x);
  expect(under?.y).toBeGreaterThan(above?.y ?? 0);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();

  await expect(page).toHaveURL(/source=schedule/);
  await expect(page.getByRole('group', { name: 'Destination 1' }).getByLabel('URL', { exact: true })).toHaveValue(
    'https://example.com/typed',
  );
  await expect(page.getByRole('textbox', { name: 'Name', exact: true }).last()).toHaveValue('typed before');
});

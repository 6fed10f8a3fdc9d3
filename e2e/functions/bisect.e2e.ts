/** Finds the first failing version of a run, and its changes. */
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const code = (version: number) =>
  `export default { async fetch(request: Request) {
  const { items } = await request.json();
  const version = ${version};${version >= 3 ? "\n  if (items.length === 0) throw new RangeError('nothing to count');" : ''}
  return Response.json({ version, count: items.length });
} };
`;

test('the first failing version is found and its changes are shown', async ({ signedIn: page, service, axe }) => {
  const { function_id } = await make(service, 'counting', { 'index.ts': code(1) });
  const params = { function_id };
  for (const version of [2, 3, 4, 5])
    await service.call('versionCreate', { params, body: { files: { 'index.ts': code(version) } } });
  const { run } = await service.call('functionInvoke', { params, body: { body: '{"items":[]}' } });
  expect(run.status).toBe('ERROR');

  await page.goto(`${service.url}/functions/${function_id}/runs/${run.run_id}`);
  await page.getByRole('link', { name: 'Find breaking version…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'First failing version' })).toBeVisible();
  await axe('before the search');
  // with the keyboard alone
  await page.getByRole('combobox', { name: 'Oldest version to test' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: /Blocked/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('status').filter({ hasText: 'v3 is the first version that fails; v2 does not.' }),
  ).toBeVisible();
  const tried = page.getByRole('list', { name: 'Versions tested' });
  await expect(tried.getByRole('listitem').first()).toContainText('v5');
  await expect(tried.getByRole('listitem').filter({ hasText: 'v2' })).toContainText('passes');
  await expect(page.getByRole('textbox', { name: 'index.ts in version 2' })).toBeAttached();
  await expect(page.getByRole('textbox', { name: 'index.ts in version 3' })).toBeAttached();
  await axe('what the first failing version changed');

  // the URL restores the result
  await expect(page).toHaveURL(/passing=2&failing=3/);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'index.ts in version 3' })).toBeAttached();
  await expect(page.getByText('v3 is the first version that fails; v2 does not.')).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Changed files' }).getByRole('button', { name: 'index.ts' }),
  ).toBeInViewport({ ratio: 1 });
});

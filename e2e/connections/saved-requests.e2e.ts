/** Requests that members save for each other. */
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMoody } from '../support/moody.ts';

test('a request is saved, opened with another connection of the app, renamed and deleted', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const moody = await startMoody();
  await makeApp(service, 'saved-requests', moody.url);
  const first = await makeConnection(service, 'saved-requests', 'First of saved-requests');
  await complete(service, first);
  const second = await makeConnection(service, 'saved-requests', 'Second of saved-requests');
  await complete(service, second);
  const tryIt = (id: string, query = '') => page.goto(`${service.url}/connections/${id}/try${query}`);

  await tryIt(first, `?${new URLSearchParams({ method: 'POST', path: '/items?page=2' })}`);
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Api-Key');
  await page.getByRole('textbox', { name: 'Value of X-Api-Key' }).fill('typed-secret');
  await page.getByRole('radio', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Body' }).fill('{"a":1}');
  await page.getByRole('button', { name: 'Save request…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save request' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Second page');
  await axe('a name for a request');
  await page.keyboard.press('Enter');
  const saved = page.getByRole('list', { name: 'Saved requests' });
  await expect(saved.getByRole('listitem')).toHaveText(/Second page\s*POST \/items\?page=2/);

  // another connection of the app has it, without the secret
  await tryIt(second);
  await saved.getByRole('button', { name: /^Second page/ }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/items?page=2');
  await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue('{"a":1}');
  await expect(page.getByRole('textbox', { name: 'Value of X-Api-Key' })).toHaveValue('');
  await expect(page.getByText('Some parts of this request were not stored: header values.')).toBeVisible();
  await axe('a saved request');

  await saved.getByRole('button', { name: 'Rename Second page' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename request' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('Page two');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await expect(saved.getByRole('listitem')).toHaveText(/Page two/);

  // what another member saves appears without a reload
  const params = { app: 'saved-requests' };
  await service.call('savedRequestCreate', {
    params,
    body: { name: 'Of a colleague', method: 'GET', path: '/items', body_kind: 'none' },
  });
  await expect(saved.getByRole('listitem')).toHaveText([/Of a colleague/, /Page two/]);
  await saved.getByRole('button', { name: 'Delete Of a colleague' }).click();
  await saved.getByRole('button', { name: 'Delete Page two' }).click();
  await expect(saved).toBeHidden();
  await moody.stop();
});

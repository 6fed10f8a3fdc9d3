/** The list of an account with many connections: filters, pages, tags, and actions on many of them. */
import { complete, makeApp, noSidewaysScroll, signInAsViewer, statusOf } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** `count` connections of an app, each of an end user; every second one has the tag `gold`. */
async function makeMany(service: RunningService, app: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { connection_id } = await service.call('connectionCreate', {
      body: {
        app,
        name: `Customer ${n}`,
        tags: n % 2 === 0 ? ['gold', 'eu'] : ['eu'],
        end_user: { id: `${app}-user-${n}`, name: `Person ${n} of ${app}` },
      },
    });
    ids.push(connection_id);
  }
  return ids;
}

test('many connections are read by page, and found by tag, end user and text', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await makeApp(service, 'paged', sink.url);
  await makeMany(service, 'paged', 60);
  await page.goto(`${service.url}/connections?app=paged`);
  await expect(page.getByText('50 loaded, more below')).toBeVisible();
  // the keyboard reads on
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  const region = page.getByRole('table', { name: 'Connections' });
  await region.hover();
  await page.mouse.wheel(0, 10_000);
  await expect(page.getByText('60 connections')).toBeVisible();

  await page.getByRole('button', { name: 'Tag' }).click();
  await page.getByRole('menuitemradio', { name: 'gold' }).click();
  await expect(page).toHaveURL(/app=paged&tag=gold/);
  await expect(page.getByText('30 connections')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('person 8 of');
  await expect(page.getByText('1 connection', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /Customer 8/ })).toContainText('gold');
  await axe('a filtered list');
  await page.reload();
  await expect(page.getByText('1 connection', { exact: true })).toBeVisible();
  await page.goto(`${service.url}/connections?end_user=paged-user-7`);
  await expect(page.getByText('1 connection', { exact: true })).toBeVisible();
  await page
    .getByRole('button', { name: /End user/ })
    .last()
    .click();
  await noSidewaysScroll(page, 'a filtered list');
});

test('the selected connections are tagged, and all that match are disconnected and deleted', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await makeApp(service, 'bulk', sink.url);
  const ids = await makeMany(service, 'bulk', 6);
  for (const id of ids.slice(0, 3)) await complete(service, id);
  await page.goto(`${service.url}/connections?app=bulk`);
  await expect(page.getByText('6 connections', { exact: true })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Change selected…' }).click();
  await page.getByRole('menuitem', { name: 'Add tags…' }).click();
  const tagging = page.getByRole('dialog', { name: 'Add tags: the selected connections' });
  await expect(tagging.getByRole('button', { name: 'Add tags' })).toHaveAccessibleDescription('Enter a tag first.');
  await tagging.getByRole('textbox', { name: 'Tags' }).fill('vip, vip');
  await expect(tagging).toContainText('This changes 2 connections.');
  await axe('tagging connections');
  await tagging.getByRole('button', { name: 'Add tags (2)' }).click();
  await expect(tagging).toHaveCount(0);
  await expect(page.getByText('2 selected')).toHaveCount(0);
  await page.goto(`${service.url}/connections?tag=vip`);
  await expect(page.getByText('2 connections', { exact: true })).toBeVisible();

  // only those with credentials are counted
  await page.goto(`${service.url}/connections?app=bulk`);
  await page.getByRole('button', { name: 'Change all matching…' }).click();
  await page.getByRole('menuitem', { name: 'Disconnect…' }).click();
  const leaving = page.getByRole('dialog', { name: 'Disconnect: all matching connections' });
  await expect(leaving).toContainText('This changes 3 connections.');
  await leaving.getByRole('button', { name: 'Disconnect (3)' }).click();
  await expect(leaving).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: 'Disconnected by an admin' })).toHaveCount(3);
  await page.getByRole('button', { name: 'Health' }).click();
  await page.getByRole('menuitemradio', { name: 'Needs attention' }).click();
  await expect(page.getByText('3 connections', { exact: true })).toBeVisible();

  // the number that was shown has to be typed
  await page.goto(`${service.url}/connections?app=bulk`);
  await page.getByRole('button', { name: 'Change all matching…' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete: all matching connections' });
  await expect(deleting).toContainText('This changes 6 connections.');
  await axe('deleting connections');
  await deleting.getByRole('textbox').fill('6');
  await deleting.getByRole('button', { name: 'Delete (6)' }).click();
  await expect(page.getByText('No connections match these filters.')).toBeVisible();
});

test('tags and the end user are edited in the settings', async ({ signedIn: page, service, sink, axe }) => {
  await makeApp(service, 'tagged', sink.url);
  const [id = ''] = await makeMany(service, 'tagged', 1);
  await page.goto(`${service.url}/connections/${id}/settings`);
  const tags = page.getByRole('textbox', { name: 'Tags' });
  await expect(tags).toHaveValue('gold, eu');
  await tags.fill('silver, silver, us');
  await page.getByRole('textbox', { name: 'End user ID' }).fill('');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'End user ID' })).toHaveAccessibleDescription(
    'Enter the ID of the end user.',
  );
  await page.getByRole('textbox', { name: 'End user ID' }).fill('u-9');
  await page.getByRole('textbox', { name: 'End user email' }).fill('ann@acme.example');
  await axe('settings with an end user');
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(tags).toHaveValue('silver, us');
  const { connection } = await service.call('connectionGet', { params: { connection_id: id } });
  expect(connection).toMatchObject({
    tags: ['silver', 'us'],
    end_user: { id: 'u-9', email: 'ann@acme.example', name: 'Person 0 of tagged' },
  });
  await expect(statusOf(page)).toHaveText('Pending');
});

test('viewers see tags, and no actions on many', async ({ page, service, sink }) => {
  await makeApp(service, 'viewed', sink.url);
  await makeMany(service, 'viewed', 1);
  await signInAsViewer(page, service, 'vera.tags@example.com');
  await page.goto(`${service.url}/connections?app=viewed`);
  await expect(page.getByRole('row', { name: /Customer 0/ })).toContainText('gold');
  await expect(page.getByRole('button', { name: 'Change all matching…' })).toHaveCount(0);
});

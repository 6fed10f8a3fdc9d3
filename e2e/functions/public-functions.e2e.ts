/** Functions of other accounts: found, read, analyzed and copied. */
import { anotherAccount } from '../support/another-account.ts';
import { copiedBy } from '../support/clipboard.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** Public functions of another account. */
async function publish(service: RunningService, name: string) {
  const other = await anotherAccount(service, `Owner of ${name}`);
  const files = {
    'index.ts': `export default {
  async fetch(request: Request, env: Record<string, string>) {
    const answer = await fetch('https://api.${name}.example/v1/orders', { headers: { key: env.API_KEY ?? '' } });
    return fetch(env[await answer.text()] ?? '');
  },
};
`,
    'lib/other.ts': 'export const one = 1;\nexport const key = (env: { API_KEY: string }) => env.API_KEY;\n',
  };
  const made = await other.call('functionCreate', {
    body: {
      name,
      runtime: 'nodejs24.x',
      visibility: 'PUBLIC',
      invoke_access: 'ANYONE',
      description: `Reads ${name}`,
      files,
    },
  });
  const deploy = (change: (code: string) => string) =>
    other.call('versionCreate', {
      params: { function_id: made.function.function_id },
      body: { files: { 'index.ts': change(files['index.ts']) } },
    });
  const show = (visibility: 'PUBLIC' | 'PRIVATE') =>
    other.call('functionUpdate', { params: { function_id: made.function.function_id }, body: { visibility } });
  return { function_id: made.function.function_id, files, deploy, show };
}

test('public functions that call a host are found from anywhere: type, Enter, one click', async ({
  signedIn: page,
  service,
}) => {
  const { function_id } = await publish(service, 'journey');
  await page.goto(`${service.url}/connections`);
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  await page.evaluate(() => {
    const counts = { clicks: 0, keys: [] as string[] };
    Object.assign(window, { counts });
    addEventListener('pointerdown', () => (counts.clicks += 1), true);
    addEventListener('keydown', ({ key }) => key.length > 1 && counts.keys.push(key), true);
  });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
  await page.keyboard.insertText('"api.journey.example"');
  await expect(page.getByRole('option', { name: /^journey index.ts:3/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page
    .getByRole('group', { name: 'Results' })
    .getByRole('link', { name: /api\.journey\.example/ })
    .click();
  await expect(page.locator('.code-line-mark')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/functions/${function_id}\\?version=1&file=index\\.ts&line=3&q=`));
  const { clicks, keys } = await page.evaluate(() => (window as unknown as { counts: Counts }).counts);
  expect(clicks).toBe(1);
  expect(keys.filter((key) => !['Control', 'Meta'].includes(key))).toEqual(['Enter']);

  // a hit in the palette is opened without a click
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('/one = \\d/');
  await page.getByRole('option', { name: /^journey lib\/other.ts:1/ }).click();
  await expect(page).toHaveURL(new RegExp(`/functions/${function_id}\\?version=1&file=lib%2Fother\\.ts&line=1&q=`));
});

type Counts = { clicks: number; keys: string[] };

test('the function of another account shows its analysis and changes, and can be copied', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { function_id, deploy } = await publish(service, 'trusted');
  await page.goto(`${service.url}/functions/${function_id}`);
  await expect(page.getByText('by Owner of trusted')).toBeVisible();
  await expect(page.getByText('Reads trusted', { exact: true })).toBeVisible();
  // it needs no key, so a browser can open it
  await expect(page.getByRole('link', { name: /in a new tab$/ })).toHaveAttribute('href', /^http:\/\/trusted/);
  const card = page.getByRole('complementary', { name: 'Code analysis' });
  await expect(card).toContainText('API_KEY');
  await expect(card).toContainText('api.trusted.example');
  await expect(card).toContainText('Some keys are computed at run time');
  await expect(card).toContainText('Some hosts are only known at run time');
  await expect(card).toContainText('All public hosts.');
  await axe('the card of another account’s function');

  await card.getByText('and 1 place more').click();
  await expect(card.getByRole('link', { name: 'lib/other.ts:2' })).toHaveAttribute(
    'href',
    /file=lib%2Fother\.ts&line=2$/,
  );

  // locations link to the code; lines are selected by number and copied as a link
  await card.getByRole('link', { name: 'index.ts:3' }).first().click();
  await expect(page).toHaveURL(/file=index.ts&line=3$/);
  const number = (line: number) => page.locator('.line-numbers', { hasText: new RegExp(`^${line}$`) });
  await number(2).click();
  await number(4).click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/line=2-4$/);
  await expect(page.locator('.code-line-mark')).toHaveCount(3);
  const copied = await copiedBy(page, page.getByRole('button', { name: 'Copy link to these lines of this version' }));
  expect(copied).toBe(`${service.url}/functions/${function_id}?version=1&file=index.ts&line=2-4`);

  // changes since the last viewed version
  await deploy((code) => code.replace('api.trusted.example', 'elsewhere.example').replace('env.API_KEY', 'env.TOKEN'));
  await page.goto(`${service.url}/functions/${function_id}`);
  await expect(card).toContainText('Since version 1, the last one you viewed');
  await expect(card).toContainText('New host elsewhere.example');
  await expect(card).toContainText('Removed variable API_KEY');

  await card.getByRole('button', { name: 'Copy to this account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy trusted to this account' });
  await axe('copying a function');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('my-own-trusted');
  await dialog.getByRole('textbox', { name: 'TOKEN' }).fill('s3cret');
  await dialog.getByRole('button', { name: 'Copy function', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'my-own-trusted' })).toBeVisible();
  const { functions } = await service.call('functionList');
  const mine = functions.find(({ name }) => name === 'my-own-trusted');
  expect(mine).toMatchObject({ visibility: 'PRIVATE' });
  const { env } = await service.call('envList', { params: { function_id: mine?.function_id ?? '' } });
  expect(env).toMatchObject([{ key: 'TOKEN', type: 'SENSITIVE' }]);
});

test('a saved link to a version that is public no more says so, and leads to the live one', async ({
  signedIn: page,
  service,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 40[04]' });
  const { function_id, deploy, show } = await publish(service, 'withdrawn');
  await page.goto(`${service.url}/functions/${function_id}?version=1`);
  const card = page.getByRole('complementary', { name: 'Code analysis' });
  await expect(card).toContainText('api.withdrawn.example');
  await page.goto(`${service.url}/events`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await show('PRIVATE');
  await deploy((code) => code.replace('orders', 'invoices'));
  await show('PUBLIC');
  await page.goto(`${service.url}/functions/${function_id}?version=1&file=index.ts&line=2`);
  await expect(page.getByText('Version 1 could not be loaded')).toBeVisible();
  await expect(page.getByText('It is not public: other accounts see only versions')).toBeVisible();
  await page.getByRole('button', { name: 'Show live version' }).click();
  await expect(page.getByText('/v1/invoices')).toBeVisible();
  // the analysis has no version to compare with, and is shown
  await expect(card).toContainText('api.withdrawn.example');
});

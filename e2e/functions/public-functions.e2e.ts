/** Functions of other accounts: found from anywhere, read, weighed and copied. */
import { anotherAccount } from '../support/another-account.ts';
import { copiedBy } from '../support/clipboard.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** Functions of another account that a person may read. */
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
  return { function_id: made.function.function_id, files, deploy };
}

test('every public function that calls an address is found from anywhere and opened at the line: typing, Enter, one click', async ({
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
  await expect(page).toHaveURL(`${service.url}/functions/${function_id}?version=1&file=index.ts&line=3`);
  const { clicks, keys } = await page.evaluate(() => (window as unknown as { counts: Counts }).counts);
  expect(clicks).toBe(1);
  expect(keys.filter((key) => !['Control', 'Meta'].includes(key))).toEqual(['Enter']);

  // a hit in the palette is opened without a click
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('/one = \\d/');
  await page.getByRole('option', { name: /^journey lib\/other.ts:1/ }).click();
  await expect(page).toHaveURL(`${service.url}/functions/${function_id}?version=1&file=lib%2Fother.ts&line=1`);
});

type Counts = { clicks: number; keys: string[] };

test('another account’s function says what it reads and calls, what is new in it, and becomes one’s own', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { function_id, deploy } = await publish(service, 'trusted');
  await page.goto(`${service.url}/functions/${function_id}`);
  await expect(page.getByText('by Owner of trusted')).toBeVisible();
  await expect(page.getByText('Reads trusted', { exact: true })).toBeVisible();
  // anyone may call it, so a browser can open it
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

  // places lead to the code; lines are chosen by their numbers and copied as an address
  await card.getByRole('link', { name: 'index.ts:3' }).first().click();
  await expect(page).toHaveURL(/file=index.ts&line=3$/);
  const number = (line: number) => page.locator('.line-numbers', { hasText: new RegExp(`^${line}$`) });
  await number(2).click();
  await number(4).click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/line=2-4$/);
  await expect(page.locator('.code-line-mark')).toHaveCount(3);
  const copied = await copiedBy(page, page.getByRole('button', { name: 'Copy link to these lines of this version' }));
  expect(copied).toBe(`${service.url}/functions/${function_id}?version=1&file=index.ts&line=2-4`);

  // what is new since the last look
  await deploy((code) => code.replace('api.trusted.example', 'elsewhere.example').replace('env.API_KEY', 'env.TOKEN'));
  await page.goto(`${service.url}/functions/${function_id}`);
  await expect(card).toContainText('Since version 1, which you saw last');
  await expect(card).toContainText('New host elsewhere.example');
  await expect(card).toContainText('No longer the variable API_KEY');

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

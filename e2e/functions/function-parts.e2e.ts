/** The environment, settings, runs and URL of a function. */
import { expect, test } from '../support/fixtures.ts';
import { editor, make } from '../support/functions.ts';
import { KEY } from '../support/service.ts';

test('a pasted .env shows which variables already exist; sensitive values stay hidden', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 409' });
  const fn = await make(service, 'with-environment');
  const params = { function_id: fn.function_id };
  await service.call('envCreate', { params, body: { env: [{ key: 'OLD', value: 'before' }] } });
  await page.goto(`${service.url}/functions/${fn.function_id}/environment`);
  const table = page.getByRole('table', { name: 'Environment' });
  await expect(table.getByRole('row', { name: /OLD/ })).toContainText('hidden');

  await page.getByRole('button', { name: 'Add variable' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a variable' });
  await dialog.getByRole('textbox', { name: 'Key' }).fill('OLD');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('again');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Key' })).toHaveAccessibleDescription(/already exist: OLD/);
  await axe('a variable that already exists');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Paste a .env…' }).click();
  const paste = page.getByRole('dialog', { name: 'Paste a .env' });
  await paste.getByRole('textbox', { name: 'Contents' }).fill('# keys\nOLD=after\nexport LEVEL="in fo"\n');
  const read = paste.getByRole('table', { name: 'Parsed variables' });
  await expect(read.getByRole('row', { name: /OLD/ })).toContainText('Exists, unchanged');
  await expect(read.getByRole('row', { name: /LEVEL/ })).toContainText('New');
  await paste.getByRole('group', { name: 'Type of new variables' }).getByRole('radio', { name: 'Plain' }).check();
  await axe('a pasted .env');
  await paste.getByRole('button', { name: 'Set 1 variable' }).click();
  await expect(table.getByRole('row', { name: /LEVEL/ })).toContainText('in fo');
  const { env } = await service.call('envList', { params });
  expect(env.map(({ key, type, value }) => [key, type, value])).toEqual([
    ['LEVEL', 'PLAIN', 'in fo'],
    ['OLD', 'SENSITIVE', null],
  ]);
});

test('settings are saved, and deleting asks for the name', async ({ signedIn: page, service, axe }) => {
  // the live stream may report the deletion before the page is left
  test.info().annotations.push({ type: 'allow-console', description: 'status of 404' });
  const fn = await make(service, 'short-lived');
  await page.goto(`${service.url}/functions/${fn.function_id}/settings`);
  await page.getByRole('textbox', { name: 'Timeout in seconds' }).fill('301');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Enter a whole number from 1 to 300.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Timeout in seconds' }).fill('30');
  await page.getByRole('radio', { name: 'Unlisted' }).check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect
    .poll(async () => (await service.call('functionGet', { params: { function_id: fn.function_id } })).function)
    .toMatchObject({
      timeout_seconds: 30,
      visibility: 'UNLISTED',
    });
  // the toast fades in after the response, and has too little contrast meanwhile
  await expect(page.getByText('short-lived saved')).toBeVisible();
  await axe('settings of a function');

  await page.getByRole('button', { name: 'Delete function…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete short-lived' });
  await expect(dialog).toContainText('No destination delivers to it.');
  await axe('deleting a function');
  await dialog.getByRole('textbox').fill('short-lived');
  await dialog.getByRole('button', { name: 'Delete function' }).click();
  await expect(page).toHaveURL(`${service.url}/functions`);
  await expect(page.getByRole('table', { name: 'Functions' })).not.toContainText('short-lived');
});

test('runs appear live, and filters are part of the URL', async ({ signedIn: page, service, axe }) => {
  const fn = await make(service, 'watched');
  const call = (items: number[]) =>
    service.call('functionInvoke', {
      params: { function_id: fn.function_id },
      body: { body: JSON.stringify({ items }) },
    });
  await call([1]);
  await page.goto(`${service.url}/functions/${fn.function_id}/runs`);
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(1);
  await call([]);
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('no items to sum');
  await axe('runs of a function');
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Error' }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/status=ERROR/);
  await page.reload();
  await expect(rows).toHaveCount(1);

  await page.goto(`${service.url}/runs`);
  await expect(page.getByRole('table', { name: 'Runs' })).toContainText('watched');
  await axe('runs of every function');
});

test('the editor is loaded on code pages only', async ({ signedIn: page, service }) => {
  const fn = await make(service, 'light-weight');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const heavy = () => asked.filter((path) => /monaco|editor|CodeDiff|\.ttf$/i.test(path));
  for (const [path, name] of [
    ['/', 'Overview'],
    ['/functions', 'Functions'],
    ['/events', 'Events'],
    [`/functions/${fn.function_id}/settings`, 'light-weight'],
  ] as const) {
    await page.goto(service.url + path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.waitForLoadState('load');
  }
  expect(heavy()).toEqual([]);
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await expect(editor(page)).toBeAttached();
  expect(heavy()).not.toEqual([]);
});

test("another account's function is visible to no one else", async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 404' });
  await page.goto(`${service.url}/functions/019aa6c1-7e96-7c02-9d41-5b0e2f8a6c13`);
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
});

test('the URL of a function accepts an API key, and the call is stored as a run', async ({
  signedIn: page,
  service,
}) => {
  const fn = await make(service, 'called-by-address');
  const { hostname, port } = new URL(fn.url);
  const response = await page.request.post(`http://127.0.0.1:${port}/sum`, {
    headers: { host: `${hostname}:${port}`, authorization: `Bearer ${KEY}` },
    data: { items: [4, 5] },
  });
  expect(await response.json()).toEqual({ total: 9 });
  const runId = response.headers()['x-function-run-id'] ?? '';
  await page.goto(`${service.url}/functions/${fn.function_id}/runs/${runId}`);
  await expect(page.getByText('POST /sum')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Request and response' })).toContainText('REDACTED');
});

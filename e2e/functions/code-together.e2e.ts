/** Concurrent edits of code: errors in closed files, a deploy meanwhile, and moving through differences. */
import { expect, test } from '../support/fixtures.ts';
import { editor, INDEX, make, openFile, TOTAL, write } from '../support/functions.ts';

test('compile errors are marked in every file, also in those opened later', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const fn = await make(service, 'two-mistakes', {
    'index.ts': `import './more.ts';\n${INDEX}`,
    'more.ts': 'export const more = 1;\n',
    'total.ts': TOTAL,
  });
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await openFile(page, 'total.ts');
  await expect(page.getByRole('textbox', { name: 'total.ts' })).toBeAttached();
  await write(page, TOTAL.replace('=>', '='));
  await openFile(page, 'more.ts');
  await expect(page.getByRole('textbox', { name: 'more.ts' })).toBeAttached();
  await write(page, 'export const more = ;\n');
  await openFile(page, 'index.ts');
  await expect(page.getByRole('textbox', { name: 'index.ts' })).toBeAttached();
  const markers = page.locator('.squiggly-error');
  await page.getByRole('button', { name: /^Deploy/ }).click();
  const errors = page.getByRole('region', { name: 'Compile errors' });
  await expect(errors).toContainText('total.ts:1:');
  await expect(errors).toContainText('more.ts:1:');
  await expect(markers).toHaveCount(0);
  const files = page.getByRole('navigation', { name: 'Files' });
  for (const name of ['more.ts', 'total.ts']) {
    await expect(files.getByRole('button', { name: new RegExp(`^${name}.*1 compile error`) })).toBeVisible();
    await openFile(page, name);
    await expect(page.getByRole('textbox', { name })).toBeAttached();
    await expect(markers, name).not.toHaveCount(0);
  }
  await openFile(page, 'index.ts');
  await expect(markers).toHaveCount(0);
  await axe('compile errors in two files');
});

test('a deploy by another user is reviewed before it is replaced', async ({ signedIn: page, service, axe }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 409' });
  const fn = await make(service, 'two-people');
  const params = { function_id: fn.function_id };
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await write(page, INDEX.replace('summing', 'adding'));
  // another user deploys while this request is in flight
  let theirs: Promise<unknown> | undefined;
  await page.route('**/versions', async (route) => {
    theirs ??= service.call('versionCreate', {
      params,
      body: { files: { 'index.ts': INDEX, 'total.ts': `${TOTAL}// theirs\n` } },
    });
    await theirs;
    await route.continue();
  });
  const deploy = page.getByRole('form', { name: 'Deploy' });
  await deploy.getByRole('button', { name: /^Deploy/ }).click();
  await expect(deploy.getByRole('alert')).toContainText('another version was deployed meanwhile');
  await expect(page.getByText('Version 2 was deployed while you were editing version 1')).toBeVisible();
  expect((await service.call('versionList', { params })).versions).toHaveLength(2);
  await axe('a deploy that came too late');

  // their version is reviewed, and the own edits are still present
  await page.getByRole('link', { name: 'See what changed' }).click();
  await expect(page.getByRole('textbox', { name: 'total.ts in version 2' })).toBeAttached();
  await page.goBack();
  await expect(deploy).toBeVisible();
  await deploy.getByRole('button', { name: /^Deploy anyway/ }).click();
  await expect(deploy).toBeHidden();
  const { files, version } = await service.call('functionFiles', { params });
  expect([version, files['index.ts']?.includes('adding')]).toEqual([3, true]);
});

test('moving through differences by keyboard continues in the next file', async ({ signedIn: page, service, axe }) => {
  const lines = Array.from({ length: 40 }, (_, line) => `export const n${line} = ${line};`);
  const text = (changed: number[]) =>
    lines.map((line, at) => (changed.includes(at) ? `${line} // changed` : line)).join('\n');
  const before = { 'index.ts': INDEX, 'a.ts': text([]), 'b.ts': text([]), 'total.ts': TOTAL };
  const fn = await make(service, 'walked-diff', before);
  const params = { function_id: fn.function_id };
  await service.call('versionCreate', {
    params,
    body: { files: { ...before, 'a.ts': text([0, 30]), 'b.ts': text([12]) } },
  });
  await page.goto(`${service.url}/functions/${fn.function_id}/versions?from=1&to=2`);
  const said = page.getByRole('region', { name: 'Version 1 compared with version 2' }).getByRole('status');
  await expect(said.filter({ hasText: '2 changes' })).toBeVisible();
  for (const [key, words] of [
    ['F7', 'Change 1 of 2 in a.ts'],
    ['n', 'Change 2 of 2 in a.ts'],
    ['F7', 'Change 1 of 1 in b.ts'],
    ['F7', 'Change 1 of 1 in b.ts, the last of all'],
    ['Shift+F7', 'Change 2 of 2 in a.ts'],
    ['p', 'Change 1 of 2 in a.ts'],
    ['Shift+F7', 'Change 1 of 2 in a.ts, the first of all'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(said.filter({ hasText: 'Change' })).toHaveText(words);
  }
  await axe('a walk through what differs');

  // the same inside the editor, which keeps the focus
  await page.getByRole('textbox', { name: 'a.ts in version 2' }).focus();
  await page.keyboard.press('F7');
  await page.keyboard.press('F7');
  await expect(said.filter({ hasText: 'Change' })).toHaveText('Change 1 of 1 in b.ts');
  await expect(page.getByRole('textbox', { name: 'b.ts in version 2' })).toBeFocused();
});

test('a new file has only added lines, and a deleted one only removed lines', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const fn = await make(service, 'one-more-file');
  const files = { 'index.ts': INDEX, 'total.ts': TOTAL, 'more.ts': 'export const more = 1;\nexport const most = 2;\n' };
  await service.call('versionCreate', { params: { function_id: fn.function_id }, body: { files } });
  const compare = (from: number, to: number) =>
    page.goto(`${service.url}/functions/${fn.function_id}/versions?from=${from}&to=${to}`);
  const [added, removed] = [page.locator('.view-overlays .line-insert'), page.locator('.view-overlays .line-delete')];
  const said = page.getByRole('region', { name: /compared with/ }).getByRole('status');
  await compare(1, 2);
  await expect(said.filter({ hasText: '1 change' })).toBeVisible();
  await expect(page.getByText('New in v2')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Layout' })).toHaveCount(0);
  await expect(added).toHaveCount(2);
  await expect(removed).toHaveCount(0);
  await page.keyboard.press('F7');
  await expect(said.filter({ hasText: 'Change' })).toHaveText('Change 1 of 1 in more.ts');
  await page.getByRole('textbox', { name: 'more.ts in version 2' }).focus();
  await page.keyboard.press('n');
  await expect(said.filter({ hasText: 'Change' })).toHaveText('Change 1 of 1 in more.ts, the last of all');
  await axe('a file that is new');

  await compare(2, 1);
  await expect(page.getByText('Not in v1')).toBeVisible();
  await expect(removed).toHaveCount(2);
  await expect(added).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'more.ts in version 2' })).toBeAttached();
});

test('a file is found by a part of its path; edits stay when another file is removed', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`lib/part-${at}.ts`, `export const a = ${at};\n`]),
  );
  const fn = await make(service, 'many-files', { 'index.ts': INDEX, 'total.ts': TOTAL, ...many });
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await expect(editor(page)).toBeAttached();
  const files = page.getByRole('navigation', { name: 'Files' });
  await page.keyboard.press('/');
  await expect(files.getByRole('textbox', { name: 'Find a file' })).toBeFocused();
  await page.keyboard.type('PART-2');
  await expect(files.getByRole('status')).toHaveText('11 of 32');
  await axe('files found by a part of their path');
  await openFile(page, 'part-29.ts');
  await expect(page.getByRole('textbox', { name: 'lib/part-29.ts' })).toBeAttached();
  await write(page, 'export const typed = 1;\n');
  await files.getByRole('button', { name: 'Actions for lib/part-2.ts' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(files.getByRole('status')).toHaveText('10 of 31');
  await page.getByRole('button', { name: 'Deploy', exact: false }).last().click();
  await expect(page.getByText('Version 2 of many-files is live')).toBeVisible();
  const served = (await service.call('functionFiles', { params: { function_id: fn.function_id } })).files;
  expect([served['lib/part-29.ts'], served['lib/part-2.ts']]).toEqual(['export const typed = 1;\n', undefined]);
});

test('the handler follows a renamed file, and can be set separately', async ({ signedIn: page, service, axe }) => {
  // the rejected deploy
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const both = 'export default () => "one";\nexport const two = () => "two";\n';
  const fn = await make(service, 'renamed-handler', { 'index.ts': both });
  const run = async () => {
    const { run: made } = await service.call('functionInvoke', { params: { function_id: fn.function_id }, body: {} });
    return made.response?.body;
  };
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await page.getByRole('button', { name: 'Actions for index.ts' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'New path of index.ts' }).fill('app/main.ts');
  await page.keyboard.press('Enter');
  const deploy = page.getByRole('form', { name: 'Deploy' });
  const handler = deploy.getByRole('textbox', { name: 'Handler' });
  await expect(handler).toHaveValue('app/main.default');
  await axe('a renamed handler');
  await deploy.getByRole('button', { name: /^Deploy/ }).click();
  await expect(page.getByText('Version 2 of renamed-handler is live')).toBeVisible();
  expect(await run()).toBe('one');

  await page.getByRole('button', { name: 'app/main.default' }).click();
  await expect(handler).toBeFocused();
  await expect(deploy.getByRole('button', { name: /^Deploy/ })).toHaveAttribute('aria-disabled', 'true');
  await handler.fill('app/main.three');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Compile errors' })).toContainText('"three"');
  await handler.fill('app/main.two');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Version 3 of renamed-handler is live')).toBeVisible();
  expect(await run()).toBe('two');
  await expect(deploy).toHaveCount(0);
});

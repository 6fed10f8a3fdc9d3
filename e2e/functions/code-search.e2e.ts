/** Code search from the list of functions and from the palette, by literal and by regular expression. */
import type { Page } from '@playwright/test';
import { noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search functions and code' });
const hitsOf = (page: Page) => page.getByRole('group', { name: 'Results' });
const searchAt = (url: string, query: Record<string, string>) =>
  `${url}/functions/search?${new URLSearchParams(query)}`;

test('code is found by a literal and by a regular expression, and opened at the line', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const fn = await make(service, 'needle-holder', {
    'index.ts': `// first line\nimport { needle } from './lib/needle.ts';\nexport default { fetch: () => new Response(needle) };\n`,
    'lib/needle.ts': `export const hay = 'hay';\nexport const needle = 'Needle(42)';\n`,
  });
  await page.goto(`${service.url}/functions`);
  const box = page.getByRole('textbox', { name: 'Search functions and code' });
  await expect(box).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('"needle(4');
  await expect(page.getByText('This quote is not closed yet')).toBeVisible();
  await page.keyboard.type('2)"');
  await expect(page.getByText('Read as a literal, case-insensitive.')).toBeVisible();
  const hits = page.getByRole('group', { name: 'Results' });
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await axe('hits of a literal');

  // a case-sensitive search finds nothing
  const heeded = page.getByRole('group', { name: 'Case' }).getByRole('radio', { name: 'yes' });
  await heeded.click();
  await expect(heeded).toBeChecked();
  await expect(hits).toContainText('No code of functions of this account matches');

  // a syntax error of an expression is shown while typing, at its position
  await box.fill('/needle\\((/');
  await expect(page.getByText(/missing closing \), at character \d+/i)).toBeVisible();
  await axe('a mistake in an expression');
  await box.fill('/Needle\\(\\d+\\)/');
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await expect(page.getByText('1 hit in 1 function')).toBeVisible();

  // the URL restores the view; the keyboard opens the line
  await page.reload();
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
  await expect(box).toHaveValue('/Needle\\(\\d+\\)/');
  await box.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/functions/${fn.function_id}\\?version=1&file=lib%2Fneedle\\.ts&line=2&q=`));
  await expect(page.getByRole('textbox', { name: 'lib/needle.ts' })).toBeAttached();
  await expect(page.locator('.code-line-mark')).toBeVisible();
  await page.goBack();
  await expect(hits.locator('mark')).toHaveText(['Needle(42)']);
});

test('a search is narrowed, switched and browsed without the mouse', async ({ signedIn: page, service, axe }) => {
  const lines = Array.from({ length: 45 }, (_, at) => `export const walk${at} = 'walkable'; //${'\n'.repeat(6)}`);
  await make(service, 'walk-first', {
    'index.ts': 'export default { fetch: () => new Response("walkable") };\n',
    'lib/many.ts': lines.join('\n'),
    'lib/other.js': 'export const also = "walkable";\n',
  });
  const sixty = Array.from({ length: 60 }, (_, at) => `export const walk${at} = 'walkable';`);
  await make(service, 'walk-second', {
    'index.ts': 'export default { fetch: () => new Response("") };\n',
    'lib/sixty.ts': sixty.join('\n'),
  });
  await page.goto(`${service.url}/functions`);
  await boxOf(page).fill('"walkable"');
  await expect(page.getByText('107 hits in 2 functions')).toBeVisible();

  // a facet is written into the query; selected again, it is removed
  const facet = (name: string) => page.getByRole('complementary').getByRole('checkbox', { name });
  await facet('lib/').click();
  await expect(boxOf(page)).toHaveValue('path:lib/ "walkable"');
  await expect(page.getByText('106 hits in 2 functions')).toBeVisible();
  await expect(page.getByText('in paths with lib/')).toBeVisible();
  await facet('.js').click();
  await expect(boxOf(page)).toHaveValue('path:lib/ path:.js "walkable"');
  await expect(page.getByText('1 hit in 1 function')).toBeVisible();
  await axe('a narrowed search');
  await expect(facet('.js')).toBeChecked();
  await facet('.js').click();
  await expect(boxOf(page)).toHaveValue('path:lib/ "walkable"');
  await facet('lib/').click();
  await expect(boxOf(page)).toHaveValue('"walkable"');

  // more hits are expanded and one far down is opened; Back restores the place and the focus
  await page.getByRole('button', { name: /more hits in .* of walk-first/ }).click();
  await page.getByRole('button', { name: /more hits in .* of walk-second/ }).click();
  await expect(page.getByText(/^The first 50 of 60 hits are shown/)).toBeVisible();
  await boxOf(page).focus();
  await page.keyboard.press('ArrowDown');
  for (let step = 0; step < 55; step++) await page.keyboard.press('j');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
  const scrolled = () => hitsOf(page).evaluate((list) => list.scrollTop);
  const href = await focused();
  expect(href).toMatch(/^\/functions\/.*&line=\d+&q=/);
  const depth = await scrolled();
  expect(depth).toBeGreaterThan(500);
  await page.keyboard.press('Enter');
  await expect(page.locator('.code-line-mark')).toBeVisible();
  await page.goBack();
  await expect.poll(focused).toBe(href);
  await expect.poll(scrolled).toBe(depth);

  // another query starts at the top
  await boxOf(page).fill('"walkable\\"');
  await expect(page.getByText(/quote is not closed yet/)).toBeVisible();
  await boxOf(page).fill('/walkable/');
  await expect(page.getByText('107 hits in 2 functions')).toBeVisible();
  await expect.poll(scrolled).toBe(0);

  // recent searches are offered, and can be removed
  await page.goto(`${service.url}/functions`);
  await boxOf(page).focus();
  const recent = page.getByRole('region', { name: 'Recent searches' });
  await expect(recent.getByRole('link')).toHaveText(['"walkable"']);
  await expect(page.getByRole('region', { name: 'Examples' }).getByRole('link').first()).toBeVisible();
  await axe('before a search');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(boxOf(page)).toHaveValue('"walkable"');
  await expect(page.getByText('107 hits in 2 functions')).toBeVisible();
  await boxOf(page).fill('');
  await page.getByRole('button', { name: 'Remove recent search "walkable"' }).click();
  await expect(recent).toBeHidden();
});

test('marks are correct in any script, and long lines are cut around them', async ({ signedIn: page, service }) => {
  const long = `const data = '${'ab😀'.repeat(6_000)}見出し${'😀cd'.repeat(6_000)}';`;
  await make(service, 'odd-text', {
    'index.ts': 'export default { fetch: () => new Response("") };\n',
    'odd.ts': `// 😀 漢字 見出し 見出し\r\n// ÄRGER ärger\r\n${long}`,
    'end.ts': `const data = '${'x'.repeat(6_000)}abcd';`,
    'turned.ts': '// turned \u202earound\n',
  });
  await page.goto(searchAt(service.url, { q: '"見出し"', context: '0' }));
  const marks = hitsOf(page).locator('mark');
  await expect(marks).toHaveText(['見出し', '見出し', '見出し']);
  await expect(marks.last()).toBeInViewport();
  const whole = page.getByRole('button', { name: 'Show all of line 3 of odd.ts' });
  await whole.click();
  await expect(marks).toHaveText(['見出し', '見出し', '見出し']);
  await expect
    .poll(async () => (await hitsOf(page).locator('code').last().textContent())?.length)
    .toBeGreaterThan(15_000);
  await noSidewaysScroll(page, 'a whole long line');
  await expect(marks.last()).toBeInViewport();
  await expect(whole).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await hitsOf(page).locator('code').last().textContent())?.length).toBeLessThan(400);
  await expect(whole).toBeFocused();
  await page.goto(searchAt(service.url, { q: '/[äÄ]rger/', context: '0', case: 'no' }));
  await expect(marks).toHaveText(['ÄRGER', 'ärger']);
  // a mark at the end of a line, and characters that change the text direction
  await page.goto(searchAt(service.url, { q: '/abcd.*;$/', context: '0' }));
  await expect(marks.first()).toBeInViewport({ ratio: 1 });
  await page.goto(searchAt(service.url, { q: '"turned"', context: '0' }));
  await expect(hitsOf(page).locator('code')).toHaveText('// turned •around');
});

test('a search in all versions shows which versions contain each hit', async ({ signedIn: page, service }) => {
  const code = (body: string) => ({ 'index.ts': `export default { fetch: () => new Response("${body}") };\n` });
  const { function_id } = await make(service, 'history', code('vanished long ago'));
  for (const body of ['vanished long ago!', 'still here'])
    await service.call('versionCreate', { params: { function_id }, body: { files: code(body) } });
  await page.goto(searchAt(service.url, { q: '"vanished long ago"' }));
  await expect(hitsOf(page)).toContainText('No code of functions of this account matches');
  await hitsOf(page).getByRole('link', { name: 'In all versions' }).click();
  await expect(hitsOf(page).locator('[data-hit]')).toContainText([/only in v2/, /only in v1/]);
  await expect(hitsOf(page)).toContainText('hits v1 to v2');
  await hitsOf(page)
    .getByRole('link', { name: /only in v1/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/functions/${function_id}\\?version=1&file=index\\.ts&line=1&q=`));
  await expect(page.getByText('Version 1; version 3 is live')).toBeVisible();
});

test('filters after an expression are applied and shown', async ({ signedIn: page, service, axe }) => {
  await make(service, 'read-as', {
    'index.ts': 'export default { fetch: () => new Response("twofold/ path:lib") };\n',
    'lib/a.ts': '// twofold in a library\n',
  });
  await page.goto(`${service.url}/functions`);
  await boxOf(page).fill('/twofold/ path:lib/');
  await expect(page.getByText('Read as a regular expression, case-insensitive, in paths with lib/.')).toBeVisible();
  await expect(page.getByText('The text after this slash is read as filters')).toBeVisible();
  await expect(hitsOf(page).locator('[data-hit]')).toHaveText(['1// twofold in a library']);
  await axe('a query that could be meant otherwise');
  // as announced
  await boxOf(page).fill('/twofold\\/ path:lib/');
  await expect(page.getByText('Read as a regular expression, case-insensitive.')).toBeVisible();
  await expect(hitsOf(page).locator('mark')).toHaveText(['twofold/ path:lib']);
});

test('words are marked, stars are shown, and the same words can be searched in code', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { function_id } = await make(service, 'wordy-sync', {
    'index.ts': 'export default { fetch: () => new Response("wordy text") };\n',
  });
  await service.call('functionUpdate', { params: { function_id }, body: { description: 'Syncs wordy things' } });
  await service.call('functionStar', { params: { function_id } });
  await page.goto(searchAt(service.url, { q: 'sync wordy' }));
  await expect(hitsOf(page).locator('mark')).toHaveText(['wordy', 'sync', 'Sync', 'wordy']);
  await expect(hitsOf(page).getByRole('listitem')).toContainText('1 star');
  await axe('words found');
  await boxOf(page).fill('wordy runtime:nodejs');
  await hitsOf(page).getByRole('link', { name: 'Search the code for "wordy"' }).click();
  await expect(boxOf(page)).toHaveValue('runtime:nodejs "wordy"');
  await expect(hitsOf(page).locator('mark')).toHaveText(['wordy']);
});

test('a newer search aborts the one in flight', async ({ signedIn: page, service }) => {
  await make(service, 'typed-over', { 'index.ts': 'export default { fetch: () => new Response("overtyped") };\n' });
  await page.goto(`${service.url}/functions`);
  const held = page.waitForRequest('**/api/functions/search?*overtyp%22*');
  // a slow response
  await page.route('**/api/functions/search?*overtyp%22*', () => {});
  await boxOf(page).fill('"overtyp"');
  const gone = page.waitForEvent('requestfailed', (request) => request.url().includes('overtyp%22'));
  expect((await held).headers()['accept']).toBe('text/event-stream');
  await boxOf(page).fill('"overtyped"');
  expect((await gone).failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(hitsOf(page).locator('mark')).toHaveText(['overtyped']);

  // of fast key presses the first is searched at once, the others together
  const asked: string[] = [];
  page.on('request', (request) => {
    const q = new URL(request.url()).searchParams.get('q');
    if (request.url().includes('/functions/search?') && q) asked.push(q);
  });
  await boxOf(page).evaluate((input: HTMLInputElement) => {
    const typed = ['"o"', '"ov"', '"ove"', '"over"'].map((q) => ({
      q,
      key: new InputEvent('input', { bubbles: true }),
    }));
    for (const { q, key } of typed) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, q);
      input.dispatchEvent(key);
    }
  });
  await expect(hitsOf(page).locator('mark')).toHaveText(['over']);
  expect(asked).toEqual(['"o"', '"over"']);
});

test('an incomplete response shows why, offers a retry, and counts only what it contains', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const lines = Array.from({ length: 60 }, (_, n) => `// unfinished ${n}\n`).join('');
  await make(service, 'counted', {
    'index.ts': 'export default { fetch: () => new Response("") };\n',
    'lib/many.ts': lines,
  });
  const facets = page.getByRole('complementary', { name: 'Search filters' });
  await page.goto(searchAt(service.url, { q: '"unfinished 1"' }));
  await expect(facets).toContainText('lib/11');
  await expect(facets).not.toContainText('there may be more');
  await page.goto(searchAt(service.url, { q: '"unfinished"' }));
  await expect(page.getByText('60 hits in 1 function')).toBeVisible();
  await expect(facets).toContainText('there may be more: counts cover the first 1 function and 50 hits.');
  await expect(facets).toContainText('lib/50+');
  // the list of functions is complete
  await expect(facets).toContainText(/nodejs24\.x1(?!\+)/);

  // a search that reaches its time limit before any result, once
  let searches = 0;
  await page.route('**/api/functions/search?*nowhere*', async (route) => {
    searches++;
    if (searches > 1) return route.continue();
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll('"truncated":false', '"truncated":true');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(searchAt(service.url, { q: '/nowhere[^x]/' }));
  await expect(hitsOf(page)).toContainText('Nothing found yet in functions of this account: nowhere[^x]');
  await expect(hitsOf(page)).toContainText('The search reached its limit of 2 seconds before all code was searched');
  await axe('a search that had no time');
  await hitsOf(page).getByRole('button', { name: 'Search again' }).press('Enter');
  await expect(hitsOf(page)).toContainText('No code of functions of this account matches: nowhere[^x]');
  await expect(hitsOf(page).getByRole('button', { name: 'Search again' })).toBeHidden();
});

test('results out of view render when they come near, and are reachable by keyboard', async ({
  signedIn: page,
  service,
}) => {
  const made: string[] = [];
  for (let n = 0; n < 12; n++) {
    const lines = Array.from({ length: 20 }, (_, at) => `export const faraway${at} = 'text ${n}';`).join('\n');
    const files = { 'index.ts': 'export default { fetch: () => new Response("") };\n', 'lib/a.ts': lines };
    made.unshift((await make(service, `far-${n}`, files)).function_id);
  }
  await page.goto(searchAt(service.url, { q: '"faraway"' }));
  const items = hitsOf(page).getByRole('listitem');
  await expect(items).toHaveCount(12);
  const first = items.first();
  const last = items.last();
  await expect(first.locator('mark')).toHaveCount(20);
  // findable and reachable, as plain text
  await expect(last.locator('[data-hit]')).toHaveCount(20);
  await expect(last.locator('mark')).toHaveCount(0);
  // while typing it has no layout
  await boxOf(page).focus();
  await expect(last).toHaveCSS('content-visibility', 'auto');
  await boxOf(page).press('ArrowDown');
  await expect(last).toHaveCSS('content-visibility', 'visible');
  for (let step = 0; step < 11; step++) await page.keyboard.press('Shift+J');
  await expect(last.locator('[data-hit]').first()).toBeFocused();
  await expect(last.locator('mark')).toHaveCount(20);
  await expect(first.locator('mark')).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/functions/${made.at(-1)}\\?version=1&file=lib%2Fa\\.ts&line=2&q=`));
  await page.goBack();
  await expect(last.locator('[data-hit]').nth(1)).toBeFocused();
  await expect(last.locator('[data-hit]').nth(1)).toBeInViewport();
});

test('invalid queries are rejected while typing', async ({ signedIn: page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/functions/search')) asked.push(request.url());
  });
  await page.goto(searchAt(service.url, { q: 'x'.repeat(10_000) }));
  await expect(page.getByText('A query has at most 1,000 characters; this one has 10,000')).toBeVisible();
  await page.goto(searchAt(service.url, { q: '"a\0b"' }));
  await expect(page.getByText('Code has no NUL characters, at character 3')).toBeVisible();
  await boxOf(page).fill('""');
  await expect(page.getByText('The search is empty')).toBeVisible();
  expect(asked).toEqual([]);
  await page.goto(searchAt(service.url, { q: '"x"', owner: 'ALL', visibility: 'PRIVATE' }));
  await expect(hitsOf(page)).toContainText(/No code of public functions|hit/);

  await boxOf(page).fill('');
  await boxOf(page).evaluate((input: HTMLInputElement) => {
    const data = new DataTransfer();
    data.setData('text', '"const\n  one"\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(boxOf(page)).toHaveValue('"const↵  one"');
});

test('the palette finds code, shows an excerpt, and reports syntax errors of an expression', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const fn = await make(service, 'palette-code', {
    'index.ts': 'export default { fetch: () => new Response("") };\n',
    'far.ts': `const far = '${'x'.repeat(700)} palette needle';\n`,
  });
  await page.goto(`${service.url}/events`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('combobox', { name: 'Search or jump to' });
  await field.fill('/palette (needle/');
  await expect(
    page.getByRole('option', { name: /^All results for .*missing closing \) \(at character 10\)$/ }),
  ).toHaveCount(2);
  const found = page.getByRole('option', { name: /palette-code far\.ts:1 .*palette needle';$/ });
  await field.fill('/pal\\w+ need(le)/');
  await expect(found).toBeVisible();
  await field.fill('"palette needle"');
  await expect(page.getByRole('option', { name: /^All results for "palette needle"/ })).toHaveCount(2);
  await expect(found).toBeVisible();
  await axe('code in the palette');
  await found.click();
  await expect(page).toHaveURL(new RegExp(`/functions/${fn.function_id}\\?version=1&file=far\\.ts&line=1&q=`));
  await expect(page.getByRole('heading', { level: 1, name: 'palette-code' })).toBeVisible();

  // it is offered in the palette and on the search page
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('option', { name: '"palette needle" in functions of this account' })).toBeVisible();
  await field.fill('"pal');
  await page.getByRole('option', { name: '"palette needle" in functions of this account' }).click();
  await expect(boxOf(page)).toHaveValue('"palette needle"');
});

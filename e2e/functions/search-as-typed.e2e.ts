/** Code search while typing: unfinished queries, partial responses, mistakes, reopened URLs. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import { endUnder } from '../support/session-end.ts';

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search functions and code' });
const hitsOf = (page: Page) => page.getByRole('group', { name: 'Results' });
const searchAt = (url: string, query: Record<string, string>) =>
  `${url}/functions/search?${new URLSearchParams(query)}`;
const INDEX = 'export default { fetch: () => new Response("") };\n';

/** The queries of later search requests. */
function askedOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/functions/search')) asked.push(url.searchParams.get('q') ?? '');
  });
  return asked;
}

test('an unclosed query is searched as if closed, also in the palette, and Enter closes it', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await make(service, 'half-typed', { 'index.ts': INDEX, 'lib/a.ts': 'export const halfTyped = half(1);\n' });
  await page.goto(`${service.url}/functions`);
  const marks = hitsOf(page).locator('mark');
  const marked = async () => (await marks.allTextContents()).join('');
  await boxOf(page).fill('"halfTyp');
  await expect(marks).toHaveText(['halfTyp']);
  await expect(page.getByText('Read as a literal, case-sensitive')).toBeVisible();
  await expect(boxOf(page)).toHaveAccessibleDescription(/^This quote is not closed yet.*Enter closes it/);
  await axe('a literal that is not closed yet');
  // the URL keeps the input, and is read in the same way
  await page.reload();
  await expect(marks).toHaveText(['halfTyp']);
  await expect(boxOf(page)).toHaveValue('"halfTyp');
  await boxOf(page).press('Enter');
  await expect(boxOf(page)).toHaveValue('"halfTyp"');
  await expect(page.getByText('not closed yet')).toBeHidden();
  await expect(marks).toHaveText(['halfTyp']);

  // an unfinished expression keeps the results, and shows what is missing
  await boxOf(page).fill('/half\\(');
  await expect.poll(marked).toBe('half(');
  await boxOf(page).fill('/half\\((\\d');
  await expect(page.getByText(/^Missing closing \)/)).toBeVisible();
  await expect.poll(marked).toBe('half(');
  await boxOf(page).fill('/half\\((\\d)');
  await expect.poll(marked).toBe('half(1');

  // an unfinished filter is not part of the query
  const asked = askedOf(page);
  await boxOf(page).fill('/half\\(/ path:');
  await boxOf(page).fill('/half\\(/ path:lib');
  await expect(page.getByText('in paths with lib.')).toBeVisible();
  await expect.poll(marked).toBe('half(');
  // the query without it is cached
  expect(asked).toEqual(['/half\\(/ path:lib']);

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('"halfTyp');
  await expect(page.getByRole('option', { name: /^half-typed lib\/a\.ts:1/ })).toBeVisible();
  await page.getByRole('option', { name: 'All results for "halfTyp" 1 hit' }).last().click();
  await expect(boxOf(page)).toHaveValue('"halfTyp"');
});

test('an interrupted response keeps its results, shows a message, and can be retried', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await make(service, 'broken-off', { 'index.ts': INDEX, 'a.ts': '// brokenOff\n' });
  let broken = true;
  await page.route('**/api/functions/search?*brokenOff*', async (route) => {
    if (!broken) return route.continue();
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace('event: done', 'event: results')
      .replace('"truncated":false', '"truncated":true');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(searchAt(service.url, { q: '"brokenOff"' }));
  const said = page.getByRole('alert');
  await expect(said).toContainText('The search was interrupted. These are partial results.');
  await expect(hitsOf(page).locator('mark')).toHaveText(['brokenOff']);
  await expect(page.getByText('1 hit in 1 function so far')).toBeVisible();
  await axe('an answer that broke off');
  broken = false;
  await said.getByRole('button', { name: 'Search again' }).press('Enter');
  await expect(said).toBeHidden();
  await expect(page.getByText('1 hit in 1 function', { exact: true })).toBeVisible();
});

test('a search without results offers alternatives with their counts', async ({ signedIn: page, service, axe }) => {
  await make(service, 'other-way', { 'index.ts': INDEX, 'lib/a.ts': 'const otherWay = goes(round);\n' });
  await page.goto(searchAt(service.url, { q: 'path:src/ "OtherWay goes"' }));
  const way = (name: string) => hitsOf(page).getByRole('listitem').filter({ hasText: name });
  await expect(way('Ignoring case')).toContainText('no results');
  await expect(way('With anything between the words')).toContainText('no results');
  await boxOf(page).fill('"OtherWay"');
  await expect(way('Ignoring case')).toContainText('1 hit in 1 function');
  await expect(way('In public functions of every account')).toContainText('no results');
  await axe('nothing found');
  await way('Ignoring case').getByRole('link').click();
  await expect(hitsOf(page).locator('mark')).toHaveText(['otherWay']);
  await expect(page).toHaveURL(/case=no/);

  await boxOf(page).fill('path:src/ /otherWay.*round/');
  await expect(way('Without path:src/')).toContainText('1 hit in 1 function');
  await way('Without path:src/').getByRole('link').click();
  await expect(boxOf(page)).toHaveValue('/otherWay.*round/');
  await expect(hitsOf(page).locator('mark').first()).toBeVisible();
});

test('a syntax error in the URL is shown beside the query syntax, without a pending state', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  await page.goto(searchAt(service.url, { q: '/mistaken(/ path:lib' }));
  await expect(page.getByText('Missing closing )')).toBeVisible();
  await expect(hitsOf(page)).toContainText('code, by a regular expression');
  await expect(page.getByText('Searching…')).toBeHidden();
  await expect(page.getByRole('complementary', { name: 'Search filters' })).toBeHidden();
  await axe('a mistake in an address');
});

test('a reload keeps the scroll position and the expanded results', async ({ signedIn: page, service }) => {
  const lines = Array.from({ length: 45 }, (_, at) => `export const kept${at} = 'reloadable';${'\n'.repeat(6)}`);
  await make(service, 'reloaded', { 'index.ts': INDEX, 'lib/many.ts': lines.join('') });
  await page.goto(searchAt(service.url, { q: '"reloadable"' }));
  await page.getByRole('button', { name: /more hits in .* of reloaded/ }).click();
  await expect(hitsOf(page).locator('[data-hit]')).toHaveCount(45);
  const scrolled = () => hitsOf(page).evaluate((list) => list.scrollTop);
  await hitsOf(page).evaluate((list) => list.scrollTo(0, 1200));
  await expect.poll(scrolled).toBe(1200);
  await page.reload();
  await expect(hitsOf(page).locator('[data-hit]')).toHaveCount(45);
  await expect.poll(scrolled).toBe(1200);
  // another query starts at the top
  await boxOf(page).fill('/reloadable/');
  await expect(page.getByText('Read as a regular expression')).toBeVisible();
  await expect.poll(scrolled).toBe(0);
});

test('moving through hits by keyboard continues while more load, and a slow search is indicated', async ({
  signedIn: page,
  service,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_INTERNET_DISCONNECTED' });
  const lines = Array.from({ length: 12 }, (_, at) => `export const walked${at} = 'walked-on';${'\n'.repeat(6)}`);
  await make(service, 'walked-on', { 'index.ts': INDEX, 'lib/many.ts': lines.join('') });
  await page.goto(searchAt(service.url, { q: '"walked-on"' }));
  const hits = hitsOf(page).locator('[data-hit]');
  await expect(hits).toHaveCount(3);
  await boxOf(page).press('ArrowDown');
  await expect(hits.first()).toBeFocused();
  for (let step = 0; step < 3; step++) await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: '9 more hits in this file of walked-on' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(hits).toHaveCount(12);
  await expect(hits.nth(3)).toBeFocused();

  // the previous results stay, below a progress line
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/functions/search?*walked-o%22*', async (route) => {
    await held;
    await route.continue();
  });
  await boxOf(page).fill('"walked-o"');
  await expect(page.locator('[data-pending]')).toBeVisible();
  await expect(page.getByText('Searching…')).toBeVisible();
  await expect(page.getByText('12 hits in 1 function')).toBeHidden();
  await expect(hits).toHaveCount(12);
  release();
  await expect(page.locator('[data-pending]')).toBeHidden();
  await expect(hitsOf(page).locator('mark').first()).toHaveText('walked-o');
  await expect(page.getByText('12 hits in 1 function')).toBeVisible();

  await page.context().setOffline(true);
  await boxOf(page).fill('"walked"');
  await expect(page.getByText('Waiting for the network…')).toBeVisible();
  await page.context().setOffline(false);
  await expect(hitsOf(page).locator('mark').first()).toHaveText('walked');
  await expect(page.getByText('12 hits in 1 function')).toBeVisible();
});

test('on a phone a hit far along its line is visible, also in the opened code', async ({ signedIn: page, service }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const line = `const far = [${Array.from({ length: 30 }, (_, at) => at).join(', ')}, 'phoneEnd'];\n`;
  const fn = await make(service, 'phone-far', { 'index.ts': INDEX, 'a.ts': line });
  await page.goto(searchAt(service.url, { q: '"phoneEnd"' }));
  await expect(hitsOf(page).locator('mark')).toBeInViewport({ ratio: 1 });
  await hitsOf(page).locator('[data-hit]').click();
  await expect(page).toHaveURL(new RegExp(`/functions/${fn.function_id}\\?version=1&file=a\\.ts&line=1&q=`));
  await expect(page.locator('.view-line').getByText('phoneEnd')).toBeInViewport({ ratio: 1 });
});

test('text of an unfinished composition is not searched', async ({ signedIn: page, service }) => {
  await make(service, 'composed', { 'index.ts': INDEX, 'a.ts': '// 検索 する\n' });
  await page.goto(searchAt(service.url, { q: '"する"' }));
  await expect(hitsOf(page).locator('mark')).toHaveText(['する']);
  await boxOf(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(1, 3));
  await boxOf(page).focus();
  const asked = askedOf(page);
  const keyboard = await page.context().newCDPSession(page);
  for (const text of ['k', 'け', 'けんs', 'けんさ', '検索'])
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await keyboard.send('Input.insertText', { text: '検索' });
  await expect(boxOf(page)).toHaveValue('"検索"');
  await expect(hitsOf(page).locator('mark')).toHaveText(['検索']);
  expect(new Set(asked)).toEqual(new Set(['"検索"']));
});

test('an overlong query still makes a URL that can be opened again', async ({ signedIn: page, service }) => {
  await page.goto(searchAt(service.url, { q: '"x"' }));
  await boxOf(page).fill('見'.repeat(10_000));
  await expect(page.getByText('A query has at most 1,000 characters; this one has more')).toBeVisible();
  await expect(boxOf(page)).toHaveValue('見'.repeat(10_000));
  expect((await page.reload())?.status()).toBe(200);
  await expect(page.getByText('A query has at most 1,000 characters; this one has more')).toBeVisible();
});

test('a match that exceeds the shown part of a line is labeled, and marked in the whole line', async ({
  signedIn: page,
  service,
}) => {
  await make(service, 'far-match', { 'index.ts': INDEX, 'a.js': `farBegin(${'x'.repeat(4_000)}, farEnd)\n` });
  await page.goto(searchAt(service.url, { q: '/farBegin.*farEnd/' }));
  await expect(hitsOf(page).getByText('match continues beyond this part')).toBeVisible();
  await page.getByRole('button', { name: 'Show all of line 1 of a.js' }).click();
  await expect
    .poll(async () => (await hitsOf(page).locator('mark').allTextContents()).join(''))
    .toMatch(/^farBegin\(x+, farEnd$/);
  await expect(hitsOf(page).getByText('match continues beyond this part')).toBeHidden();
});

test('a page that waits for the service shows that, and so does an expired session', async ({
  signedIn: page,
  service,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 401' });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/session', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(searchAt(service.url, { q: '"anything at all"' }));
  await expect(page.getByRole('status')).toHaveText('Waiting for the service…');
  release();
  await expect(hitsOf(page)).toContainText('No code of functions of this account matches');

  await page.waitForFunction(() => localStorage.getItem('sluice.signed-in') !== null);
  await endUnder('GET', page, service, '/functions/search');
  await boxOf(page).fill('"something else"');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Your session has expired')).toBeVisible();
  await axe('signing in again');
});

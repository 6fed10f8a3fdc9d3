/** The log of a function: live tail, filter, highlight, links, download. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { copiedBy } from '../support/clipboard.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import type { RunningService } from '../support/service.ts';

const TALKER = {
  'src/index.ts': `import { boom } from './boom.ts';
export default { async fetch(request: Request) {
  const { lines = 1, from = 0, fails = false } = await request.json();
  for (let i = 0; i < lines; i++) {
    if (i % 10 === 9) console.error('line', from + i, 'ERROR code', i);
    else if (i % 10 === 5) console.log(JSON.stringify({ level: 'info', n: from + i, user: { id: 7 } }));
    else console.log('line', from + i);
  }
  if (fails) boom();
  return new Response('ok');
} };
`,
  'src/boom.ts': `export function boom(): never {\n  throw new Error('went wrong');\n}\n`,
};

const talk = (service: RunningService, function_id: string, body: object) =>
  service.call('functionInvoke', { params: { function_id }, body: { body: JSON.stringify(body) } });
const list = (page: Page) => page.getByRole('group', { name: 'Log lines' });
const line = (page: Page, text: string) => list(page).getByText(text, { exact: true });

test('a log is followed and paused, and no line is lost', async ({ signedIn: page, service, axe }) => {
  // while the connection is lost the page reconnects
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_INTERNET_DISCONNECTED' });
  const { function_id } = await make(service, 'talker', TALKER);
  await page.goto(`${service.url}/functions/${function_id}`);
  await page.getByRole('link', { name: 'Logs', exact: true }).click();
  await expect(page.getByText('No lines yet')).toBeVisible();
  await expect(page.getByText('Live', { exact: true }).last()).toBeVisible();
  await axe('an empty log');

  await talk(service, function_id, { lines: 300 });
  await expect(line(page, 'line 298')).toBeVisible();
  await expect(page.getByText('303 lines')).toBeVisible();
  await axe('a log');

  // the scroll position of a paused tail does not change; a wheel event needs time
  await list(page).hover();
  const scrolled = () => list(page).evaluate((element) => element.scrollTop);
  const bottom = await scrolled();
  await page.mouse.wheel(0, -3000);
  await expect.poll(scrolled).toBe(bottom - 3000);
  const follow = page.getByRole('button', { name: 'Live tail', exact: true });
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  const top = await scrolled();
  await talk(service, function_id, { lines: 50, from: 1000 });
  const waiting = page.getByRole('button', { name: '53 new lines' });
  await expect(waiting).toBeVisible();
  expect(await scrolled()).toBe(top);
  await waiting.click();
  await expect(line(page, 'line 1048')).toBeVisible();
  await expect(page.getByText('356 lines')).toBeVisible();

  // with the keyboard alone
  await page.keyboard.press('f');
  await expect(follow).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Live tail: on' })).toHaveAttribute('aria-pressed', 'true');

  // the connection is lost while lines arrive
  await page.context().setOffline(true);
  await talk(service, function_id, { lines: 20, from: 2000 });
  await page.context().setOffline(false);
  await talk(service, function_id, { lines: 1, from: 3000 });
  await expect(line(page, 'line 3000')).toBeVisible();
  await expect(page.getByText('383 lines')).toBeVisible();
});

test('a pattern filters or highlights lines, and shows its reading and its errors', async ({
  signedIn: page,
  service,
  axe,
}) => {
  // an expression that only the service can validate
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const { function_id } = await make(service, 'patterns', TALKER);
  await talk(service, function_id, { lines: 30 });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  await expect(page.getByText('33 lines')).toBeVisible();
  const pattern = page.getByRole('textbox', { name: 'Filter pattern' });
  await page.keyboard.press('/');
  await expect(pattern).toBeFocused();
  await pattern.fill('ERROR -19');
  await expect(page.getByText('Lines with “ERROR”, without “19”')).toBeVisible();
  await expect(page.getByText('2 lines')).toBeVisible();
  await expect(list(page).locator('mark')).toHaveText(['ERROR', 'ERROR']);
  await axe('a filtered log');

  await page.getByRole('radio', { name: 'Highlight' }).click();
  await expect(page.getByText('33 lines, 2 match')).toBeVisible();
  await expect(page).toHaveURL(/pattern=ERROR.*show=all/);
  await page.reload();
  await expect(page.getByText('33 lines, 2 match')).toBeVisible();
  await axe('a marked log');
  await talk(service, function_id, { lines: 10 });
  await expect(page.getByText('46 lines, 3 match')).toBeVisible();

  await page.getByRole('radio', { name: 'Filter' }).click();
  await pattern.fill('{ $.user.id = 7 && $.n >= 15 }');
  await expect(page.getByText('JSON lines where $.user.id is 7 and $.n is at least 15')).toBeVisible();
  await expect(page.getByText('2 lines')).toBeVisible();
  await list(page).getByRole('button').first().click();
  await expect(list(page).getByRole('tree')).toBeVisible();
  await axe('an opened JSON line');

  await pattern.fill('{ $.user.id = 7 && }');
  await expect(page.getByText(/, at character 20$/)).toBeVisible();
  await axe('a mistaken pattern');
  await pattern.fill('%a**%');
  await expect(page.getByText(/Invalid regular expression/)).toBeVisible();
});

test('lines are filtered by level, and use the colors of the console', async ({ signedIn: page, service, axe }) => {
  const code = `export default { fetch() {
    console.log('\\x1b[32mgreen\\x1b[39m, \\x1b[1;31mred\\x1b[0m and \\x1b[90mgrey\\x1b[0m\\x07');
    console.warn('\\x1b[34mblue\\x1b[0m, \\x1b[33myellow\\x1b[0m');
    console.error('\\x1b[35mmagenta\\x1b[0m, \\x1b[36mcyan\\x1b[0m');
    console.log(JSON.stringify({ level: 'error', n: 1 }));
    return new Response('ok');
  } };`;
  const { function_id } = await make(service, 'colours', { 'index.js': code });
  const { run } = await service.call('functionInvoke', { params: { function_id }, body: {} });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  await expect(page.getByText('7 lines')).toBeVisible();
  await expect(list(page).getByText('green, red and grey', { exact: true })).toBeVisible();
  await expect(list(page).getByText('red', { exact: true })).toHaveClass(/text-bad-fg/);
  await axe('a coloured log');

  await page.getByRole('button', { name: 'Level', exact: true }).press('Enter');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/level=error/);
  await expect(page.getByText('2 lines')).toBeVisible();
  await service.call('functionInvoke', { params: { function_id }, body: {} });
  await expect(page.getByText('4 lines')).toBeVisible();
  await page.reload();
  await expect(page.getByText('4 lines')).toBeVisible();
  await axe('a log of errors');
  await page.getByRole('button', { name: 'Clear filter Level: error' }).press('Enter');
  await expect(page.getByText('14 lines')).toBeVisible();

  const copied = await copiedBy(page, page.getByRole('button', { name: 'Copy the log lines' }));
  expect(copied).toContain(' green, red and grey\n');
  await page.goto(`${service.url}/functions/${function_id}/runs/${run.run_id}`);
  await expect(list(page).getByText('green, red and grey', { exact: true })).toBeVisible();
  await axe('a run that coloured its lines');
});

test('a line links to itself, its run and its code', async ({ signedIn: page, service, axe }) => {
  const { function_id } = await make(service, 'linked', TALKER);
  for (let i = 0; i < 3; i++) await talk(service, function_id, { lines: 400, from: i * 1000 });
  const { run } = await talk(service, function_id, { lines: 3, from: 9000, fails: true });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  await expect(line(page, 'line 9002')).toBeVisible();
  await expect(page.getByText('500 lines')).toBeVisible();
  const older = page.getByRole('button', { name: 'Load older lines' });
  await older.focus();
  await page.keyboard.press('Enter');
  await expect(older).toBeHidden();
  await expect(page.getByText(/^1,?2\d\d lines$/)).toBeVisible();

  // a link to a line shows the lines around it
  const { events } = await service.call('functionLogList', {
    params: { function_id },
    query: { filter_pattern: '"line 1003"' },
  });
  const wanted = events[0];
  await page.goto(
    `${service.url}/functions/${function_id}/logs?line=${wanted?.run_id}.${wanted?.seq}&at=${wanted?.timestamp}`,
  );
  await expect(line(page, 'line 1003')).toBeVisible();
  await expect(list(page).locator('[aria-current]').filter({ hasText: 'line 1003' })).toBeVisible();
  await axe('a line that was linked to');
  await page.getByRole('button', { name: 'Live tail', exact: true }).click();
  await expect(page).not.toHaveURL(/at=/);

  // a stack frame links to its line in the version that ran
  await expect(list(page).getByText('went wrong').first()).toBeVisible();
  await list(page)
    .getByRole('link', { name: /src\/boom\.ts:2/ })
    .first()
    .click();
  await expect(page).toHaveURL(/version=1&file=src%2Fboom\.ts&line=2/);
  await page.goBack();
  await list(page)
    .getByRole('link', { name: `Run ${run.run_id.slice(-8)}` })
    .last()
    .click();
  await expect(page.getByRole('heading', { name: run.run_id })).toBeVisible();
});

test('a log is wrapped, timed, copied and downloaded', async ({ signedIn: page, service, axe }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { function_id } = await make(service, 'taken-away', TALKER);
  const { run } = await talk(service, function_id, { lines: 12 });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  await expect(page.getByText('15 lines')).toBeVisible();
  await axe('a log on a phone');
  const wrap = page.getByRole('button', { name: 'Wrap long lines' });
  const fits = () => list(page).evaluate((box) => box.scrollWidth <= box.clientWidth);
  // on a phone lines wrap by default
  await expect(wrap).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(fits).toBe(true);
  await wrap.click();
  await expect(wrap).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(fits).toBe(false);
  await page.getByRole('radio', { name: 'Relative' }).click();
  await expect(list(page).locator('time').first()).toContainText(/now|ago/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the log lines' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('taken-away.log');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.trimEnd().split('\n')).toHaveLength(15);
  expect(text).toContain(`error ${run.run_id} line 9 ERROR code 9`);
  await page.getByRole('button', { name: 'Copy the log lines' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

/** Adjacent lines with a gap or an overlap between them. */
const misplaced = (page: Page) =>
  list(page).evaluate((box) => {
    const drawn = [...box.querySelectorAll(':scope > div > ol > li')]
      .map((each) => ({ at: Number(each.getAttribute('aria-posinset')), box: each.getBoundingClientRect() }))
      .sort((a, b) => a.at - b.at);
    return drawn
      .slice(1)
      .filter(({ box: { top } }, index) => Math.abs(top - (drawn[index]?.box.bottom ?? 0)) > 1)
      .map(({ at }) => at);
  });

test('lines of every height do not overlap, and their elements are reused for later lines', async ({
  signedIn: page,
  service,
}) => {
  const { function_id } = await make(service, 'uneven', {
    'index.ts': `export default { async fetch(request: Request) {
  const { n } = await request.json();
  for (let i = 0; i < n; i++) {
    if (i % 7 === 3) console.log('several\\nlines\\nof ' + i);
    else if (i % 7 === 5) console.log(JSON.stringify({ i, list: [1, 2, 3], text: 'x'.repeat(300) }));
    else console.log('word '.repeat((i % 5) * 40) + i);
  }
  return new Response(String(n));
} };
`,
  });
  await page.goto(`${service.url}/functions/${function_id}/logs`);
  await talk(service, function_id, { n: 210 });
  await expect(page.getByText('213 lines')).toBeVisible();
  await expect.poll(() => misplaced(page)).toEqual([]);
  const rows = list(page).locator('> div > ol > li');
  expect(await rows.count()).toBeLessThan(60);
  const kept = await rows.evaluateAll((all) => {
    Object.assign(window, { kept: all });
    return all.length;
  });
  await talk(service, function_id, { n: 250 });
  await expect(page.getByText('466 lines')).toBeVisible();
  const still = () =>
    page.evaluate(() => Reflect.get(window, 'kept').filter((each: Element) => each.isConnected).length);
  expect(await still()).toBeGreaterThan(kept * 0.8);

  const json = list(page).getByRole('button', { expanded: false }).last();
  for (const wrapped of [true, false]) {
    await page.getByRole('button', { name: 'Wrap long lines' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Wrap long lines', pressed: wrapped })).toBeVisible();
    await expect.poll(() => misplaced(page)).toEqual([]);
    await json.press('Enter');
    await expect(list(page).getByRole('tree')).toBeVisible();
    await expect.poll(() => misplaced(page)).toEqual([]);
    await list(page).getByRole('button', { expanded: true }).press('Enter');
    await expect(list(page).getByRole('tree')).toHaveCount(0);
    await expect.poll(() => misplaced(page)).toEqual([]);
  }
});

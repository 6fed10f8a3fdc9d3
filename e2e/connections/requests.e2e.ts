/** The request builder of a connection, and the test of its credentials. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { copiedBy } from '../support/clipboard.ts';
import { complete, makeApp, makeConnection, noSidewaysScroll, SECRET, statusOf } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Moody, PICTURE, startMoody } from '../support/moody.ts';
import { KEY, type RunningService } from '../support/service.ts';

let moody: Moody;
test.beforeAll(async () => {
  moody = await startMoody();
});
test.afterAll(() => moody.stop());

async function connected(service: RunningService, app: string, base_url = moody.url): Promise<string> {
  await makeApp(service, app, base_url);
  const id = await makeConnection(service, app, `Of ${app}`);
  await complete(service, id);
  return id;
}

const tryIt = (service: RunningService, id: string, query: Record<string, string> = {}) =>
  `${service.url}/connections/${id}/try?${new URLSearchParams(query)}`;
const answerOf = (page: Page): Locator => page.getByRole('region', { name: 'Response' });
const SEND = /^Send (?!again)/;
const send = (page: Page) => page.getByRole('button', { name: SEND }).click();

test('a request is entered, sent with the keyboard, and its response shown in every format', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const id = await connected(service, 'try-read');
  await page.goto(`${service.url}/connections/${id}`);
  await page.getByRole('link', { name: 'Try a request' }).click();
  await expect(answerOf(page)).toContainText('The response appears here');
  await axe('a request to write');
  await page.getByRole('textbox', { name: 'Path' }).fill('/items?page=2');
  await expect(page.getByRole('textbox', { name: 'Value of page' })).toHaveValue('2');
  await page.getByRole('textbox', { name: 'Name of query parameter 2' }).fill('name');
  await page.getByRole('textbox', { name: 'Value of name' }).fill('Ann & co');
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/items?page=2&name=Ann%20%26%20co');
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Wanted');
  await page.getByRole('textbox', { name: 'Value of X-Wanted' }).fill('yes');
  await page.keyboard.press('ControlOrMeta+Enter');

  const answer = answerOf(page);
  await expect(answer.getByRole('status').first()).toContainText('200 OK');
  await expect(answer.getByRole('list', { name: 'Timing' })).toContainText(/Connecting .*Waiting .*Receiving/);
  // numbers are shown as they were sent
  await expect(answer.getByRole('tree')).toContainText('12345678901234567890');
  await axe('an answer');
  await answer.getByRole('radio', { name: 'Raw' }).click();
  await expect(answer.getByRole('group', { name: 'Response body, raw' })).toContainText(
    '{"path":"/items?page=2&name=Ann%20%26%20co","big":12345678901234567890',
  );
  await answer.getByRole('radio', { name: /^Headers/ }).click();
  await expect(answer.getByRole('group', { name: 'Response headers' })).toContainText(/X-Tag: one\s*x-tag: two/);
  await expect(page).toHaveURL(/method|path=%2Fitems%3Fpage%3D2/);

  // the app receives the key and the request, and no headers of the console
  expect(moody.got()).toMatchObject({ method: 'GET', path: '/items?page=2&name=Ann%20%26%20co' });
  expect(moody.got()?.headers).toMatchObject({ 'x-api-key': SECRET, 'x-wanted': 'yes' });
  expect(moody.got()?.headers).not.toHaveProperty('cookie');
  expect(moody.got()?.headers).not.toHaveProperty('origin');
  // a copied URL shows the same request to another user
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/items?page=2&name=Ann%20%26%20co');
});

test('a body is validated while typing, and sent with its content type', async ({ signedIn: page, service, axe }) => {
  const id = await connected(service, 'try-body');
  await page.goto(tryIt(service, id, { method: 'POST', path: '/items' }));
  await page.getByRole('radio', { name: 'JSON' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill('{\n  "a": 1,\n  b\n}');
  await expect(body).toHaveAccessibleDescription('Invalid JSON: see line 3, column 3.');
  await axe('a body with a mistake');
  await body.fill('{"a":1}');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect(body).toHaveValue('{\n  "a": 1\n}');
  await send(page);
  await expect(answerOf(page)).toContainText('200 OK');
  expect(moody.got()).toMatchObject({ method: 'POST', body: '{\n  "a": 1\n}' });
  expect(moody.got()?.headers['content-type']).toBe('application/json');

  await page.getByRole('radio', { name: 'Form' }).click();
  await page.getByRole('textbox', { name: 'Name of field 1' }).fill('to');
  await page.getByRole('textbox', { name: 'Value of to' }).fill('a b');
  await send(page);
  await expect.poll(() => moody.got()?.body).toBe('to=a+b');
  expect(moody.got()?.headers['content-type']).toBe('application/x-www-form-urlencoded');

  // headers that the gateway does not forward have a note
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('Authorization');
  await expect(page.getByText('Not sent: the connection’s credentials replace it.')).toBeVisible();
});

test('an app that fails, hangs or is unreachable is explained in words', async ({ signedIn: page, service, axe }) => {
  const id = await connected(service, 'try-trouble');
  await page.goto(tryIt(service, id, { path: '/broken' }));
  await send(page);
  const answer = answerOf(page);
  await expect(answer).toContainText('503 Service Unavailable');
  await expect(answer.getByRole('tree')).toContainText('4127');

  await page.getByRole('textbox', { name: 'Path' }).fill('/never');
  await send(page);
  await expect(answer).toContainText('Waiting for the app');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(answer).toContainText('Canceled. The app may still have received the request.');

  await page.getByRole('textbox', { name: 'Path' }).fill('/cut');
  await send(page);
  await expect(answer).toContainText('No response');
  await axe('no answer');

  const gone = await startMoody();
  await gone.stop();
  const lost = await connected(service, 'try-gone', gone.url);
  await page.goto(tryIt(service, lost));
  await send(page);
  await expect(answer).toContainText('No response');
  await expect(answer).toContainText('The connection was refused.');
});

test('a binary body is downloaded, an HTML body is shown as text', async ({ signedIn: page, service }) => {
  const id = await connected(service, 'try-bytes');
  await page.goto(tryIt(service, id, { path: '/picture' }));
  await send(page);
  await expect(answerOf(page)).toContainText('13 B (13 bytes) of image/png can’t be shown as text.');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('picture.png');
  expect(readFileSync(await saved.path())).toEqual(PICTURE);
  await page.getByRole('textbox', { name: 'Path' }).fill('/page');
  await send(page);
  await expect(answerOf(page).getByRole('group', { name: 'Response body' })).toContainText('<h1>Hello</h1>');
});

test('recent requests are stored in this browser until sign-out, and sent again', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const id = await connected(service, 'try-again');
  await page.goto(tryIt(service, id, { path: '/items?first=1' }));
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Auth-Token');
  await page.getByRole('textbox', { name: 'Value of X-Auth-Token' }).fill('hush-hush');
  await send(page);
  const list = page.getByRole('list', { name: 'Recent requests' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove X-Auth-Token' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/items?second=2');
  await send(page);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hush-hush');

  await page.reload();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await axe('requests of before');
  // secrets are not stored, so that request must be opened first
  await expect(page.getByRole('button', { name: 'Send again: GET /items?first=1' })).toHaveAccessibleDescription(
    'Its header values were not stored: open it first.',
  );
  await list.getByRole('button', { name: /^\d.*\/items\?first=1/ }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/items?first=1');
  await expect(page.getByText('Some parts of this request were not stored: header values')).toBeVisible();
  await page.getByRole('button', { name: 'Send again: GET /items?second=2' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  expect(moody.got()?.path).toBe('/items?second=2');

  // another connection has its own history; sign-out clears all
  await page.goto(tryIt(service, await makeConnection(service, 'try-again', 'Another')));
  await expect(page.getByText('Requests you send are listed here')).toBeVisible();
  await expect(page.getByRole('button', { name: SEND })).toHaveAccessibleDescription(
    'Only an active connection has credentials to send with.',
  );
  await page.getByRole('button', { name: /My account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/sign-in/);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('/items?');
});

test('the generated code sends the same request', async ({ signedIn: page, service }) => {
  const id = await connected(service, 'try-program');
  await page.goto(tryIt(service, id, { method: 'PATCH', path: '/items/1?dry=1', lang: 'fetch' }));
  await page.getByRole('radio', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Body' }).fill(`{"name":"Ann's","tags":["a"]}`);
  const script = await copiedBy(page, page.getByRole('button', { name: 'Copy the fetch code' }));
  expect(script).toContain(`"Service-Connection": "${id}"`);
  const env = { PATH: process.env['PATH'], API_KEY: KEY };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
  expect(stdout).toMatch(/^200 \{"path":"\/items\/1\?dry=1"/);
  expect(moody.got()).toMatchObject({ method: 'PATCH', body: `{"name":"Ann's","tags":["a"]}` });

  await page.getByRole('checkbox', { name: 'Name this connection' }).uncheck();
  await page.getByRole('radio', { name: 'Python' }).click();
  await expect(page.getByRole('group', { name: 'The request in python' })).toContainText('"name": "Ann\'s",');
  await expect(page.getByRole('group', { name: 'The request in python' })).not.toContainText('Service-Connection');
  expect(await copiedBy(page, page.getByRole('button', { name: 'Copy as curl: this request' }))).toContain(
    `curl -X PATCH '${service.url}/api/try-program/items/1?dry=1'`,
  );
});

test('credentials that are rejected twice fail the connection, which keeps its ID when reconnected', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const app = 'tested';
  await service.call('appCreate', {
    body: {
      app,
      name: 'Tested',
      base_url: moody.url,
      probe: { method: 'GET', path: '/items' },
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
    },
  });
  const id = await makeConnection(service, app, 'Under test');
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}`);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Tested accepted these credentials.')).toBeVisible();
  await axe('a test that went well');

  moody.key = 'another-secret';
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(statusOf(page)).toHaveText('Failed');
  await expect(page.getByText('INVALID_CREDENTIALS')).toBeVisible();
  await expect(page.getByText('Rejected', { exact: true })).toBeVisible();
  await axe('a failed connection');

  // the connection's overview links here, and so does the list, with the cause
  await page.goto(`${service.url}/connections?q=Under`);
  await expect(page.getByRole('row', { name: /Under test/ })).toContainText('The credentials were rejected');
  await page.goto(service.url);
  await page.getByRole('article').filter({ hasText: 'Under test' }).getByRole('link', { name: 'Reconnect' }).click();
  await expect(page).toHaveURL(`${service.url}/connections/${id}`);

  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
  const opened = await opening;
  const closed = opened.waitForEvent('close');
  await opened.getByLabel('API key').fill(moody.key);
  await opened.keyboard.press('Enter');
  await expect(statusOf(page)).toHaveText('Active');
  await closed;
  moody.key = 'another-secret';
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Tested accepted these credentials.')).toBeVisible();
  moody.key = SECRET;
});

test('the request builder works with the keyboard alone', async ({ signedIn: page, service }) => {
  const id = await connected(service, 'by-keys');
  await page.goto(`${service.url}/connections?q=by-keys`);
  await expect(page.getByRole('row', { name: /Of by-keys/ })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Of by-keys' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.type('Try a request');
  await expect(page.getByRole('option', { name: 'Try a request', exact: true })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  const method = page.getByRole('combobox', { name: 'Method' });
  await expect(method).toBeVisible();
  await method.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Path' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('/items?typed=1');
  await page.keyboard.press('Enter');
  await expect(answerOf(page)).toContainText('200 OK');
  // the focus does not move
  await expect(page.getByRole('textbox', { name: 'Path' })).toBeFocused();
  expect(moody.got()?.path).toBe('/items?typed=1');

  await page.goto(`${service.url}/connections/${id}/calls`);
  await expect(page.getByRole('table', { name: 'Gateway calls' })).toContainText('GET /items');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'GET /items' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Gateway calls' }).getByRole('link')).toBeFocused();
});

test('requests and calls work in both color schemes, on a phone', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await connected(service, 'try-phone');
  await page.goto(tryIt(service, id, { path: `/${'long/'.repeat(60)}` }));
  await send(page);
  await page.getByRole('button', { name: /^200 in/ }).click();
  await expect(answerOf(page).getByRole('tree')).toBeInViewport();
  await axeInBothSchemes('an answer');
  await noSidewaysScroll(page, 'an answer');
  const body = page.getByRole('group', { name: 'Try it', exact: true });
  expect(await body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.goto(`${service.url}/connections/${id}/calls`);
  await expect(page.getByRole('img', { name: /1 call/ })).toBeVisible();
  await axeInBothSchemes('calls');
  await noSidewaysScroll(page, 'calls');
  await page.getByRole('table', { name: 'Gateway calls' }).getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Close panel' })).toBeVisible();
  await axeInBothSchemes('a call');
  await noSidewaysScroll(page, 'a call');
});

test('a pasted curl command or URL fills in the request', async ({ signedIn: page, service }) => {
  const id = await connected(service, 'try-pasted');
  await page.goto(tryIt(service, id));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const field = page.getByRole('textbox', { name: 'Path' });
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await field.selectText();
    await field.press('ControlOrMeta+V');
  };
  await paste(`curl -X PUT '${moody.url}/items/7' -H 'Authorization: Bearer x' -H 'X-Wanted: yes' --json '{"a": 1}'`);
  await expect(field).toHaveValue('/items/7');
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('PUT');
  await expect(page.getByText('Filled in without the header Authorization.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(answerOf(page).getByRole('status').first()).toContainText('200 OK');
  expect(moody.got()).toMatchObject({ method: 'PUT', path: '/items/7' });
  expect(moody.got()?.headers).toMatchObject({ 'content-type': 'application/json', 'x-wanted': 'yes' });

  await paste(`${service.url}/api/try-pasted/items?page=2`);
  await expect(field).toHaveValue('/items?page=2');
  await paste('/plain/path');
  await expect(field).toHaveValue('/plain/path');
});

test('a request is saved as a function, which sends it with the credentials of the connection', async ({
  signedIn: page,
  service,
}) => {
  const id = await connected(service, 'try-function');
  await page.goto(tryIt(service, id, { method: 'POST', path: '/items?page=3' }));
  await page.getByRole('link', { name: 'Save as function' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New function' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('call-try-function');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('heading', { level: 1, name: 'call-try-function' })).toBeVisible();
  const function_id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const { run } = await service.call('functionInvoke', { params: { function_id } });
  expect(run).toMatchObject({ status: 'OK' });
  expect(moody.got()).toMatchObject({ method: 'POST', path: '/items?page=3' });
  expect(moody.got()?.headers).toMatchObject({ 'x-api-key': SECRET });
});

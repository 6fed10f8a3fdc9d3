/** Each starter of the New dialog deploys, runs, and does what its description says. */
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { editor } from '../support/functions.ts';
import type { RunningService } from '../support/service.ts';

async function deploy(page: Page, service: RunningService, title: string): Promise<string> {
  await page.goto(`${service.url}/functions/new`);
  await page.getByRole('combobox', { name: 'Starter' }).selectOption({ label: title });
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).not.toHaveValue('');
  await page.getByRole('button', { name: 'Deploy' }).click();
  // Python's first build takes long beside other tests
  await expect(page.getByRole('complementary', { name: 'Test v1' })).toBeVisible({ timeout: 120_000 });
  return /functions\/([^/?]+)/.exec(page.url())?.[1] ?? '';
}

const setEnv = (service: RunningService, function_id: string, values: Record<string, string>) =>
  service.call('envCreate', {
    params: { function_id },
    body: { env: Object.entries(values).map(([key, value]) => ({ key, value })) },
  });

/** The response of a test run. */
async function invoke(service: RunningService, function_id: string, body: object = {}) {
  const { run } = await service.call('functionInvoke', { params: { function_id }, body });
  return { response: run.response, said: run.response?.body };
}

test('a webhook handler verifies what it receives and acts by type', async ({ signedIn: page, service, axe }) => {
  const function_id = await deploy(page, service, 'Webhook handler');
  await axe('a function from a starter');
  const event = { type: 'webhook.received', event_id: 'e', source: 'webhook', data: {} };
  const body = JSON.stringify(event);
  expect(await invoke(service, function_id, { method: 'POST', body })).toMatchObject({
    said: { handled: 'webhook.received' },
  });
  const other = JSON.stringify({ ...event, type: 'other' });
  expect((await invoke(service, function_id, { method: 'POST', body: other })).said).toEqual({ ignored: 'other' });
  expect((await invoke(service, function_id, { method: 'POST', body: 'no JSON' })).response?.status).toBe(400);

  const secret = Buffer.from('a secret for this test').toString('base64');
  await setEnv(service, function_id, { WEBHOOK_SECRET: `whsec_${secret}` });
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`e.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': at };
  const signed = (given: string) =>
    invoke(service, function_id, { method: 'POST', body, headers: { ...headers, 'webhook-signature': `v1,${given}` } });
  expect((await signed(signature)).response?.status).toBe(200);
  expect((await signed(signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))).response?.status).toBe(401);
});

type Handler = { fetch(request: Request, env: Record<string, string>): Promise<Response> };

/** Runs the deployed code here: functions can't reach the sink, which is on loopback. */
async function withCodeOf(service: RunningService, function_id: string, act: (code: Handler) => Promise<void>) {
  const { files } = await service.call('functionFiles', { params: { function_id } });
  const folder = mkdtempSync(join(tmpdir(), 'starter-'));
  try {
    for (const [path, text] of Object.entries({ ...files, 'package.json': '{"type":"module"}' })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const module: { default: Handler } = await import(join(folder, 'src/index.ts'));
    await act(module.default);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a scheduled report sums up its source and is posted', async ({ signedIn: page, service, sink }) => {
  const function_id = await deploy(page, service, 'Scheduled report');
  expect((await invoke(service, function_id)).said).toEqual({
    sent: false,
    text: expect.stringMatching(/^Report of .*: 0 rows, total 0$/),
  });
  const rows = [{ status: 'paid', amount: 3 }, { status: 'open', amount: 4 }, { status: 'paid' }];
  sink.answer(200, JSON.stringify(rows));
  await withCodeOf(service, function_id, async ({ fetch }) => {
    const request = new Request('http://report/');
    const env = { SOURCE_URL: `${sink.url}/hook/rows`, REPORT_URL: `${sink.url}/report` };
    const { text, sent } = await (await fetch(request, env)).json();
    expect(text).toMatch(/: 3 rows, total 7\npaid: 2\nopen: 1$/);
    expect(sent).toBe(true);
    expect(sink.received.find(({ path }) => path === '/report')?.body).toBe(JSON.stringify({ text }));
    await expect(fetch(request, { REPORT_URL: `${sink.url}/broken` })).rejects.toThrow('REPORT_URL responded 503');
  });
});

test('an API proxy adds the key and caches what succeeds', async ({ signedIn: page, service, sink }) => {
  const function_id = await deploy(page, service, 'API proxy');
  expect((await invoke(service, function_id, { method: 'GET' })).response?.status).toBe(501);
  expect((await invoke(service, function_id, { method: 'POST', body: '{}' })).response?.status).toBe(405);
  await withCodeOf(service, function_id, async ({ fetch }) => {
    const env = { UPSTREAM_URL: `${sink.url}/upstream/`, UPSTREAM_KEY: 'upstream-key' };
    const ask = (path: string) => fetch(new Request(`http://proxy${path}`), env);
    expect((await ask('/items?page=2')).headers.get('x-cache')).toBe('miss');
    expect((await ask('/items?page=2')).headers.get('x-cache')).toBe('hit');
    const [request, ...more] = sink.received.filter(({ path }) => path.startsWith('/upstream'));
    expect(request).toMatchObject({
      path: '/upstream/items?page=2',
      headers: { authorization: 'Bearer upstream-key' },
    });
    expect(more).toEqual([]);
    const failing = () => fetch(new Request('http://proxy/broken'), { UPSTREAM_URL: sink.url });
    for (const response of [await failing(), await failing()])
      expect([response.status, response.headers.get('x-cache')]).toEqual([503, 'miss']);
  });
});

test('a Slack bot verifies requests and responds to a command', async ({ signedIn: page, service }) => {
  const function_id = await deploy(page, service, 'Slack bot');
  expect((await invoke(service, function_id, { method: 'POST', body: '' })).response?.status).toBe(501);
  await setEnv(service, function_id, { SLACK_SIGNING_SECRET: 'shhh' });
  const at = String(Math.floor(Date.now() / 1000));
  const send = (body: string, type: string, secret = 'shhh') =>
    invoke(service, function_id, {
      method: 'POST',
      body,
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`,
      },
    });
  const form = 'application/x-www-form-urlencoded';
  expect((await send('command=%2Fsluice&text=echo+hello+there', form)).said).toMatchObject({ text: 'hello there' });
  expect((await send('command=%2Fsluice&text=', form)).said).toMatchObject({
    text: 'Usage: /sluice echo <text>',
  });
  const check = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
  expect((await send(check, 'application/json')).said).toEqual({ challenge: 'abc' });
  expect((await send('command=%2Fsluice', form, 'another secret')).response?.status).toBe(401);
});

test('the Python starter counts words', async ({ signedIn: page, service }) => {
  const function_id = await deploy(page, service, 'Python');
  const body = JSON.stringify({ text: 'one two two', more: ['Two one'] });
  expect((await invoke(service, function_id, { method: 'POST', body })).said).toEqual({
    words: [
      { word: 'two', count: 3 },
      { word: 'one', count: 2 },
    ],
  });
  expect((await invoke(service, function_id, { method: 'POST', body: '{' })).response?.status).toBe(400);
});

test('another starter replaces edited code only once that is confirmed', async ({ signedIn: page, service }) => {
  await page.goto(`${service.url}/functions/new?starter=api-proxy`);
  const starter = page.getByRole('combobox', { name: 'Starter' });
  await expect(starter).toHaveValue('api-proxy');
  await expect(editor(page)).toBeAttached();
  await editor(page).focus();
  await page.keyboard.insertText('// mine');
  await starter.selectOption({ label: 'Python' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(starter).toHaveValue('api-proxy');
  await starter.selectOption({ label: 'Python' });
  await page.getByRole('button', { name: 'Replace code' }).click();
  await expect(page.getByRole('combobox', { name: 'Runtime' })).toHaveValue('python3.12');
  await expect(page.getByRole('textbox', { name: 'Handler' })).toHaveValue('main.handler');
  // another runtime is no longer that of the starter
  await page.getByRole('combobox', { name: 'Runtime' }).selectOption('nodejs24.x');
  await expect(starter).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Handler' })).toHaveValue('src/index.default');
});

/** The destination editor: template, filter, signing, diagnosis and health. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { copiedBy } from '../support/clipboard.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';
import type { Sink } from '../support/sink.ts';

async function makeTrigger(service: RunningService, name: string, url: string) {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name,
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url, name: 'erp' }],
    },
  });
  const [destination] = trigger.destinations;
  return {
    trigger_id: trigger.trigger_id,
    destination_id: destination?.destination_id ?? '',
    send: (payload: Record<string, unknown>) =>
      service.call('triggerTest', { params: { trigger_id: trigger.trigger_id }, body: { payload } }),
  };
}
type Made = Awaited<ReturnType<typeof makeTrigger>>;

async function open(page: Page, service: RunningService, { trigger_id, destination_id }: Made, query = '') {
  await page.goto(`${service.url}/triggers/${trigger_id}/destinations/${destination_id}${query}`);
  const editor = page.getByRole('complementary', { name: 'erp' });
  await expect(editor).toBeVisible();
  return editor;
}

const arrived = (sink: Sink, path: string) => sink.received.filter((each) => each.path === path);

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as AddressInfo;
  await new Promise((ok) => server.close(ok));
  return port;
}

test('a template preview renders with any of the last events while it is edited', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await makeTrigger(service, 'live-template', `${sink.url}/template`);
  await made.send({ order: { id: 'A-1', total: 10 } });
  await made.send({ order: { id: 'A-2', total: 20 } });
  const editor = await open(page, service, made);
  const template = editor.getByLabel('Body template');
  const rendered = editor.getByRole('region', { name: 'Rendered body', exact: true });
  await expect(rendered).toContainText('"data"');

  // payload names are suggested and inserted by keyboard
  await template.focus();
  await page.keyboard.type('{ "id": "{{ payload.order.i');
  const offer = page.getByRole('option', { name: /payload\.order\.id/ });
  await expect(offer).toBeVisible();
  await axe('names are offered');
  await page.keyboard.press('Enter');
  await expect(offer).toBeHidden();
  await page.keyboard.type('" }');
  await expect(rendered).toContainText('{ "id": "A-2" }');
  await expect(rendered).toContainText('Valid JSON, 15 B');
  await editor.getByLabel('Event to render with').selectOption({ index: 1 });
  await expect(rendered).toContainText('{ "id": "A-1" }');

  await template.fill('{\n  "id": {{ nothing }}\n}');
  await expect(rendered).toContainText('line 2, column 12: Expected payload, message, trigger_id');
  await axe('a template with a fault');
  await rendered.getByRole('button', { name: 'Go to error' }).click();
  await expect(template).toBeFocused();
  expect(await template.evaluate((each: HTMLTextAreaElement) => each.value.slice(each.selectionStart))).toMatch(
    /^nothing/,
  );
  await template.fill('total {{ payload.order.total }}');
  await expect(rendered).toContainText('The result is not JSON');

  await template.fill('{ "total": {{ payload.order.total }} }');
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await made.send({ order: { id: 'A-3', total: 30 } });
  await expect.poll(() => arrived(sink, '/template').at(-1)?.body).toBe('{ "total": 30 }');

  // placeholders in the URL, and a form
  await editor.getByLabel('URL').fill(`${sink.url}/template/{{ payload.order.id }}`);
  await expect(editor.getByText(`For the newest event: ${sink.url}/template/A-`)).toBeVisible();
  await editor.getByLabel('Format').selectOption('FORM');
  await expect(rendered).toContainText('total=');
  await expect(rendered).toContainText('Valid form');
  await axe('a destination with a URL template and a form');
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await made.send({ order: { id: 'A 4', total: 40 } });
  await expect.poll(() => arrived(sink, '/template/A%204').at(-1)?.body).toBe('total=40');
});

test('a filter is tested on past events before it is saved, and retries are shown in words', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await makeTrigger(service, 'filtered', `${sink.url}/filtered`);
  for (const total of [10, 20, 30]) await made.send({ order: { total } });
  const editor = await open(page, service, made);
  // conditions make a filter, which is also editable as JSON
  await editor.getByRole('button', { name: 'Add condition' }).click();
  await page.keyboard.type('order.total');
  await editor.getByLabel('Operator of condition 1').selectOption('is more than');
  await editor.getByLabel('Value of condition 1').fill('25');
  await expect(editor.getByText('1 of the last 3 events match')).toBeVisible();
  await editor.getByRole('button', { name: 'And', exact: true }).click();
  await page.keyboard.type('order.total');
  await editor.getByLabel('Operator of condition 2').selectOption('is at most');
  await editor.getByLabel('Value of condition 2').fill('29');
  await expect(editor.getByText('0 of the last 3 events match')).toBeVisible();
  await axe('a filter of conditions');
  await editor.getByRole('radio', { name: 'JSON' }).click({ force: true });
  const filter = editor.getByRole('textbox', { name: 'Filter' });
  await expect(filter).toHaveValue(/"\$gt": 25,\s+"\$lte": 29/);
  await filter.fill('{ "order.total": { "$gt": [] } }');
  await expect(filter).toHaveAccessibleDescription('order.total.$gt: expected a number or a string');
  await filter.fill('{ "order.total": { "$gt": 15 } }');
  await expect(editor.getByText('2 of the last 3 events match')).toBeVisible();
  await editor.getByRole('button', { name: 'Show others' }).click();
  await expect(editor.getByRole('list', { name: 'Events that don’t match' }).getByRole('listitem')).toHaveCount(1);
  await axe('a filter tried on past events');

  await editor.getByRole('button', { name: 'Fast', exact: true }).click();
  await expect(editor.getByText('5 attempts over 12 min 35 s, each delay ± 20 %')).toBeVisible();
  const retries = editor.getByLabel('Retry schedule');
  await retries.fill('5 s, soon');
  await expect(retries).toHaveAccessibleDescription('Enter a delay such as 30 s, 5 min or 2 h, not “soon”.');
  await retries.fill('7 s');
  await expect(editor.getByText('Changed: filter, retries')).toBeVisible();
  await editor.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();

  const before = arrived(sink, '/filtered').length;
  await made.send({ order: { total: 11 } });
  await made.send({ order: { total: 99 } });
  await expect.poll(() => arrived(sink, '/filtered').length).toBe(before + 1);
  const { destination } = await service.call('destinationGet', {
    params: { trigger_id: made.trigger_id, destination_id: made.destination_id },
  });
  expect(destination).toMatchObject({ filter: { 'order.total': { $gt: 15 } }, retry_schedule: [7] });
});

test('a rotated secret is shown once, both secrets sign, and the snippets verify the delivery', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await makeTrigger(service, 'rotated', `${sink.url}/rotated`);
  const editor = await open(page, service, made);
  const rotate = async (hours: string) => {
    await editor.getByRole('button', { name: 'Rotate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the secret of erp' });
    await dialog.getByLabel('The old secret keeps signing').selectOption(hours);
    await axe('rotating a secret');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const shown = page.getByRole('dialog', { name: 'A new secret for erp' });
    const secret = (await shown.locator('code').textContent()) ?? '';
    await axe('a rotated secret, shown once');
    await shown.getByRole('button', { name: 'Done' }).click();
    await expect(shown).toBeHidden();
    expect(await page.content()).not.toContain(secret);
    return secret;
  };
  const first = await rotate('0');
  await expect(editor.getByText('The previous secret also signs')).toBeHidden();
  const second = await rotate('24');
  expect(second).not.toBe(first);
  await expect(editor.getByText('The previous secret also signs')).toBeVisible();

  await made.send({ note: `it's "quoted" € 𝄞 $HOME $(id) \`id\` %s \\ # \u2028 \ufeff \u007f\r\n` });
  await expect.poll(() => arrived(sink, '/rotated').length).toBe(1);
  const [delivery] = arrived(sink, '/rotated');
  for (const secret of [first, second])
    expect(new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers as Record<string, string>)).toBeTruthy();

  await editor.getByRole('button', { name: 'Verify snippets' }).click();
  await expect(editor.getByRole('radio', { name: 'Node' })).toBeVisible();
  await axe('verify snippets');
  for (const [language, file, command] of [
    ['Node', 'verify.mjs', process.execPath],
    ['Python', 'verify.py', 'python3'],
    ['openssl', 'verify.sh', 'sh'],
    // run where Go is installed; otherwise the Go snippet is only shown
    ...(hasGo ? [['Go', 'verify.go', 'go'] as const] : []),
  ] as const) {
    await editor.getByRole('radio', { name: language }).click({ force: true });
    const code = await copiedBy(page, editor.getByRole('button', { name: 'Copy the snippet' }));
    expect(run(file, command, code, second), language).toBe('valid');
    expect(run(file, command, code, first), language).toBe('valid');
    expect(run(file, command, code, `whsec_${'A'.repeat(32)}`), language).toBe('not valid');
    for (const [part, other] of [
      ['quoted', 'quotes'],
      [delivery?.headers['webhook-timestamp'], '1700000000'],
      [delivery?.headers['webhook-id'], 'msg_1'],
      ['v1,', 'v1a,'],
    ] as const)
      expect(run(file, command, signedPart(code, String(part), other), second), `${language}: ${part}`).toBe(
        'not valid',
      );
  }
});

const hasGo = spawnSync('go', ['version']).status === 0;

/** The snippet with other bytes of the delivery: changes its data lines, not its code. */
function signedPart(code: string, part: string, other: string): string {
  const [data = '', ...rest] = code.split(/^(?=key|const key|\tkey)/m);
  expect(data).toContain(part);
  return [data.replaceAll(part, other), ...rest].join('');
}

function run(file: string, command: string, code: string, secret: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-verify-'));
  try {
    writeFileSync(join(folder, file), code);
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, WEBHOOK_SECRET: secret };
    return execFileSync(command, [...(command === 'go' ? ['run'] : []), join(folder, file)], {
      env,
      encoding: 'utf8',
    }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the diagnosis shows the failing step, and a test send shows request and response', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await makeTrigger(service, 'examined', `http://127.0.0.1:${await closedPort()}/missing`);
  const editor = await open(page, service, made);
  await editor.getByRole('button', { name: 'Diagnose endpoint' }).click();
  const steps = editor.getByRole('list', { name: 'Diagnosis' }).getByRole('listitem');
  await expect(steps.last()).toContainText('Connect: failed');
  await editor.getByRole('button', { name: 'Test send' }).click();
  await expect(editor.getByText('Failed', { exact: true }).first()).toBeVisible();
  await expect(editor.getByText('The connection was refused.')).toBeVisible();
  await axe('a diagnosis and a test send that failed');

  await editor.getByLabel('URL', { exact: true }).fill(`${sink.url}/examined`);
  await expect(editor.getByRole('button', { name: 'Test send' })).toHaveAttribute('aria-disabled', 'true');
  await editor.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await editor.getByRole('button', { name: 'Test send' }).click();
  await expect(editor.getByText('Succeeded', { exact: true }).first()).toBeVisible();
  await expect(editor.getByRole('region', { name: 'Test request', exact: true })).toContainText('webhook-id');
  await expect(editor.getByRole('region', { name: 'Test response', exact: true })).toContainText('200');
  expect(arrived(sink, '/examined')).toHaveLength(1);
  const { events } = await service.call('eventList', { params: { trigger_id: made.trigger_id } });
  expect(events).toEqual([]);
});

test('the health of a failing destination is shown in words, charts and tables', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const made = await makeTrigger(service, 'failing', `${sink.url}/broken`);
  await made.send({ n: 1 });
  await expect.poll(() => arrived(sink, '/broken').length).toBeGreaterThan(0);
  const editor = await open(page, service, made);
  await expect(editor.getByText('Every attempt has failed since')).toBeVisible();
  await expect(editor.getByText(/^503 ×/)).toBeVisible();
  await editor.getByRole('radio', { name: 'Charts' }).click({ force: true });
  await expect(editor.getByRole('img', { name: /^Attempts by outcome/ })).toBeVisible();
  await axe('the health of a destination as charts');
  await editor.getByRole('radio', { name: 'Table' }).click({ force: true });
  await expect(editor.getByRole('table', { name: 'Responses, last hour' })).toContainText('503');
  await expect(page).toHaveURL(/figures=table/);
  await axe('the health of a destination as a table');

  await editor.getByRole('button', { name: 'Disable' }).click();
  await expect(editor.getByText('Disabled manually.')).toBeVisible();
  await axe('a disabled destination');
  await editor.getByRole('button', { name: 'Enable', exact: true }).click();
  await expect(editor.getByText('Disabled manually.')).toBeHidden();
});

test('a webhook trigger shows its setup once and lists its rejected requests', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  await page.goto(`${service.url}/triggers/new?source=webhook`);
  await page.getByLabel('Name', { exact: true }).last().fill('incoming');
  await page.getByLabel('URL', { exact: true }).fill(`${sink.url}/incoming`);
  await page.getByLabel('Verification').selectOption('header');
  await page.getByLabel('Header', { exact: true }).fill('X-Token');
  await axe('a new webhook');
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'incoming is ready' })).toBeVisible();
  await axe('what is left to do for a new webhook');
  const shown = await page.locator('code.select-all').allTextContents();
  const [address = '', secret = ''] = shown;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect(page.getByText('Succeeded')).toBeVisible();
  await page.getByRole('link', { name: 'Open the trigger' }).click();
  await expect(page.getByRole('heading', { name: 'incoming', exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  const post = (token: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-token': token },
      body: '{"order":7}',
    });
  expect((await post('wrong')).status).toBe(401);
  expect((await post(secret)).ok).toBe(true);
  await page.getByRole('link', { name: 'Rejected requests' }).click();
  await page.getByRole('link', { name: 'Invalid signature' }).click();
  const refused = page.getByRole('complementary', { name: 'Invalid signature' });
  await expect(refused).toContainText('"order": 7');
  await axe('a refused request');
  await page.keyboard.press('Escape');
  await expect(refused).toBeHidden();
  await page.getByRole('button', { name: 'Rotate secret…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const next = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('the old secret is valid until')).toBeVisible();
  for (const each of [secret, next]) expect((await post(each)).ok).toBe(true);
  await page.getByRole('button', { name: 'Setup instructions' }).click();
  await expect(page.getByRole('dialog')).toContainText(address);
  await axe('how a webhook is set up');
});

test('a destination is paused, gets limits, and is resumed', async ({ signedIn: page, service, sink, axe }) => {
  const made = await makeTrigger(service, 'paused', `${sink.url}/paused`);
  const editor = await open(page, service, made);
  await editor.getByRole('button', { name: 'Pause' }).click();
  await expect(editor.getByText(/^Paused since/)).toBeVisible();
  await made.send({ n: 1 });
  await made.send({ n: 2 });
  await open(page, service, made);
  await expect(editor.getByLabel('Queue', { exact: true })).toContainText(/^Waiting2/);
  await axe('a paused destination');
  await editor.getByLabel('Rate limit').fill('0');
  await editor.getByLabel('Concurrency').fill('65');
  await editor.getByLabel('Timeout, seconds').fill('1.5');
  await editor.getByRole('button', { name: 'Save changes' }).click();
  for (const problem of [/number from 1\.$/, /number from 1 to 64\.$/, /number from 1 to 60\.$/])
    await expect(editor.getByText(problem)).toBeVisible();
  await axe('invalid limits');
  await editor.getByLabel('Rate limit').fill('120');
  await editor.getByLabel('Per', { exact: true }).selectOption('minute');
  await editor.getByLabel('Concurrency').fill('2');
  await editor.getByLabel('Timeout, seconds').fill('30');
  await expect(editor.getByText(/Changed: rate limit, concurrency, timeout/)).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  const { trigger_id, destination_id } = made;
  const { destination } = await service.call('destinationGet', { params: { trigger_id, destination_id } });
  expect(destination).toMatchObject({
    rate_limit: { requests: 120, per: 'minute' },
    max_in_flight: 2,
    timeout_seconds: 30,
  });
  expect(arrived(sink, '/paused')).toEqual([]);
  await page.goto(`${service.url}/triggers`);
  await expect(page.getByRole('row', { name: /paused/ })).toContainText(/erp paused\s*2 waiting/);
  await open(page, service, made);
  await editor.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => arrived(sink, '/paused').map(({ body }) => JSON.parse(body).data.n)).toEqual([1, 2]);
  await expect(editor.getByText(/^Paused since/)).toBeHidden();
  // an empty field removes the limit
  await editor.getByLabel('Rate limit').fill('');
  await page.keyboard.press('Control+s');
  await expect(editor.getByRole('button', { name: 'Save changes' })).toBeHidden();
  const { destination: after } = await service.call('destinationGet', { params: { trigger_id, destination_id } });
  expect(after).toMatchObject({ rate_limit: null, max_in_flight: 2, paused_at: null });
});

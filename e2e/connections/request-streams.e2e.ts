/** Responses that keep arriving are shown by the request builder while they arrive. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

/** An app that begins a response at each request, and sends when the test says so. */
let server: Server;
let sending: ServerResponse;
test.beforeAll(async () => {
  server = createServer((req, res) => {
    const type = req.url === '/events' ? 'text/event-stream' : 'application/x-ndjson';
    res.writeHead(200, { 'content-type': type }).flushHeaders();
    sending = res;
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
});
test.afterAll(async () => {
  server.closeAllConnections();
  await new Promise((ok) => server.close(ok));
});

const answerOf = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });

async function sent(page: Page, service: RunningService, app: string, path: string): Promise<void> {
  await makeApp(service, app, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const id = await makeConnection(service, app, `Of ${app}`);
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}/try?${new URLSearchParams({ path })}`);
  await page.getByRole('button', { name: /^Send (?!again)/ }).click();
  await expect(answerOf(page).getByRole('status')).toHaveText('Receiving…');
}

test('server-sent events are shown by name as they arrive, and after the end', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await sent(page, service, 'stream-events', '/events');
  const answer = answerOf(page);
  const events = answer.getByRole('region', { name: 'Events of the response' }).getByRole('listitem');
  const stop = page.getByRole('button', { name: 'Stop' });
  const place = await stop.boundingBox();
  sending.write('event: delta\ndata: {"text":"Hel"}\n\n');
  await expect(events).toHaveText(['delta{"text":"Hel"}']);
  sending.write('event: delta\ndata: {"text":"lo"}\n\ndata: unnamed\n\n');
  await expect(events).toHaveText(['delta{"text":"Hel"}', 'delta{"text":"lo"}', 'messageunnamed']);
  await expect(answer).toContainText('8 lines');
  expect(await stop.boundingBox()).toEqual(place);
  await axe('a response that arrives');
  sending.end();
  await expect(answer.getByRole('status')).toContainText('200 OK');
  await expect(stop).toBeHidden();
  await expect(events).toHaveCount(3);
  await answer.getByRole('radio', { name: 'Raw' }).click();
  await expect(answer.getByRole('group', { name: 'Response body, raw' })).toContainText('event: delta');
});

test('lines are shown as they arrive, and kept when the user stops', async ({ signedIn: page, service, axe }) => {
  await sent(page, service, 'stream-lines', '/lines');
  const answer = answerOf(page);
  const lines = answer.getByRole('region', { name: 'Lines of the response' });
  sending.write('{"n":1}\n');
  await expect(lines).toHaveText('{"n":1}');
  sending.write('{"n":2}\n');
  await expect(lines).toContainText('{"n":2}');
  await expect(answer).toContainText(/16 B\s*2 lines/);
  const disconnected = new Promise((ok) => sending.on('close', ok));
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.focus();
  await page.keyboard.press('Enter');
  await disconnected;
  await expect(answer).toContainText('Stopped. What came before is shown.');
  await expect(answer.getByRole('group', { name: 'Response body' })).toContainText('{"n":2}');
  await expect(answer).toContainText('The body is truncated');
  await axe('a stopped response');
});

test('a response that breaks off is kept, with the error', async ({ signedIn: page, service }) => {
  await sent(page, service, 'stream-cut', '/lines');
  const answer = answerOf(page);
  sending.write('{"n":1}\n{"n":');
  await expect(answer.getByRole('region', { name: 'Lines of the response' })).toContainText('{"n":1}');
  sending.destroy();
  await expect(answer).toContainText('The response ended early. What came before is shown.');
  await expect(answer.getByRole('group', { name: 'Response body' })).toContainText('{"n":1}\n{"n":');
});

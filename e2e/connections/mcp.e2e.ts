/** From the URL of an MCP server to the response of one of its tools, with failures. */
import { type McpServer, startMcpServer } from '../../server/test/mcp-server.ts';
import { copiedBy } from '../support/clipboard.ts';
import { noSidewaysScroll, statusOf } from '../support/connecting.ts';
import { curl } from '../support/curl.ts';
import { expect, test } from '../support/fixtures.ts';
import { KEY } from '../support/service.ts';

let server: McpServer;
test.beforeAll(async () => {
  server = await startMcpServer();
});
test.afterAll(() => server.close());

test('an MCP server is connected, its tools are listed, and one is called from its form', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await page.goto(`${service.url}/connections/apps/mcp`);
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Connect MCP server', exact: true }).click();
  const opened = await opening;
  const closing = opened.waitForEvent('close');
  await opened.getByLabel('Server URL').fill(server.url);
  await opened.keyboard.press('Enter');
  await expect(statusOf(page)).toHaveText('Active');
  await closing;
  const connectionId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect(page.getByRole('group', { name: 'MCP client configuration' })).toContainText(
    `${service.url}/api/mcp/mcp`,
  );

  // the tools of the server
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  const table = page.getByRole('table', { name: 'Tools' });
  await expect(table.getByRole('row')).toHaveCount(14);
  await expect(page.getByText('mcp-servers/everything')).toBeVisible();
  await expect(table.getByRole('row', { name: /^echo/ })).toContainText('Read-only');
  await axe('the tools of a server');

  // found by a word, opened by keyboard; the URL keeps the state
  await page.getByRole('textbox', { name: 'Search tools' }).fill('echo');
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('link', { name: 'echo' }).click();
  const panel = page.getByRole('complementary', { name: 'Echo Tool' });
  await expect(panel.getByText('Echoes back the input string')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/connections/${connectionId}/tools/echo`);

  // a missing value is reported beside its field
  await panel.getByRole('button', { name: 'Call echo', exact: true }).click();
  await expect(panel.getByLabel('Message')).toBeFocused();
  await expect(panel.getByLabel('Message')).toHaveAccessibleDescription('Message is required.');
  await axe('a tool with a mistake');
  await panel.getByLabel('Message').fill('hello there');
  await panel.getByRole('button', { name: 'Call echo', exact: true }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'Succeeded' })).toBeVisible();
  await expect(panel.getByRole('group', { name: 'Response, part 1' })).toHaveText(/Echo: hello there/);
  await axe('a tool that answered');

  // the same call as JSON and as a curl command
  await panel.getByRole('radio', { name: 'JSON' }).check();
  await expect(panel.getByLabel('Arguments', { exact: true })).toHaveValue(/"message": "hello there"/);
  const command = await copiedBy(page, panel.getByRole('button', { name: 'Copy as curl: call echo' }));
  expect(command).toContain(`'${service.url}/api/mcp/echo'`);
  expect(command).toContain(`--data-raw '{"message":"hello there"}'`);
  const answer = await curl(`${service.url}/api/mcp/echo`, { key: KEY, method: 'POST', body: '{"message":"hi"}' });
  expect(JSON.parse(answer.body)).toMatchObject({ is_error: false, content: [{ text: 'Echo: hi' }] });

  // a tool error, and an image
  await panel.getByLabel('Arguments', { exact: true }).fill('{"message": 7}');
  await panel.getByRole('button', { name: 'Call echo', exact: true }).click();
  await expect(panel.getByRole('status').filter({ hasText: 'Failed' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Search tools' }).fill('');
  await table.getByRole('link', { name: 'get-tiny-image' }).click();
  const image = page.getByRole('complementary', { name: 'Get Tiny Image Tool' });
  await expect(image.getByText('No arguments.')).toBeVisible();
  await image.getByRole('button', { name: 'Call get-tiny-image', exact: true }).click();
  await expect(image.getByText(/^image\/png, [\d.]+ KB$/)).toBeVisible();

  // a select field, and structured content
  await table.getByRole('link', { name: 'get-structured-content' }).click();
  const weather = page.getByRole('complementary', { name: 'Get Structured Content Tool' });
  await weather.getByLabel('Location').selectOption('Chicago');
  await weather.getByRole('button', { name: 'Call get-structured-content', exact: true }).click();
  await expect(weather.getByRole('tree', { name: 'Structured content' })).toContainText('conditions');

  // the calls appear in the list, and link back to the tool
  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Calls' }).click();
  await page.getByRole('link', { name: 'POST /get-tiny-image' }).click();
  await page.getByRole('link', { name: 'Open in request builder' }).click();
  await expect(page).toHaveURL(new RegExp(`/connections/${connectionId}/tools/get-tiny-image$`));
  await expect(image.getByRole('button', { name: 'Call get-tiny-image', exact: true })).toBeVisible();

  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await noSidewaysScroll(page, `a tool at ${width} px`);
  }
  await axe('a tool on a phone');
});

test('an unreachable server shows the error in its list of tools', async ({ signedIn: page, service, axe }, info) => {
  info.annotations.push({ type: 'allow-console', description: 'status of 502' });
  const gone = await startMcpServer();
  await service.call('appCreate', {
    body: { app: 'gone', name: 'Gone', methods: [{ method: 'MCP', server_url: gone.url }] },
  });
  const { connection_id } = await service.call('connectionCreate', { body: { app: 'gone' } });
  await page.goto(`${service.url}/connections/${connection_id}/tools`);
  await expect(page.getByText('Tools are listed once the connection is active.')).toBeVisible();
  const { connection } = await service.call('connectionGet', { params: { connection_id } });
  const token = new URL(connection.url).searchParams.get('token');
  const done = await fetch(`${service.url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'MCP', fields: {} }),
  });
  expect(done.status).toBe(200);
  await expect(page.getByRole('table', { name: 'Tools' }).getByRole('row')).toHaveCount(14);
  await gone.close();
  await page.reload();
  await expect(page.getByText('The tools could not be loaded')).toBeVisible();
  await expect(page.getByText(/The server can’t be reached/)).toBeVisible();
  await axe('tools of a server that is gone');
});

/** A custom app from an OpenAPI document, and its paths in the request builder. */
import { complete, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';

const documentOf = (url: string) => `openapi: 3.1.0
info: {title: Bill ledger}
servers:
  - {url: '${url}', description: Production}
  - {url: '${url}/test', description: Test}
security: [{key: []}, {cookie: []}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Api-Key}
    cookie: {type: apiKey, in: cookie, name: session}
paths:
  /bills: {get: {summary: List bills}, post: {summary: Send a bill}}
  /notes/{id}: {delete: {summary: Delete a note}}
`;

test('a custom app is filled in from a document, and its paths are suggested', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: '400 .*apps:draft' });
  await page.goto(`${service.url}/connections/new`);
  await page.getByRole('button', { name: 'Custom app…' }).click();
  await page.getByRole('button', { name: 'From an OpenAPI document…' }).click();
  const dialog = page.getByRole('dialog');
  await axe('the document to enter');
  await dialog.getByRole('radio', { name: 'Text' }).click();
  await dialog.getByRole('textbox', { name: 'Document' }).fill('openapi: 1');
  await dialog.getByRole('button', { name: 'Read document' }).click();
  await expect(dialog.getByRole('alert')).toContainText('another version of OpenAPI');
  await dialog.getByRole('textbox', { name: 'Document' }).fill(documentOf(sink.url));
  await dialog.getByRole('button', { name: 'Read document' }).click();

  await expect(page.getByRole('dialog', { name: 'Bill ledger' })).toBeVisible();
  await expect(dialog).toContainText('OpenAPI 3.1.0, 3 operations.');
  await expect(dialog.getByRole('list', { name: 'Notes' })).toContainText('A key in cookie is not supported.');
  await axe('what a document says');
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await noSidewaysScroll(page, `what a document says at ${width} px`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('combobox', { name: 'Base URL' }).selectOption(`${sink.url}/test`);
  await dialog.getByRole('button', { name: 'Fill in form' }).click();

  await expect(page.getByText('Filled in from Bill ledger: 3 paths to suggest.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'ID', exact: true })).toHaveValue('bill-ledger');
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toHaveValue(`${sink.url}/test`);
  await page.getByRole('button', { name: 'Add app', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Bill ledger', level: 1 })).toBeVisible();

  const id = await makeConnection(service, 'bill-ledger', 'Bills');
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}/try`);
  const path = page.getByRole('combobox', { name: 'Path' });
  await expect(page.locator('datalist option')).toHaveText([
    'GET List bills, POST Send a bill',
    'DELETE Delete a note',
  ]);
  await path.fill('/notes/{id}');
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('DELETE');
  await axe('a request with suggested paths');
});

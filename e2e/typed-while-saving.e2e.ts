/** What is typed while a form or code is being saved stays, as a change of what was saved. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { make, write } from './support/functions.ts';
import { holdResponse } from './support/held-response.ts';
import { nightlyTrigger } from './support/nightly-trigger.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('in the settings of a trigger, destination, function, connection and account', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id, destination_id } = await nightlyTrigger(service, sink);
  const { function_id } = await make(service, 'typed-while-saving');
  await service.call('appCreate', {
    body: { app: 'typed-app', name: 'Typed app', base_url: sink.url, methods: [{ method: 'BASIC' }] },
  });
  const { connection_id } = await service.call('connectionCreate', { body: { app: 'typed-app', name: 'Ledger' } });
  const { account } = await service.call('accountGet');

  const read = {
    trigger: async () => (await service.call('triggerGet', { params: { trigger_id } })).trigger,
    destination: async () =>
      (await service.call('destinationGet', { params: { trigger_id, destination_id } })).destination,
    function: async () => (await service.call('functionGet', { params: { function_id } })).function,
    connection: async () => (await service.call('connectionGet', { params: { connection_id } })).connection,
    account: async () => (await service.call('accountGet')).account,
  };
  for (const [noun, path, api, save] of [
    ['trigger', `/triggers/${trigger_id}/settings`, /\/triggers\/[^/]+$/, 'Save changes'],
    ['destination', `/triggers/${trigger_id}/destinations/${destination_id}`, /\/destinations\/[^/]+$/, 'Save changes'],
    ['function', `/functions/${function_id}/settings`, /\/functions\/[^/]+$/, 'Save settings'],
    ['connection', `/connections/${connection_id}/settings`, /\/connections\/[^/]+$/, 'Save changes'],
    ['account', '/settings', /\/account$/, 'Rename account'],
  ] as const) {
    await page.goto(service.url + path);
    await field(page, 'Name').fill('saved-name');
    const release = await holdResponse(page, 'PATCH', api);
    await button(page, save).click();
    await expect(button(page, save), noun).toHaveAttribute('aria-busy', 'true');
    await field(page, 'Name').fill('typed-meanwhile');
    release();
    await expect(button(page, save), noun).not.toHaveAttribute('aria-busy', 'true');
    await expect(field(page, 'Name'), noun).toHaveValue('typed-meanwhile');
    await expect(page.getByText(/^This \w+ was changed/), noun).toBeHidden();
    expect((await read[noun]()).name, noun).toBe('saved-name');
    await button(page, save).click();
    await expect.poll(async () => (await read[noun]()).name, noun).toBe('typed-meanwhile');
    await expect(field(page, 'Name'), noun).toHaveValue('typed-meanwhile');
  }
  await field(page, 'Name').fill(account.name);
  await button(page, 'Rename account').click();
  await expect.poll(async () => (await read.account()).name).toBe(account.name);
});

test('in the code of a function that is being deployed', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'typed-while-deploying');
  await page.goto(`${service.url}/functions/${function_id}`);
  await write(page, 'export default { fetch: () => new Response("deployed") };\n');
  const release = await holdResponse(page, 'POST', /\/versions$/);
  await field(page, 'Version message').fill('Deployed');
  const deploy = page.getByRole('button', { name: /^Deploy/ });
  await deploy.click();
  await expect(deploy).toHaveAttribute('aria-busy', 'true');
  await write(page, 'export default { fetch: () => new Response("typed") };\n');
  release();
  await expect(page.getByText('Version 2 of typed-while-deploying is live')).toBeVisible();
  await expect(page.locator('.view-lines')).toContainText('typed');
  await expect(field(page, 'Version message')).toHaveValue('');
  await expect(page.getByText('was deployed while you were editing')).toBeHidden();
  // the notification covers it for the pointer
  await deploy.press('Enter');
  await expect(page.getByText('Version 3 of typed-while-deploying is live')).toBeVisible();
  const { files } = await service.call('functionFiles', { params: { function_id } });
  expect(Object.values(files).join()).toContain('"typed"');
});

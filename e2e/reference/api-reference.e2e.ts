/** The API reference: search, samples, a request with the session, links to and from the console. */
import { expect, test } from '../support/fixtures.ts';

test('an operation is found, shown in four languages and sent', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  let documents = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/openapi.json')) documents++;
  });
  await page.goto(`${service.url}/settings/account`);
  expect(documents).toBe(0);
  await page.getByRole('link', { name: 'Operations, with examples' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
  await axeInBothSchemes('the API reference');

  await page.keyboard.press('/');
  await page.keyboard.type('get account');
  const list = page.getByRole('navigation', { name: 'Operations' });
  await expect(list.getByRole('link', { name: /Get a trigger/ })).toBeHidden();
  await list.getByRole('link', { name: /^Get the account/ }).click();
  await expect(page).toHaveURL(/\/api-reference\/accountGet$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Get the account' })).toBeFocused();

  const sample = page.getByRole('group', { name: 'Request sample' });
  await expect(sample).toContainText('curl');
  for (const [language, text] of [
    ['fetch', 'await fetch('],
    ['Python', 'import requests'],
    ['Client', "sluice.call('accountGet')"],
  ] as const) {
    await page.getByRole('radio', { name: language }).click();
    await expect(sample).toContainText(text);
  }

  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('group', { name: 'Response body' })).toContainText('"account_id"');
  await axeInBothSchemes('an operation with its response');
  expect(documents).toBe(1);

  await page.getByRole('link', { name: 'Account settings' }).click();
  await expect(page).toHaveURL(/\/settings\/account$/);
});

test('a link opens an operation on a phone, and its form names what is missing', async ({
  signedIn: page,
  service,
  axe,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/api-reference/destinationUpdate`);
  await expect(page.getByRole('heading', { level: 1, name: 'Update a destination' })).toBeVisible();
  await axe('an operation on a phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const send = page.getByRole('button', { name: 'Send request' });
  await expect(send).toHaveAccessibleDescription('Enter trigger_id first.');
  const id = '01a0b6f2-5c1d-7f3a-9c55-2f4f6a1c7d10';
  await page.getByRole('textbox', { name: 'trigger_id' }).fill(id);
  await expect(page.getByRole('link', { name: 'This trigger' })).toHaveAttribute('href', `/triggers/${id}/events`);
  await page.getByRole('textbox', { name: 'Body' }).fill('{');
  await expect(page.getByRole('alert')).toHaveText('expected JSON');
  await page.getByRole('link', { name: 'All operations' }).click();
  await expect(page.getByRole('link', { name: /^Create a trigger/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('without a session the sign-in page returns to it', async ({ page, service }) => {
  await page.goto(`${service.url}/api-reference/eventListAll`);
  await expect(page).toHaveURL(/\/sign-in\?.*api-reference/);
});

/** The connect window for each method that the user completes in it, and for failures. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Body } from '../../contract/operations.ts';
import { callApp, linkOf, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import type { RunningService } from '../support/service.ts';

type Methods = Body<'appCreate'>['methods'];

const OAUTH2: Methods[number] = {
  method: 'OAUTH2',
  authorize_url: 'https://agree.example.com/authorize',
  token_url: 'https://agree.example.com/token',
};

/** A connection of an app with these methods, and its connect link. */
async function linkTo(service: RunningService, app: string, base_url: string, methods: Methods): Promise<string> {
  await service.call('appCreate', { body: { app, name: `App ${app}`, base_url, methods } });
  return linkOf(service, await makeConnection(service, app));
}

const connected = (page: Page, app: string) => page.getByRole('heading', { name: `App ${app} is connected` });

test('a user chooses among the available authentication methods', async ({ page, service, sink, axe }) => {
  const link = await linkTo(service, 'many-ways', `${sink.url}/{area}`, [
    { method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } },
    { method: 'BASIC', username_label: 'Account id', password_label: 'Auth token' },
    OAUTH2,
  ]);
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(link);
    await expect(page.getByRole('radio', { name: /^API key/ })).toBeChecked();
    await noSidewaysScroll(page, `the ways to connect at ${width} px`);
  }
  await axe('the ways to connect');
  const off = page.getByRole('radio', { name: /^Sign in at App many-ways/ });
  await expect(off).toBeDisabled();
  await expect(page.getByText('has not set this up yet.')).toBeVisible();

  await page.getByRole('radio', { name: /^Account id and Auth token/ }).check();
  await page.getByRole('textbox', { name: 'Area' }).fill('eu');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByLabel('Account id', { exact: true })).toHaveAccessibleDescription('Account id is required.');
  await page.getByLabel('Account id', { exact: true }).fill('AC42');
  await page.getByLabel('Auth token', { exact: true }).fill('pass:word');
  await page.keyboard.press('Enter');
  await expect(connected(page, 'many-ways')).toBeVisible();
  await callApp(service, '/many-ways/items');
  const received = sink.received.find(({ path }) => path === '/eu/items');
  expect(received?.headers.authorization).toBe(`Basic ${Buffer.from('AC42:pass:word').toString('base64')}`);
});

test('a private key is pasted, chosen as a file or dropped; an invalid one is explained', async ({
  page,
  service,
  sink,
  axe,
}) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // text that the API rejects as a key
  test.info().annotations.push({ type: 'allow-console', description: 'status of 400' });
  const link = await linkTo(service, 'signs', sink.url, [
    { method: 'JWT', algorithm: 'ES256', claims: { iss: '{issuer}' }, header: { kid: 'k1' } },
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link);
  const files = page.getByLabel('Key file');
  const file = (name: string, content: Buffer) =>
    files.setInputFiles({ name, mimeType: 'text/plain', buffer: content });
  const key = page.getByRole('textbox', { name: 'Private key' });
  await file('photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  await expect(key).toHaveAccessibleDescription('photo.png is not a text file. Choose a PEM or JSON key file.');
  await file('movie.pem', Buffer.alloc(20_000, 'a'));
  await expect(key).toHaveAccessibleDescription('movie.pem is too large for a key: 20 KB.');
  await axe('a file that is no key');

  await page.getByLabel('Issuer').fill('me');
  await key.fill('-----BEGIN PRIVATE KEY-----\nnot much\n-----END PRIVATE KEY-----');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(key).toHaveAccessibleDescription(/./);
  await expect(key).toBeFocused();

  // a dropped file is shown by its name, and can be removed again
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'dropped.pem'));
    return transfer;
  }, pem);
  await page.getByRole('group', { name: 'Text or file' }).dispatchEvent('drop', { dataTransfer: dropped });
  await expect(key).toHaveValue(/^dropped\.pem, \d+ B$/);
  await page.getByRole('button', { name: 'Remove dropped.pem' }).click();
  await file('chosen.p8', Buffer.from(pem));
  await expect(key).toHaveValue(/^chosen\.p8, /);
  await noSidewaysScroll(page, 'a chosen key file');
  await axe('a chosen key file');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(connected(page, 'signs')).toBeVisible();

  await callApp(service, '/signs/signed-items');
  const got = sink.received.find(({ path }) => path === '/signed-items');
  const [, head = '', body = '', signature = ''] =
    /^Bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(got?.headers.authorization ?? '') ?? [];
  const signed = {
    key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    dsaEncoding: 'ieee-p1363',
  } as const;
  expect(verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ iss: 'me' });
});

test('the JSON key file of a service account is accepted whole, pasted or chosen', async ({
  page,
  service,
  sink,
  axe,
}) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const client_email = 'robot@project.iam.example.com';
  const file = JSON.stringify({ type: 'service_account', private_key, client_email }, null, 2);
  const link = await linkTo(service, 'key-file', sink.url, [
    { method: 'JWT', algorithm: 'RS256', claims: { iss: '{client_email}' } },
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link);
  await page.getByLabel('Key file').setInputFiles({
    name: 'project-1234.json',
    mimeType: 'application/json',
    buffer: Buffer.from(file),
  });
  await expect(page.getByRole('textbox', { name: 'Client email' })).toHaveValue(client_email);
  await axe('a chosen JSON key file');
  await page.getByRole('button', { name: 'Remove project-1234.json' }).click();
  await page.getByRole('textbox', { name: 'Client email' }).clear();
  await page.getByRole('textbox', { name: 'Private key' }).fill(file);
  await expect(page.getByRole('textbox', { name: 'Client email' })).toHaveValue(client_email);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(connected(page, 'key-file')).toBeVisible();
  await callApp(service, '/key-file/from-file');
  const got = sink.received.find(({ path }) => path === '/from-file');
  const [, , body = ''] = /^Bearer ([^.]+)\.([^.]+)\./.exec(got?.headers.authorization ?? '') ?? [];
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ iss: client_email });
});

test('a password keeps its leading and trailing spaces, and the window shows a note', async ({
  page,
  service,
  sink,
}) => {
  const link = await linkTo(service, 'blanks', sink.url, [{ method: 'BASIC' }]);
  await page.goto(link);
  await page.getByLabel('User name').fill(' ana ');
  const password = page.getByLabel('Password');
  await password.fill('word ');
  await expect(password).toHaveAccessibleDescription('This value starts or ends with a space; the space is kept.');
  await page.keyboard.press('Enter');
  await expect(connected(page, 'blanks')).toBeVisible();
  await callApp(service, '/blanks/with-blanks');
  const got = sink.received.find(({ path }) => path === '/with-blanks');
  expect(got?.headers.authorization).toBe(`Basic ${Buffer.from('ana:word ').toString('base64')}`);
});

test('an app without a client shows that, with no button', async ({ page, service, sink, axe }) => {
  const link = await linkTo(service, 'unready', sink.url, [OAUTH2]);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(link);
  await expect(page.getByText('App unready is not set up yet.')).toBeVisible();
  await expect(page.getByText('has to enter its client ID for App unready')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await noSidewaysScroll(page, 'an app without its client');
  await axe('an app without its client');

  // the same link works once the client is registered
  await service.call('appCredentialPut', {
    params: { app: 'unready', method: 'OAUTH2' },
    body: { client_id: 'abc', client_secret: null, scopes: ['read'] },
  });
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveText('read');
  await expect(page.getByRole('button', { name: 'Continue to App unready' })).toBeVisible();
});

test('an unresponsive provider and an offline device have different messages', async ({
  page,
  service,
  sink,
  context,
  axe,
}) => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 502|ERR_INTERNET_DISCONNECTED' });
  const link = await linkTo(service, 'no-answer', sink.url, [
    { method: 'OAUTH2', grant: 'client_credentials', token_url: 'http://127.0.0.1:9/token' },
  ]);
  await page.goto(link);
  await page.getByLabel('Client ID').fill('abc');
  await page.getByLabel('Client secret').fill('word');
  await page.getByRole('button', { name: 'Connect' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toBeVisible();
  await expect(alert).not.toContainText('word');
  await axe('a provider that gives no answer');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

  await context.setOffline(true);
  await expect(page.getByText('You are offline.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveText('You are offline. Try again once you are back online.');
  await context.setOffline(false);
  await expect(page.getByText('You are offline.', { exact: true })).toHaveCount(0);
  await expect(page.getByLabel('Client ID')).toHaveValue('abc');
});

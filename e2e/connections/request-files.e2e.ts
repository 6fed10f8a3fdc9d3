/** Requests with files: several parts, or one file as the body. */
import { complete, makeApp, makeConnection, noSidewaysScroll } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Moody, startMoody } from '../support/moody.ts';

let moody: Moody;
test.beforeAll(async () => {
  moody = await startMoody();
});
test.afterAll(() => moody.stop());

test('a form of several parts and a file are sent with their bytes', async ({ signedIn: page, service, axe }) => {
  await makeApp(service, 'try-files', moody.url);
  const id = await makeConnection(service, 'try-files', 'Of try-files');
  await complete(service, id);
  await page.goto(`${service.url}/connections/${id}/try?method=POST&path=%2Fitems`);
  const form = page.getByRole('form', { name: 'Request' });
  const answer = page.getByRole('region', { name: 'Response' });
  const send = () => form.getByRole('button', { name: /^Send/ }).click();
  const types = form.getByRole('group', { name: 'Body type' });
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([0, 255, 128]) };
  await types.getByRole('radio', { name: 'Multipart' }).check();
  await form.getByRole('textbox', { name: 'Name of part 1' }).fill('title');
  await form.getByRole('textbox', { name: 'Value of title' }).fill('grüße');
  await form.getByRole('textbox', { name: 'Name of part 2' }).fill('image');
  const choosing = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: 'Choose a file for image' }).press('Enter');
  await (await choosing).setFiles(photo);
  await expect(form.getByText('photo.png')).toBeVisible();
  await expect(page.getByText(`-F 'image=@"photo.png";type=image/png'`)).toBeVisible();
  await axe('a form of several parts');
  await send();
  await expect(answer.getByRole('status').first()).toContainText('200 OK');
  const got = moody.got();
  expect(got?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  const parts = await new Response(new Uint8Array(got?.bytes ?? []), {
    headers: { 'content-type': got?.headers['content-type'] ?? '' },
  }).formData();
  expect(parts.get('title')).toBe('grüße');
  expect(Buffer.from(await new Response(parts.get('image')).arrayBuffer())).toEqual(photo.buffer);

  // a stored request has no files, and says so
  await page.getByRole('button', { name: /POST \/items .*200/ }).click();
  await expect(page.getByText('Some parts of this request were not stored: files.')).toBeVisible();

  await types.getByRole('radio', { name: 'File' }).check();
  await send();
  await expect(form.getByRole('alert')).toHaveText('Choose a file.');
  const again = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: 'Choose a file…' }).click();
  await (await again).setFiles(photo);
  await page.setViewportSize({ width: 390, height: 844 });
  await noSidewaysScroll(page, 'a file as the body');
  await axe('a file as the body');
  await send();
  await expect.poll(() => moody.got()?.headers['content-type']).toBe('image/png');
  expect(moody.got()?.bytes).toEqual(photo.buffer);
});

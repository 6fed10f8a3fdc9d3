/**
 * The session ends while a form is edited: sign-in opens over the page, no input is lost, and the request is sent
 * again.
 */
import { type Page, request } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { editor, make, write } from '../support/functions.ts';
import { ADMIN, type RunningService } from '../support/service.ts';
import { endSession, endUnder } from '../support/session-end.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

async function signInAgain(page: Page, who = ADMIN): Promise<void> {
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByRole('textbox', { name: 'Email' }).fill(who.email);
  await dialog(page).getByLabel('Password').fill(who.password);
  await dialog(page).getByRole('button', { name: 'Sign in', exact: true }).click();
}

test.beforeEach(() => {
  test.info().annotations.push({ type: 'allow-console', description: 'status of 401' });
});

const YEARLY = { cron_expression: '0 0 1 1 *' };
const makeTrigger = async (service: RunningService, url: string) => {
  const { trigger } = await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly',
      parameters: YEARLY,
      destinations: [{ url, name: 'orders' }],
    },
  });
  return trigger;
};

test('trigger settings keep unsaved input, and are saved by the click that met the end of the session', async ({
  signedIn: page,
  service,
  sink,
  axe,
}) => {
  const { trigger_id } = await makeTrigger(service, sink.url);
  // the dialog's code is loaded only after the rejection
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.route('**/SessionEnd-*.js', async (route) => {
    await refused;
    await route.continue();
  });
  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Every night');
  await endUnder('PATCH', page, service);
  await name.press('ControlOrMeta+s');
  await expect(dialog(page)).toBeVisible();
  await expect(dialog(page).getByRole('textbox', { name: 'Email' })).toHaveValue(ADMIN.email);
  await expect(dialog(page).getByLabel('Password')).toBeFocused();
  await axe('a sign-in over the page');
  await dialog(page).getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/triggers/${trigger_id}/settings`);
  await signInAgain(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Every night' })).toBeVisible();
  expect((await service.call('triggerGet', { params: { trigger_id } })).trigger.name).toBe('Every night');

  // the page receives live updates again
  await service.call('triggerUpdate', { params: { trigger_id }, body: { name: 'Followed' } });
  await expect(page.getByRole('heading', { level: 1, name: 'Followed' })).toBeVisible();
});

test('a new trigger keeps unsaved input', async ({ signedIn: page, service, sink }) => {
  await page.goto(`${service.url}/triggers/new?source=schedule`);
  await page.getByRole('textbox', { name: 'Cron expression' }).fill(YEARLY.cron_expression);
  await page.getByPlaceholder('from its source and parameters').fill('Typed with care');
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(sink.url);
  await endUnder('POST', page, service);
  await page.getByRole('button', { name: 'Create trigger', exact: true }).click();
  await signInAgain(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByText('Typed with care').first()).toBeVisible();
  const { triggers } = await service.call('triggerList');
  expect(triggers.filter(({ name }) => name === 'Typed with care')).toHaveLength(1);
});

test('the destination editor keeps unsaved input', async ({ signedIn: page, service, sink }) => {
  const trigger = await makeTrigger(service, sink.url);
  const destination_id = trigger.destinations[0]?.destination_id ?? '';
  await page.goto(`${service.url}/triggers/${trigger.trigger_id}/destinations/${destination_id}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('warehouse');
  await endUnder('PATCH', page, service);
  await name.press('ControlOrMeta+s');
  await signInAgain(page);
  await expect(dialog(page)).toBeHidden();
  await expect
    .poll(async () => {
      const params = { trigger_id: trigger.trigger_id, destination_id };
      return (await service.call('destinationGet', { params })).destination.name;
    })
    .toBe('warehouse');
  await expect(name).toHaveValue('warehouse');
});

test('the code editor keeps unsaved input, and an idle page notices the end of the session', async ({
  signedIn: page,
  context,
  service,
}) => {
  const fn = await make(service, 'kept');
  await page.goto(`${service.url}/functions/${fn.function_id}`);
  await write(page, 'export default { fetch: () => new Response("typed with care") };');
  await expect(editor(page)).toBeFocused();
  await endSession(context, service);
  await signInAgain(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page.locator('.view-lines')).toContainText('typed with care');
  await page
    .getByRole('form', { name: 'Deploy' })
    .getByRole('button', { name: /^Deploy/ })
    .click();
  await expect(page.getByText('Version 2 is live')).toBeVisible();
});

test('the page is hidden, and cleared after 15 minutes without a sign-in', async ({
  signedIn: page,
  service,
  sink,
}) => {
  const { trigger_id } = await makeTrigger(service, sink.url);
  await page.clock.install();
  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Unsaved');
  await endUnder('PATCH', page, service);
  await name.press('ControlOrMeta+s');
  await expect(dialog(page)).toBeVisible();
  await expect(page.locator('main')).toBeHidden();
  await page.clock.fastForward('16:00');
  await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Ftriggers%2F${trigger_id}%2Fsettings`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await page.content()).not.toContain('Nightly');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(trigger_id);
});

test('a page that is loading waits for the sign-in', async ({ signedIn: page, service }) => {
  await page.goto(`${service.url}/triggers`);
  await expect(page.getByRole('heading', { level: 1, name: 'Triggers' })).toBeVisible();
  await endUnder('GET', page, service, '/runs');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await signInAgain(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await expect(dialog(page)).toBeHidden();
});

test('another member gets a fresh console without the unsaved input', async ({ signedIn: page, service, sink }) => {
  const bob = { email: 'bob@example.com', password: 'a long password of bob' };
  const made = await page.request.post(`${service.url}/api/account/members`, {
    data: { email: bob.email, role: 'ADMIN' },
    headers: { origin: service.url },
  });
  const { invite_url } = (await made.json()) as { invite_url: string };
  const token = new URL(invite_url).hash.replace('#token=', '');
  const elsewhere = await request.newContext();
  await elsewhere.post(`${service.url}/api/session:accept`, {
    data: { token, password: bob.password, name: 'Bob' },
    headers: { origin: service.url },
  });
  await elsewhere.dispose();

  const { trigger_id } = await makeTrigger(service, sink.url);
  await page.goto(`${service.url}/triggers/${trigger_id}/settings`);
  await page.getByRole('textbox', { name: 'Name' }).fill('of Mira');
  await endUnder('PATCH', page, service);
  await page.keyboard.press('ControlOrMeta+s');
  await signInAgain(page, bob);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect((await service.call('triggerGet', { params: { trigger_id } })).trigger.name).toBe('Nightly');
});

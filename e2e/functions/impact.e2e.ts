/** "What breaks?": before something is removed, its dialog shows the code and traffic that use it. */
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import { countPresses } from '../support/presses.ts';

test('what breaks is shown in at most two clicks, before a key or a variable is removed', async ({
  signedIn: page,
  service,
  axeInBothSchemes,
}) => {
  const { api_key, key } = await service.call('apiKeyCreate', { body: { name: 'warehouse' } });
  const fn = await make(service, 'stock-sync', {
    'index.ts': `const prefix = "${api_key.prefix}…";\nconst rate = process.env.RATE;\nexport default { fetch: () => new Response(prefix + rate) };\n`,
  });
  const params = { function_id: fn.function_id };
  await service.call('envCreate', {
    params,
    body: {
      env: [
        { key: 'TOKEN', value: key },
        { key: 'RATE', value: '7', type: 'PLAIN' },
        { key: 'UNREAD', value: 'x' },
      ],
    },
  });
  const presses = await countPresses(page);
  await page.goto(`${service.url}/settings/keys`);
  await page.getByRole('button', { name: 'Actions for warehouse' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  const revoking = page.getByRole('dialog', { name: 'Revoke warehouse' });
  const breaks = revoking.getByRole('region', { name: 'What breaks' });
  await expect(breaks.getByRole('list', { name: '1 line of code in 1 function' })).toContainText('index.ts:1');
  await expect(breaks.getByRole('list', { name: 'Functions' })).toContainText('has it as a variable, names it in code');
  expect(await presses()).toEqual({ presses: 2, keys: 0 });
  await axeInBothSchemes('what a key breaks');
  await page.setViewportSize({ width: 390, height: 760 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await breaks.getByRole('link', { name: /stock-sync index.ts:1/ }).click();
  await expect(page).toHaveURL(/file=index.ts.*line=1/);

  // by keyboard alone
  await page.goto(`${service.url}/functions/${fn.function_id}/environment`);
  await page.getByRole('button', { name: 'Actions for RATE' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove…' }).press('Enter');
  const removing = page.getByRole('dialog', { name: 'Remove RATE' });
  await expect(removing.getByRole('region', { name: 'What breaks' })).toContainText('index.ts:2');
  await page.keyboard.press('Escape');
  await expect(removing).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for UNREAD' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect(page.getByRole('dialog', { name: 'Remove UNREAD' })).toContainText('No code of this function names it.');
});

test('a connection, an app, a function and a host show what breaks without them', async ({
  signedIn: page,
  service,
  sink,
  axeInBothSchemes,
}) => {
  await makeApp(service, 'retired', sink.url);
  const connection_id = await makeConnection(service, 'retired', 'main');
  await complete(service, connection_id);
  const called = await make(service, 'called', {
    'index.ts': 'export default { fetch: () => new Response("called") };\n',
  });
  const caller = await make(service, 'caller', {
    'index.ts': `export const id = "${connection_id}";\nexport const url = "${called.url}/x";\nexport default { fetch: () => fetch("https://api.retired.example/v1") };\n`,
  });
  await service.call('triggerCreate', {
    body: {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'hourly',
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: [{ url: caller.url, name: 'to the caller' }],
    },
  });
  const breaks = page.getByRole('region', { name: 'What breaks' });
  await page.goto(`${service.url}/connections/${connection_id}/settings`);
  await page.getByRole('button', { name: 'Delete connection…' }).click();
  await expect(breaks).toContainText('caller index.ts:1');
  await page.goto(`${service.url}/functions/${called.function_id}/settings`);
  await page.getByRole('button', { name: 'Delete function…' }).click();
  await expect(breaks).toContainText('caller index.ts:2');

  const presses = await countPresses(page);
  await page.goto(`${service.url}/functions/search?q=host:api.retired.example`);
  await page.getByRole('button', { name: 'What calls this host?' }).click();
  const dialog = page.getByRole('dialog', { name: 'What breaks without api.retired.example' });
  await expect(dialog.getByRole('list', { name: 'Functions' })).toContainText('caller');
  await expect(dialog.getByRole('list', { name: 'Triggers' })).toContainText('hourly');
  await expect(dialog.getByRole('list', { name: 'Destinations' })).toContainText('to the caller');
  expect((await presses()).presses).toBe(1);
  await axeInBothSchemes('what a host breaks');

  await service.call('connectionDelete', { params: { connection_id } });
  await page.goto(`${service.url}/connections/apps/retired`);
  await page.getByRole('button', { name: 'Delete app…' }).click();
  await expect(page.getByRole('dialog', { name: /^Delete the app/ })).toContainText('Nothing uses it.');
});

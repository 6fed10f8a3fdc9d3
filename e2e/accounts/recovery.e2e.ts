/** Automatic loading: a page once the network is back, and the next lines of a long log. */
import { expect, onSeparateService, signIn } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';

/** A separate service: no other part of the page is loaded. */
const test = onSeparateService();

test('a page that failed to load offline loads when the network is back', async ({ page, service }) => {
  test.info().annotations.push({ type: 'allow-console', description: 'ERR_|Failed to (load|fetch)|dynamically' });
  await signIn(page, service);
  await page.goto(service.url);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/could not be loaded|No response/);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs');
});

test('a run with thousands of lines shows its number of lines, and loads more on scrolling', async ({
  page,
  service,
}) => {
  const fn = await make(service, 'talkative', {
    'index.ts':
      'export default { fetch() { for (let n = 1; n <= 3500; n++) console.log("line " + n); return new Response("ok"); } };\n',
  });
  const params = { function_id: fn.function_id };
  const { run } = await service.call('functionInvoke', { params, body: {} });
  await signIn(page, service);
  await page.goto(`${service.url}/functions/${fn.function_id}/runs/${run.run_id}`);
  const logs = page.getByRole('region', { name: 'Logs' });
  const said = logs.getByText(/The run has ended/);
  const lines = logs.getByRole('group', { name: 'Log lines' });
  const items = lines.getByRole('listitem');
  // the service's own log lines of a run are among its lines
  const written = async () =>
    (await items.allTextContents()).flatMap(
      (text) =>
        text
          .match(/line (\d+)$/)
          ?.slice(1)
          .map(Number) ?? [],
    );
  const scrollToEnd = () => lines.evaluate((box) => box.scrollTo(0, box.scrollHeight));

  for (const shown of [1000, 2000, 3000]) {
    await expect(said).toContainText(`First ${shown.toLocaleString('en')} lines, more load on scrolling.`);
    await expect(items).toHaveCount(shown);
    await scrollToEnd();
  }
  await expect(said).not.toContainText('First');
  expect(await written()).toEqual(Array.from({ length: 3500 }, (_, index) => index + 1));
  await expect(said).toContainText(`${(await items.count()).toLocaleString('en')} lines. The run has ended.`);
  await expect(logs.getByRole('button', { name: 'Load more' })).toBeHidden();
  await scrollToEnd();
  await expect(lines.getByText('line 3500', { exact: true })).toBeInViewport();
});

/** Run statistics: counts, durations, and a comparison of two runs. */
import { complete, makeApp, makeConnection } from '../support/connecting.ts';
import { expect, test } from '../support/fixtures.ts';
import { make } from '../support/functions.ts';
import { startMoody } from '../support/moody.ts';

const CODE = {
  'index.ts': `export default { async fetch(request: Request) {
  const { wait, total } = await request.json();
  console.log('adding up', total);
  await new Promise((go) => setTimeout(go, wait));
  if (total < 0) throw new RangeError('less than nothing');
  return Response.json({ total });
} };
`,
};

test('a duration range filters the list of runs, and the list of functions shows daily runs', async ({
  signedIn: page,
  service,
  axe,
}) => {
  const { function_id } = await make(service, 'measured', CODE);
  const call = (body: object) =>
    service.call('functionInvoke', { params: { function_id }, body: { body: JSON.stringify(body) } });
  await call({ wait: 0, total: 1 });
  await call({ wait: 0, total: 2 });
  await call({ wait: 2100, total: -1 });
  await page.goto(`${service.url}/functions/${function_id}/runs`);
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(3);
  const long = page
    .getByRole('region', { name: 'Durations' })
    .getByRole('button', { name: '2 s to 5 s: 1 run, 1 failed' });
  await axe('durations of runs');
  await long.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('less than nothing');
  await expect(page).toHaveURL(/min=2000&max=5000/);
  await expect(long).toHaveAttribute('aria-pressed', 'true');
  await axe('runs of one duration');
  await page.getByRole('button', { name: /^Clear filter Duration/ }).click();
  await expect(rows).toHaveCount(3);
  // a new run is counted too
  await call({ wait: 2100, total: 5 });
  await expect(
    page.getByRole('region', { name: 'Durations' }).getByRole('button', { name: '2 s to 5 s: 2 runs, 1 failed' }),
  ).toBeVisible();

  // the time range: a bar is selected by keyboard
  const times = page.getByRole('toolbar', { name: 'Runs over time' });
  const newest = times.getByRole('button', { name: /: [1-9]\d* runs?\b/ }).last();
  const counted = Number(/: (\d+) run/.exec((await newest.getAttribute('aria-label')) ?? '')?.[1]);
  await newest.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(newest).not.toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/since=\d{4}-.*until=\d{4}-/);
  await expect(newest).toHaveAttribute('aria-pressed', 'true');
  await expect(rows).toHaveCount(counted);
  await axe('runs of one time');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/since=/);

  // both are in one row on a small desktop, too
  await page.setViewportSize({ width: 1024, height: 768 });
  const beside = async () => {
    const [left, right] = await Promise.all(
      ['Runs over time', 'Durations'].map((name) => page.getByRole('region', { name }).boundingBox()),
    );
    return (right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0);
  };
  await expect.poll(beside).toBeGreaterThan(0);
  await axe('figures of runs on a small desk');

  await page.goto(`${service.url}/functions`);
  const row = page.getByRole('table', { name: 'Functions' }).getByRole('row').filter({ hasText: 'measured' });
  await expect(row.getByRole('img', { name: '4 runs in the last 24 h, 1 failed' })).toBeVisible();
  await axe('functions with their day');
});

test('the chart of runs shows no other range while its own is loading', async ({ signedIn: page, service }) => {
  const { function_id } = await make(service, 'awaited', CODE);
  await service.call('functionInvoke', { params: { function_id }, body: { body: '{"wait":0,"total":1}' } });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/runs\/stats\?.*range=1h/, async (route) => {
    await released;
    await route.continue();
  });
  const day = page.waitForResponse(/runs\/stats\?.*range=24h/);
  const hour = page.waitForRequest(/runs\/stats\?.*range=1h/);
  await page.goto(`${service.url}/functions/${function_id}/runs`);
  await Promise.all([day, hour]);
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('row')).toHaveCount(2);
  const chart = page.getByRole('region', { name: 'Runs over time' });
  await expect(chart).toHaveCount(0);
  release();
  await expect(chart).toContainText('Runs in the last hour: 1');
});

test('two runs are compared side by side', async ({ signedIn: page, service, axe }) => {
  const { function_id } = await make(service, 'compared', CODE);
  const call = (body: object) =>
    service.call('functionInvoke', { params: { function_id }, body: { body: JSON.stringify(body) } });
  const good = (await call({ wait: 0, total: 7 })).run;
  const bad = (await call({ wait: 0, total: -7 })).run;
  await page.goto(`${service.url}/functions/${function_id}/runs/${bad.run_id}`);
  await page.getByRole('button', { name: 'Compare with…' }).press('Enter');
  await page.getByRole('menuitem', { name: /OK 200 v1/ }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Two runs compared' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Run A' })).toContainText('Error');
  await expect(page.getByRole('region', { name: 'Run B' })).toContainText('OK');
  await expect(page.getByRole('textbox', { name: `response of run ${good.run_id}` })).toBeAttached();
  await expect(page.getByText('RangeError').first()).toBeVisible();
  // the run without an error shows that, so that both responses start alike
  await expect(page.getByText('"error": null')).toBeVisible();
  await axe('two responses');
  await page.getByText('Request', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: `request of run ${good.run_id}` })).toBeAttached();
  await expect(page).toHaveURL(/part=request/);
  await page.getByText('Logs', { exact: true }).click();
  await expect(page.getByText('adding up 7')).toBeVisible();
  await axe('two logs');
});

test('the timeline of a run shows process, code, calls and log lines', async ({ signedIn: page, service, axe }) => {
  const moody = await startMoody();
  await makeApp(service, 'timed', moody.url);
  await complete(service, await makeConnection(service, 'timed', 'Timed'));
  const code = `export default { async fetch(_request: Request, env: Record<string, string>) {
    const headers = { authorization: 'Bearer ' + env.GATEWAY_TOKEN };
    for (const path of ['/timed/orders', '/timed/broken'])
      console.log((await fetch(env.GATEWAY_URL + path, { headers })).status);
    return new Response('done');
  } };`;
  const { function_id } = await make(service, 'timed-run', { 'index.ts': code });
  const params = { function_id };
  const { run } = await service.call('functionInvoke', { params });
  const line = page.getByRole('list', { name: 'Timeline' });
  await page.goto(`${service.url}/functions/${function_id}/runs/${run.run_id}`);
  await expect(line.getByRole('listitem').first()).toContainText(/(Prewarmed|Cold) start.*ms/);
  await expect(line).toContainText(/Loading the code.*ms.*Handler.*ms/);
  await expect(line).toContainText(/GET timed \/orders, 200.*GET timed \/broken, 503.*Response/);
  await expect(line.getByRole('listitem').last()).toContainText(/Log.*5 lines/);
  const beyond = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(beyond).toBeLessThanOrEqual(0);
  await axe('a time line');
  await line.getByRole('link', { name: 'GET timed /broken' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'GET /broken' })).toContainText('503');

  const again = (await service.call('functionInvoke', { params })).run;
  await page.goto(`${service.url}/functions/${function_id}/runs/${again.run_id}`);
  await expect(line.getByRole('listitem').first()).toContainText('Warm start');
  await expect(line).not.toContainText('Loading the code');
  await moody.stop();
});

/** How often functions run, how long runs take, and what differs between two of them. */
import { expect, test } from './support/fixtures.ts';
import { make } from './support/functions.ts';

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

test('durations limit the list of runs, and a function’s day stands in the list', async ({
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
  // a run that comes in is counted too
  await call({ wait: 2100, total: 5 });
  await expect(
    page.getByRole('region', { name: 'Durations' }).getByRole('button', { name: '2 s to 5 s: 2 runs, 1 failed' }),
  ).toBeVisible();

  await page.goto(`${service.url}/functions`);
  const row = page.getByRole('table', { name: 'Functions' }).getByRole('row').filter({ hasText: 'measured' });
  await expect(row.getByRole('img', { name: '4 runs in the last 24 h, 1 failed' })).toBeVisible();
  await axe('functions with their day');
});

test('two runs are laid side by side', async ({ signedIn: page, service, axe }) => {
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
  await axe('two responses');
  await page.getByText('Request', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: `request of run ${good.run_id}` })).toBeAttached();
  await expect(page).toHaveURL(/part=request/);
  await page.getByText('Logs', { exact: true }).click();
  await expect(page.getByText('adding up 7')).toBeVisible();
  await axe('two logs');
});

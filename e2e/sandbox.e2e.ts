/** What the settings say about the isolation of functions, where it is weaker than it could be. */
import { expect, onSeparateService, signIn } from './support/fixtures.ts';

const test = onSeparateService({ env: { SLUICE_SANDBOX: 'permissions' } });

test('the settings warn of a weak sandbox, with the reason and what makes it strong', async ({
  page,
  service,
  axeInBothSchemes,
}) => {
  await signIn(page, service);
  await page.goto(`${service.url}/settings`);
  const sandbox = page.getByRole('region', { name: 'Function sandbox' });
  await expect(sandbox).toContainText('because it is switched off (SLUICE_SANDBOX)');
  await expect(sandbox).toContainText('Weaker than a container');
  await expect(sandbox).toContainText('permissions');
  await axeInBothSchemes('a weak sandbox');
});

/** An operator ends sessions on the server, while the service runs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type Browser, invite, signIn } from '../../test/browser.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll();
const SCRIPT = join(import.meta.dirname, '../../../scripts/end-sessions.ts');
const run = (...args: string[]) => {
  const env = { DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: service.dataDir };
  return promisify(execFile)(process.execPath, [SCRIPT, ...args], { env });
};
const isSignedIn = async (of: Browser) => (await of.call('GET', '/account')).status === 200;

it('of one person, and of everyone; an unknown address is an error', async () => {
  const owner = await signIn(service);
  const ada = { email: 'ada@example.com', password: 'violet tractor evening' };
  const { browser, user_id } = await invite(owner, service, ada, 'VIEWER');
  const other = await signIn(service, ada);

  expect((await run(ada.email)).stdout).toBe('Sessions ended: 2\n');
  expect([await isSignedIn(browser), await isSignedIn(other), await isSignedIn(owner)]).toEqual([false, false, true]);
  const { body } = await service.api<{ entries: object[] }>('GET', '/audit?operation=sessionRevoke');
  expect(body.entries).toMatchObject([{ actor_name: 'npm run end-sessions', resource_id: user_id }]);

  const again = await signIn(service, ada);
  expect((await run('--all')).stdout).toBe('Sessions ended: 2\n');
  expect([await isSignedIn(again), await isSignedIn(owner)]).toEqual([false, false]);
  expect((await service.api('GET', '/account')).status).toBe(200);

  await expect(run('missing@example.com')).rejects.toThrow('No active member has the address missing@example.com.');
  await expect(run()).rejects.toThrow('Expected one email address, or --all');
});

/** The log of a process while its database is down: a line per request, and few stacks. */
import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { closeDatabase, startService } from '../../test/service.ts';
import { freePort, start } from '../../test/spawned.ts';

const REQUESTS = 60;

it('each request rejected in an outage is one line, and few lines have a stack', async () => {
  const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
  const here = await startService({ env });
  onTestFinished(() => here.stop());
  const { database: name, databaseUrl: DATABASE_URL } = here;
  const service = await start(here.dataDir, await freePort(), { ...env, DATABASE_URL });
  onTestFinished(async () => void (await service.kill('SIGKILL')));
  const request = async () =>
    (await fetch(`${service.url}/api/triggers`, { headers: { authorization: `Bearer ${here.key}` } })).status;
  expect(await request()).toBe(200);

  const reopen = await closeDatabase(name);
  await expect.poll(request).toBe(503);
  for (let n = 0; n < REQUESTS; n++) expect(await request()).toBe(503);
  const seconds = (lines: { time: number }[]) => ((lines.at(-1)?.time ?? 0) - (lines[0]?.time ?? 0)) / 1000;
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(
      (line) =>
        JSON.parse(line) as { time: number; msg: string; path?: string; cause?: string; err?: { stack?: string } },
    );
  await reopen();

  const refused = lines.filter(({ msg }) => msg === 'request failed');
  expect(refused.length).toBeGreaterThanOrEqual(REQUESTS);
  for (const { path, cause } of refused) {
    expect(path).toBe('/triggers');
    expect(cause).toMatch(/not currently accepting connections|terminat|ECONN|EPIPE/);
  }
  // Workers fail and retry meanwhile; their lines count as well.
  const stacks = lines.filter(({ err }) => err?.stack !== undefined);
  expect(stacks.length).toBeGreaterThanOrEqual(1);
  expect(stacks.length).toBeLessThanOrEqual(1 + seconds(lines) / 5);
  await expect.poll(request).toBe(200);
});

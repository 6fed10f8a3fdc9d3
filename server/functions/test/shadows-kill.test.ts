/** The real process, killed in the middle of a shadow that deploys. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

const REQUESTS = 12;
const PATIENTLY = { timeout: 120_000 };
/** With a variable HOLD, neither the first nor the last requests wait until they are stopped. */
const code = (hold: string) => `export default { async fetch(request, env) {
  const text = await request.text();
  if (env.HOLD === '${hold}' && text >= 4 && text < 8) await new Promise(() => {});
  return new Response(text);
} };`;

let folder: Folder;
let port: number;
let service: Spawned;
beforeAll(async () => {
  folder = scratch();
  port = await freePort();
  service = await start(folder.path, port);
});
afterAll(async () => {
  await service.kill('SIGTERM');
  folder.remove();
});

it('continues after a kill, with each request once, and deploys only at its end', async () => {
  const made = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
    name: 'killed',
    runtime: 'nodejs24.x',
    files: { 'index.ts': code('never') },
    timeout_seconds: 60,
  });
  const path = `/functions/${made.body.function.function_id}`;
  for (let n = 0; n < REQUESTS; n++) await service.call('POST', `${path}:invoke`, { body: String(n) });
  await service.call('PUT', `${path}/env/HOLD`, { value: 'yes' });
  const begun = await service.call<Reply<'shadowCreate'>>('POST', `${path}/shadows`, {
    files: { 'index.ts': code('yes') },
    deploy: true,
  });
  const at = `${path}/shadows/${begun.body.shadow.shadow_id}`;
  const read = async () => (await service.call<Reply<'shadowGet'>>('GET', at)).body;
  const live = async () => (await service.call<Reply<'functionGet'>>('GET', path)).body.function.version;

  await expect.poll(async () => (await read()).shadow.done, PATIENTLY).toBeGreaterThan(0);
  // Of the runs in progress, the variables stay the same.
  expect((await service.call('DELETE', `${path}/env/HOLD`)).status).toBe(200);
  await service.kill('SIGKILL');
  service = await start(folder.path, port);
  const { shadow: between } = await read();
  expect(between).toMatchObject({ status: 'RUNNING', deployed_at: null });
  expect(between.done).toBeLessThan(REQUESTS);
  expect(await live()).toBe(1);

  await expect.poll(async () => (await read()).shadow.status, PATIENTLY).toBe('COMPLETED');
  const { shadow, matrix } = await read();
  expect(shadow).toMatchObject({ verdict: 'PASSED', total: REQUESTS, done: REQUESTS, skipped: 0 });
  expect(matrix).toEqual([{ before: 'SUCCESS', after: 'SUCCESS', count: REQUESTS }]);
  expect(shadow.deployed_at).not.toBeNull();
  expect(await live()).toBe(2);
});

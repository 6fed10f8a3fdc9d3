/** The real process, killed in the middle of a shadow that deploys. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

const REQUESTS = 12;
const PATIENTLY = { timeout: 120_000 };
const code = (ms: number) => `export default { async fetch(request) {
  const text = await request.text();
  if (${ms} > 0) await new Promise((done) => setTimeout(done, ${ms}));
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
    files: { 'index.ts': code(0) },
  });
  const path = `/functions/${made.body.function.function_id}`;
  for (let n = 0; n < REQUESTS; n++) await service.call('POST', `${path}:invoke`, { body: String(n) });
  const begun = await service.call<Reply<'shadowCreate'>>('POST', `${path}/shadows`, {
    files: { 'index.ts': code(400) },
    deploy: true,
  });
  const at = `${path}/shadows/${begun.body.shadow.shadow_id}`;
  const read = async () => (await service.call<Reply<'shadowGet'>>('GET', at)).body;
  const live = async () => (await service.call<Reply<'functionGet'>>('GET', path)).body.function.version;

  await expect.poll(async () => (await read()).shadow.done, PATIENTLY).toBeGreaterThan(0);
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

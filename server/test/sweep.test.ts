import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../lib/ids.ts';
import { sweep } from '../services/sweep.ts';
import { makeEvent, makeTrigger, readEvent, whenAll } from './delivery-support.ts';
import { invoke, makeFunction } from './functions-support.ts';
import { type Service, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';
import { scratch } from './spawned.ts';

const folder = scratch();
let service: Service;
let sink: Sink;
beforeAll(async () => {
  service = await startService({ retryScheduleSeconds: [3600], env: { SLUICE_DATA_DIR: folder.path } });
  sink = await startSink();
});
afterAll(async () => {
  await service.stop();
  await sink.close();
  folder.remove();
  // moments and ids of a process never step back: files after this one begin with a clock that didn't leap ahead
  vi.resetModules();
});

it('does all its duties, and frees what a node held that is gone', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/hook` }]);
  sink.answer('/hook', { status: 500 });
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
  sink.answer('/hook', { status: 200 });
  const { db } = service.services;
  await db.updateTable('deliveries').set({ leased_by: newId() }).where('event_id', '=', event.event_id).execute();
  await sweep(service.services);
  expect(service.logged()).not.toContain('failed');
  await whenAll(service, event, 'SUCCEEDED');
});

it('drops no day because the clock of its node is ahead', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/kept` }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 86_400_000 });
  await sweep(service.services).finally(() => vi.useRealTimers());
  expect(await readEvent(service, event)).toEqual(event);
});

it('removes the code of deleted functions from the disk, unless another one has the same', async () => {
  const blobs = join(folder.path, 'blobs');
  const files = () => readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
  const code = (text: string) => `export default { fetch: () => new Response("${text}") };`;
  const alone = await makeFunction(service, code('nobody else’s'));
  const one = await makeFunction(service, code('of two'));
  const other = await makeFunction(service, code('of two'));
  expect(files()).toHaveLength(6);
  for (const { function_id } of [alone, one]) await service.api('DELETE', `/functions/${function_id}`);
  await sweep(service.services);
  // Somebody could just be publishing the same.
  expect(files()).toHaveLength(6);
  for (const name of files()) utimesSync(join(blobs, name), 0, 0);
  // Nobody who waits for a node to start waits for this.
  await service.restart();
  expect(files()).toHaveLength(6);
  await sweep(service.services);
  expect(files()).toHaveLength(3);
  expect((await invoke(service, other)).response).toMatchObject({ status: 200 });
  const again = await makeFunction(service, code('nobody else’s'));
  expect((await invoke(service, again)).response).toMatchObject({ status: 200 });
  expect(service.logged()).not.toContain('failed');
});

import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDeliveries } from '../../deliveries/store/queue/waiting-deliveries.ts';
import { makeEvent, makeTrigger, readEvent, whenAll } from '../../deliveries/test/delivery-support.ts';
import { invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { firstIdAt, newId } from '../../lib/ids.ts';
import { dropOldPartitions, ensurePartitions } from '../../platform/database/partitions.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Sink, startSink } from '../../test/sink.ts';
import { scratch } from '../../test/spawned.ts';
import { sweep } from '../sweep.ts';

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
  // times and ids of a process never decrease: files after this one start with a clock that is not ahead
  vi.resetModules();
});

it('runs all duties, and releases the leases of an expired node', async () => {
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

it('drops no day if only the clock of its node is ahead', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/kept` }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 86_400_000 });
  await sweep(service.services).finally(() => vi.useRealTimers());
  expect(await readEvent(service, event)).toEqual(event);
});

it('with both clocks 40 days ahead drops at most one day an hour, and logs it before', async () => {
  const { db, settings } = service.services;
  const DAY_MS = 86_400_000;
  const nowMs = Date.now();
  const kept = settings.retentionDays * DAY_MS;
  // One event a day: past the retention by one day, by an hour, and on the days before today.
  const { trigger_id } = await makeTrigger(service);
  const daysAgo = Array.from({ length: settings.retentionDays }, (_, i) => i);
  for (const days of daysAgo) await ensurePartitions(db, nowMs - days * DAY_MS);
  const place = { account_id: service.account_id, trigger_id, received_at: new Date().toISOString(), payload: '{}' };
  const events = daysAgo.map((days) => ({ ...place, event_id: firstIdAt(nowMs - days * DAY_MS) }));
  await db.insertInto('events').values(events).execute();
  const left = async () =>
    (await db.selectFrom('events').select('event_id').where('trigger_id', '=', trigger_id).execute()).length;
  await dropOldPartitions(db, settings.retentionDays, openDeliveries, nowMs);
  expect(await left()).toBe(daysAgo.length);

  const ahead = nowMs + 40 * DAY_MS;
  const warned: unknown[] = [];
  const drop = (atMs: number) =>
    dropOldPartitions(db, settings.retentionDays, openDeliveries, atMs, (plan) =>
      warned.push([plan.names.length > 0, plan.wantedMs]),
    );
  await drop(ahead);
  await drop(ahead + 1000);
  expect(await left()).toBeGreaterThanOrEqual(daysAgo.length - 1);
  expect(warned[0]).toEqual([true, ahead - kept]);
  const atOnce = await left();
  await drop(ahead + 3_600_000);
  expect(await left()).toBe(atOnce - 1);
  // After the clock is corrected, no more days are dropped.
  const after = await left();
  await drop(nowMs + 1000);
  expect(await left()).toBe(after);
});

it('keeps a whole day while one of its deliveries is pending', async () => {
  const { db, settings } = service.services;
  const DAY_MS = 86_400_000;
  sink.answer('/later', { status: 500 });
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/later` }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
  const today = new Date().toISOString().slice(0, 10);
  // Hour by hour, until today is past retention.
  const start = Date.now() + settings.retentionDays * DAY_MS + 2 * DAY_MS;
  const dropAll = async () => {
    for (let hours = 0; ; hours++) {
      const plan = await dropOldPartitions(db, settings.retentionDays, openDeliveries, start + hours * 3_600_000);
      if (plan.allowedMs >= start - settings.retentionDays * DAY_MS) return plan;
    }
  };
  const plan = await dropAll();
  expect(plan.heldDays).toEqual([today]);
  expect(await readEvent(service, event)).toMatchObject({ deliveries: [{ status: 'RETRYING', attempts: 1 }] });
  const attempts = await service.api('GET', `/triggers/${trigger_id}/events/${event.event_id}/deliveries`);
  expect(attempts.status).not.toBe(500);
  await service.api('DELETE', `/triggers/${trigger_id}`);
});

it('deletes the code of deleted functions from the database and the disk, unless another function has the same', async () => {
  const blobs = join(folder.path, 'blobs');
  const files = () => readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
  const stored = async () => (await service.services.db.selectFrom('blobs').select('sha256').execute()).length;
  const code = (text: string) => `export default { fetch: () => new Response("${text}") };`;
  const alone = await makeFunction(service, code('no one else’s'));
  const one = await makeFunction(service, code('of two'));
  const other = await makeFunction(service, code('of two'));
  expect(files()).toHaveLength(6);
  for (const { function_id } of [alone, one]) await service.api('DELETE', `/functions/${function_id}`);
  await sweep(service.services);
  // Another publish of the same code may be in progress.
  expect(files()).toHaveLength(6);
  for (const name of files()) utimesSync(join(blobs, name), 0, 0);
  await service.services.db.updateTable('blobs').set({ put_at: '2026-01-01T00:00:00Z' }).execute();
  // Does not delay the start of a node.
  await service.restart();
  expect(files()).toHaveLength(6);
  expect(await stored()).toBe(6);
  await sweep(service.services);
  expect([files().length, await stored()]).toEqual([3, 3]);
  expect((await invoke(service, other)).response).toMatchObject({ status: 200 });
  const again = await makeFunction(service, code('no one else’s'));
  expect((await invoke(service, again)).response).toMatchObject({ status: 200 });
  expect(service.logged()).not.toContain('failed');
});

it('deletes shadows past retention, with their requests', async () => {
  const { db, settings } = service.services;
  const fn = await makeFunction(service);
  await invoke(service, fn);
  const path = `/functions/${fn.function_id}/shadows`;
  const files = { 'index.ts': 'export default { fetch: () => new Response("other") };' };
  const begun = await service.api<{ shadow: { shadow_id: string } }>('POST', path, { files });
  const { shadow_id } = begun.body.shadow;
  const requests = () => db.selectFrom('shadow_requests').select('run_id').where('shadow_id', '=', shadow_id).execute();
  await sweep(service.services);
  expect(await requests()).toHaveLength(1);
  const created_at = new Date(Date.now() - (settings.retentionDays + 1) * 86_400_000).toISOString();
  await db.updateTable('shadows').set({ created_at }).where('shadow_id', '=', shadow_id).execute();
  await sweep(service.services);
  expect(await requests()).toEqual([]);
  expect((await service.api('GET', `${path}/${shadow_id}`)).status).toBe(404);
});

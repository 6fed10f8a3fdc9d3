import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../lib/ids.ts';
import { sweep } from '../services/sweep.ts';
import { makeEvent, makeTrigger, readEvent, whenAll } from './delivery-support.ts';
import { type Service, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';

let service: Service;
let sink: Sink;
beforeAll(async () => {
  service = await startService({ retryScheduleSeconds: [3600] });
  sink = await startSink();
});
afterAll(async () => {
  await service.stop();
  await sink.close();
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

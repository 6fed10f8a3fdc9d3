/** Many events at once: stored together, acknowledged when on disk, delivered once each. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ingest } from '../services/delivery/intake.ts';
import { makeTrigger } from './delivery-support.ts';
import { type Service, startService } from './service.ts';
import { type Sink, startSink } from './sink.ts';

let service: Service;
let sink: Sink;
beforeAll(async () => {
  service = await startService();
  sink = await startSink();
});
afterAll(async () => {
  await service.stop();
  await sink.close();
});

it('a thousand events reach two destinations, each once, though their lanes are full', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/a` }, { url: `${sink.url}/b` }]);
  const { account_id, services } = service;
  const payloads = Array.from({ length: 1000 }, (_, n) => ({ n }));
  const stored = await ingest(
    services,
    payloads.map((payload) => ({ account_id, trigger_id, payload })),
  );
  const { count } = services.db.fn;
  const { events } = await services.db
    .selectFrom('events')
    .select(count<number>('event_id').as('events'))
    .where('trigger_id', '=', trigger_id)
    .executeTakeFirstOrThrow();
  expect(Number(events)).toBe(1000);
  const succeeded = async () => {
    const { rows } = await services.db
      .selectFrom('deliveries')
      .select(count<number>('delivery_id').as('rows'))
      .where('trigger_id', '=', trigger_id)
      .where('status', '=', 'SUCCEEDED')
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  await expect.poll(succeeded, { timeout: 20_000 }).toBe(2000);
  const ids = stored.map(({ event_id }) => event_id).toSorted();
  for (const path of ['/a', '/b']) {
    expect(
      sink
        .received(path)
        .map(({ headers }) => headers['webhook-id'])
        .toSorted(),
    ).toEqual(ids);
  }
});

it('more than can wait are turned away, not acknowledged', async () => {
  const { trigger_id } = await makeTrigger(service);
  const { account_id, services } = service;
  const events = Array.from({ length: 5001 }, () => ({ account_id, trigger_id, payload: {} }));
  await expect(ingest(services, events)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  const left = await services.db.selectFrom('events').select('event_id').where('trigger_id', '=', trigger_id).execute();
  expect(left).toEqual([]);
});

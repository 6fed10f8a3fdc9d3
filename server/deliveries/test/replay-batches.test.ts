/** A bulk replay of many events: few transactions, each delivery once. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeTrigger, only } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

/** A trigger with failed deliveries of events to this path. */
async function failed(count: number, path: string): Promise<{ trigger_id: string; ids: string[] }> {
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path }]);
  const { destination_id } = only(destinations);
  const { account_id } = service;
  const { db } = service.services;
  const ids = Array.from({ length: count }, () => newId());
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
    select ${account_id}, id, ${trigger_id}, now(), '{}' from unnest(${ids}::uuid[]) id`.execute(db);
  await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, created_at, finished_at)
    select ${account_id}, id, gen_random_uuid(), ${trigger_id}, ${destination_id}::uuid, 'd', 'http://d', 'POST', 'FAILED',
      'EVENT', 0, now(), now()
    from unnest(${ids}::uuid[]) id`.execute(db);
  return { trigger_id, ids };
}

it('a replay updates many items in one transaction, and sends each once', async () => {
  sink.answer('/many', { status: 200 });
  const { db } = service.services;
  const { trigger_id, ids } = await failed(400, '/many');
  const wish = { filter: { trigger_id }, only_failed: true, rate_per_second: 1000 };
  const { body } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', wish);
  const { replay_id } = body.replay ?? {};
  const read = async () => (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body.replay;
  // Each transaction that restarted items leaves its id in them until their outcome is stored.
  const marks = new Set<string>();
  await expect
    .poll(async () => {
      const { rows } = await sql<{ xid: string }>`select distinct xmin::text as xid from replay_items
        where replay_id = ${replay_id ?? null} and state = 'SENT'`.execute(db);
      for (const { xid } of rows) marks.add(xid);
      return (await read()).status;
    })
    .toBe('COMPLETED');
  expect(await read()).toMatchObject({ total: 400, done: 400, succeeded: 400 });
  expect(marks.size).toBeLessThan(40);
  const sent = sink.received('/many').map(({ headers }) => headers['webhook-id']);
  expect(sent.sort()).toEqual(ids.sort());
});

describe('a replay whose trigger is deleted', () => {
  const begin = async (filter: object) => {
    const wish = { filter, only_failed: true, rate_per_second: 1 };
    const { body } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', wish);
    const at = `/replays/${body.replay?.replay_id}`;
    const read = async () => (await service.api<Reply<'replayGet'>>('GET', at)).body.replay;
    await expect.poll(async () => (await read()).succeeded).toBeGreaterThan(0);
    return { at, read };
  };

  it('stops with a reason that counts the unsent deliveries', async () => {
    sink.answer('/deleted', { status: 200 });
    const { trigger_id } = await failed(300, '/deleted');
    const { read } = await begin({ trigger_id });
    expect((await service.api('DELETE', `/triggers/${trigger_id}`)).status).toBe(200);
    await expect.poll(async () => (await read()).status).not.toBe('RUNNING');
    const ended = await read();
    expect(ended).toMatchObject({ status: 'STOPPED', total: 300, done: 300, failed: 0 });
    expect(ended.succeeded + ended.skipped).toBe(300);
    expect(ended.reason).toBe(`The trigger was deleted: ${ended.skipped} deliveries were not sent.`);
    expect(sink.received('/deleted')).toHaveLength(ended.succeeded);
  });

  it('stops when it is resumed after a pause', async () => {
    sink.answer('/deleted-paused', { status: 200 });
    const { trigger_id } = await failed(50, '/deleted-paused');
    const { at, read } = await begin({ trigger_id });
    await service.api('POST', `${at}:pause`);
    await service.api('DELETE', `/triggers/${trigger_id}`);
    expect((await read()).status).toBe('PAUSED');
    await service.api('POST', `${at}:resume`);
    await expect.poll(async () => (await read()).status).toBe('STOPPED');
    expect((await read()).done).toBe(50);
  });
});

it('a replay for a destination that does not exist is rejected, and so is its dry run', async () => {
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: `${sink.url}/a` }, { url: `${sink.url}/b` }]);
  const [kept, gone] = destinations.map(({ destination_id }) => destination_id);
  await service.api('DELETE', `/triggers/${trigger_id}/destinations/${gone}`);
  for (const id of [gone, newId()])
    for (const dry_run of [false, true]) {
      const wish = { filter: { trigger_id }, destination_ids: [kept, id], dry_run };
      const { status, body } = await service.api<{ message: string }>('POST', '/events:replay', wish);
      const message = `destination_ids.1: expected a destination of this account; ${id} does not exist or was deleted`;
      expect([status, body.message]).toEqual([400, message]);
    }
});

it('a replay for a destination of another account is rejected', async () => {
  const { destinations } = await makeTrigger(service, [{ url: `${sink.url}/own` }]);
  const { key } = await service.secondAccount();
  const destination_ids = [only(destinations).destination_id];
  const wish = { filter: { status: 'FAILED' }, destination_ids };
  const { status } = await service.api('POST', '/events:replay', wish, { key });
  expect(status).toBe(400);
});

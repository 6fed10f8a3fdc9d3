/** The real process, killed in the middle of a bulk replay of thousands of events. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { expectGood, judge } from '../../test/faults/ledger.ts';
import { beside } from '../../test/faults/world.ts';
import { type Sink, startSink } from '../../test/sink.ts';
import { embeddedIn, type Folder, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

const EVENTS = 4_000;
const PATIENTLY = { timeout: 120_000 };
const SETTINGS = { SLUICE_RATE_LIMIT: '100000' };

let sink: Sink;
let folder: Folder;
let port: number;
let service: Spawned;
beforeAll(async () => {
  sink = await startSink();
  folder = scratch();
  port = await freePort();
  service = await start(folder.path, port, SETTINGS);
});
afterAll(async () => {
  await service.kill('SIGTERM');
  await sink.close();
  folder.remove();
});

/** Inserts failed deliveries of this many events into the database. */
async function storeFailed(trigger: Reply<'triggerCreate'>['trigger']): Promise<string[]> {
  const client = new Client(embeddedIn(folder.path));
  await client.connect();
  const { trigger_id, destinations } = trigger;
  const { rows } = await client.query<{ event_id: string }>(
    `with e as (
      insert into events (account_id, event_id, trigger_id, received_at, payload)
      select t.account_id, uuidv7(), t.trigger_id, now(), '{}' from triggers t, generate_series(1, $3::int)
      where t.trigger_id = $1 returning *
    )
    insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, created_at, finished_at)
    select account_id, event_id, gen_random_uuid(), trigger_id, $2::uuid, 'd', 'http://d', 'POST', 'FAILED', 'EVENT', 0,
      now(), now() from e
    returning event_id`,
    [trigger_id, destinations[0]?.destination_id, EVENTS],
  );
  await client.end();
  return rows.map(({ event_id }) => event_id);
}

it('after two kills in the middle of a bulk replay, every event is sent, and few are sent again', async () => {
  const at = '/killed';
  sink.answer(at, { status: 200 });
  const { body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
    destinations: [{ url: sink.url + at }],
  });
  const { trigger_id } = body.trigger;
  const ids = await storeFailed(body.trigger);
  const wish = { filter: { trigger_id }, only_failed: true, rate_per_second: 1000 };
  const asked = await service.call<Reply<'replayCreate'>>('POST', '/events:replay', wish);
  const path = `/replays/${asked.body.replay?.replay_id}`;
  const read = async () => (await service.call<Reply<'replayGet'>>('GET', path)).body;
  for (const part of [0.25, 0.6]) {
    await expect.poll(() => sink.received(at).length, PATIENTLY).toBeGreaterThan(EVENTS * part);
    await service.kill('SIGKILL');
    expect(sink.received(at).length).toBeLessThan(EVENTS);
    service = await start(folder.path, port, SETTINGS);
  }
  await expect.poll(async () => (await read()).replay.status, PATIENTLY).toBe('COMPLETED');
  const { replay, matrix } = await read();
  expect(replay).toMatchObject({ total: EVENTS, done: EVENTS, succeeded: EVENTS, failed: 0, skipped: 0 });
  expect(matrix).toEqual([{ before: 'FAILED', after: 'SUCCEEDED', count: EVENTS }]);
  const database = beside(embeddedIn(folder.path));
  const field = { sink, paths: [at], database: database.client };
  // Attempts that were in flight or not yet recorded are made again, and no others.
  expectGood(await judge('in the middle of a bulk replay', field, ids, 0), 2);
  await database.close();
}, 300_000);

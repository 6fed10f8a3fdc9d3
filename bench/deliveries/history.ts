/** Measures each list and filter of events over a month of events. */
import { newId } from '../../server/lib/ids.ts';
import { type Database, openDatabase } from '../../server/platform/database/database.ts';
import { ensurePartitions } from '../../server/platform/database/partitions.ts';
import { embeddedIn, freePort, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import { SETTINGS } from '../settings.ts';
import { type BulkReplay, bulkReplays } from './bulk-replay.ts';

const DAY_MS = 86_400_000;
/** Of the history; 0: everything was received today, so that one partition has it. */
export const DAYS = Number(process.env['BENCH_DAYS'] || 29);
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const TRIGGERS = 10;
const ROUNDS = 60;

export type Page = { name: string; p50Ms: number; p95Ms: number; status: number; rows: number };
export type Names = { triggers: string[]; destinations: string[] };

/** Fills a month evenly, then measures each page and bulk replay through the API. */
export async function history(events: number, parts: string[]): Promise<{ pages: Page[]; replays: BulkReplay[] }> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  try {
    const names = await makeTriggers(service);
    const middle = await fill(folder.path, events, names);
    await waitForStatistics(folder.path);
    return {
      pages: parts.includes('history') ? await read(service, names, middle) : [],
      replays: parts.includes('replays') ? await bulkReplays(service, names, middle) : [],
    };
  } finally {
    await service.kill('SIGTERM');
    folder.remove();
  }
}

type Trigger = { trigger_id: string; destinations: { destination_id: string }[] };

export async function makeTriggers(service: Spawned): Promise<Names> {
  const triggers: Trigger[] = [];
  for (let i = 0; i < TRIGGERS; i++) {
    const { body } = await service.call<{ trigger: Trigger }>('POST', '/triggers', {
      source: 'webhook',
      event_type: 'webhook.received',
      name: `Orders ${i}`,
      parameters: { verification: 'none' },
      destinations: [{ url: `http://127.0.0.1:9/${i}`, name: `Receiver ${i}` }],
    });
    triggers.push(body.trigger);
  }
  return {
    triggers: triggers.map(({ trigger_id }) => trigger_id),
    destinations: triggers.flatMap(({ destinations }) => destinations.map(({ destination_id }) => destination_id)),
  };
}

/** Of a thousand deliveries 20 failed, 4 are retrying and 3 were skipped; the others succeeded. */
const STATUS = `case when n % 1000 < 20 then 'FAILED' when n % 1000 < 24 then 'RETRYING'
  when n % 1000 < 27 then 'SKIPPED' else 'SUCCEEDED' end`;
const RESPONSE_STATUS = `case when n % 1000 < 10 then 500 when n % 1000 < 17 then 404 when n % 1000 < 27 then null else 200 end`;

/** Inserts the events. Returns the middle of their time range. */
export async function fill(dataDir: string, events: number, { triggers, destinations }: Names): Promise<string> {
  const database = openIn(dataDir);
  const { kysely: db, pool } = database;
  const endMs = Date.now();
  for (let day = DAYS; day >= 0; day -= 2) await ensurePartitions(db, endMs - day * DAY_MS);
  const { rows } = await pool.query<{ account_id: string }>('select account_id from accounts');
  const account = rows[0]?.account_id;
  await pool.query('set statement_timeout = 0; set synchronous_commit = off');
  const spanMs = DAYS === 0 ? endMs - TODAY_MS : DAYS * DAY_MS;
  const stepMs = spanMs / events;
  // event_id is a UUIDv7 of the event's time, as newId makes them.
  const common = `
    select $1::uuid as account_id, n, to_timestamp(ms / 1000.0) as at, ($2::uuid[])[n % ${TRIGGERS} + 1] as trigger_id,
      ($3::uuid[])[n % ${TRIGGERS} + 1] as destination_id,
      (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid as event_id,
      ('${newId().slice(0, 24)}' || lpad(to_hex(n), 12, '0'))::uuid as delivery_id
    from (select n, (${endMs}::bigint - ((${events} - n) * ${stepMs}::float8)::bigint) as ms from generate_series($4::int, $5::int) n) n`;
  const chunk = 50_000;
  for (let from = 0; from < events; from += chunk) {
    const values = [account, triggers, destinations, from, Math.min(from + chunk, events) - 1];
    await pool.query(
      `insert into events (account_id, event_id, trigger_id, received_at, payload)
       select account_id, event_id, trigger_id, at, '{"order":' || n || ',"customer":"' || md5(n::text) || '","state":"paid","text":"${'an order with some lines of text. '.repeat(10)}"}'
       from (${common}) e`,
      values,
    );
    await pool.query(
      `insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name, destination_url,
         destination_method, status, origin, attempts, step, created_at, finished_at, last_attempt_at, last_response_status,
         last_response_body, last_response_duration, next_at)
       select account_id, event_id, delivery_id, trigger_id, destination_id, 'Receiver', 'http://127.0.0.1:9/', 'POST',
         ${STATUS}, 'EVENT', 1, 1, at, case when ${STATUS} <> 'RETRYING' then at end, at, ${RESPONSE_STATUS}, 'ok', (n % 300)::int,
         case when ${STATUS} = 'RETRYING' then now() + interval '1 day' end
       from (${common}) e`,
      values,
    );
    await pool.query(
      `insert into attempts (account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
         request_url, request_headers, request_body, payload_at, response_status, response_headers, response_body, reason)
       select account_id, event_id, delivery_id, 1, 'EVENT', at, (n % 300)::int, 'POST', 'http://127.0.0.1:9/',
         '{"content-type":"application/json"}', '{"data":}', 8, ${RESPONSE_STATUS}, '{}', 'ok',
         case when ${STATUS} <> 'SUCCEEDED' then 'HTTP_STATUS' end
       from (${common}) e where ${STATUS} <> 'SKIPPED'`,
      values,
    );
  }
  await pool.query('vacuum analyze');
  await database.close();
  return new Date(endMs - spanMs / 2).toISOString();
}

/** Resets the service's statistics, and waits until it has counted the inserted rows. */
async function waitForStatistics(dataDir: string): Promise<void> {
  const { pool, close } = openIn(dataDir);
  await pool.query('update figures_state set until_ms = 0');
  const isDone = 'select until_ms > extract(epoch from now()) * 1000 - 300000 as done from figures_state';
  while (!(await pool.query<{ done: boolean }>(isDone)).rows[0]?.done) await new Promise((ok) => setTimeout(ok, 200));
  await close();
}

function openIn(dataDir: string): Database {
  const log = { warn: (given: unknown) => console.error(given) };
  return openDatabase(embeddedIn(dataDir), { poolSize: 1, log });
}

type Body = { next_token?: string | null } & Record<string, unknown>;

/** Requests all pages in turn in each round, so that a moment of other load does not affect only one of them. */
async function read(service: Spawned, names: Names, middle: string): Promise<Page[]> {
  const queries = await queriesOf(service, names, middle);
  const took = queries.map((): number[] => []);
  const last: { status: number; body: Body }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, path]] of queries.entries()) {
      const startedMs = performance.now();
      last[index] = await service.call<Body>('GET', path);
      took[index]?.push(performance.now() - startedMs);
    }
  return queries.map(([name], index) => {
    const { status, body } = last[index] ?? { status: 0, body: {} };
    const rows = Object.values(body).find(Array.isArray)?.length ?? 1;
    const times = took[index] ?? [];
    return { name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), status, rows };
  });
}

type Query = [name: string, path: string];

async function queriesOf(service: Spawned, { triggers, destinations }: Names, middle: string): Promise<Query[]> {
  const [trigger, destination] = [triggers[3] ?? '', destinations[3] ?? ''];
  let tenth = '/events';
  for (let i = 0; i < 10; i++) {
    const { body } = await service.call<Body>('GET', tenth);
    tenth = `/events?next_token=${body.next_token}`;
  }
  const { body } = await service.call<{ events: { event_id: string }[] }>('GET', `/triggers/${trigger}/events`);
  const event_id = body.events.at(-1)?.event_id;
  return [
    ['all', '/events'],
    ['all, tenth page', tenth],
    ['of a trigger', `/triggers/${trigger}/events`],
    ['of a trigger, after an event', `/triggers/${trigger}/events?since_id=${event_id}`],
    ...['SUCCEEDED', 'FAILED', 'RETRYING', 'PENDING', 'SKIPPED', 'CANCELED'].map(
      (status): Query => [`status ${status}`, `/events?status=${status}`],
    ),
    ...['2xx', '5xx', '404', '418', 'none'].map(
      (status): Query => [`response ${status}`, `/events?response_status=${status}`],
    ),
    ['to a destination', `/events?destination_id=${destination}`],
    ['to a destination, failed', `/events?destination_id=${destination}&status=FAILED`],
    ['to a destination, response 404', `/events?destination_id=${destination}&response_status=404`],
    ['to a destination, response 418', `/events?destination_id=${destination}&response_status=418`],
    ['of a trigger, response 418', `/events?trigger_id=${trigger}&response_status=418`],
    ['of a trigger, succeeded', `/events?trigger_id=${trigger}&status=SUCCEEDED`],
    ['to a destination of another trigger', `/events?destination_id=${destination}&trigger_id=${triggers[4] ?? ''}`],
    ['to an unknown destination', `/events?destination_id=${newId()}`],
    ['of a trigger, failed', `/events?trigger_id=${trigger}&status=FAILED`],
    ['of a trigger, pending', `/events?trigger_id=${trigger}&status=PENDING`],
    ['of a source', '/events?source=webhook'],
    ['of a source without events', '/events?source=schedule'],
    ['succeeded, text in no event', '/events?status=SUCCEEDED&q=nothing-has-this'],
    ['to a destination, text in no event', `/events?destination_id=${destination}&q=nothing-has-this`],
    ['edited copies of an event', `/events?replay_of=${event_id}`],
    ['of a bulk replay', `/events?replay_id=${newId()}`],
    ['received before a time', `/events?received_before=${middle}`],
    ['received after a time', `/events?received_after=${middle}`],
    ['received before a time, failed', `/events?received_before=${middle}&status=FAILED`],
    ['text in all events', '/events?q=paid'],
    ['text in one event', `/events?q=${encodeURIComponent('"order":500003,')}`],
    ['text in no event', '/events?q=nothing-has-this'],
    ['failed, text in no event', '/events?status=FAILED&q=nothing-has-this'],
    ...['1h', '24h', '7d', '30d'].flatMap((range): Query[] => [
      [`statistics of ${range}`, `/events/stats?range=${range}`],
      [`statistics of ${range}, of a trigger`, `/events/stats?range=${range}&trigger_id=${trigger}`],
      [`statistics of ${range}, of a destination`, `/events/stats?range=${range}&destination_id=${destination}`],
      [`statistics of ${range}, of every trigger`, `/triggers:stats?range=${range}`],
    ]),
    ['one event', `/triggers/${trigger}/events/${event_id}`],
    ['triggers', '/triggers'],
    ['a trigger', `/triggers/${trigger}`],
    ['rejected requests', `/triggers/${trigger}/rejections`],
    ['replays', '/replays'],
  ];
}

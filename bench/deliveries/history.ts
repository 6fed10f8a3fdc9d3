/** How long each page of the events takes when a month of them lies there. */
import { newId } from '../../server/lib/ids.ts';
import { type Database, openDatabase } from '../../server/store/database.ts';
import { ensurePartitions } from '../../server/store/partitions.ts';
import { embeddedIn } from '../../server/test/faults/world.ts';
import { freePort, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { quantile } from './load.ts';

const DAY_MS = 86_400_000;
const DAYS = 29;
const TRIGGERS = 10;
const TIMES = 20;

export type Page = { name: string; p50Ms: number; p95Ms: number; status: number; rows: number };
type Names = { triggers: string[]; destinations: string[] };

/** Fills a month evenly and asks for each page several times, through the API. */
export async function history(events: number): Promise<Page[]> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), { SLUICE_RATE_LIMIT: '1000000' });
  try {
    const names = await makeTriggers(service);
    const middle = await fill(folder.path, events, names);
    return await read(service, names, middle);
  } finally {
    await service.kill('SIGTERM');
    folder.remove();
  }
}

type Trigger = { trigger_id: string; destinations: { destination_id: string }[] };

async function makeTriggers(service: Spawned): Promise<Names> {
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

/** Most by far succeeded; of a thousand 20 failed, 4 wait for another attempt and 3 were skipped. */
const STATUS = `case when n % 1000 < 20 then 'FAILED' when n % 1000 < 24 then 'RETRYING'
  when n % 1000 < 27 then 'SKIPPED' else 'SUCCEEDED' end`;
const ANSWER = `case when n % 1000 < 10 then 500 when n % 1000 < 17 then 404 when n % 1000 < 27 then null else 200 end`;

/** Answers the moment in the middle. */
async function fill(dataDir: string, events: number, { triggers, destinations }: Names): Promise<string> {
  const log = { warn: (given: unknown) => console.error(given) };
  const { host = '' } = embeddedIn(dataDir);
  const database = openDatabase({ host, user: 'sluice', database: 'postgres' }, { poolSize: 1, log });
  const { kysely: db, pool } = database;
  const endMs = Date.now();
  for (let day = DAYS; day >= 0; day -= 2) await ensurePartitions(db, endMs - day * DAY_MS);
  const { rows } = await pool.query<{ account_id: string }>('select account_id from accounts');
  const account = rows[0]?.account_id;
  await pool.query('set statement_timeout = 0; set synchronous_commit = off');
  const stepMs = (DAYS * DAY_MS) / events;
  // An id of its own time, as newId makes them.
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
         ${STATUS}, 'EVENT', 1, 1, at, case when ${STATUS} <> 'RETRYING' then at end, at, ${ANSWER}, 'ok', (n % 300)::int,
         case when ${STATUS} = 'RETRYING' then now() + interval '1 day' end
       from (${common}) e`,
      values,
    );
    await pool.query(
      `insert into attempts (account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
         request_url, request_headers, request_body, payload_at, response_status, response_headers, response_body, reason)
       select account_id, event_id, delivery_id, 1, 'EVENT', at, (n % 300)::int, 'POST', 'http://127.0.0.1:9/',
         '{"content-type":"application/json"}', '{"data":}', 8, ${ANSWER}, '{}', 'ok',
         case when ${STATUS} <> 'SUCCEEDED' then 'HTTP_STATUS' end
       from (${common}) e where ${STATUS} <> 'SKIPPED'`,
      values,
    );
  }
  await pool.query('vacuum analyze');
  await figures(pool);
  await database.close();
  return new Date(endMs - (DAYS * DAY_MS) / 2).toISOString();
}

/** Has the service add up what it did not see coming, and waits until it has. */
async function figures(pool: Database['pool']): Promise<void> {
  await pool.query('update figures_state set until_ms = 0');
  const isDone = 'select until_ms > extract(epoch from now()) * 1000 - 300000 as done from figures_state';
  while (!(await pool.query<{ done: boolean }>(isDone)).rows[0]?.done) await new Promise((ok) => setTimeout(ok, 200));
}

type Body = { next_token?: string | null } & Record<string, unknown>;

async function read(service: Spawned, { triggers, destinations }: Names, middle: string): Promise<Page[]> {
  const pages: Page[] = [];
  const [trigger, destination] = [triggers[3] ?? '', destinations[3] ?? ''];

  async function measure(name: string, path: string): Promise<Body> {
    const took: number[] = [];
    let last: { status: number; body: Body } = { status: 0, body: {} };
    for (let i = 0; i < TIMES; i++) {
      const startedMs = performance.now();
      last = await service.call<Body>('GET', path);
      took.push(performance.now() - startedMs);
    }
    const list = Object.values(last.body).find(Array.isArray);
    const { status } = last;
    pages.push({ name, p50Ms: quantile(took, 0.5), p95Ms: quantile(took, 0.95), status, rows: list?.length ?? 1 });
    return last.body;
  }

  let { next_token } = await measure('all', '/events');
  for (let i = 0; i < 10 && next_token; i++) {
    const more = await service.call<Body>('GET', `/events?next_token=${next_token}`);
    next_token = more.body.next_token;
  }
  await measure('all, tenth page', `/events?next_token=${next_token}`);
  const { events } = (await measure('of a trigger', `/triggers/${trigger}/events`)) as {
    events: Record<string, string>[];
  };
  const event_id = events.at(-1)?.['event_id'];
  await measure('of a trigger, after an event', `/triggers/${trigger}/events?since_id=${event_id}`);
  for (const status of ['SUCCEEDED', 'FAILED', 'RETRYING', 'PENDING', 'SKIPPED', 'CANCELED'])
    await measure(`status ${status}`, `/events?status=${status}`);
  for (const status of ['2xx', '5xx', '404', '418', 'none'])
    await measure(`answered ${status}`, `/events?response_status=${status}`);
  await measure('to a destination', `/events?destination_id=${destination}`);
  await measure('to a destination, failed', `/events?destination_id=${destination}&status=FAILED`);
  await measure('to a destination, answered 404', `/events?destination_id=${destination}&response_status=404`);
  await measure('to a destination, answered 418', `/events?destination_id=${destination}&response_status=418`);
  await measure('of a trigger, answered 418', `/events?trigger_id=${trigger}&response_status=418`);
  await measure('of a trigger, succeeded', `/events?trigger_id=${trigger}&status=SUCCEEDED`);
  await measure(
    'to a destination of another trigger',
    `/events?destination_id=${destination}&trigger_id=${triggers[4] ?? ''}`,
  );
  await measure('to a destination, never', `/events?destination_id=${newId()}`);
  await measure('of a trigger, failed', `/events?trigger_id=${trigger}&status=FAILED`);
  await measure('of a trigger, none waits', `/events?trigger_id=${trigger}&status=PENDING`);
  await measure('of a source', '/events?source=webhook');
  await measure('of a source without events', '/events?source=schedule');
  await measure('succeeded, with a text that none has', '/events?status=SUCCEEDED&q=nothing-has-this');
  await measure(
    'to a destination, with a text that none has',
    `/events?destination_id=${destination}&q=nothing-has-this`,
  );
  await measure('edited copies of an event', `/events?replay_of=${event_id}`);
  await measure('of a bulk replay', `/events?replay_id=${newId()}`);
  await measure('before a moment', `/events?received_before=${middle}`);
  await measure('after a moment', `/events?received_after=${middle}`);
  await measure('before a moment, failed', `/events?received_before=${middle}&status=FAILED`);
  await measure('with a text that all have', '/events?q=paid');
  await measure('with a text that one has', `/events?q=${encodeURIComponent('"order":500003,')}`);
  await measure('with a text that none has', '/events?q=nothing-has-this');
  await measure('failed, with a text that none has', '/events?status=FAILED&q=nothing-has-this');
  for (const range of ['1h', '24h', '7d']) {
    await measure(`figures of ${range}`, `/events/stats?range=${range}`);
    await measure(`figures of ${range}, of a trigger`, `/events/stats?range=${range}&trigger_id=${trigger}`);
    await measure(
      `figures of ${range}, of a destination`,
      `/events/stats?range=${range}&destination_id=${destination}`,
    );
    await measure(`figures of ${range}, of every trigger`, `/triggers:stats?range=${range}`);
  }
  await measure('one event', `/triggers/${trigger}/events/${event_id}`);
  await measure('triggers', '/triggers');
  await measure('a trigger', `/triggers/${trigger}`);
  await measure('refused requests', `/triggers/${trigger}/rejections`);
  await measure('replays', '/replays');
  return pages;
}

/** Measures text and field search over a month of events, and what its index costs. */
import { newId } from '../../server/lib/ids.ts';
import { type Database, openDatabase } from '../../server/platform/database/database.ts';
import { ensurePartitions } from '../../server/platform/database/partitions.ts';
import { embeddedIn, freePort, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { median } from '../measure.ts';
import { quantile } from '../quantile.ts';
import { SETTINGS } from '../settings.ts';
import { startSluice } from './contestant.ts';
import type { Receiver } from './load.ts';
import { type Result, run, WARM_SECONDS } from './race.ts';

const DAY_MS = 86_400_000;
const DAYS = 29;
const ROUNDS = 20;
const CHUNK = 50_000;
const BLOCK_EVENTS = 1024;
/** Events of each customer. */
const MATCHES = 40;

type Found = {
  name: string;
  /** With MATCHES matches. */
  isRare: boolean;
  matches: number;
  /** The most requests until the search was complete. */
  requests: number;
  firstP95Ms: number;
  p50Ms: number;
  p95Ms: number;
};
/** `storage`: the size of the index as a part of the size of events, requests, deliveries and attempts. */
export type Search = { found: Found[]; storage: number; indexSeconds: number };

/** Fills a month evenly, waits until it is indexed, then searches through the API. */
export async function searches(events: number): Promise<Search> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  const log = { warn: (given: unknown) => console.error(given) };
  const database = openDatabase(embeddedIn(folder.path), { poolSize: 1, log });
  try {
    const triggers = [await makeTrigger(service), await makeTrigger(service)];
    await fill(database, events, triggers);
    const startedMs = performance.now();
    await waitForIndex(database, Math.floor(events / BLOCK_EVENTS) - 1);
    const indexSeconds = (performance.now() - startedMs) / 1000;
    const storage = await sizeOf(database, ['event_search_blocks']);
    const rest = await sizeOf(database, ['events', 'event_requests', 'deliveries', 'attempts']);
    return { found: await read(service, events, triggers[0] ?? ''), storage: storage / rest, indexSeconds };
  } finally {
    await database.close();
    await service.kill('SIGTERM');
    folder.remove();
  }
}

async function makeTrigger(service: Spawned): Promise<string> {
  const { body } = await service.call<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    name: 'Orders',
    parameters: { verification: 'none' },
    destinations: [{ url: 'http://127.0.0.1:9/', name: 'Receiver' }],
  });
  return body.trigger.trigger_id;
}

/** The customer of an event: each has events in the whole month. */
const customerOf = (events: number) => `(n % ${Math.max(1, Math.floor(events / MATCHES))})`;

async function fill({ kysely, pool }: Database, events: number, triggers: string[]): Promise<void> {
  const endMs = Date.now() - DAY_MS / 24;
  for (let day = DAYS; day >= 0; day -= 2) await ensurePartitions(kysely, endMs - day * DAY_MS);
  const { rows } = await pool.query<{ account_id: string }>('select account_id from accounts');
  await pool.query('set statement_timeout = 0; set synchronous_commit = off');
  const customer = customerOf(events);
  const common = `
    select $1::uuid as account_id, n, to_timestamp(ms / 1000.0) as at, ($2::uuid[])[n % 2 + 1] as trigger_id,
      (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid as event_id,
      ('${newId().slice(0, 24)}' || lpad(to_hex(n), 12, '0'))::uuid as delivery_id
    from (select n, ${endMs}::bigint - ((${events} - n) * ${(DAYS * DAY_MS) / events}::float8)::bigint as ms
      from generate_series($3::int, $4::int) n) n`;
  const inserts = [
    `insert into events (account_id, event_id, trigger_id, received_at, payload)
     select account_id, event_id, trigger_id, at, '{"id":"evt_' || md5('e' || n) || '","order":' || 10000000 + n
       || ',"customer":{"id":"cust_' || ${customer} || '","email":"user' || n || '@example.com"},"amount":' || n % 100000 || '.50'
       || ',"state":"paid","at":"' || at || '","text":"${'an order with some lines of text. '.repeat(16)}","trace":"' || md5('t' || n) || '"}'
     from (${common}) e`,
    `insert into event_requests (account_id, event_id, request)
     select account_id, event_id, '{"method":"POST","path":"","query":"","headers":{"content-type":"application/json","user-agent":"shop/1.0",'
       || '"x-customer":"c' || ${customer} || '","x-github-event":"push","x-signature":"' || md5('s' || n) || md5('u' || n) || '"},"size":700}'
     from (${common}) e`,
    `insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name, destination_url,
       destination_method, status, origin, attempts, step, created_at, finished_at, last_attempt_at, last_response_status,
       last_response_body, last_response_duration)
     select account_id, event_id, delivery_id, trigger_id, trigger_id, 'Receiver', 'http://127.0.0.1:9/', 'POST',
       case when n % 100 = 0 then 'FAILED' else 'SUCCEEDED' end, 'EVENT', 1, 1, at, at, at, 200, 'ok', 20 from (${common}) e`,
    `insert into attempts (account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
       request_url, request_headers, request_body, payload_at, response_status, response_headers, response_body)
     select account_id, event_id, delivery_id, 1, 'EVENT', at, 20, 'POST', 'http://127.0.0.1:9/',
       '{"content-type":"application/json"}', '{"data":}', 8, 200, '{}', 'ok' from (${common}) e`,
  ];
  for (let from = 0; from < events; from += CHUNK)
    for (const insert of inserts)
      await pool.query(insert, [rows[0]?.account_id, triggers, from, Math.min(from + CHUNK, events) - 1]);
  await pool.query('vacuum analyze');
}

async function waitForIndex({ pool }: Database, blocks: number): Promise<void> {
  const count = 'select count(*)::int as n from event_search_blocks';
  while (((await pool.query<{ n: number }>(count)).rows[0]?.n ?? 0) < blocks)
    await new Promise((ok) => setTimeout(ok, 500));
}

async function sizeOf({ pool }: Database, tables: string[]): Promise<number> {
  const { rows } = await pool.query<{ size: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as size from pg_inherits
     where inhparent = any($1::regclass[])`,
    [tables],
  );
  return rows[0]?.size ?? Number.NaN;
}

type Body = { events: unknown[]; next_token: string | null };

async function read(service: Spawned, events: number, trigger: string): Promise<Found[]> {
  const customer = Math.min(4321, Math.floor(events / MATCHES) - 1);
  const queries: [name: string, q: string, more: string, isRare: boolean][] = [
    ['a text', `"cust_${customer}"`, '', true],
    ['a field of the payload', `payload.customer.id = cust_${customer}`, '', true],
    ['a header', `headers.x-customer = c${customer}`, '', true],
    ['a field and a header', `payload.customer.id = cust_${customer} headers.x-github-event = push`, '', true],
    ['a text, succeeded', `"cust_${customer}"`, '&status=SUCCEEDED', false],
    ['a text, failed', `"cust_${customer}"`, '&status=FAILED', false],
    ['a text, of a trigger', `"cust_${customer}"`, `&trigger_id=${trigger}`, false],
    ['a text in one event', `order":${10_000_000 + Math.floor(events / 2)}`, '', false],
    ['a text in no event', 'nothing-has-this', '', false],
  ];
  const took = queries.map(() => ({ total: [] as number[], first: [] as number[], requests: 0, matches: 0 }));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, q, more]] of queries.entries()) {
      const times = took[index];
      if (!times) continue;
      const startedMs = performance.now();
      let [requests, matches] = [0, 0];
      for (let token: string | null = ''; token !== null; ) {
        const path: string = `/events?q=${encodeURIComponent(q)}${more}${token && `&next_token=${encodeURIComponent(token)}`}`;
        const { status, body }: { status: number; body: Body } = await service.call<Body>('GET', path);
        if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
        requests += 1;
        if (matches === 0) times.first[round] = performance.now() - startedMs;
        matches += body.events.length;
        token = body.next_token;
      }
      times.total.push(performance.now() - startedMs);
      times.requests = Math.max(times.requests, requests);
      times.matches = matches;
    }
  return queries.map(([name, , , isRare], index) => {
    const { total = [], first = [], requests = 0, matches = 0 } = took[index] ?? {};
    const [p50Ms, p95Ms, firstP95Ms] = [quantile(total, 0.5), quantile(total, 0.95), quantile(first, 0.95)];
    return { name, isRare, matches, requests, firstP95Ms, p50Ms, p95Ms };
  });
}

/** Intake with the index by intake without it: two services in turn, in several rounds. */
export async function indexCost(
  receiver: Receiver,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<{ perSecond: number; cpu: number }> {
  const preload = `--import ${new URL('./replace-indexer.ts', import.meta.url).href}`;
  const withIndex = await startSluice(receiver.url, { NODE_OPTIONS: preload, BENCH_INDEX: 'soon' });
  const without = await startSluice(receiver.url, { NODE_OPTIONS: preload, BENCH_INDEX: 'none' });
  const results: [Result, Result][] = [];
  try {
    for (const each of [withIndex, without]) await run(receiver, each, WARM_SECONDS);
    for (let round = 0; round < rounds; round++) {
      const pair: [Result, Result] = [await run(receiver, withIndex, seconds), await run(receiver, without, seconds)];
      const [index, none] = pair.map(({ perSecond, cpuMs }) => `${perSecond.toFixed(0)}/s, ${cpuMs.toFixed(3)} ms CPU`);
      process.stderr.write(`with the index: ${index}; without: ${none}\n`);
      results.push(pair);
    }
  } finally {
    await withIndex.stop();
    await without.stop();
  }
  return {
    perSecond: median(results.map(([index, none]) => index.perSecond / none.perSecond)),
    cpu: median(results.map(([index, none]) => index.cpuMs / none.cpuMs)),
  };
}

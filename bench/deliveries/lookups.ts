/** Measures `GET /lookup?id=` for every kind of id over a month of rows, and reads the plans of PostgreSQL. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Reply } from '../../contract/operations.ts';
import { firstIdAt, newId } from '../../server/lib/ids.ts';
import { byId, byRequestId } from '../../server/overview/store/lookup.ts';
import { type Database, openDatabase } from '../../server/platform/database/database.ts';
import { ensurePartitions } from '../../server/platform/database/partitions.ts';
import type { DB } from '../../server/platform/database/schema.ts';
import { embeddedIn, freePort, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import { SETTINGS } from '../settings.ts';

const DAY_MS = 86_400_000;
const DAYS = 29;
const ROUNDS = 40;
const CHUNK = 50_000;
/** Deliveries of one 4-second slot. A lookup of one of them reads them all. */
const BURST = 20_000;

export type Lookup = {
  name: string;
  found: number;
  p50Ms: number;
  p95Ms: number;
  /** Large tables that the plan scans sequentially. */
  scanned: string[];
  /** Blocks of 8 KB. */
  blocks: number;
};

/** Fills `rows` into each large table, evenly over a month, then looks up every kind of id through the API. */
export async function lookups(rows: number): Promise<Lookup[]> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  const log = { warn: (given: unknown) => console.error(given) };
  const database = openDatabase(embeddedIn(folder.path), { poolSize: 1, log });
  try {
    const ids = await fill(service, database, rows);
    const took = ids.map((): number[] => []);
    const found: number[] = [];
    // all kinds in turn, so that a slow moment of the machine does not fall on one of them
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, [, idsOf]] of ids.entries()) {
        const id = encodeURIComponent(idsOf[round % idsOf.length] ?? '');
        const startedMs = performance.now();
        const { status, body } = await service.call<Reply<'lookup'>>('GET', `/lookup?id=${id}`);
        took[index]?.push(performance.now() - startedMs);
        if (status !== 200) throw new Error(`lookup of ${ids[index]?.[0]} ${id}: ${JSON.stringify(body)}`);
        found[index] = body.matches.length;
      }
    const lines: Lookup[] = [];
    for (const [index, [name, [id = '']]] of ids.entries()) {
      const times = took[index] ?? [];
      const plan = await explain(database, id);
      lines.push({
        name,
        found: found[index] ?? 0,
        p50Ms: quantile(times, 0.5),
        p95Ms: quantile(times, 0.95),
        ...plan,
      });
    }
    return lines;
  } finally {
    await database.close();
    await service.kill('SIGTERM');
    folder.remove();
  }
}

type Kind = [name: string, ids: string[]];

async function fill(service: Spawned, { kysely, pool }: Database, rows: number): Promise<Kind[]> {
  const make = async <T>(path: string, body: unknown) => (await service.call<T>('POST', path, body)).body;
  const { trigger } = await make<Reply<'triggerCreate'>>('/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    name: 'Orders',
    parameters: { verification: 'none' },
    destinations: [{ url: 'http://127.0.0.1:9/', name: 'Receiver' }],
  });
  const { function: fn } = await make<Reply<'functionCreate'>>('/functions', {
    name: 'receiver',
    runtime: 'nodejs24.x',
    files: { 'index.js': 'export default { fetch: () => new Response() };' },
  });
  await make('/apps', {
    app: 'ledger',
    name: 'Ledger',
    base_url: 'http://127.0.0.1:9',
    methods: [{ method: 'BASIC' }],
  });
  const { connection_id } = await make<Reply<'connectionCreate'>>('/connections', { app: 'ledger' });
  const { api_key } = await make<Reply<'apiKeyCreate'>>('/api-keys', { name: 'bench' });
  const { rows: accounts } = await pool.query<{ account_id: string }>('select account_id from accounts');
  const endMs = Date.now();
  for (let day = DAYS; day >= 0; day -= 2) await ensurePartitions(kysely, endMs - day * DAY_MS);
  await pool.query('set statement_timeout = 0; set synchronous_commit = off');
  const values = [accounts[0]?.account_id, trigger.trigger_id, trigger.destinations[0]?.destination_id, fn.function_id];
  const burstMs = Math.floor((endMs - 15 * DAY_MS) / 4096) * 4096;
  const at = `case when n < ${BURST} then ${burstMs}::bigint + n % 4000
    else ${endMs}::bigint - ((${rows} - n) * ${(DAYS * DAY_MS) / rows}::float8)::bigint end`;
  for (let from = 0; from < rows; from += CHUNK) {
    const chunk = [from, Math.min(from + CHUNK, rows) - 1];
    for (const insert of INSERTS) await pool.query(insert(at), [...values, connection_id, newId(), ...chunk]);
  }
  await pool.query('vacuum analyze');
  const sample = async (select: string): Promise<string[]> =>
    (await pool.query<{ id: string }>(`${select} limit ${ROUNDS}`)).rows.map(({ id }) => id);
  return [
    ['event', await sample("select event_id as id from events where received_at < now() - interval '2 days'")],
    [
      'delivery',
      await sample(`select delivery_id as id from deliveries where event_id > '${firstIdAt(endMs - DAY_MS)}'`),
    ],
    [
      `delivery, one of ${BURST.toLocaleString('en')} in 4 s`,
      await sample(`select delivery_id as id from deliveries
      where event_id between '${firstIdAt(burstMs)}' and '${firstIdAt(burstMs + 4000)}'`),
    ],
    [
      'delivery, added later',
      await sample(
        'select delivery_id as id from deliveries where left(delivery_id::text, 10) <> left(event_id::text, 10)',
      ),
    ],
    ['webhook-id of a replay', await sample('select webhook_id as id from attempts where webhook_id is not null')],
    ['run', await sample('select run_id as id from runs')],
    ['gateway call', await sample('select call_id as id from gateway_calls')],
    ['rejection', await sample('select rejection_id as id from rejections')],
    ['audit entry', await sample('select audit_id as id from audit')],
    ['trigger', [trigger.trigger_id]],
    ['destination', [trigger.destinations[0]?.destination_id ?? '']],
    ['function', [fn.function_id]],
    ['connection', [connection_id]],
    ['API key', [api_key.key_id]],
    ['request id of an event', await sample('select request_id as id from events where request_id is not null')],
    [
      'request id of a gateway call',
      await sample('select request_id as id from gateway_calls where request_id is not null'),
    ],
    ['not found: an id of today', Array.from({ length: ROUNDS }, () => newId())],
    ['not found: an id of two weeks ago', [`${firstIdAt(endMs - 14 * DAY_MS).slice(0, 24)}${newId().slice(24)}`]],
    ['not found: a random UUID', Array.from({ length: ROUNDS }, () => crypto.randomUUID())],
    ['not found: a request id', ['req_that_was_not_sent']],
  ];
}

/** `$1` account, `$2` trigger, `$3` destination, `$4` function, `$5` connection, `$6` node, from `$7` to `$8`. */
const INSERTS: readonly ((at: string) => string)[] = [
  (at) => `insert into events (account_id, event_id, trigger_id, received_at, payload, request_id)
    select $1, ${idOf('0')}, $2, to_timestamp(ms / 1000.0), '{"order":' || n || '}', 'req_' || md5(n::text) ${rowsOf(at)}`,
  // one of a hundred was added to its event an hour later
  (
    at,
  ) => `insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name, destination_url,
      destination_method, status, origin, attempts, step, created_at, finished_at)
    select $1, ${idOf('0')}, case when n % 100 = 0 then ${idOf('2', 'ms + 3600000')} else ${idOf('1')} end, $2, $3,
      'Receiver', 'http://127.0.0.1:9/', 'POST', 'SUCCEEDED', 'EVENT', 1, 1, to_timestamp(ms / 1000.0), now() ${rowsOf(at)}`,
  (
    at,
  ) => `insert into attempts (account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
      request_url, request_headers, request_body, response_status, response_headers, response_body, webhook_id)
    select $1, ${idOf('0')}, case when n % 100 = 0 then ${idOf('2', 'ms + 3600000')} else ${idOf('1')} end, 1, 'EVENT',
      to_timestamp(ms / 1000.0), 5, 'POST', 'http://127.0.0.1:9/', '{}', '{}', 200, '{}', 'ok',
      case when n % 50 = 0 then ${idOf('3')} end ${rowsOf(at)}`,
  (
    at,
  ) => `insert into runs (account_id, run_id, function_id, version, status, method, path, request, node_id, created_at,
      started_at, ended_at, duration_ms, response_status)
    select $1, ${idOf('4')}, $4, 1, 'OK', 'POST', '/', '{}', $6, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0),
      to_timestamp(ms / 1000.0), 5, 200 ${rowsOf(at)}`,
  (
    at,
  ) => `insert into gateway_calls (account_id, call_id, connection_id, app, method, path, status, duration_ms, request_bytes,
      response_bytes, request_id)
    select $1, ${idOf('5')}, $5, 'ledger', 'GET', '/', 200, 5, 0, 2, 'call_' || md5(n::text) ${rowsOf(at)}`,
  (
    at,
  ) => `insert into rejections (account_id, rejection_id, trigger_id, cause, message, method, headers, bytes, request_id)
    select $1, ${idOf('6')}, $2, 'NOT_JSON', 'not JSON', 'POST', '{}', 3, 'bad_' || md5(n::text) ${rowsOf(at)} where n % 10 = 0`,
  (at) => `insert into audit (account_id, audit_id, at, actor_type, actor_name, operation, request_id)
    select $1, ${idOf('7')}, to_timestamp(ms / 1000.0), 'API_KEY', 'bench', 'triggerUpdate', 'audit_' || md5(n::text)
    ${rowsOf(at)} where n % 10 = 0`,
];
/** Every statement declares all parameters, used or not. */
const rowsOf = (at: string) => `from (select n, ${at} as ms,
  $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::uuid from generate_series($7::int, $8::int) n) n`;
const idOf = (table: string, ms = 'ms') =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || '${table}' || substr(md5(n::text), 1, 14))::uuid`;

type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] } & Record<string, unknown>;

/** Plans and runs the statements of a lookup as the service sends them. */
async function explain({ pool }: Database, id: string): Promise<Pick<Lookup, 'scanned' | 'blocks'>> {
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) });
  const { rows: accounts } = await pool.query<{ account_id: string }>('select account_id from accounts');
  const account_id = accounts[0]?.account_id ?? '';
  const isUuid = /^[0-9a-f-]{36}$/.test(id);
  const matches = isUuid ? await byId(db, account_id, id) : [];
  if (matches.length === 0) await byRequestId(db, account_id, [id]);
  const scanned = new Set<string>();
  let blocks = 0;
  for (const { sql, parameters } of sent) {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
    const { Plan } = rows[0]['QUERY PLAN'][0] as { Plan: Node };
    blocks += Number(Plan['Shared Hit Blocks']) + Number(Plan['Shared Read Blocks']);
    for (const node of nodesOf(Plan))
      if (
        node['Node Type'] === 'Seq Scan' &&
        Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0) > 100
      )
        scanned.add(node['Relation Name'] ?? '');
  }
  return { scanned: [...scanned], blocks };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

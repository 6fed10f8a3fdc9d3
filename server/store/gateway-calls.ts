import { type SqlBool, sql } from 'kysely';
import { firstIdAt } from '../lib/ids.ts';
import type { Db, GatewayCallsTable } from './schema.ts';

export type NewCall = Omit<GatewayCallsTable, 'call_id'>;

/**
 * Adds calls of any accounts, with an id for each, in one statement. Those that are there already (an earlier try got
 * through) stay. What the calls of one connection have in common is sent once, and the arrays are written here: the
 * driver's own way takes several times as long, and this is the only work of the database for a call.
 */
export async function insert(db: Db, ids: string[], calls: NewCall[]): Promise<void> {
  const places = new Map<string, number>();
  const shared = { account_id: '', connection_id: '', run_id: '', app: '' };
  const own = { place: '', method: '', path: '', status: '', duration_ms: '', request_bytes: '', response_bytes: '' };
  let errors = '';
  let last: NewCall | undefined;
  let place = 0;
  for (const call of calls) {
    if (last?.connection_id !== call.connection_id || last.run_id !== call.run_id) {
      const key = call.connection_id + call.run_id;
      const known = places.get(key);
      place = known ?? places.size + 1;
      if (known === undefined) {
        places.set(key, place);
        shared.account_id += `,${call.account_id}`;
        shared.connection_id += `,${call.connection_id}`;
        shared.run_id += `,${call.run_id ?? 'NULL'}`;
        shared.app += `,${quoted(call.app)}`;
      }
      last = call;
    }
    own.place += `,${place}`;
    own.method += `,${quoted(call.method)}`;
    own.path += `,${quoted(call.path)}`;
    own.status += `,${call.status ?? 'NULL'}`;
    own.duration_ms += `,${Math.round(call.duration_ms * 1000) / 1000}`;
    own.request_bytes += `,${call.request_bytes}`;
    own.response_bytes += `,${call.response_bytes}`;
    errors += call.error === null ? ',NULL' : `,${quoted(call.error)}`;
  }
  await sql`
    insert into gateway_calls (account_id, call_id, connection_id, run_id, app, method, path, status, duration_ms,
      request_bytes, response_bytes, error)
    select s.account_id, c.call_id, s.connection_id, s.run_id, s.app, c.method, c.path, c.status, c.duration_ms,
      c.request_bytes, c.response_bytes, c.error
    from unnest(${arrayOf(own.place)}::int[], ${`{${ids.join()}}`}::uuid[], ${arrayOf(own.method)}::text[],
        ${arrayOf(own.path)}::text[], ${arrayOf(own.status)}::int[], ${arrayOf(own.duration_ms)}::float8[],
        ${arrayOf(own.request_bytes)}::bigint[], ${arrayOf(own.response_bytes)}::bigint[], ${arrayOf(errors)}::text[])
      as c(place, call_id, method, path, status, duration_ms, request_bytes, response_bytes, error)
    join unnest(${arrayOf(shared.account_id)}::uuid[], ${arrayOf(shared.connection_id)}::uuid[],
        ${arrayOf(shared.run_id)}::uuid[], ${arrayOf(shared.app)}::text[])
      with ordinality as s(account_id, connection_id, run_id, app, place) using (place)
    on conflict do nothing
  `.execute(db);
}

const arrayOf = (items: string) => `{${items.slice(1)}}`;
const quoted = (text: string) => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

/** What a run called, oldest first. */
export async function listOfRun(
  db: Db,
  account_id: string,
  run_id: string,
  since_ms: number,
  limit: number,
): Promise<GatewayCallsTable[]> {
  return db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('run_id', '=', run_id)
    .where('call_id', '>=', firstIdAt(since_ms))
    .orderBy('call_id')
    .limit(limit)
    .execute();
}

/** The first digit of a status; `none` are the calls that the app gave no answer to. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'none';
export type CallFilter = {
  status?: StatusClass | undefined;
  method?: string | undefined;
  since_ms?: number | undefined;
  until_ms?: number | undefined;
};

/** Newest first, after the call `before` when one is given. */
export async function list(
  db: Db,
  account_id: string,
  connection_id: string,
  filter: CallFilter,
  page: { limit: number; before?: string | undefined },
): Promise<GatewayCallsTable[]> {
  let query = db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id);
  if (filter.status === 'none') query = query.where('status', 'is', null);
  else if (filter.status) query = query.where(sql<SqlBool>`status / 100 = ${Number(filter.status[0])}`);
  if (filter.method) query = query.where('method', '=', filter.method);
  if (filter.since_ms !== undefined) query = query.where('call_id', '>=', firstIdAt(filter.since_ms));
  if (filter.until_ms !== undefined) query = query.where('call_id', '<', firstIdAt(filter.until_ms));
  if (page.before) query = query.where('call_id', '<', page.before);
  return query.orderBy('call_id', 'desc').limit(page.limit).execute();
}

export type CallBucket = {
  /** Which one, counted from the first. */
  index: number;
  count: number;
  ok: number;
  client_errors: number;
  server_errors: number;
  unanswered: number;
  percentiles: [p50: number, p95: number, p99: number];
};

/** What became of the calls since then, by buckets of this length; buckets without calls are left out. */
export async function buckets(
  db: Db,
  account_id: string,
  connection_id: string,
  { since_ms, bucket_ms }: { since_ms: number; bucket_ms: number },
): Promise<CallBucket[]> {
  // The first 48 bits of the id are the time it was made.
  const at_ms = sql`('x' || translate(left(call_id::text, 13), '-', ''))::bit(48)::bigint`;
  const { rows } = await sql<CallBucket>`
    select ((${at_ms} - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int as index, count(*),
      count(*) filter (where status < 400) as ok,
      count(*) filter (where status between 400 and 499) as client_errors,
      count(*) filter (where status >= 500) as server_errors,
      count(*) filter (where status is null) as unanswered,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by duration_ms) as percentiles
    from gateway_calls
    where account_id = ${account_id} and connection_id = ${connection_id} and call_id >= ${firstIdAt(since_ms)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

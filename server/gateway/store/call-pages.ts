/**
 * Pages of gateway calls, newest first. The time per page is about the same for any filter and any number of calls. If a
 * filter matches little, a page ends before it is full and returns the position of the search; the next page continues
 * from it.
 *
 * The search reads windows along the most selective index, each as wide as the remaining time allows. Only the app,
 * connection, key, run, failed and slow calls have an index: more of them would slow every call.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { firstIdAt, msOf } from '../../lib/ids.ts';
import { pageInWindows } from '../../lib/windows.ts';
import { DAY_MS } from '../../platform/database/partitions.ts';
import type { Db } from '../../platform/database/schema.ts';

export type CallFilter = {
  connection_id?: string | undefined;
  app?: string | undefined;
  path?: string | undefined;
  /** `404`, `4xx`, `none` or `refused`. */
  status?: string | undefined;
  method?: string | undefined;
  key_id?: string | undefined;
  run_id?: string | undefined;
  error?: string | undefined;
  min_duration_ms?: number | undefined;
  since_ms?: number | undefined;
  until_ms?: number | undefined;
};

/** `withRefused`: also the calls that the gateway refused. */
type Asked = { limit: number; before?: string | undefined; withRefused: boolean };
type Condition = RawBuilder<SqlBool>;

const BUDGET_MS = 25;
const FIRST_WINDOW = 2_000;
const WIDEST_WINDOW = 20_000;
/** A statement about more days reads all of them. */
const MANY_DAYS = 32;
/** After a range with few calls, the next one is this many times longer. */
const MORE_DAYS = 8;
/** At most this number of calls is counted to compare indexes. */
const COMPARED_ROWS = 1_000;
/** From this duration on, calls are in the index of slow ones. */
const SLOW_MS = 1_000;

/** `next`: the ID before which the next page starts; null at the end. */
export async function pageOfIds(
  db: Db,
  account_id: string,
  filter: CallFilter,
  { limit, before, withRefused }: Asked,
): Promise<{ ids: string[]; next: string | null }> {
  // The duration of refused calls is not measured.
  const hasRefused = withRefused && canBeRefused(filter);
  if (filter.status === 'refused' && !hasRefused) return { ids: [], next: null };
  const account = [sql<SqlBool>`account_id = ${account_id}`, ...timesOf(filter)];
  const conditions = conditionsOf(filter);
  const startMs = before === undefined ? Math.min(Date.now(), filter.until_ms ?? Infinity) : msOf(before);
  const index = await narrowest(db, [...account, ...between(before, floorOf(startMs, 2, filter))], indexesOf(filter));
  const parts = (from: Condition[], size: number) => [
    ...(filter.status === 'refused' ? [] : [part('gateway_calls', [...from, ...index], conditions, size)]),
    ...(hasRefused ? [part('refused_calls', from, conditions, size)] : []),
  ];
  const windows = { limit, before, budgetMs: BUDGET_MS, first: FIRST_WINDOW, widest: WIDEST_WINDOW };
  let days = 1;
  const windowOf = async (at: string | undefined, size: number, wanted: number) => {
    const floor = floorOf(at === undefined ? startMs : msOf(at), days, filter);
    const found = await sql<{ ids: string[]; last: string | null; seen: number }>`
      with w as materialized (
        select call_id, fits from (${sql.join(parts([...account, ...between(at, floor)], size), sql` union all `)}) each
        order by call_id desc limit ${size})
      select array(select call_id from w where fits order by call_id desc limit ${wanted}) as ids,
        (select call_id from w order by call_id limit 1) as last, (select count(*) from w) as seen
    `.execute(db);
    const { ids, last, seen } = found.rows[0] ?? { ids: [], last: null, seen: 0 };
    return { rows: ids, last: seen < size ? floor : (last ?? undefined), isSparse: seen * 4 < size };
  };
  const { rows, next } = await pageInWindows<string>({ ...windows, idOf: (id) => id }, async (at, size, wanted) => {
    let window = await windowOf(at, size, wanted);
    // Days with few calls are quick, and a short history is one page on a slow machine, too.
    while (window.isSparse && window.last !== undefined && window.rows.length < wanted) {
      days *= MORE_DAYS;
      const { rows } = window;
      window = await windowOf(window.last, size, wanted - rows.length);
      window.rows.unshift(...rows);
    }
    return window;
  });
  return { ids: rows, next };
}

/**
 * The first ID of this day or of one before it: a statement about few days is planned for few partitions. Undefined if
 * no call of an earlier day can match or the days are many.
 */
function floorOf(ms: number, days: number, { since_ms = 0 }: CallFilter): string | undefined {
  const floorMs = (Math.ceil(ms / DAY_MS) - days) * DAY_MS;
  return days > MANY_DAYS || floorMs <= since_ms ? undefined : firstIdAt(floorMs);
}

/** The newest `size` calls of a table, and whether each fits. */
const part = (table: string, from: Condition[], conditions: Condition[], size: number) => sql`
  (select call_id, ${and(conditions)} as fits from ${sql.table(table)} where ${and(from)}
    order by call_id desc limit ${size})`;

const and = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;

const between = (before: string | undefined, from: string | undefined): Condition[] => [
  ...(before === undefined ? [] : [sql<SqlBool>`call_id < ${before}`]),
  ...(from === undefined ? [] : [sql<SqlBool>`call_id >= ${from}`]),
];

function timesOf({ since_ms, until_ms }: CallFilter): Condition[] {
  const found: Condition[] = [];
  if (since_ms !== undefined) found.push(sql`call_id >= ${firstIdAt(since_ms)}`);
  if (until_ms !== undefined) found.push(sql`call_id < ${firstIdAt(until_ms)}`);
  return found;
}

function conditionsOf(filter: CallFilter): Condition[] {
  const { connection_id, app, path, status, method, key_id, run_id, error, min_duration_ms } = filter;
  const found: Condition[] = [];
  if (connection_id !== undefined) found.push(sql`connection_id = ${connection_id}`);
  if (app !== undefined) found.push(sql`app = ${app}`);
  if (path !== undefined) found.push(sql`strpos(path, ${path}) > 0`);
  if (method !== undefined) found.push(sql`method = ${method}`);
  if (key_id !== undefined) found.push(sql`key_id = ${key_id}`);
  if (run_id !== undefined) found.push(sql`run_id = ${run_id}`);
  if (error !== undefined) found.push(sql`strpos(lower(error), ${error.toLowerCase()}) > 0`);
  if (status !== undefined) found.push(...statusIs(status));
  if (min_duration_ms) found.push(sql`duration_ms >= ${min_duration_ms}`);
  return found;
}

function statusIs(status: string): Condition[] {
  if (status === 'refused') return [];
  if (status === 'none') return [sql`status is null`];
  if (!status.endsWith('xx')) return [sql`status = ${Number(status)}`];
  const first = Number(status[0]) * 100;
  return [sql`status between ${first} and ${first + 99}`];
}

/**
 * Conditions of which each has an index by `call_id`, the one that usually selects the fewest calls first. Of partial
 * indexes, the condition is the one of the index.
 */
function indexesOf({ connection_id, app, status, key_id, run_id, error, min_duration_ms = 0 }: CallFilter) {
  const found: Condition[] = [];
  if (run_id !== undefined) found.push(sql`run_id = ${run_id}`);
  if (min_duration_ms >= SLOW_MS) found.push(sql`duration_ms >= ${sql.lit(SLOW_MS)}`);
  if (error !== undefined || (status !== undefined && /^[45n]/.test(status)))
    found.push(sql`(status is null or status >= 400 or error is not null)`);
  if (key_id !== undefined) found.push(sql`key_id = ${key_id}`);
  if (connection_id !== undefined) found.push(sql`connection_id = ${connection_id}`);
  if (app !== undefined) found.push(sql`app = ${app}`);
  return found;
}

/** The condition that the fewest of these calls meet. */
async function narrowest(db: Db, calls: Condition[], indexes: Condition[]): Promise<Condition[]> {
  if (indexes.length < 2) return indexes;
  const counts = indexes.map(
    (condition, place) => sql`
      select ${place}::int as place, (select count(*) from (
        select from gateway_calls where ${and([...calls, condition])} limit ${COMPARED_ROWS}) each) as calls`,
  );
  const { rows } = await sql<{ place: number }>`
    select place from (${sql.join(counts, sql` union all `)}) each order by calls, place limit 1
  `.execute(db);
  const place = rows[0]?.place ?? 0;
  return indexes.slice(place, place + 1);
}

const canBeRefused = ({ status, min_duration_ms = 0 }: CallFilter) =>
  (status === undefined || !/^[123n]/.test(status)) && min_duration_ms === 0;

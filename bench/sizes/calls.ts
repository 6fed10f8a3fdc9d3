/** The lists of gateway calls with a long history: each filter with frequent matches, with a few old ones and with none. */
import { newId } from '../../server/lib/ids.ts';
import { openDatabase } from '../../server/platform/database/database.ts';
import { DAY_MS, ensurePartitions } from '../../server/platform/database/partitions.ts';
import { embeddedIn, freePort, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { quantile } from '../quantile.ts';
import { SETTINGS } from '../settings.ts';

const DAYS = 29;
const ROUNDS = 40;
const CHUNK = 50_000;
/** The oldest calls, which are the only matches of a filter with few. */
const OLDEST = 5;

/** `rows`: of the first page. `requests`: until the end of the list, counted for filters with few matches or none. */
export type CallPage = {
  name: string;
  p50Ms: number;
  p95Ms: number;
  rows: number;
  requests: number | null;
};

type Ids = { busy: string; quiet: string; busyKey: string; rareKey: string; run: string };

/** Fills a month evenly, then measures each filter through the API. */
export async function callPages(calls: number): Promise<CallPage[]> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  try {
    const [busy, quiet] = [await makeConnection(service, 'busy'), await makeConnection(service, 'quiet')];
    const ids = { busy, quiet, busyKey: newId(), rareKey: newId(), run: newId() };
    await fill(folder.path, calls, ids);
    return await read(service, queriesOf(ids));
  } finally {
    await service.kill('SIGTERM');
    folder.remove();
  }
}

async function makeConnection(service: Spawned, app: string): Promise<string> {
  const methods = [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }];
  await service.call('POST', '/apps', { app, name: app, base_url: 'http://127.0.0.1:9', methods });
  const { body } = await service.call<{ connection_id: string }>('POST', '/connections', { app });
  return body.connection_id;
}

/** Of a thousand calls 10 have a 500, 7 a 404, 3 no response, and 5 take more than a second. */
async function fill(dataDir: string, calls: number, { busy, quiet, busyKey, rareKey, run }: Ids): Promise<void> {
  const log = { warn: (given: unknown) => console.error(given) };
  const { kysely, pool, close } = openDatabase(embeddedIn(dataDir), { poolSize: 1, log });
  const endMs = Date.now();
  for (let day = DAYS; day >= 0; day -= 2) await ensurePartitions(kysely, endMs - day * DAY_MS);
  const { rows } = await pool.query<{ account_id: string }>('select account_id from accounts');
  await pool.query('set statement_timeout = 0; set synchronous_commit = off');
  const stepMs = (DAYS * DAY_MS) / calls;
  const isOld = `n < ${OLDEST}`;
  for (let from = 0; from < calls; from += CHUNK)
    await pool.query(
      `insert into gateway_calls (account_id, call_id, connection_id, run_id, key_id, key_name, app, method, path, status,
         duration_ms, request_bytes, response_bytes, error, request_id)
       select $1, (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid,
         case when ${isOld} then $3::uuid when n % 2 = 0 then $2 else md5((n % 100)::text)::uuid end,
         case when ${isOld} then $6::uuid when n % 10 = 3 then md5((n / 100)::text)::uuid end,
         case when ${isOld} then $5::uuid when n % 10 < 6 then $4 else md5('key' || n % 7)::uuid end, 'Key',
         case when ${isOld} then 'quiet' when n % 2 = 0 then 'busy' else 'app-' || n % 100 end,
         case when ${isOld} then 'PURGE' when n % 10 < 7 then 'GET' else 'POST' end,
         case when ${isOld} then '/v1/needle/' else '/v1/orders/' end || n,
         case when ${isOld} then 418 when n % 1000 < 10 then 500 when n % 1000 < 17 then 404 when n % 1000 < 20 then null
           when n % 10 = 7 then 201 else 200 end,
         case when ${isOld} then 45000 when n % 1000 between 20 and 24 then 1500 else n % 300 end,
         n % 5000, n % 9000,
         case when ${isOld} then 'ENEEDLE' when n % 1000 between 17 and 19 then 'ETIMEDOUT: no response in 30 s' end,
         'req-' || md5(n::text)
       from (select n, (${endMs}::bigint - ((${calls} - n) * ${stepMs}::float8)::bigint) as ms
         from generate_series($7::int, $8::int) n) n`,
      [rows[0]?.account_id, busy, quiet, busyKey, rareKey, run, from, Math.min(from + CHUNK, calls) - 1],
    );
  await pool.query('vacuum analyze');
  await close();
}

/** `isRare`: its only matches are the oldest calls, or it has none. */
type Query = [name: string, path: string, isRare: boolean];

function queriesOf({ busy, quiet, busyKey, rareKey, run }: Ids): Query[] {
  const all = (name: string, filter: string, isRare = false): Query => [name, `/gateway-calls?${filter}`, isRare];
  const of = (name: string, filter: string, isRare = false): Query => [
    `of a connection, ${name}`,
    `/connections/${busy}/calls?${filter}`,
    isRare,
  ];
  const middle = new Date(Date.now() - (DAYS / 2) * DAY_MS).toISOString();
  return [
    all('all', ''),
    all('app, frequent', 'app=busy'),
    all('app, rare', 'app=quiet', true),
    all('app, none', 'app=absent', true),
    all('connection, frequent', `connection_id=${busy}`),
    all('connection, rare', `connection_id=${quiet}`, true),
    all('path, frequent', 'path=orders'),
    all('path, rare', 'path=needle', true),
    all('path, none', 'path=absent', true),
    all('path, none, of an app', 'path=absent&app=busy', true),
    all('path, none, failed', 'path=absent&status=4xx', true),
    all('path, none, half the time', `path=absent&since=${middle}`, true),
    ...['2xx', '201', '4xx', '404', '500', 'none', 'refused'].map((status) =>
      all(`status ${status}`, `status=${status}`, status === 'refused'),
    ),
    ...['1xx', '3xx', '204', '418', '503'].map((status) => all(`status ${status}, rare`, `status=${status}`, true)),
    all('method, frequent', 'method=POST'),
    all('method, rare', 'method=PURGE', true),
    all('method, none', 'method=ABSENT', true),
    all('key, frequent', `key_id=${busyKey}`),
    all('key, rare', `key_id=${rareKey}`, true),
    all('key, none', `key_id=${newId()}`, true),
    all('key, frequent, status 418', `key_id=${busyKey}&status=418`, true),
    all('run, rare', `run_id=${run}`, true),
    all('run, none', `run_id=${newId()}`, true),
    all('error, frequent', 'error=TIMEDOUT'),
    all('error, rare', 'error=NEEDLE', true),
    all('error, none', 'error=ABSENT', true),
    all('duration, frequent', 'min_duration_ms=100'),
    all('duration, over 999 ms', 'min_duration_ms=999'),
    all('duration, over 1 s', 'min_duration_ms=1000'),
    all('duration, rare', 'min_duration_ms=30000', true),
    all('duration, none', 'min_duration_ms=60000', true),
    all('duration, below 1 s and status 3xx', 'min_duration_ms=500&status=3xx', true),
    all('before a time', `until=${middle}`),
    all('after a time, method, none', `since=${middle}&method=ABSENT`, true),
    of('all', ''),
    of('status 2xx', 'status=2xx'),
    of('status 5xx', 'status=5xx'),
    of('status 3xx', 'status=3xx', true),
    of('status none', 'status=none'),
    of('method, none', 'method=ABSENT', true),
    of('key, frequent', `key_id=${busyKey}`),
    of('key, none', `key_id=${newId()}`, true),
  ];
}

type Page = { calls: unknown[]; next_token: string | null };

/** Requests all pages in turn in each round, so that a moment of other load does not affect only one of them. */
async function read(service: Spawned, queries: Query[]): Promise<CallPage[]> {
  const took = queries.map((): number[] => []);
  const rows: number[] = [];
  const requests: number[] = [];
  const get = async (path: string, times: number[] | undefined) => {
    const startedMs = performance.now();
    const { status, body } = await service.call<Page>('GET', path);
    times?.push(performance.now() - startedMs);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, path, isRare]] of queries.entries()) {
      let page = await get(path, took[index]);
      rows[index] = page.calls.length;
      if (round > 0 || !isRare) continue;
      requests[index] = 1;
      while (page.next_token !== null) {
        page = await get(`${path}&next_token=${encodeURIComponent(page.next_token)}`, took[index]);
        requests[index]++;
      }
    }
  return queries.map(([name], index) => {
    const times = took[index] ?? [];
    const [found = 0, asked = null] = [rows[index], requests[index]];
    return { name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), rows: found, requests: asked };
  });
}

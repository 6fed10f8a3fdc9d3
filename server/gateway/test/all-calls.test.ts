/** The calls of all connections, and those that the gateway refused. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REFUSED_CALLS } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect, newConnection } from '../../connections/test/connecting.ts';
import { newId } from '../../lib/ids.ts';
import { type Service, startService } from '../../test/service.ts';

type Page = Reply<'callList'>;
type Call = Page['calls'][number];

const target = createServer((req, res) => {
  if (req.url?.startsWith('/never')) return;
  req.resume().once('end', () => {
    res.writeHead(Number(/status=(\d+)/.exec(req.url ?? '')?.[1] ?? 200), { 'Content-Type': 'text/plain' }).end('ok');
  });
});
let service: Service;
let base_url: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  base_url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1' } });
});
afterAll(async () => {
  await service.stop();
  target.closeAllConnections();
  target.close();
});

async function connected() {
  const app = await addApp(service, base_url);
  return { app, id: await connect(service, app, { api_key: 'k-secret-key' }) };
}
const through = (path: string, key: string | null = service.key, headers: Record<string, string> = {}) =>
  service.api('GET', path, undefined, { key, headers });
const list = async (query: string, key = service.key) =>
  (await service.api<Page>('GET', `/gateway-calls?${query}`, undefined, { key })).body;
/** Waits for the list with as many calls. */
async function listed(query: string, count: number, key = service.key): Promise<Call[]> {
  await expect.poll(async () => (await list(query, key)).calls.length).toBe(count);
  return (await list(query, key)).calls;
}
const refusedOf = (query: string, count: number, key?: string) => listed(`status=refused&${query}`, count, key);

/** Evenly until now. Every hundredth call failed; the first two differ in everything. */
const fillHistory = (account_id: string, calls: number, oldestMs: number) =>
  sql`
    insert into gateway_calls (account_id, call_id, connection_id, app, method, path, status, duration_ms, request_bytes,
      response_bytes, error)
    select ${account_id}, (lpad(to_hex(${oldestMs}::bigint + (n - 1) * (${Date.now() - oldestMs}::bigint / ${calls}::int)), 12, '0')
        || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid, ${newId()},
      case when n < 3 then 'old' else 'busy' end, case when n < 3 then 'PURGE' else 'GET' end,
      case when n < 3 then '/needle/' else '/orders/' end || n, case when n < 3 then 302 when n % 100 = 0 then 500 else 200 end,
      case when n < 3 then 950 else 10 end, 0, 0, case when n < 3 then 'ENEEDLE' end
    from generate_series(1, ${calls}::int) n
  `.execute(service.services.db);

describe('calls of all connections', () => {
  it('are listed together, newest first, with filters and pages', async () => {
    const [one, two] = [await connected(), await connected()];
    await through(`/${one.app}/items/1`);
    await through(`/${two.app}/items/2?status=404`);
    await through(`/${two.app}/never`);
    const since = new Date(Date.now() - 60_000).toISOString();
    await listed(`app=${two.app}`, 2);
    const mine = async (query: string) =>
      (await list(`since=${since}&limit=200${query}`)).calls
        .filter(({ app }) => app === one.app || app === two.app)
        .map(({ path }) => path);
    expect(await mine('')).toEqual(['/never', '/items/2', '/items/1']);
    expect(await mine(`&connection_id=${one.id}`)).toEqual(['/items/1']);
    expect(await mine('&path=tems%2F')).toEqual(['/items/2', '/items/1']);
    expect(await mine('&path=%25')).toEqual([]);
    expect(await mine('&status=4xx')).toEqual(['/items/2']);
    expect(await mine('&status=404')).toEqual(['/items/2']);
    expect(await mine('&status=none')).toEqual(['/never']);
    expect(await mine('&error=headers_timeout')).toEqual(['/never']);
    expect(await mine('&min_duration_ms=900')).toEqual(['/never']);
    expect(await mine('&min_duration_ms=1000&method=GET')).toEqual(['/never']);
    expect(await mine(`&until=${since}`)).toEqual([]);
    expect(await mine(`&run_id=${newId()}`)).toEqual([]);
    const [first] = (await list(`app=${two.app}&limit=1`)).calls;
    expect(await mine(`&key_id=${first?.key_id}`)).toHaveLength(3);
    expect(await mine(`&key_id=${newId()}`)).toEqual([]);
    const page = await list(`app=${two.app}&limit=1`);
    const next = await list(`app=${two.app}&limit=1&next_token=${encodeURIComponent(page.next_token ?? '')}`);
    expect([page, next].flatMap(({ calls }) => calls.map(({ path }) => path))).toEqual(['/never', '/items/2']);
    expect(next.next_token).toBeNull();
  });

  it('are found in a long history by following the pages', async () => {
    const { account_id, key } = await service.secondAccount();
    const oldestMs = Date.now() - 20 * 86_400_000;
    await fillHistory(account_id, 40_000, oldestMs);
    const found = async (query: string) => {
      const paths: string[] = [];
      for (let token: string | null = ''; token !== null; ) {
        const page: Page = await list(`${query}&limit=200${token && `&next_token=${encodeURIComponent(token)}`}`, key);
        paths.push(...page.calls.map((call) => call.path));
        token = page.next_token;
      }
      return paths;
    };
    const oldest = ['/needle/2', '/needle/1'];
    for (const query of [
      'path=needle',
      'method=PURGE',
      'status=302',
      'min_duration_ms=900',
      'app=old',
      'error=eneedle',
    ])
      expect([query, await found(query)]).toEqual([query, oldest]);
    for (const query of ['path=absent', 'app=busy&status=503', `key_id=${newId()}&status=4xx`, 'app=old&status=5xx'])
      expect([query, await found(query)]).toEqual([query, []]);
    // Each call is on one page.
    const failed = await found('status=5xx&app=busy');
    expect([failed.length, new Set(failed).size, failed[0], failed.at(-1)]).toEqual([
      400,
      400,
      '/orders/40000',
      '/orders/100',
    ]);
    const hour = new Date(oldestMs + 3_600_000).toISOString();
    expect(await found(`until=${hour}&path=needle`)).toEqual(oldest);
    expect(await found(`since=${hour}&path=needle`)).toEqual([]);
  });

  it('have details with the connection and the problem', async () => {
    const { app, id } = await connected();
    await service.api('PATCH', `/connections/${id}`, { name: 'Ledger' });
    await through(`/${app}/broken?status=500`);
    const [call] = await listed(`app=${app}`, 1);
    const get = async () => (await service.api<Reply<'callGet'>>('GET', `/gateway-calls/${call?.call_id}`)).body;
    await expect.poll(async () => (await get()).problem?.title, { timeout: 60_000 }).toMatch(/500|broken/i);
    expect(await get()).toMatchObject({
      call: {
        connection_id: id,
        connection_name: 'Ledger',
        app,
        status: 500,
        refused: false,
        calls: 1,
        captured: false,
      },
      capture: null,
    });
  });

  it('belong to their account', async () => {
    const { app, id } = await connected();
    await through(`/${app}/private`);
    const [call] = await listed(`app=${app}`, 1);
    const other = (await service.secondAccount()).key;
    expect((await list('', other)).calls).toEqual([]);
    for (const path of [`/gateway-calls/${call?.call_id}`, `/gateway-calls?connection_id=${id}`])
      expect((await service.api('GET', path, undefined, { key: other })).status).toBe(404);
    expect((await service.api('GET', `/gateway-calls/${newId()}`)).status).toBe(404);
  });

  it('have filters that name what they expect', async () => {
    for (const [query, field] of [
      ['status=9xx', 'status'],
      ['status=', 'status'],
      ['connection_id=x', 'connection_id'],
      ['key_id=1', 'key_id'],
      ['run_id=%00', 'run_id'],
      ['min_duration_ms=-1', 'min_duration_ms'],
      ['min_duration_ms=99999999999999999', 'min_duration_ms'],
      ['min_duration_ms=1e3', 'min_duration_ms'],
      ['since=yesterday', 'since'],
      [`path=${'p'.repeat(501)}`, 'path'],
      ['path=', 'path'],
      ['next_token=none', 'next_token'],
      ['limit=x', 'limit'],
    ] as const) {
      const { status, body } = await service.api('GET', `/gateway-calls?${query}`);
      expect([query.slice(0, 40), status, body['message']]).toEqual([
        query.slice(0, 40),
        400,
        expect.stringContaining(field),
      ]);
    }
    for (const query of ['path=%00', 'error=%00', 'app=%00', 'path=%F0%9F%98%80%27%22'])
      expect((await service.api('GET', `/gateway-calls?${query}`)).status).toBeLessThan(500);
  });
});

describe('a refused call', () => {
  it('is listed with the reason', async () => {
    const { app, id } = await connected();
    const pending = await newConnection(service, app);
    expect((await through('/no-such-app/items')).status).toBe(400);
    expect((await through(`/${app}/items`, service.key, { 'service-connection': pending })).status).toBe(400);
    expect((await through(`/${app}/items`, service.key, { 'service-connection': newId() })).status).toBe(404);
    expect((await through(`/${app}/items`, service.key, { 'service-host': 'none' })).status).toBe(400);
    const [unknown] = await refusedOf('app=no-such-app', 1);
    expect(unknown).toMatchObject({
      connection_id: null,
      connection_name: null,
      app: 'no-such-app',
      key_name: 'First key',
      method: 'GET',
      path: '/items',
      status: 400,
      error: 'Unknown app "no-such-app": GET /apps lists all apps.',
      request_id: expect.any(String),
      refused: true,
      calls: 1,
      captured: false,
    });
    const calls = await refusedOf(`app=${app}`, 3);
    expect(calls.map(({ status, connection_id }) => [status, connection_id])).toEqual([
      [400, null],
      [404, null],
      [400, pending],
    ]);
    expect(calls[0]?.error).toContain('Service-Host');
    expect((await service.api('GET', `/gateway-calls/${unknown?.call_id}`)).body).toMatchObject({
      call: { refused: true },
      problem: null,
    });
    // Those of a connection have no refused call of another one.
    expect(await list(`connection_id=${id}&status=refused`)).toMatchObject({ calls: [] });
  });

  it('of the limits of a key and of the rate limit is listed', async () => {
    const { app } = await connected();
    const limits = { access: 'LIMITED', scopes: ['gateway:call'], gateway: [{ app: 'github' }] };
    const { body } = await service.api<Reply<'apiKeyCreate'>>('POST', '/api-keys', { name: 'limited', ...limits });
    expect((await through(`/${app}/items`, body.key)).status).toBe(403);
    expect(await refusedOf(`app=${app}`, 1)).toMatchObject([{ status: 403, key_name: 'limited' }]);
    const slow = await startService({ env: { SLUICE_RATE_LIMIT: '1' } });
    try {
      const statuses = await Promise.all(Array.from({ length: 30 }, () => slow.api('GET', '/none/items')));
      expect(statuses.some(({ status }) => status === 429)).toBe(true);
      await expect
        .poll(async () => {
          const found = await slow.services.db.selectFrom('refused_calls').selectAll().execute();
          return found.map(({ status, calls }) => [status, calls > 0]);
        })
        .toContainEqual([429, true]);
    } finally {
      await slow.stop();
    }
  });

  it('without a valid key belongs to no account', async () => {
    const count = async () =>
      Number(
        (
          await service.services.db
            .selectFrom('refused_calls')
            .select((e) => e.fn.countAll().as('n'))
            .execute()
        )[0]?.n,
      );
    await service.services.memory.refusedCalls.flush();
    const before = await count();
    expect((await through('/github/user', `slc_${'x'.repeat(32)}`)).status).toBe(401);
    expect((await through('/github/user', null)).status).toBe(401);
    expect((await through('/github/user', 'not-a-key')).status).toBe(401);
    await service.services.memory.refusedCalls.flush();
    expect(await count()).toBe(before);
  });

  it('does not reveal the connection of another account, nor store the key', async () => {
    const { app, id } = await connected();
    const other = (await service.secondAccount()).key;
    expect((await through(`/${app}/items`, other, { 'service-connection': id })).status).toBe(400);
    expect((await through('/github/items', other, { 'service-connection': id })).status).toBe(404);
    const calls = await refusedOf('', 2, other);
    expect(calls.map(({ connection_id, connection_name }) => [connection_id, connection_name])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect((await refusedOf(`app=${app}`, 0)).length).toBe(0);
    expect((await through(`/${app}/a/${other}/b`, other)).status).toBe(400);
    expect((await through(`/${other}/b`, other)).status).toBe(400);
    await refusedOf('', 4, other);
    expect(JSON.stringify(await list('', other))).not.toContain(other);
    const stored = await service.services.db.selectFrom('refused_calls').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(other);
  });

  it('of a flood is counted in few rows', async () => {
    const { key } = await service.secondAccount();
    const send = async (i: number) => (await through(`/nowhere-${i}/items/${i}`, key)).status;
    for (let i = 0; i < 4 * REFUSED_CALLS.rows; i += 20)
      await Promise.all(Array.from({ length: 20 }, (_, j) => send(i + j)));
    await Promise.all(Array.from({ length: 20 }, () => send(0)));
    const calls = await refusedOf('limit=200', REFUSED_CALLS.rows + 1, key);
    await expect
      .poll(async () => (await list('limit=200', key)).calls.reduce((sum, call) => sum + call.calls, 0))
      .toBe(4 * REFUSED_CALLS.rows + 20);
    const rest = calls.find(({ path }) => path === '*');
    expect(rest).toMatchObject({ app: null, method: '*', status: 400 });
    expect((await list('limit=200', key)).calls.find(({ path }) => path === '/items/0')).toMatchObject({ calls: 21 });
  });

  it('is written before the service stops', async () => {
    const { key } = await service.secondAccount();
    await through('/before-the-stop/items', key);
    await service.restart();
    expect(await refusedOf('', 1, key)).toMatchObject([{ app: 'before-the-stop' }]);
  });
});

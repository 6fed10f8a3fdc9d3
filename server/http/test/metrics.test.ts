/** The page of metrics: what it counts, and that Prometheus can use it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { bearer, HELLO, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ env: { SLUICE_METRICS: 'on', SLUICE_RATE_LIMIT: '1000' } });

const page = async () => (await fetch(`${service.url}/metrics`)).text();
/** The value of a series; 0 if the page does not have it. */
const value = async (series: string) => {
  const line = (await page()).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
};

it('the account and the metrics name the version of PostgreSQL and the schema', async () => {
  const { account } = (await service.api<Reply<'accountGet'>>('GET', '/account')).body;
  expect(account.database).toEqual({
    version: expect.stringMatching(/^\d+\.\d+$/),
    schema: expect.stringMatching(/^\d{3}-/),
    embedded: false,
  });
  const { version, schema } = account.database;
  const metrics = await page();
  expect(metrics).toContain(`sluice_database_info{version="${version}",embedded="false"} 1\n`);
  expect(metrics).toContain(`sluice_build_info{version="${account.version}",schema="${schema}"} 1\n`);
});

it('counts events by source and outcome, attempts by outcome, and the time to delivery', async () => {
  sink.answer('/failing', { status: 500 });
  const { url } = await listenTo(service, 'webhook', 'webhook.received', {
    destinations: [{ url: `${sink.url}/fine` }, { url: `${sink.url}/failing`, retry_schedule: [] }],
  });
  expect((await post(url, '{"n":1}')).status).toBe(200);
  expect((await post(url, '{"n":')).status).toBe(400);
  await expect.poll(() => value('sluice_attempts_total{outcome="SUCCEEDED"}')).toBe(1);
  await expect.poll(() => value('sluice_attempts_total{outcome="HTTP_STATUS"}')).toBe(1);
  expect(await value('sluice_events_total{source="webhook",outcome="STORED"}')).toBe(1);
  expect(await value('sluice_events_total{source="webhook",outcome="REJECTED"}')).toBe(1);
  expect(await value('sluice_delivery_latency_seconds_count')).toBe(1);
  expect(await value('sluice_delivery_latency_seconds_sum')).toBeGreaterThan(0);
  expect(await value('sluice_delivery_latency_seconds_sum')).toBeLessThan(60);
});

it('shows what waits in the table, and since when it has been due', async () => {
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received', {
    destinations: [{ url: `${sink.url}/paused` }],
  });
  const destination = trigger.destinations[0]?.destination_id;
  await service.api('PATCH', `/triggers/${trigger.trigger_id}/destinations/${destination}`, { paused: true });
  for (let n = 0; n < 3; n++) await post(url, `{"n":${n}}`);
  await expect.poll(() => value('sluice_backlog_deliveries')).toBe(3);
  expect(await value('sluice_backlog_due_deliveries')).toBe(3);
  await expect.poll(() => value('sluice_backlog_oldest_due_seconds')).toBeGreaterThan(0);
});

it('has the days with partitions: the oldest, and how far ahead they were made', async () => {
  const DAY_S = 86_400;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_inherits join pg_class on pg_class.oid = inhrelid where relname ~ '_[0-9]{8}$'
      and relkind = 'r'
  `.execute(service.services.db);
  expect(await value('sluice_partitions')).toBe(rows[0]?.count);
  const ahead = () => value('sluice_partitions_ahead_seconds');
  expect(await ahead()).toBeGreaterThan(3 * DAY_S);
  expect(await ahead()).toBeLessThanOrEqual(4 * DAY_S);
  expect(await value('sluice_partitions_oldest_seconds')).toBeGreaterThanOrEqual(DAY_S);
  // one table lacks its last day
  const last = new Date(Date.now() + 3 * DAY_S * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  await sql`drop table ${sql.table(`run_logs_${last}`)}`.execute(service.services.db);
  await expect.poll(ahead).toBeLessThanOrEqual(3 * DAY_S);
});

it('counts calls through the gateway by app and status, without the names of the account’s own apps', async () => {
  const app = await addApp(service, sink.url);
  await connect(service, app, { api_key: 'k' });
  sink.answer('/missing', { status: 404 });
  for (const path of ['/here', '/missing'])
    await fetch(`${service.url}/api/${app}${path}`, { headers: bearer(service.key) }).then((answer) => answer.text());
  await expect.poll(() => value('sluice_gateway_calls_total{app="custom",status="2xx"}')).toBe(1);
  expect(await value('sluice_gateway_calls_total{app="custom",status="4xx"}')).toBe(1);
  expect(await page()).not.toContain(app);
});

it('counts runs, searches, requests and refusals', async () => {
  const fn = await makeFunction(service, HELLO);
  await invoke(service, fn);
  await invoke(service, fn);
  await expect.poll(() => value('sluice_function_runs_total{start="WARM",outcome="OK"}')).toBe(1);
  const runs = (start: string) => value(`sluice_function_runs_total{start="${start}",outcome="OK"}`);
  expect((await runs('COLD')) + (await runs('SPARE'))).toBe(1);
  await service.api('GET', `/functions/search?q=${encodeURIComponent('"hello"')}`);
  expect(await value('sluice_search_seconds_count')).toBe(1);
  await service.api('GET', '/functions/none');
  expect(await value('sluice_http_requests_total{operation="functionGet",status="4xx"}')).toBe(1);
  expect(await value('sluice_http_request_seconds_count{operation="functionInvoke"}')).toBe(2);
});

it.each(['alerts.yml', 'dashboard.json'])('has every metric of docs/reference/operating/%s', async (file) => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/reference/operating', file), 'utf8');
  const names = new Set(
    [...text.matchAll(/\bsluice_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  );
  const known = new Set([...(await page()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});

it('follows the rules of Prometheus: one description and type for each name, base units, counters end in _total', async () => {
  const lines = (await page()).split('\n').filter((line) => line !== '');
  const types = new Map<string, string>();
  for (const line of lines.filter((each) => each.startsWith('# TYPE '))) {
    const [, , name = '', type = ''] = line.split(' ');
    expect(types.has(name), name).toBe(false);
    types.set(name, type);
  }
  for (const [name, type] of types) {
    expect(name).toMatch(/^sluice_[a-z][a-z0-9_]*$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kb|mb|mib|percent)$/);
    expect(
      lines.filter((line) => line.startsWith(`# HELP ${name} `)),
      name,
    ).toHaveLength(1);
  }
  for (const line of lines.filter((each) => !each.startsWith('#')))
    expect(line).toMatch(/^sluice_[a-z0-9_]+(\{([a-z_]+="[^"\n]*",?)+\})? (-?[\d.e+-]+|Nan|\+Inf)$/);
});

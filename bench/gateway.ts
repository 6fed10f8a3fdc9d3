/**
 * `npm run bench:gateway`: compares this service with nginx, http-proxy-3 and a plain pipe, in one run. Every gateway
 * checks the caller's API key and replaces it with another for the same app. This service also looks up the account and
 * the connection, applies the rate limit and logs each call. Gateways take turns in several rounds. The report has the
 * median ratio to nginx in the same round: on a shared machine, ratios and CPU time are reproducible, requests per
 * second are not.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../server/platform/database/embedded/start.ts';
import { freePort } from '../server/test/spawned.ts';
import { connectionLookups, lookupTable } from './connection-lookups.ts';
import { CREDENTIAL_LINE, type Gateway, startNginx, startNginxWith, startProxy, startSluice } from './gateways.ts';
import { download, GATEWAY_CORE, LOAD_CORE, type Load, load, median, pin } from './measure.ts';
import { installPackages } from './packages.ts';
import { requirePrograms } from './programs.ts';
import { CREDENTIAL } from './proxies/proxy.ts';

requirePrograms(['curl', 'nginx', 'taskset', 'wrk']);
installPackages();

const rounds = Number(process.env['BENCH_ROUNDS'] || 5);
const seconds = Number(process.env['BENCH_SECONDS'] || 4);
/** Warm-up, until V8 has compiled the hot path. */
const WARM_SECONDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
writeFileSync(join(folder, 'large'), '');
truncateSync(join(folder, 'large'), 64 * 1024 * 1024);
const appPort = await freePort();
const app = await startNginxWith(
  appPort,
  `server {
    listen 127.0.0.1:${appPort};
    if ($http_authorization != "${CREDENTIAL}") { return 401; }
    location /links {
      add_header Link '<http://127.0.0.1:${appPort}/kb?page=2>; rel="next"';
      return 200 "${'x'.repeat(1024)}";
    }
    location /kb { return 200 "${'x'.repeat(1024)}"; }
    location / { root ${folder}; }
  }`,
);
pin(app.pid, LOAD_CORE);
/** With BENCH_AWAKE=1 the core of wrk and the app never halts: waking it then costs no gateway any CPU time. */
const spinner = process.env['BENCH_AWAKE']
  ? spawn('taskset', ['-c', LOAD_CORE, 'chrt', '--idle', '0', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' })
  : undefined;
// it must neither keep this process alive nor outlive its failure
spinner?.unref();
process.on('exit', () => spinner?.kill());
const upstream = `http://127.0.0.1:${appPort}`;

const REWRITING = 'Sluice, links rewritten';
type Round = { many: Load; one: Load; megabytes: number };
const results = new Map<string, Round[]>();
const direct: number[] = [];

await compare();
const scaling = await measureScaling();
const lookups = await connectionLookups();
report();
await app.stop();
rmSync(folder, { recursive: true, force: true });

async function compare() {
  const sluice = await startSluice(upstream);
  // The same process, which rewrites the link of each response.
  const rewriting = { name: REWRITING, path: '/links', headers: ['Service-Rewrite: links'], stop: async () => {} };
  const gateways: Gateway[] = [
    await startNginx(upstream, 60),
    sluice,
    { ...sluice, ...rewriting },
    await startSluice(upstream, {}, { capture: true }),
    await startProxy('pipe', upstream),
    await startProxy('http-proxy-3', upstream),
  ];
  for (const { pid } of gateways) pin(pid, GATEWAY_CORE, LOAD_CORE);
  for (const gateway of gateways) await measure(gateway, WARM_SECONDS);
  for (let round = 0; round < rounds; round++) {
    const straight = { connections: 1, seconds: 1, core: LOAD_CORE, authorization: CREDENTIAL_LINE };
    direct.push((await load(`${upstream}/kb`, straight)).p50Ms);
    for (const gateway of gateways) {
      const { name } = gateway;
      results.set(name, [...(results.get(name) ?? []), await measure(gateway, seconds)]);
    }
  }
  for (const gateway of gateways) await gateway.stop();
}

async function measure({ port, prefix, pid, path = '/kb', headers = [] }: Gateway, seconds: number): Promise<Round> {
  const at = (path: string) => `http://127.0.0.1:${port}${prefix}${path}`;
  const many = await load(at(path), { connections: 64, seconds, pid, core: LOAD_CORE, headers });
  const one = await load(at(path), { connections: 1, seconds: Math.ceil(seconds / 2), core: LOAD_CORE, headers });
  const speeds: number[] = [];
  for (let i = 0; i < 5; i++) speeds.push(await download(at('/large')));
  return { many, one, megabytes: median(speeds) };
}

/** Ratio of the requests/s of two nodes on one database to those of one. Each caller uses one node, none is pinned. */
async function measureScaling(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const database = await startEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  const { host, user } = database.connection;
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`,
    SLUICE_MASTER_KEY: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    SLUICE_DATA_DIR: join(dataDir, 'nodes'),
  };
  const first = await startSluice(upstream, env);
  const second = await startSluice(upstream, env);
  const half = async ({ port, prefix }: Gateway, time = seconds) =>
    (await load(`http://127.0.0.1:${port}${prefix}/kb`, { connections: 32, seconds: time })).requestsPerSecond;
  for (const each of [first, second]) await half(each, WARM_SECONDS);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sum = async (gateways: Gateway[]) =>
      (await Promise.all(gateways.map((each) => half(each)))).reduce((a, b) => a + b, 0);
    const one = await sum([first, first]);
    ratios.push((await sum([first, second])) / one);
  }
  await first.stop();
  await second.stop();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
  return median(ratios);
}

function report() {
  const of = (name: string) => results.get(name) ?? [];
  const nginx = of('nginx');
  const over = (name: string, figure: (round: Round) => number, base = nginx) =>
    median(of(name).map((round, i) => figure(round) / figure(base[i] as Round)));
  const rps = ({ many }: Round) => many.requestsPerSecond;
  const added = (name: string) => median(of(name).map(({ one }, i) => one.p50Ms - (direct[i] ?? 0)));
  const mid = (name: string, figure: (round: Round) => number) => median(of(name).map(figure));

  const lines = [...results.keys()].map((name) =>
    [
      name,
      mid(name, rps).toFixed(0),
      `${over(name, rps).toFixed(2)} ×`,
      mid(name, ({ many }) => many.cpuUs).toFixed(1),
      `${over(name, ({ many }) => many.cpuUs).toFixed(2)} ×`,
      mid(name, ({ many }) => many.p99Ms).toFixed(1),
      added(name).toFixed(3),
      mid(name, ({ megabytes }) => megabytes).toFixed(0),
      `${over(name, ({ megabytes }) => megabytes).toFixed(2)} ×`,
    ].join(' | '),
  );
  const targets: [what: string, value: number, holds: boolean][] = [
    ['requests/s, ratio to nginx, at least 0.5', over('Sluice', rps)],
    ['CPU per request, ratio to nginx, at most 2.2', over('Sluice', ({ many }) => many.cpuUs)],
    ['added median latency with 1 caller in ms, at most 0.20', added('Sluice')],
    ['requests/s, ratio to http.request + pipe, at least 1.3', over('Sluice', rps, of('http.request + pipe'))],
    ['requests/s, ratio to http-proxy-3, at least 1.6', over('Sluice', rps, of('http-proxy-3'))],
    ['requests/s, ratio of two nodes to one, at least 1.4', scaling],
    ['p95 of lookups of 10,000 connections in ms, at most 50', Math.max(...lookups.map(({ p95Ms }) => p95Ms))],
    ['64 MB download in MB/s, ratio to nginx, at least 0.5', over('Sluice', ({ megabytes }) => megabytes)],
  ].map(([what, value]) => {
    const [, word, bound] = /at (least|most) ([\d.]+)$/.exec(String(what)) ?? [];
    const holds = word === 'least' ? Number(value) >= Number(bound) : Number(value) <= Number(bound);
    return [String(what), Number(value), holds];
  });
  process.stdout.write(
    [
      '| | requests/s, 64 callers | | CPU µs/request | | p99 ms | added median ms, 1 caller | 64 MB, MB/s | |',
      '|---|---|---|---|---|---|---|---|---|',
      ...lines.map((line) => `| ${line} |`),
      '',
      '| target | measured | |',
      '|---|---|---|',
      ...targets.map(
        ([what, value, holds]) => `| ${what} | ${value.toFixed(2)} | ${holds ? 'holds' : '**does not hold**'} |`,
      ),
      '',
      lookupTable(lookups),
      '',
    ].join('\n'),
  );
}

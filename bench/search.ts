/**
 * `npm run bench:search`: compares code search with other programs on the same code and queries, one after the other.
 * This service is called through its API. It returns the best functions with their hits, two lines of context and hit
 * counts; rivals.ts describes the others. The code is from npm packages: 100,000 pieces and 500 MB, or
 * `-- --functions 10000 --megabytes 50`. `--corpus mixed` adds Python, C, text in seven languages and minified bundles.
 * ripgrep and codesearch (from Debian) take part if they are installed.
 *
 * `--keep <folder>` keeps the database and the files for the next run. `--alone` measures only this service. `--only
 * <text>` selects query classes by name. `--build 3` only builds the index from the blobs and reopens it with the next
 * start, three times. `--starts 5` only measures the first searches after five starts. `--cold` drops the page cache
 * before each start (as root, on Linux).
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startEmbedded } from '../server/platform/database/embedded/start.ts';
import { packCode } from '../server/search/index/packed-code.ts';
import { ADMIN, descendants, freePort, type Spawned, start } from '../server/test/spawned.ts';
import { CORPORA, collect } from './searching/corpus.ts';
import { cpuByThread, cpuOf } from './searching/cpu.ts';
import { firstSearches } from './searching/first-searches.ts';
import { freshness, hostility, lagMs } from './searching/guarantees.ts';
import { measureKeystrokes } from './searching/keystrokes.ts';
import { fill, fillFacts } from './searching/loading.ts';
import { type Query, type QueryClass, queriesOf } from './searching/queries.ts';
import {
  codesearch,
  makeTrigrams,
  type Rival,
  ripgrep,
  trigrams,
  trigramsByHttp,
  writeFiles,
} from './searching/rivals.ts';
import { tableOf } from './searching/table.ts';
import { SETTINGS } from './settings.ts';

const { values } = parseArgs({
  options: {
    functions: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '500' },
    queries: { type: 'string', default: '40' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    corpus: { type: 'string', default: 'javascript' },
    alone: { type: 'boolean', default: false },
    build: { type: 'string', default: '0' },
    cold: { type: 'boolean', default: false },
    starts: { type: 'string', default: '0' },
  },
});
const SEED = 11;
/** Per class, to run before the measured queries. */
const WARM_UP_QUERIES = 2000;
const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
/** CPU seconds by database session, including ended ones. */
const sessions = new Map<number, number>();
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const corpus = CORPORA.find((each) => each === values.corpus);
if (!corpus) throw new Error(`--corpus: expected ${CORPORA.join(' or ')}`);
const pieces = collect(corpus, { pieces: Number(values.functions), bytes: Number(values.megabytes) * 1e6 });
const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'sluice-bench-search-'));
const isFilled = existsSync(join(folder, 'filled'));
const dataDir = join(folder, 'data');
mkdirSync(dataDir, { recursive: true });
const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
say(`${pieces.length} functions, ${megabytes(bytes)} of code (${corpus}).`);

const embedded = await startEmbedded({
  dataDir: join(folder, 'database'),
  log: { info() {}, warn: say, error: say } as never,
});
const { host, user } = embedded.connection as { host: string; user: string };
const DATABASE_URL = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`;
const client = new Client({ connectionString: DATABASE_URL });
await client.connect();
// Two hundred searches of one account run at once.
const env = { DATABASE_URL, SLUICE_METRICS: 'on', SLUICE_ACCOUNT_SEARCHES: '1000', ...SETTINGS };
let service: Spawned | undefined;
let trigramServer: Awaited<ReturnType<typeof trigramsByHttp>> | undefined;
try {
  if (!isFilled) {
    // The first start creates the tables and the account.
    await (await start(dataDir, await freePort(), env)).kill('SIGTERM');
    await fill(client, pieces);
    mkdirSync(join(folder, 'filled'));
  }
  if (!existsSync(join(folder, 'read'))) {
    await fillFacts(client, pieces);
    mkdirSync(join(folder, 'read'));
  }
  if (Number(values.starts) > 0) {
    if (!existsSync(join(dataDir, 'search'))) await (await startAndBuild()).kill('SIGTERM');
    const identifiers = queriesOf(pieces, 20 * Number(values.starts), SEED).find(({ name }) => name === 'identifier');
    const of = { start: startAndOpen, search, queries: identifiers?.queries ?? [] };
    for await (const line of firstSearches(Number(values.starts), of)) say(line);
  } else await measure();
} finally {
  await service?.kill('SIGTERM');
  trigramServer?.close();
  await client.end();
  await embedded.stop();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  service = await startAndBuild();
  for (let times = Number(values.build); times > 0; times--) {
    await service.kill('SIGTERM');
    service = await startAndOpen();
    if (times === 1) break;
    await service.kill('SIGTERM');
    service = await startAndBuild();
  }
  if (Number(values.build) === 0) await compare(service);
}

/** Deletes the index, then starts the service. */
function startAndBuild(): Promise<Spawned> {
  rmSync(join(dataDir, 'search'), { recursive: true, force: true });
  return startAndWait('built from the blobs');
}

function startAndOpen(): Promise<Spawned> {
  return startAndWait('reopened');
}

async function startAndWait(how: string): Promise<Spawned> {
  if (values.cold) {
    spawnSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  }
  const before = databaseCpu();
  const startMs = performance.now();
  const node = await start(dataDir, await freePort(), env);
  say(
    `Index, ${how}: ${await waitForIndex(node, before, startMs)}; ${indexSize(node.pid)}; memory of the service: ${memory(node.pid)}.`,
  );
  return node;
}

async function compare(service: Spawned): Promise<void> {
  const rivals = values.alone ? [] : await rivalsHere();
  for (const rival of rivals) say(`${rival.name}: built in ${rival.built}.`);
  const classes = queriesOf(pieces, 1 + Number(values.queries), SEED).filter(({ name }) => name.includes(values.only));
  const warmUpQueries = queriesOf(pieces, WARM_UP_QUERIES, SEED + 1);
  say('');
  for await (const line of tableOf(classes, warmUpQueries, [ours(service), ...rivals])) say(line);
  const lag = await lagMs(service);
  say(`\nMemory of the service: ${memory(service.pid)}. The event loop's p99 delay: ${lag.toFixed(1)} ms.`);
  for await (const line of hostility(service)) say(line);
  for (const line of await freshness(service, dataDir, env)) say(line);
  const { count, p50, p95, slowest, busy } = await keystrokes(service, classes);
  say(
    `Key press to painted results, ${count} keys: p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, at most ${slowest.toFixed(0)} ms; CPU of the main thread p50 ${busy.p50.toFixed(0)}, p95 ${busy.p95.toFixed(0)} ms.`,
  );
}

async function rivalsHere(): Promise<Rival[]> {
  const files = writeFiles(folder, pieces);
  const marked = join(folder, 'trigrams');
  const trigramsBuilt = existsSync(marked) ? 'an earlier run' : await makeTrigrams(client, pieces);
  mkdirSync(marked, { recursive: true });
  trigramServer = await trigramsByHttp(DATABASE_URL, trigramsBuilt);
  const all = [
    await trigrams(client, trigramsBuilt, 'any'),
    await trigrams(client, trigramsBuilt, 'best'),
    trigramServer,
    ripgrep(files),
    codesearch(files, folder),
  ];
  if (all.includes(undefined)) say('ripgrep or codesearch is not installed and is skipped.');
  return all.filter((each) => each !== undefined);
}

type Found = { count: number; truncated: boolean; functions: { hit_count: number }[] };

async function search(node: Spawned, query: Pick<Query, 'q' | 'isSensitive'>): Promise<Found> {
  const params = new URLSearchParams({
    q: query.q,
    owner: 'ALL',
    case: query.isSensitive ? 'yes' : 'no',
    context: '2',
  });
  const { status, body } = await node.call<Found>('GET', `/functions/search?${params}`);
  if (status !== 200) throw new Error(`${query.q}: ${JSON.stringify(body)}`);
  return body;
}

/** Waits until the index is complete. Returns times since process start and ready, and CPU since process start. */
async function waitForIndex(node: Spawned, databaseBefore: number, startMs: number): Promise<string> {
  const readyMs = performance.now();
  const noMatch = { q: '"zq no such text qz"', isSensitive: true };
  while ((await search(node, noMatch)).truncated);
  const completeMs = performance.now();
  const used = [...cpuByThread(node.pid), ['database', databaseCpu() - databaseBefore] as const];
  const sum = used.reduce((sum, [, seconds]) => sum + seconds, 0);
  const parts = used.filter(([, seconds]) => seconds > 0.05).map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`);
  return `complete ${seconds(completeMs - startMs)} after process start, ${seconds(completeMs - readyMs)} after ready, with ${sum.toFixed(1)} s of CPU (${parts.join(', ')})`;
}

function databaseCpu(): number {
  for (const { pid, command } of descendants(process.pid))
    if (/^postgres: .* \[local\]/.test(command)) sessions.set(pid, cpuOf(pid));
  return sessions.values().reduce((sum, used) => sum + used, 0);
}

function ours(node: Spawned): Rival {
  return {
    name: 'Sluice',
    built: '',
    keepsRunning: true,
    async find(query) {
      const { count } = await search(node, query);
      return count;
    },
    // Includes the database sessions, also ended ones.
    cpu: () => cpuOf(node.pid) + databaseCpu(),
  };
}

/** Types literals and words into the console (built by `npm run build`); every letter starts a query. */
function keystrokes({ url }: Spawned, classes: QueryClass[]) {
  const queries = classes
    .filter(({ name }) => /^(identifier|word|phrase)/.test(name))
    .flatMap(({ queries }) => queries.filter(({ q }) => !q.includes('\\')).slice(0, 3))
    .map(({ q }) => q);
  const console = url.replace('127.0.0.1', 'localhost');
  return measureKeystrokes(console, { email: ADMIN.email, password: ADMIN.password, queries });
}

function memory(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return megabytes(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024);
}

/** Size of the index files, without the copy of the code. */
function indexSize(pid: number): string {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
  const total = open.reduce((sum, path) => {
    try {
      return readlinkSync(path).includes('/data/search/') ? sum + statSync(path).size : sum;
    } catch {
      return sum;
    }
  }, 0);
  const code = pieces.reduce((sum, piece) => sum + packCode({ 'index.ts': piece }).length, 0);
  const lists = total - code;
  return `${megabytes(lists)} of posting lists (${((lists / bytes) * 100).toFixed(1)} % of the code), and a copy of the code`;
}

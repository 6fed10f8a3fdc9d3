/**
 * Code search beside others, on the same code and the same queries, one after the other: `npm run bench:search`. Ours
 * is asked through its API and answers with the best functions, with their hits, two lines around each, and the count
 * of hits; see rivals.ts for what the others answer. The code comes from packages of npm: 100,000 pieces and 500 MB,
 * unless `-- --functions 10000 --megabytes 50` says otherwise. `--keep <folder>` leaves the database and the files
 * there, for the next run; `--alone` measures only this service; `--only <text>` takes the classes whose names have it;
 * `--build 3` only has the index built from the blobs, and opened again by the next start, so often, with `--cold` from
 * the disk (as root, on Linux). Compares with ripgrep and codesearch (Debian's) where they are installed.
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
import { collect } from './searching/corpus.ts';
import { cpuByThread, cpuOf } from './searching/cpu.ts';
import { measureKeystrokes } from './searching/keystrokes.ts';
import { fill } from './searching/loading.ts';
import { freshness, hostility, lagMs } from './searching/promises.ts';
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

const { values } = parseArgs({
  options: {
    functions: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '500' },
    queries: { type: 'string', default: '40' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    alone: { type: 'boolean', default: false },
    build: { type: 'string', default: '0' },
    cold: { type: 'boolean', default: false },
  },
});
const SEED = 11;
/** Of each class, to be asked before those that are measured. */
const OTHERS = 2000;
const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
/** Seconds of CPU by session of the database, also of those that have ended. */
const sessions = new Map<number, number>();
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const pieces = collect({ pieces: Number(values.functions), bytes: Number(values.megabytes) * 1e6 });
const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'sluice-bench-search-'));
const isKept = existsSync(join(folder, 'filled'));
const dataDir = join(folder, 'data');
mkdirSync(dataDir, { recursive: true });
const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
say(`${pieces.length} functions, ${megabytes(bytes)} of code from packages of npm.`);

const embedded = await startEmbedded({
  dataDir: join(folder, 'database'),
  log: { info() {}, warn: say, error: say } as never,
});
const { host, user } = embedded.connection as { host: string; user: string };
const DATABASE_URL = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`;
const client = new Client({ connectionString: DATABASE_URL });
await client.connect();
const env = { DATABASE_URL, SLUICE_METRICS: 'on', SLUICE_RATE_LIMIT: '1000000' };
let service: Spawned | undefined;
let door: Awaited<ReturnType<typeof trigramsByHttp>> | undefined;
try {
  if (!isKept) {
    // The first start makes the tables and the account.
    await (await start(dataDir, await freePort(), env)).kill('SIGTERM');
    await fill(client, dataDir, pieces);
    mkdirSync(join(folder, 'filled'));
  }
  service = await startAndBuild();
  for (let times = Number(values.build); times > 0; times--) {
    await service.kill('SIGTERM');
    service = await startAndOpen();
    if (times === 1) break;
    await service.kill('SIGTERM');
    service = await startAndBuild();
  }
  if (Number(values.build) === 0) await compare(service);
} finally {
  await service?.kill('SIGTERM');
  door?.close();
  await client.end();
  await embedded.stop();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}

/** As if there never was an index. */
function startAndBuild(): Promise<Spawned> {
  rmSync(join(dataDir, 'search'), { recursive: true, force: true });
  return startAndWait('built from the blobs');
}

function startAndOpen(): Promise<Spawned> {
  return startAndWait('as the last process kept it');
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
    `Index, ${how}: ${await untilWhole(node, before, startMs)}; ${indexSize(node.pid)}; memory of the service: ${memory(node.pid)}.`,
  );
  return node;
}

async function compare(service: Spawned): Promise<void> {
  const rivals = values.alone ? [] : await rivalsHere();
  for (const rival of rivals) say(`${rival.name}: built in ${rival.built}.`);
  const classes = queriesOf(pieces, 1 + Number(values.queries), SEED).filter(({ name }) => name.includes(values.only));
  const others = queriesOf(pieces, OTHERS, SEED + 1);
  say('');
  for await (const line of tableOf(classes, others, [ours(service), ...rivals])) say(line);
  const lag = await lagMs(service);
  say(`\nMemory of the service: ${memory(service.pid)}. The event loop's p99 delay: ${lag.toFixed(1)} ms.`);
  say(await hostility(service));
  for (const line of await freshness(service, dataDir, env)) say(line);
  const { count, p50, p95, slowest, busy } = await keystrokes(service, classes);
  say(
    `From a key to its painted results, ${count} keys: p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, at most ${slowest.toFixed(0)} ms; CPU of the page's thread p50 ${busy.p50.toFixed(0)}, p95 ${busy.p95.toFixed(0)} ms.`,
  );
}

async function rivalsHere(): Promise<Rival[]> {
  const files = writeFiles(folder, pieces);
  const marked = join(folder, 'trigrams');
  const trigramsBuilt = existsSync(marked) ? 'an earlier run' : await makeTrigrams(client, pieces);
  mkdirSync(marked, { recursive: true });
  door = await trigramsByHttp(DATABASE_URL, trigramsBuilt);
  const all = [
    await trigrams(client, trigramsBuilt, 'any'),
    await trigrams(client, trigramsBuilt, 'best'),
    door,
    ripgrep(files),
    codesearch(files, folder),
  ];
  if (all.includes(undefined)) say('ripgrep or codesearch is not installed here: it is left out.');
  return all.filter((each) => each !== undefined);
}

type Found = { count: number; truncated: boolean; functions: { hit_count: number }[] };

async function ask(node: Spawned, query: Pick<Query, 'q' | 'isSensitive'>): Promise<Found> {
  const asked = new URLSearchParams({ q: query.q, owner: 'ALL', case: query.isSensitive ? 'yes' : 'no', context: '2' });
  const { status, body } = await node.call<Found>('GET', `/functions/search?${asked}`);
  if (status !== 200) throw new Error(`${query.q}: ${JSON.stringify(body)}`);
  return body;
}

/** From ready until nothing is missing; the CPU since the process began, as the index begins before it is ready. */
async function untilWhole(node: Spawned, databaseBefore: number, startMs: number): Promise<string> {
  const readyMs = performance.now();
  const nothing = { q: '"zq no such text qz"', isSensitive: true };
  while ((await ask(node, nothing)).truncated);
  const wholeMs = performance.now();
  const used = [...cpuByThread(node.pid), ['database', databaseCpu() - databaseBefore] as const];
  const sum = used.reduce((sum, [, seconds]) => sum + seconds, 0);
  const parts = used.filter(([, seconds]) => seconds > 0.05).map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`);
  return `whole ${seconds(wholeMs - startMs)} after its process began, ${seconds(wholeMs - readyMs)} after it was ready, with ${sum.toFixed(1)} s of CPU (${parts.join(', ')})`;
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
      const { count } = await ask(node, query);
      return count;
    },
    // With the sessions of the database, also those that have ended.
    cpu: () => cpuOf(node.pid) + databaseCpu(),
  };
}

/** Literals and words typed into the console (`npm run build` makes it), each of which is a query at every letter. */
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

/** What the files of the index take: the code itself, and what is known of it. */
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
  return `${megabytes(lists)} of lists (${((lists / bytes) * 100).toFixed(1)} % of the code), beside a copy of the code`;
}

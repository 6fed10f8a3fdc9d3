/**
 * Code search beside others, on the same code and the same queries, one after the other: `npm run bench:search`, with
 * `-- --functions 100000 --megabytes 500` for the full size. Ours is asked through its API and answers with hits; ripgrep
 * and csearch are programs that print counts of all files, start included; pg_trgm answers which rows have it. The code
 * comes from packages of npm, into a temporary folder that is removed in the end. Needs ripgrep and codesearch (Debian's).
 */
import { createHash, randomUUID } from 'node:crypto';
import {
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
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { toBundle } from '../server/search/bundle.ts';
import { blobPath } from '../server/store/blobs.ts';
import { startEmbedded } from '../server/store/embedded/start.ts';
import { freePort, KEY, type Spawned, start } from '../server/test/spawned.ts';
import { collect, type Query, type QueryClass, queriesOf } from './searching/corpus.ts';
import { codesearch, type Rival, ripgrep, trigrams, writeFiles } from './searching/rivals.ts';

const { values } = parseArgs({
  options: {
    functions: { type: 'string', default: '20000' },
    megabytes: { type: 'string', default: '100' },
    queries: { type: 'string', default: '20' },
    alone: { type: 'boolean', default: false },
  },
});
const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-search-'));
const dataDir = join(folder, 'data');
const most = { pieces: Number(values.functions), bytes: Number(values.megabytes) * 1e6 };
const pieces = collect(folder, most);
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
try {
  // The first start makes the tables and the account.
  await (await start(dataDir, await freePort(), env)).kill('SIGTERM');
  await fill();
  service = await start(dataDir, await freePort(), env);
  const built = await untilWhole(service);
  const classes = queriesOf(pieces, Number(values.queries));
  const files = values.alone ? '' : writeFiles(folder, pieces);
  const rivals: Rival[] = values.alone
    ? []
    : [await trigrams(client, pieces), ripgrep(files), codesearch(files, folder)];
  say(`Index: ${built}; ${indexSize(service.pid)}.`);
  for (const rival of rivals) say(`${rival.name}: built in ${rival.built}.`);
  await table(classes, [ours(service), ...rivals]);
  say(`\nMemory of the service: ${memory(service.pid)}. Event loop: ${await eventLoop(service)}.`);
} finally {
  await service?.kill('SIGTERM');
  await client.end();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The functions as deploys would leave them; a deploy itself would build each one. */
async function fill(): Promise<void> {
  const { rows } = await client.query<{ account_id: string }>('select account_id from accounts limit 1');
  const account = rows[0]?.account_id;
  const blobs = join(dataDir, 'blobs');
  for (let part = 0; part < 256; part++)
    mkdirSync(join(blobs, part.toString(16).padStart(2, '0')), { recursive: true });
  for (let from = 0; from < pieces.length; from += 1000) {
    const made = pieces.slice(from, from + 1000).map((piece, index) => {
      const bundle = toBundle({ 'index.ts': piece });
      const sha256 = createHash('sha256').update(bundle).digest('hex');
      writeFileSync(blobPath(blobs, sha256), bundle);
      const words = piece.match(/[A-Za-z]{4,}/g) ?? [];
      const name = words.slice(0, 3).join(' ') || 'function';
      return {
        id: randomUUID(),
        name: name.slice(0, 100),
        label: `f${from + index}`,
        text: words.slice(3, 12).join(' '),
        sha256,
      };
    });
    const column = (key: 'id' | 'name' | 'label' | 'text' | 'sha256') => made.map((each) => each[key]);
    await client.query(
      `with made as (
        insert into functions (account_id, function_id, name, label, description, runtime, visibility, invoke_access,
          network_policy, allowed_hosts, timeout_seconds, version, last_version, created_at, updated_at)
        select $1, id, name, label, text, 'nodejs24.x', 'PUBLIC', 'KEY', 'ALLOW_ALL', '[]', 10, 1, 1, now(), now()
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as given (id, name, label, text))
      insert into function_versions (account_id, function_id, version, handler, runtime, code_sha256, code_size,
        build_sha256, map_sha256, created_by, created_at)
      select $1, id, 1, 'index.default', 'nodejs24.x', sha256, 1, sha256, sha256, 'bench', now()
      from unnest($2::uuid[], $6::text[]) as given (id, sha256)`,
      [account, column('id'), column('name'), column('label'), column('text'), column('sha256')],
    );
  }
  await client.query('vacuum analyze functions, function_versions');
}

type Found = { count: number; truncated: boolean; functions: { hit_count: number }[] };

async function ask(node: Spawned, query: Pick<Query, 'q' | 'isSensitive'>): Promise<Found> {
  const asked = new URLSearchParams({ q: query.q, owner: 'ALL', case: query.isSensitive ? 'yes' : 'no', context: '2' });
  const { status, body } = await node.call<Found>('GET', `/functions/search?${asked}`);
  if (status !== 200) throw new Error(`${query.q}: ${JSON.stringify(body)}`);
  return body;
}

/** From ready until nothing is missing any more. */
async function untilWhole(node: Spawned): Promise<string> {
  const startMs = performance.now();
  const nothing = { q: '"zq no such text qz"', isSensitive: true };
  while ((await ask(node, nothing)).truncated);
  return `whole ${seconds(performance.now() - startMs)} after the start`;
}

function ours(node: Spawned): Rival {
  return {
    name: 'Sluice',
    built: '',
    async find(query) {
      const { count } = await ask(node, query);
      return count;
    },
  };
}

async function table(classes: QueryClass[], all: Rival[]): Promise<void> {
  say(`\n| p50 / p95, ms | ${all.map(({ name }) => name).join(' | ')} |`);
  say(`|---|${all.map(() => '---:').join('|')}|`);
  for (const { name, queries, isRanked } of classes) {
    const cells: string[] = [];
    for (const [index, rival] of all.entries()) {
      if (isRanked && index > 0) cells.push('–');
      else cells.push(await measured(rival, queries));
    }
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
}

async function measured(rival: Rival, queries: Query[]): Promise<string> {
  const times: number[] = [];
  for (const query of queries) {
    const startMs = performance.now();
    await rival.find(query).catch(() => undefined);
    times.push(performance.now() - startMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
  return `${shown(at(0.5))} / ${shown(at(0.95))}`;
}

function memory(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return megabytes(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024);
}

/** What the nameless files of the index take: the code itself, and what is known of it. */
function indexSize(pid: number): string {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
  const total = open.reduce((sum, path) => {
    try {
      return readlinkSync(path).includes('/data/search/') ? sum + statSync(path).size : sum;
    } catch {
      return sum;
    }
  }, 0);
  const lists = total - bytes;
  return `${megabytes(lists)} of lists (${((lists / bytes) * 100).toFixed(0)} % of the code), beside a copy of the code`;
}

async function eventLoop(node: Spawned): Promise<string> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } });
  const text = await response.text();
  return `p99 delay ${(Number(/^sluice_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000).toFixed(1)} ms`;
}

/** Starts this service with its default settings, publishes and calls functions, and counts their stored runs. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { Client } from 'pg';
import { connectionFrom } from '../../server/platform/database/database.ts';
import { addAccountTo } from '../../server/test/another-account.ts';
import { descendants, embeddedIn, freePort, KEY, type Spawned, scratch, start } from '../../server/test/spawned.ts';
import { SETTINGS } from '../settings.ts';

export type Hosted = { function_id: string; url: string };
export type CallResult = { status: number; text: string; run_id: string; ms: number };
type CallOptions = { path?: string; method?: string; body?: string; key?: string };
type Publish = { files?: Record<string, string>; [setting: string]: unknown };

export type Host = {
  service: Spawned;
  port: number;
  /** Mode of the sandbox. */
  sandbox: string;
  /** As the account of `key`; by default the first account. */
  publish(code: string, more?: Publish, key?: string): Promise<Hosted>;
  call(fn: Hosted, options?: CallOptions): Promise<CallResult>;
  /** Creates another account; returns its key. */
  addAccount(): Promise<string>;
  /** Milliseconds of a request to the API, which has to succeed. */
  read(path: string, key: string): Promise<number>;
  /** Waits until no run of the function is in progress. */
  atRest(fn: Hosted): Promise<void>;
  /** Counts the stored runs and log lines of a function, once no run of it is in progress. */
  recorded(fn: Hosted): Promise<{ runs: number; lines: number }>;
  /** Size of the bundle of the latest version. */
  builtBytes(fn: Hosted): Promise<number>;
  /** CPU milliseconds used so far by the service, its database, and the functions. */
  cpu(): { service: number; database: number; functions: number };
  /** The processes of functions, including spares. */
  sandboxes(): { pid: number; command: string }[];
  stop(): Promise<void>;
};

export async function startHost(env: Record<string, string> = {}): Promise<Host> {
  const folder = scratch();
  const port = await freePort();
  const service = await start(folder.path, port, { ...SETTINGS, ...env });
  const ready = (await (await fetch(`${service.url}/readyz`)).json()) as { sandbox: string };
  const agent = new Agent({ keepAlive: true });
  const own = env['DATABASE_URL'];
  const connection = own ? connectionFrom(own) : embeddedIn(folder.path);
  const db = new Client(connection);
  await db.connect();
  const count = async (table: string, { function_id }: Hosted, more = '') => {
    const { rows } = await db.query(`select count(*)::int as n from ${table} where function_id = $1 ${more}`, [
      function_id,
    ]);
    return rows[0]?.n as number;
  };
  const atRest = async (fn: Hosted) => {
    for (let i = 0; i < 200 && (await count('runs', fn, "and status = 'RUNNING'")) > 0; i++) await pause(50);
  };
  return {
    service,
    port,
    sandbox: ready.sandbox,
    async publish(code, { files = { 'index.ts': code }, ...more } = {}, key = KEY) {
      const created = await fetch(`${service.url}/api/functions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Function', runtime: 'nodejs24.x', files, ...more }),
      });
      const body = (await created.json()) as { function: Hosted };
      if (created.status !== 200) throw new Error(JSON.stringify(body).slice(0, 500));
      return body.function;
    },
    async addAccount() {
      const { key } = await addAccountTo(connection, 'Another');
      return key;
    },
    read(path, key) {
      const startMs = performance.now();
      return new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}` };
        const out = request({ agent, host: '127.0.0.1', port, path: `/api${path}`, headers }, (res) => {
          res.resume().on('error', reject);
          res.on('end', () => {
            if (res.statusCode === 200) resolve(performance.now() - startMs);
            else reject(new Error(`${path}: ${res.statusCode}`));
          });
        });
        out.on('error', reject).end();
      });
    },
    call(fn, { path = '/', method = 'GET', body, key = KEY } = {}) {
      const startMs = performance.now();
      return new Promise((resolve, reject) => {
        const headers = { host: new URL(fn.url).host, authorization: `Bearer ${key}` };
        const out = request({ agent, host: '127.0.0.1', port, method, path, headers }, (res) => {
          let text = '';
          res.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          const run_id = String(res.headers['x-function-run-id'] ?? '');
          res.on('end', () => resolve({ status: res.statusCode ?? 0, text, run_id, ms: performance.now() - startMs }));
          res.on('error', reject);
        });
        out.on('error', reject).end(body);
      });
    },
    atRest,
    async recorded(fn) {
      await atRest(fn);
      const stored = await db.query(
        'select coalesce(sum(json_array_length(log::json)), 0)::int as n from runs where function_id = $1',
        [fn.function_id],
      );
      return { runs: await count('runs', fn), lines: (await count('run_logs', fn)) + (stored.rows[0]?.n as number) };
    },
    async builtBytes({ function_id }) {
      const { rows } = await db.query(
        'select size from function_versions join blobs on sha256 = build_sha256 where function_id = $1 order by version desc limit 1',
        [function_id],
      );
      return rows[0]?.size as number;
    },
    cpu() {
      const all = descendants(service.pid);
      const sum = (of: { pid: number }[]) => of.reduce((total, { pid }) => total + cpuMs(pid), 0);
      return {
        service: cpuMs(service.pid),
        database: sum(all.filter(isDatabase)),
        functions: sum(all.filter(isSandbox)),
      };
    },
    sandboxes: () => descendants(service.pid).filter(isSandbox),
    async stop() {
      agent.destroy();
      await db.end();
      await service.kill('SIGTERM');
      folder.remove();
    },
  };
}

/** The command of a sandbox has no arguments that name its script. */
const isSandbox = ({ command }: { command: string }) => /(^|\/)deno(\s|$)/.test(command);
const isDatabase = ({ command }: { command: string }) => /postgres/.test(command);

export const pause = (ms: number): Promise<void> => new Promise((ok) => setTimeout(ok, ms));

/** CPU milliseconds used by all threads of a process, in steps of 10. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Proportional set size of a process in MB: its private memory and its share of shared memory. */
export function pssMb(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

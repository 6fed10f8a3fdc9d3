/** Starts the contestants: this service with its default settings, and the others, each as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startEmbedded } from '../../server/platform/database/embedded/start.ts';
import { descendants, embeddedIn, freePort, scratch, start } from '../../server/test/spawned.ts';
import { SETTINGS } from '../settings.ts';
import { DESTINATIONS, SOURCE_SECRET, VERIFICATION } from './message.ts';

export type Contestant = {
  name: string;
  target: { origin: string; paths: string[] };
  /** Deliveries that are recorded as having succeeded. */
  recorded(): Promise<number>;
  /** CPU time used so far, including the database or Redis. */
  cpuMs(): number;
  stop(): Promise<void>;
};

type Stats = { buckets: { succeeded: number }[] };

/** Returns the payload as the body. */
const TRANSFORM = `export default (call: { body: string }) => {
  const { data, request } = JSON.parse(call.body);
  return { method: 'POST', path: request.path + '?transformed', headers: { 'x-kind': 'order' }, body: data };
};`;

/** This service, with one trigger and webhook endpoint per destination. `transform`: a function makes each request. */
export async function startSluice(
  receiver: string,
  env: Record<string, string> = {},
  transform = false,
): Promise<Contestant & { pid: number; dataDir: string }> {
  const folder = scratch();
  const service = await start(folder.path, await freePort(), { ...SETTINGS, ...env });
  const paths: string[] = [];
  let function_id: string | undefined;
  if (transform) {
    const files = { 'index.ts': TRANSFORM };
    const body = { name: 'Transform', runtime: 'nodejs24.x', files };
    const made = await service.call<{ function: { function_id: string } }>('POST', '/functions', body);
    function_id = made.body.function.function_id;
  }
  const more = function_id ? { transform: { function_id } } : {};
  for (let i = 0; i < DESTINATIONS; i++) {
    const { body } = await service.call<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', {
      source: 'webhook',
      event_type: 'webhook.received',
      name: `Orders ${i}`,
      parameters: VERIFICATION,
      secret: SOURCE_SECRET,
      destinations: [{ url: `${receiver}/d/${i}`, name: `Receiver ${i}`, ...more }],
    });
    paths.push(new URL(body.trigger.ingress.url).pathname);
  }
  return {
    name: 'Sluice',
    pid: service.pid,
    dataDir: folder.path,
    target: { origin: service.url, paths },
    async recorded() {
      const { body } = await service.call<Stats>('GET', '/events/stats?range=24h');
      return body.buckets.reduce((sum, { succeeded }) => sum + succeeded, 0);
    },
    cpuMs: () => cpuOf(service.pid),
    async stop() {
      await service.kill('SIGTERM');
      folder.remove();
    },
  };
}

/** The same service with all its other work, but without storing events and attempts. */
async function startWithoutStorage(receiver: string): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const recorded = join(folder, 'recorded');
  const preload = new URL('./without-storage.ts', import.meta.url).href;
  const service = await startSluice(receiver, { NODE_OPTIONS: `--import ${preload}`, BENCH_RECORDED: recorded });
  return {
    ...service,
    name: RIVALS['no-storage'],
    recorded: async () => Number(readFileSync(recorded, 'utf8')),
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same service whose grouper finds no position to read from, so that it groups nothing. */
async function startWithoutGrouping(receiver: string): Promise<Contestant> {
  const service = await startSluice(receiver);
  const client = new Client(embeddedIn(service.dataDir));
  await client.connect();
  // The grouper creates the row once, when it starts.
  while ((await client.query('delete from problem_reader')).rowCount === 0) await setTimeout(50);
  await client.end();
  return { ...service, name: RIVALS['no-grouping'] };
}

export const RIVALS = {
  'no-grouping': 'the same without grouping of failures',
  'no-storage': 'the same without storage',
  bare: 'a bare program without storage',
  bullmq: 'BullMQ and the same record',
  'pg-boss': 'pg-boss and the same record',
} as const;
export type Rival = keyof typeof RIVALS;

/** `redis` is required for BullMQ only. */
export async function startRival(rival: Rival, receiver: string, redis?: Redis): Promise<Contestant> {
  if (rival === 'no-storage') return startWithoutStorage(receiver);
  if (rival === 'no-grouping') return startWithoutGrouping(receiver);
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const database =
    rival === 'bare'
      ? undefined
      : await startEmbedded({
          dataDir,
          log: { info() {}, warn() {}, error: (given: unknown) => console.error(given) },
        });
  const port = await freePort();
  const script = fileURLToPath(new URL(`./${rival}.ts`, import.meta.url));
  const settings = { port, receiver, redis: redis?.port, database: database?.connection };
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await waitForOutput(child);
  const origin = `http://127.0.0.1:${port}`;
  const own = [child.pid ?? 0, ...(redis ? [redis.pid] : []), ...(database ? [serverOf(dataDir)] : [])];
  return {
    name: RIVALS[rival],
    target: { origin, paths: Array.from({ length: DESTINATIONS }, (_, i) => `/${i}`) },
    recorded: async () => ((await (await fetch(origin)).json()) as { recorded: number }).recorded,
    cpuMs: () => own.reduce((sum, pid) => sum + cpuOf(pid), 0),
    async stop() {
      child.kill('SIGTERM');
      await new Promise((ok) => child.once('exit', ok));
      await database?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Redis = { port: number; pid: number; stop(): Promise<void> };

/** Redis as BullMQ recommends: acknowledged writes are on disk within a second. */
export async function startRedis(): Promise<Redis> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const child = spawn('redis-server', [...options, ...durable], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([
    new Promise((_, fail) => child.once('error', fail).once('exit', () => fail(new Error('redis-server ended early')))),
    waitForOutput(child, 'Ready to accept connections'),
  ]);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((ok) => child.once('exit', ok));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function waitForOutput(child: ChildProcess, word = 'ready'): Promise<void> {
  return new Promise((ok) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes(word)) ok();
    });
  });
}

/** The pid of the database server of this folder. */
function serverOf(dataDir: string): number {
  const isServer = ({ command }: { command: string }) => /^\S*postgres -D /.test(command) && command.includes(dataDir);
  return descendants(process.pid).find(isServer)?.pid ?? Number.NaN;
}

/** CPU milliseconds used by a process and its descendants, including ended ones, in steps of 10. */
export function cpuOf(pid: number): number {
  return [pid, ...descendants(pid).map((child) => child.pid)].reduce((sum, each) => sum + ownCpuOf(each), 0);
}

/** Without its descendants. */
export function ownCpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]) * 10, 0);
  } catch {
    return 0;
  }
}

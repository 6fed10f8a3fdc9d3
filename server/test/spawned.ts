/** The real program as a separate process, to be killed, started twice and misconfigured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATABASE_USER } from '../platform/database/embedded/cluster.ts';
import { findPlace } from '../platform/database/embedded/place.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Shared compile cache: compiling takes half of a start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };
export const KEY = 'slc_keyOfTheSpawnedService0123456789';
export const ADMIN = { email: 'admin@example.com', password: 'a long enough password' };

export type Spawned = {
  pid: number;
  url: string;
  output(): string;
  /** The exit code, once it has exited or was killed by `signal`. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
};

/** The connection to the embedded database in a service's data folder. */
export const embeddedIn = (dataDir: string) => ({
  host: findPlace(dataDir).socketDir,
  user: DATABASE_USER,
  database: 'postgres',
});

export type Folder = { path: string; remove(): void };
export function scratch(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'sluice-process-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type Command = { file: string; args: string[]; cwd: string };
const SOURCES: Command = { file: process.execPath, args: ['server/main.ts'], cwd: ROOT };

/** Starts the program; resolves when it is ready or has ended. */
export async function start(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  { file, args, cwd }: Command = SOURCES,
): Promise<Spawned> {
  const child: ChildProcess = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...COMPILED,
      SLUICE_PORT: String(port),
      // Several take longer to start; server/processes/test has the tests of several.
      SLUICE_PROCESSES: '1',
      SLUICE_DATA_DIR: dataDir,
      SLUICE_ADMIN_EMAIL: ADMIN.email,
      SLUICE_ADMIN_PASSWORD: ADMIN.password,
      SLUICE_API_KEY: KEY,
      SLUICE_RATE_LIMIT: '1000',
      // Tests run beside each other: functions with a low priority would wait for the other tests.
      SLUICE_ACCOUNT_CPU_PERCENT: '100',
      SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
      SLUICE_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  let output = '';
  const ended = new Promise<number | null>((ok) => child.once('exit', (code) => ok(code)));
  const ready = new Promise<void>((ok) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Sluice is ready')) ok();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
  await Promise.race([ready, ended]);
  const url = `http://127.0.0.1:${port}`;
  return {
    pid: child.pid ?? 0,
    url,
    output: () => output,
    ended,
    kill(signal) {
      child.kill(signal);
      return ended;
    },
    async call(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as never };
    },
  };
}

/** All descendants of `pid`, with their commands. Linux only. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, number[]>();
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = Number(read(`/proc/${each}/stat`).match(/^\d+ \(.*\) \S (\d+)/s)?.[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(each)]);
  }
  const below = (of: number): number[] => (parents.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid).map((each) => ({ pid: each, command: read(`/proc/${each}/cmdline`).replaceAll('\0', ' ') }));
}

/** Those of these processes that still run the same command. */
export function alive(of: { pid: number; command: string }[]): string[] {
  return of
    .filter(({ pid, command }) => command !== '' && read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') === command)
    .map(({ command }) => command);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * A free port. It is below the range that systems use for outgoing connections, one of which could otherwise take it
 * first. It is not returned to another process of the tests. With `count`, the first of that number of free ports.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    let free = 0;
    while (free < count && (await reserve(port + free)) && (await isFree(port + free))) free++;
    if (free === count) return port;
  }
}

/** Reserves a number by a UDP listener, until this process ends. */
function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((ok) => {
    socket.once('error', () => socket.close(() => ok(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      ok(true);
    });
  });
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isOurs = await new Promise<boolean>((ok) =>
    server
      .once('error', () => ok(false))
      .once('listening', () => ok(true))
      .listen(port),
  );
  if (isOurs) await new Promise((ok) => server.close(ok));
  return isOurs;
}

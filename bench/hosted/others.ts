/** Starts what functions are compared with: plain Node and workerd, each a separate process with one handler. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/test/spawned.ts';

export type Other = { url: string; pid: number; stop(): Promise<void> };

const PLAIN = fileURLToPath(new URL('./plain.ts', import.meta.url));
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const PACKAGES = ['linux-64', 'linux-arm64', 'darwin-64', 'darwin-arm64'];
const findWorkerd = () =>
  PACKAGES.map((name) => join(MODULES, '@cloudflare', `workerd-${name}`, 'bin', 'workerd')).find(existsSync);
const PLAIN_SOURCE = `require('node:http').createServer((_, res) => res.end('hello')).listen(process.argv[1], '127.0.0.1', () => process.stdout.write('.'))`;

/** A plain handler in Node. */
export async function startPlain(): Promise<Other> {
  const child = spawn(process.execPath, [PLAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(port.toString())}`, ...ending(child) };
}

/** One function in workerd; undefined where it isn't installed. */
export async function startWorkerd(): Promise<Other | undefined> {
  const workerd = findWorkerd();
  if (!workerd) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-workerd-'));
  const port = await freePort();
  writeFileSync(join(folder, 'config.capnp'), workerdConfig(port));
  const child = spawn(workerd, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  const { pid, stop } = ending(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Milliseconds from the start of a Node process to its first response, with a handler that reads no file. */
export async function coldNode(): Promise<number> {
  const port = await freePort();
  const startMs = performance.now();
  const child = spawn(process.execPath, ['-e', PLAIN_SOURCE, String(port)], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  await request(port);
  const ms = performance.now() - startMs;
  await ending(child).stop();
  return ms;
}

/** The same with workerd; undefined when it is not installed. */
export async function coldWorkerd(): Promise<number | undefined> {
  const startMs = performance.now();
  const worker = await startWorkerd();
  if (!worker) return undefined;
  await request(Number(new URL(worker.url).port));
  const ms = performance.now() - startMs;
  await worker.stop();
  return ms;
}

function request(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const out = get({ host: '127.0.0.1', port, agent: false }, (res) => res.resume().on('end', resolve));
    out.on('error', reject);
  });
}

function ending(child: ChildProcess): Omit<Other, 'url'> {
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const workerdConfig = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = "export default { fetch() { console.log('called'); return new Response('hello'); } };")],
  compatibilityDate = "2026-01-01",
);
`;

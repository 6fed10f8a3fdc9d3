/** The real service as a separate process, with a temporary folder and a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Body, Reply } from '../../contract/operations.ts';
import { type Operation, pathOf, routes } from '../../contract/routes.ts';
import { newMemoryFolder } from '../../server/search/test/memory-folder.ts';
import { COMPILED, freePort } from '../../server/test/spawned.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const ADMIN = { email: 'mira@example.com', password: 'correct horse battery' };
export const KEY = 'slc_e2eKeyOfTheFirstAccount0123456789';

export type RunningService = {
  url: string;
  port: number;
  dataDir: string;
  /** The one-time link, while no password is set. */
  welcomeUrl: string | undefined;
  /** Calls the API with the first key. Throws on any error response. */
  call<O extends Operation>(
    operation: O,
    input?: { params?: Record<string, string>; query?: Record<string, string>; body?: Body<O> },
  ): Promise<Reply<O>>;
  output(): string;
  pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Restarts it with the same folder and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ServiceOptions = { headless?: boolean; env?: Record<string, string> };

export async function startService({ headless = true, env = {} }: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = newMemoryFolder('sluice-e2e');
  // otherwise the database's own user, under which root starts it, could not access the folder
  chmodSync(dataDir, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess;
  let output = '';

  const start = async () => {
    output = '';
    child = spawn(process.execPath, ['server/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...COMPILED,
        SLUICE_PORT: String(port),
        SLUICE_PROCESSES: '1',
        SLUICE_DATA_DIR: dataDir,
        SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
        SLUICE_RATE_LIMIT: '1000',
        // Journeys run beside each other: functions with a low priority would wait for the other journeys.
        SLUICE_ACCOUNT_CPU_PERCENT: '100',
        ...(headless
          ? { SLUICE_ADMIN_EMAIL: ADMIN.email, SLUICE_ADMIN_PASSWORD: ADMIN.password, SLUICE_API_KEY: KEY }
          : {}),
        ...env,
      },
    });
    await new Promise<void>((ok, refuse) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Sluice is ready')) ok();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) => refuse(new Error(`the service ended with ${code}:\n${output}`)));
    });
  };
  const ended = () =>
    new Promise<void>((ok) =>
      child.exitCode !== null || child.signalCode !== null ? ok() : child.once('exit', () => ok()),
    );
  const kill = async (signal: NodeJS.Signals) => {
    const done = ended();
    child.kill(signal);
    await done;
  };
  await start();

  return {
    url,
    port,
    dataDir,
    start,
    kill,
    get pid() {
      return child.pid ?? 0;
    },
    get welcomeUrl() {
      return output.match(/http\S+\/welcome#token=\S+/)?.[0];
    },
    output: () => output,
    call: (operation, input = {}) => call(url, operation, input),
    async stop() {
      await kill('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function call<O extends Operation>(
  url: string,
  operation: O,
  input: { params?: Record<string, string>; query?: Record<string, string>; body?: Body<O> },
): Promise<Reply<O>> {
  const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
  const response = await fetch(`${url}/api${pathOf(operation, input.params)}${query}`, {
    method: routes[operation].method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Reply<O>;
}

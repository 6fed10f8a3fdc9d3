/**
 * `npm run demo`: the service with a separate data folder (./data-demo), local apps and receivers, and an account with
 * traffic. Everything is created through the API and all data is real. It needs no network.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './build-if-changed.ts';
import { withKey } from './demo/api.ts';
import { startLocalApps } from './demo/local-apps.ts';
import { startReceivers } from './demo/receivers.ts';
import { deployBug, seed, seedOthers } from './demo/seed.ts';
import { sendEvents } from './demo/senders.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PORT = process.env['SLUICE_PORT'] || '4400';
/** The two ports after the service's. */
const [RECEIVERS_PORT, APPS_PORT] = [Number(PORT) + 1, Number(PORT) + 2];
const at = (port: number | string) => `http://127.0.0.1:${port}`;
const URLS = { service: at(PORT), receivers: at(RECEIVERS_PORT), apps: at(APPS_PORT) };
const OWNER = { email: 'demo@example.com', password: 'demo-password' };
const KEY = process.env['SLUICE_API_KEY'] || 'slc_demoKeyForTheDemoAccountOnly00000';

buildIfChanged();
const servers = [startLocalApps(APPS_PORT), startReceivers(RECEIVERS_PORT)];
await Promise.all(servers.map(listening));
// A demo shares the machine with the browser: it trades speed for memory, with a small young generation of the heap, a
// few connections to the database, no spare processes of functions, and memory that returns to the system when it is
// free.
const service = spawn(process.execPath, ['--max-semi-space-size=2', '--optimize-for-size', 'server/main.ts'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    SLUICE_PORT: PORT,
    SLUICE_DATA_DIR: process.env['SLUICE_DATA_DIR'] || 'data-demo',
    SLUICE_ADMIN_EMAIL: OWNER.email,
    SLUICE_ADMIN_PASSWORD: OWNER.password,
    SLUICE_API_KEY: KEY,
    SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
    SLUICE_NEW_ACCOUNTS: 'on',
    SLUICE_DEMO: 'on',
    SLUICE_LOG_LEVEL: 'warn',
    SLUICE_PROCESSES: process.env['SLUICE_PROCESSES'] || '1',
    SLUICE_SPARE_PROCESSES: process.env['SLUICE_SPARE_PROCESSES'] || '0',
    SLUICE_DATABASE_POOL: process.env['SLUICE_DATABASE_POOL'] || '4',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '32768',
    MALLOC_ARENA_MAX: '1',
  },
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill('SIGTERM'));
service.once('exit', (code) => {
  stop.abort();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  process.exitCode = code ?? 0;
});

let output = '';
service.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  const before = output;
  output += chunk.toString();
  if (!before.includes('is ready') && output.includes('is ready')) run().catch(report);
});

async function run(): Promise<void> {
  const api = withKey(URLS.service, KEY);
  const hooks = await seed(URLS, api);
  console.log(`Sign in with ${OWNER.email} and ${OWNER.password}. The API key is ${KEY}.`);
  sendEvents(hooks, stop.signal).catch(report);
  deployBug(api, stop.signal).catch(report);
  await seedOthers(URLS.service, OWNER);
  console.log('The public functions of four other accounts can be searched.');
}

/** Ends the demo, before its service starts, if the port of a local server is in use. */
async function listening(server: Server): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const ports = `${PORT}, ${RECEIVERS_PORT} and ${APPS_PORT}`;
    const cause = error instanceof Error ? error.message : error;
    console.error(`The demo needs the ports ${ports} (${cause}). Set SLUICE_PORT to the first of three that are free.`);
    process.exit(1);
  }
}

function report(error: unknown): void {
  if (!stop.signal.aborted) console.error(error);
}

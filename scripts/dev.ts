/** `npm run dev`: the service restarts when its code changes; the console reloads in place. Open the URL it prints. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE_URL = 'http://localhost:5173';

const start = (args: string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });

const children = [
  start(['--watch-path=server', '--watch-path=contract', '--watch-preserve-output', 'server/main.ts'], {
    // It restarts in less time than several.
    SLUICE_PROCESSES: '1',
    SLUICE_CONSOLE_URL: CONSOLE_URL,
    // Vite prints this one.
    SLUICE_ALLOWED_HOSTS: '127.0.0.1:5173',
  }),
  start([join(ROOT, 'node_modules/vite/bin/vite.js'), '--port', '5173', '--strictPort']),
];

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
for (const child of children) child.on('exit', stop);

function stop(): void {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Lock } from './lock.ts';

/**
 * A shell that only reads a pipe whose other end is this process. When this process ends in any way, the pipe closes
 * and the shell becomes `watchdog.ts`. A waiting shell costs 0.4 MB, a waiting Node process would cost 60 MB.
 */
const WAIT_THEN_RUN = 'trap "" TERM INT HUP; while read -r _; do :; done; exec "$@"';

export function startWatchdog(lock: Lock, cluster: string): ChildProcess {
  const script = fileURLToPath(new URL('./watchdog.ts', import.meta.url));
  const order = [process.execPath, script, lock.ownerFile, lock.generation, cluster];
  const watchdog = spawn('/bin/sh', ['-c', WAIT_THEN_RUN, 'sluice-watchdog', ...order], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
    cwd: '/',
  });
  watchdog.unref();
  const pipe = watchdog.stdin;
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  pipe.on('error', () => {});
  return watchdog;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Lock } from './lock.ts';

/**
 * A shell that does nothing but read a pipe whose other end is this process. When this process dies, however it dies,
 * the pipe ends and the shell becomes `watchdog.ts`. Waiting as a shell costs 0.4 MB, waiting as Node would cost 60.
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

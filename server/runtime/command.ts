/** The one way a sandboxed process is started: every limit and permission it has stands here. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Home } from './home.ts';
import { type Network, networkFlags } from './network-policy.ts';

export const HEAP_MB = 128;
/** Array buffers lie outside V8's heap; the kernel's limit on data holds them too. Below 512 MB V8 itself doesn't start. */
const DATA_BYTES = 1024 ** 3;
const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => existsSync(file));

/** Starts one that will serve at `socketPath`; at WARM it ends again at once. */
export function launch(
  home: Home,
  network: Network,
  socketPath: string,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const command = [
    ...(PRLIMIT ? [PRLIMIT, `--data=${DATA_BYTES}`, '--core=0', '--nofile=256', '--'] : []),
    home.deno,
    'run',
    ...['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-check', '--no-lock', '--quiet'],
    '--unstable-no-legacy-abort',
    `--v8-flags=--max-old-space-size=${HEAP_MB}`,
    '--allow-env',
    `--allow-read=${socketPath},${home.gateway}`,
    `--allow-write=${socketPath},${home.gateway}`,
    ...networkFlags(network, [socketPath, home.gateway]),
    home.script,
    socketPath,
    home.gateway,
  ];
  const [file = home.deno, ...args] = command;
  return spawn(file, args, {
    cwd: '/',
    env: { DENO_DIR: home.cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own, so that Ctrl-C in the service's terminal doesn't cut runs that it means to finish.
    detached: true,
    ...home.user,
  });
}

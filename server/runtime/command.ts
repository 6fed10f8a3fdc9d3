/** The one way a sandboxed process is started: every limit, wall and permission it has stands here. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { EGRESS_SOCKET } from './egress-proxy.ts';
import { SNAPSHOT, WARM } from './frames.ts';
import type { Home } from './home.ts';
import { type Needs, networkFlags } from './network-policy.ts';

export const HEAP_MB = 128;
/** Array buffers lie outside V8's heap; the kernel's limit on data holds them too. Below 512 MB V8 itself doesn't start. */
const DATA_BYTES = 1024 ** 3;
const tool = (name: string) => [`/usr/bin/${name}`, `/bin/${name}`].find((file) => existsSync(file));
const PRLIMIT = tool('prlimit');
const CHOOM = tool('choom');
/** What programs of this system are made of; nothing else of the disk is there inside. */
const SYSTEM = ['/lib', '/lib64', '/lib32', '/usr/lib', '/usr/lib64'];

/** What a process has, by the names under which it knows it. */
type Inside = {
  deno: string;
  script: string;
  cache: string;
  socket: string;
  gateway: string;
  egress: string | undefined;
  /** The folder of the interpreter, where there is one. */
  python: string | undefined;
};

export type Launched = {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Where the service reaches what the process serves. */
  socketPath: string;
};

/** Starts one that will serve at a socket named `name`; with the names WARM and SNAPSHOT it ends by itself. */
export function launch(home: Home, needs: Needs, name: string): Launched {
  const { inside, wall, socketPath } = home.bwrap ? contained(home, needs, name, home.bwrap) : bare(home, needs, name);
  const sockets = [inside.socket, inside.gateway, ...(inside.egress ? [inside.egress] : [])];
  const command = [
    ...(PRLIMIT ? [PRLIMIT, `--data=${DATA_BYTES}`, '--core=0', '--nofile=256', '--'] : []),
    ...wall,
    inside.deno,
    'run',
    ...['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-check', '--no-lock', '--quiet'],
    '--unstable-no-legacy-abort',
    `--v8-flags=--max-old-space-size=${HEAP_MB}`,
    '--allow-env',
    `--allow-read=${[...sockets, ...(inside.python ? [inside.python] : [])].join(',')}`,
    `--allow-write=${sockets.join(',')}`,
    ...networkFlags(needs, sockets),
    inside.script,
    ...[inside.socket, inside.gateway, inside.egress ?? '', inside.python ?? ''],
  ];
  const [file = inside.deno, ...args] = command;
  const child = spawn(file, args, {
    cwd: '/',
    env: { DENO_DIR: inside.cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own, so that Ctrl-C in the service's terminal doesn't cut runs that it means to finish.
    detached: true,
    ...home.user,
  });
  return { child, socketPath };
}

/** Deno's permissions are the wall; paths are the system's own. */
function bare(home: Home, needs: Needs, name: string): { inside: Inside; wall: string[]; socketPath: string } {
  const socket = isTrial(name) ? name : path.join(home.sockets, `${name}.sock`);
  const python = needs.language === 'python' ? home.python : undefined;
  const { deno, script, cache, gateway } = home;
  return { inside: { deno, script, cache, socket, gateway, egress: undefined, python }, wall: [], socketPath: socket };
}

/** A container around it: no network but its own loopback, no process but its own, no file but what it is made of. */
function contained(home: Home, needs: Needs, name: string, bwrap: string) {
  const isWarm = isTrial(name);
  const hasPython = needs.language === 'python';
  const own = path.join(home.sockets, name);
  const egress = isWarm ? undefined : home.egress?.folderFor(needs);
  if (!isWarm) {
    mkdirSync(own, { mode: 0o700 });
    if (home.user) chownSync(own, home.user.uid, home.user.gid);
  }
  const wall = [
    ...(CHOOM ? [CHOOM, '-n', '1000', '--'] : []),
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...['--die-with-parent', '--cap-drop', 'ALL', '--uid', '65533', '--gid', '65533', '--hostname', 'function'],
    ...SYSTEM.filter((folder) => existsSync(folder)).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--ro-bind', home.deno, '/rt/deno', '--ro-bind', home.script, '/rt/sandbox.mjs'],
    ...(existsSync(home.cache) ? [isWarm && !hasPython ? '--bind' : '--ro-bind', home.cache, '/rt/cache'] : []),
    ...(hasPython ? ['--ro-bind', home.python, '/rt/python'] : []),
    ...(isWarm ? [] : ['--bind', own, '/run/own', '--ro-bind', path.dirname(home.gateway), '/run/gateway']),
    ...(egress ? ['--ro-bind', egress, '/run/egress'] : []),
    ...['--chdir', '/', '--remount-ro', '/'],
  ];
  const inside: Inside = {
    deno: '/rt/deno',
    script: '/rt/sandbox.mjs',
    cache: existsSync(home.cache) ? '/rt/cache' : home.cache,
    socket: isWarm ? name : '/run/own/f.sock',
    gateway: `/run/gateway/${path.basename(home.gateway)}`,
    egress: egress && `/run/egress/${EGRESS_SOCKET}`,
    python: hasPython ? '/rt/python' : undefined,
  };
  return { inside, wall, socketPath: path.join(own, 'f.sock') };
}

/** Of a process that serves nothing. */
const isTrial = (name: string) => name === WARM || name === SNAPSHOT;

/** Starts sandboxed processes: all of their limits, permissions and isolation are defined here. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { limited } from '../limits.ts';
import { EGRESS_SOCKET } from '../network/egress-proxy.ts';
import { networkFlags } from '../network/network-policy.ts';
import { SNAPSHOT, WARM } from './frames.ts';
import type { Needs } from './needs.ts';
import { type Home, languageFolder } from './sandbox-home.ts';

export const HEAP_MB = 128;
/** Array buffers are outside V8's heap, but count towards the kernel's data limit. V8 does not start below 512 MB. */
const DATA_KB = 1024 ** 2;
/** Folders of programs and libraries; nothing else of the disk is visible inside. */
const FOLDERS = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/lib32'].filter((folder) => existsSync(folder));
const SYSTEM = FOLDERS.flatMap((folder) => {
  const real = realpathSync(folder);
  // Each mount delays the start, and most systems have the same folder under two names.
  return real !== folder && FOLDERS.includes(real) ? ['--symlink', real, folder] : ['--ro-bind', folder, folder];
});
const DEVICES = ['/dev/null', '/dev/urandom'].flatMap((device) => ['--dev-bind', device, device]);

/** The paths of a process, as seen from inside. */
type Inside = {
  deno: string;
  script: string;
  cache: string;
  socket: string;
  /** The socket for small requests. */
  calls: string;
  gateway: string;
  egress: string | undefined;
  /** The folder of the language's interpreter, if it has one. */
  interpreter: string | undefined;
};

/** The sockets of the process, as seen by the service. */
type Paths = { socketPath: string; callsPath: string };
export type Launched = Paths & { child: ChildProcessByStdio<Writable, Readable, Readable> };

/** Starts a process that serves on a socket with this name; for WARM and SNAPSHOT it exits when done. */
export function launch(home: Home, needs: Needs, name: string): Launched {
  const { inside, wall, ...paths } = home.bwrap ? contained(home, needs, name, home.bwrap) : bare(home, needs, name);
  const sockets = [inside.socket, inside.calls, inside.gateway, ...(inside.egress ? [inside.egress] : [])];
  const command = [
    ...limited({ dataKb: DATA_KB }),
    ...wall,
    inside.deno,
    'run',
    ...['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-check', '--no-lock', '--quiet'],
    '--unstable-no-legacy-abort',
    `--v8-flags=--max-old-space-size=${HEAP_MB}`,
    '--allow-env',
    `--allow-read=${[...sockets, ...(inside.interpreter ? [inside.interpreter] : [])].join(',')}`,
    `--allow-write=${sockets.join(',')}`,
    ...networkFlags(needs, sockets, inside.egress !== undefined),
    inside.script,
    ...[inside.socket, inside.calls, inside.gateway, inside.egress ?? '', inside.interpreter ?? ''],
  ];
  const [file = inside.deno, ...args] = command;
  const child = spawn(file, args, {
    cwd: '/',
    env: { DENO_DIR: inside.cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate session, so that Ctrl-C in the terminal does not kill runs that the service wants to finish.
    detached: true,
    ...home.user,
  });
  return { child, ...paths };
}

/** Deno's permissions isolate the function; paths are those of the host. */
function bare(home: Home, needs: Needs, name: string): { inside: Inside; wall: string[] } & Paths {
  const socket = isTrial(name) ? name : path.join(home.sockets, `${name}.sock`);
  const calls = isTrial(name) ? name : path.join(home.sockets, `${name}.call`);
  const interpreter = interpreterFolder(home, needs);
  const { deno, script, cache, gateway } = home;
  const inside: Inside = { deno, script, cache, socket, calls, gateway, egress: undefined, interpreter };
  return { inside, wall: [], socketPath: socket, callsPath: calls };
}

/** A container around the process: only its own loopback network and processes, and only the files it needs. */
function contained(home: Home, needs: Needs, name: string, bwrap: string) {
  const isWarm = isTrial(name);
  const interpreter = interpreterFolder(home, needs);
  const mounted = interpreter && `/rt/${needs.language.name}`;
  const own = path.join(home.sockets, name);
  const egress = isWarm ? undefined : home.egress?.folderFor(needs);
  if (!isWarm) {
    mkdirSync(own, { mode: 0o700 });
    if (home.user) chownSync(own, home.user.uid, home.user.gid);
  }
  const wall = [
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...['--die-with-parent', '--cap-drop', 'ALL', '--uid', '65533', '--gid', '65533', '--hostname', 'function'],
    ...SYSTEM,
    ...['--proc', '/proc'],
    ...DEVICES,
    ...['--ro-bind', home.deno, '/rt/deno', '--ro-bind', home.script, '/rt/sandbox.mjs'],
    ...(existsSync(home.cache) ? [isWarm && !interpreter ? '--bind' : '--ro-bind', home.cache, '/rt/cache'] : []),
    ...(interpreter && mounted ? ['--ro-bind', interpreter, mounted] : []),
    ...(isWarm ? [] : ['--bind', own, '/run/own', '--ro-bind', path.dirname(home.gateway), '/run/gateway']),
    ...(egress ? ['--ro-bind', egress, '/run/egress'] : []),
    ...['--chdir', '/', '--remount-ro', '/'],
  ];
  const inside: Inside = {
    deno: '/rt/deno',
    script: '/rt/sandbox.mjs',
    cache: existsSync(home.cache) ? '/rt/cache' : home.cache,
    socket: isWarm ? name : '/run/own/f.sock',
    calls: isWarm ? name : '/run/own/f.call',
    gateway: `/run/gateway/${path.basename(home.gateway)}`,
    egress: egress && `/run/egress/${EGRESS_SOCKET}`,
    interpreter: mounted,
  };
  return { inside, wall, socketPath: path.join(own, 'f.sock'), callsPath: path.join(own, 'f.call') };
}

const interpreterFolder = (home: Home, { language }: Needs) =>
  language.openInterpreter && languageFolder(home, language);

/** Whether the process exits without serving requests. */
const isTrial = (name: string) => name === WARM || name === SNAPSHOT;

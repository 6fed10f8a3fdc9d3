/** Starts sandboxed processes: all of their limits, permissions and isolation are defined here. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { limited, type Preparation } from '../limits.ts';
import { EGRESS_SOCKET } from '../network/egress-proxy.ts';
import { networkFlags } from '../network/network-policy.ts';
import { SNAPSHOT, WARM } from './frames.ts';
import { INSIDE, leave, listMounts, type Mount, type Namespaces } from './namespaces.ts';
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
/**
 * The sandbox's script as file descriptor 3: its path would name the service's folder in every stack trace. Only the
 * container by namespaces or bubblewrap has a path that says nothing.
 */
const SCRIPT_BY_NUMBER = '/dev/fd/3';
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

/** How a process is isolated. */
type Wall = Paths & {
  inside: Inside;
  /** The commands that execute the next one in a container: around the limits, and within them. */
  outer?: string[];
  /** After the limits are set. */
  prepare?: Preparation;
  inner?: string[];
};

/** Starts a process that serves on a socket with this name; for WARM and SNAPSHOT it exits when done. */
export function launch(home: Home, needs: Needs, name: string): Launched {
  const { inside, outer = [], prepare, inner = [], ...paths } = wallOf(home, needs, name);
  const sockets = [inside.socket, inside.calls, inside.gateway, ...(inside.egress ? [inside.egress] : [])];
  const filters = home.unfilteredBecause === undefined;
  const command = [
    ...outer,
    ...limited({ dataKb: DATA_KB }, prepare),
    ...inner,
    inside.deno,
    'run',
    ...['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-check', '--no-lock', '--quiet'],
    '--unstable-no-legacy-abort',
    `--v8-flags=--max-old-space-size=${HEAP_MB}`,
    '--allow-env',
    // Dropped before a function's code arrives (sandbox/main.ts).
    ...(filters ? ['--allow-ffi'] : []),
    `--allow-read=${[...sockets, ...(inside.interpreter ? [inside.interpreter] : [])].join(',')}`,
    `--allow-write=${sockets.join(',')}`,
    ...networkFlags(needs, sockets, inside.egress !== undefined),
    inside.script,
    ...[inside.socket, inside.calls, inside.gateway, inside.egress ?? '', inside.interpreter ?? ''],
    ...(filters ? ['filter'] : []),
  ];
  const [file = inside.deno, ...args] = command;
  const script = inside.script === SCRIPT_BY_NUMBER ? openSync(home.script, 'r') : undefined;
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: { DENO_DIR: inside.cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe', ...(script === undefined ? [] : [script])],
      // A separate session, so that Ctrl-C in the terminal does not kill runs that the service wants to finish.
      detached: true,
      ...home.user,
    }) as Launched['child'];
    return { child, ...paths };
  } finally {
    if (script !== undefined) closeSync(script);
  }
}

function wallOf(home: Home, needs: Needs, name: string): Wall {
  if (home.bwrap) return contained(home, needs, name, home.bwrap);
  return home.namespaces ? namespaced(home, needs, name, home.namespaces) : bare(home, needs, name);
}

/** Deno's permissions isolate the function; paths are those of the host, except that of the script in stack traces. */
function bare(home: Home, needs: Needs, name: string): Wall {
  const socket = isTrial(name) ? name : path.join(home.sockets, `${name}.sock`);
  const calls = isTrial(name) ? name : path.join(home.sockets, `${name}.call`);
  const interpreter = interpreterFolder(home, needs);
  const { deno, cache, gateway } = home;
  const script = process.platform === 'linux' ? SCRIPT_BY_NUMBER : home.script;
  return {
    inside: { deno, script, cache, socket, calls, gateway, egress: undefined, interpreter },
    socketPath: socket,
    callsPath: calls,
  };
}

/** A container by bubblewrap: only its own loopback network and processes, and only the files it needs. */
function contained(home: Home, needs: Needs, name: string, bwrap: string): Wall {
  const { mounts, ...found } = containerOf(home, needs, name);
  const binds = [
    { from: home.deno, to: INSIDE.deno, kind: 'read-only' as const },
    { from: home.script, to: INSIDE.script, kind: 'read-only' as const },
    ...mounts,
  ].flatMap(({ from, to, kind }) => [kind === 'writable' ? '--bind' : '--ro-bind', from, to]);
  const inner = [
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...['--die-with-parent', '--cap-drop', 'ALL', '--uid', '65533', '--gid', '65533', '--hostname', 'function'],
    ...SYSTEM,
    ...['--proc', '/proc'],
    ...DEVICES,
    ...binds,
    ...['--chdir', '/', '--remount-ro', '/'],
  ];
  return { ...found, inner };
}

/** The same container by namespaces of util-linux. */
function namespaced(home: Home, needs: Needs, name: string, namespaces: Namespaces): Wall {
  const { mounts, ...found } = containerOf(home, needs, name);
  const prepare = listMounts(namespaces, name, home.deno, mounts);
  return { ...found, outer: namespaces.enter, prepare, inner: leave(namespaces) };
}

/** What is mounted into the container of a process besides Deno, and the paths inside. */
function containerOf(home: Home, needs: Needs, name: string): Paths & { inside: Inside; mounts: Mount[] } {
  const isWarm = isTrial(name);
  const interpreter = interpreterFolder(home, needs);
  const own = path.join(home.sockets, name);
  const egress = isWarm ? undefined : home.egress?.folderFor(needs);
  const hasCache = existsSync(home.cache);
  const mounts: Mount[] = [];
  const add = (from: string, to: string, kind: Mount['kind'] = 'read-only') => void mounts.push({ from, to, kind });
  if (hasCache) add(home.cache, INSIDE.cache, isWarm && !interpreter ? 'writable' : 'read-only');
  if (interpreter) add(interpreter, INSIDE.interpreter);
  if (!isWarm) {
    mkdirSync(own, { mode: 0o700 });
    if (home.user) chownSync(own, home.user.uid, home.user.gid);
    add(own, INSIDE.own, 'writable');
    add(path.dirname(home.gateway), INSIDE.gateway);
  }
  if (egress) add(egress, INSIDE.egress);
  const inside: Inside = {
    deno: INSIDE.deno,
    script: INSIDE.script,
    cache: hasCache ? INSIDE.cache : home.cache,
    socket: isWarm ? name : `${INSIDE.own}/f.sock`,
    calls: isWarm ? name : `${INSIDE.own}/f.call`,
    gateway: `${INSIDE.gateway}/${path.basename(home.gateway)}`,
    egress: egress && `${INSIDE.egress}/${EGRESS_SOCKET}`,
    interpreter: interpreter && INSIDE.interpreter,
  };
  return { inside, mounts, socketPath: path.join(own, 'f.sock'), callsPath: path.join(own, 'f.call') };
}

const interpreterFolder = (home: Home, { language }: Needs) =>
  language.openInterpreter && languageFolder(home, language);

/** Whether the process exits without serving requests. */
const isTrial = (name: string) => name === WARM || name === SNAPSHOT;

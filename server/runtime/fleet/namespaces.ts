/**
 * Containers without bubblewrap: Linux namespaces, made by util-linux, which every distribution has. `unshare` makes a
 * user namespace, in which this user is root, and the others in it. A shell mounts the process's files into the root
 * folder that openRoot() filled, and starts the loopback network. A second `unshare` changes the root and makes a
 * nested user namespace in which the process is not root. It therefore has no capabilities in the first one, which owns
 * the mounts, the network and the processes, and it cannot make another: the limit is one, and its root is changed.
 *
 *   <home>/root/  the root of every process, read-only: Deno's libraries, the sandbox's script, and empty mount points
 *   <home>/m/     the list of mounts of each process
 *   <home>/sys/   the mount point of sysfs, outside of the root
 *
 * Of /proc there is only a link to Deno's program, which Deno asks for. `slave`: an unmount by the machine's
 * administrator is not blocked by a process.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Preparation } from '../limits.ts';

export type Namespaces = {
  /** The command that enters the first namespaces and executes a shell command in them. */
  enter: string[];
  /** The arguments of `prepare` that all processes share. */
  mount: string;
  unshare: string;
  root: string;
  sysfs: string;
  lists: string;
};

export type Mount = {
  from: string;
  /** A path below the root. */
  to: string;
  kind: 'read-only' | 'writable' | 'device';
};

/** The user inside, as in bubblewrap's container. */
const INNER_ID = 65_533;
const OPTIONS: Record<Mount['kind'], string> = {
  'read-only': 'bind,ro,nosuid,nodev',
  writable: 'bind,nosuid,nodev,noexec',
  device: 'bind,nosuid,noexec',
};

/** The paths inside. Those of files are empty files in the root, on which files are mounted. */
export const INSIDE = {
  deno: '/rt/deno',
  script: '/rt/sandbox.mjs',
  cache: '/rt/cache',
  interpreter: '/rt/interpreter',
  own: '/run/own',
  gateway: '/run/gateway',
  egress: '/run/egress',
} as const;
const DEVICES = ['/dev/null', '/dev/urandom'];

/**
 * Shell commands for the new namespaces, with the arguments of listMounts(). The flags of the loopback are IFF_UP and
 * IFF_LOOPBACK. Only a root outside may set the host name, which is then not the machine's.
 */
const PREPARE = `
"$1" --all --fstab "$2" || exit
echo 9 >"$3/class/net/lo/flags" || exit
echo 1 >/proc/sys/user/max_user_namespaces || exit
{ echo function >/proc/sys/kernel/hostname; } 2>/dev/null
`;

/** Fills the root folder. Returns why it can't be done, if so; whether the kernel allows it is for a trial. */
export function openRoot(
  home: string,
  { deno, script }: { deno: string; script: string },
  { unshare, mount }: { unshare: string; mount: string },
): Namespaces | string {
  const libraries = librariesOf(deno);
  if (libraries.length === 0) return `the libraries of ${deno} are unknown`;
  const root = path.join(home, 'root');
  const folders = [...Object.values(INSIDE).filter((each) => !isFile(each)), '/dev', '/proc/self'];
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true, mode: 0o755 });
  for (const file of [INSIDE.deno, ...DEVICES]) writeFileSync(path.join(root, file), '', { mode: 0o444 });
  for (const [from, to] of [...libraries.map((file) => [file, file] as const), [script, INSIDE.script] as const]) {
    const copy = path.join(root, to);
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o755 });
    copyFileSync(from, copy);
    chmodSync(copy, 0o555);
  }
  symlinkSync(INSIDE.deno, path.join(root, '/proc/self/exe'));
  const [sysfs, lists] = ['sys', 'm'].map((name) => path.join(home, name)) as [string, string];
  for (const folder of [sysfs, lists]) mkdirSync(folder, { mode: 0o711 });
  return {
    // In two steps: files of sysfs belong to the user who is root in the namespace as the network is made.
    enter: [
      ...[unshare, '--user', '--map-root-user', unshare],
      ...['--mount', '--propagation', 'slave', '--pid', '--fork', '--kill-child'],
      ...['--net', '--ipc', '--uts', '--cgroup'],
    ],
    mount,
    unshare,
    root,
    sysfs,
    lists,
  };
}

const isFile = (inside: string) => inside === INSIDE.deno || inside === INSIDE.script;

/** The last step, before the program in the container: changes the root, and drops all rights over the namespaces. */
export const leave = ({ unshare, root }: Namespaces): string[] => [
  ...[unshare, '--user', `--map-user=${INNER_ID}`, `--map-group=${INNER_ID}`],
  ...[`--root=${root}`, '--wd=/'],
];

/** Writes the list of mounts of a process; returns the commands that prepare its namespaces. */
export function listMounts(namespaces: Namespaces, name: string, deno: string, mounts: Mount[]): Preparation {
  const { root, sysfs, lists, mount } = namespaces;
  const line = ({ from, to, kind }: Mount) =>
    `${escaped(from)} ${escaped(path.join(root, to))} none ${OPTIONS[kind]} 0 0`;
  const list = listOf(namespaces, name);
  const lines = [
    line({ from: root, to: '/', kind: 'read-only' }),
    line({ from: deno, to: INSIDE.deno, kind: 'read-only' }),
    ...DEVICES.map((device) => line({ from: device, to: device, kind: 'device' })),
    ...mounts.map(line),
    `sysfs ${escaped(sysfs)} sysfs nosuid,nodev,noexec 0 0`,
  ];
  mkdirSync(lists, { recursive: true, mode: 0o711 });
  // Trials use a name again, and only root could write to the list of the one before.
  forgetMounts(namespaces, name);
  writeFileSync(list, `${lines.join('\n')}\n`, { mode: 0o444 });
  return { script: PREPARE, args: [mount, list, sysfs] };
}

export const forgetMounts = (namespaces: Namespaces, name: string): void =>
  rmSync(listOf(namespaces, name), { force: true });

const listOf = ({ lists }: Namespaces, name: string) => path.join(lists, path.basename(name));

/** As in fstab(5): fields are separated by blanks. */
const escaped = (file: string) =>
  file.replace(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The shared libraries of a program, by the dynamic linker. */
function librariesOf(program: string): string[] {
  const { stdout } = spawnSync(program, { env: { LD_TRACE_LOADED_OBJECTS: '1' }, encoding: 'utf8', timeout: 10_000 });
  return [...(stdout ?? '').matchAll(/(?:=>\s+|^\s+)(\/\S+)\s+\(0x/gm)].map(([, file = '']) => file);
}

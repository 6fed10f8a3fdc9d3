/**
 * The runtime's own folder under the system's temporary one, short because socket paths end at 107 bytes:
 *   sandbox.mjs  what every process starts with, bundled from sandbox/main.ts
 *   cache/       Deno's, filled once by a trial start and then read-only: its content (compiled code,
 *                but also localStorage and the Cache API) would otherwise be shared by all functions
 *   s/           one socket per process; in containers each is in a separate folder
 *   g/           the gateway's socket
 *   e/           the egress proxy's sockets, one per network policy
 *   root/, m/, sys/   what containers by namespaces need (namespaces.ts)
 *   python/      and so on: a language's interpreter, once a function needs it (languages/)
 * It is removed when the service ends; after a kill, by the next start.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../lib/is-alive.ts';
import { bundleOwn } from '../build/bundle.ts';
import { FIRST_LANGUAGE } from '../languages/languages.ts';
import { createEgressProxy, type Outside } from '../network/egress-proxy.ts';
import { launch } from './command.ts';
import { denoBinary } from './deno-binary.ts';
import { WARM } from './frames.ts';
import { openRoot } from './namespaces.ts';
import { type Home, modeOf, type Sandbox, type SandboxMode } from './sandbox-home.ts';

/** Not the usual 65534: the embedded database runs as that user, and the two must not access each other. */
const SANDBOX_UID = 65_533;
const PREFIX = 'sluice-rt-';
const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];
const SOCKET_PATH_MAX = 100;

export type HomeOptions = {
  /** Of the folder; the system's temporary folder by default. */
  parent?: string | undefined;
  /** What functions in a container can connect to. */
  outside?: Outside | undefined;
  /** Where bubblewrap and util-linux are looked up. */
  programFolders?: string[] | undefined;
  known?: KnownHomes | undefined;
};

/**
 * What the first home of each kind found out about this machine, for the next ones of the same process, which then need
 * no trial. For tests, which start the service hundreds of times.
 */
export type KnownHomes = { folder: string; byKind: Map<string, KnownHome> };
type KnownHome = Pick<Home, 'user' | 'bareBecause' | 'unfilteredBecause'> & {
  mode: SandboxMode;
  /** Contains copies of the script and of the filled cache. */
  folder: string;
};

/** Creates the folder and tests the sandbox. 'auto' uses a container where the machine supports it. */
export async function openHome(
  sandbox: Sandbox,
  { parent = tmpdir(), outside, programFolders = PROGRAM_FOLDERS, known }: HomeOptions = {},
): Promise<Home> {
  const dir = await mkdtemp(path.join(await shortParent(parent), `${PREFIX}${process.pid}-`));
  const home: Home = {
    dir,
    deno: denoBinary(),
    script: path.join(dir, 'sandbox.mjs'),
    sockets: path.join(dir, 's'),
    gateway: path.join(dir, 'g', 'gateway.sock'),
    bwrap: undefined,
    namespaces: undefined,
    egress: undefined,
    bareBecause: undefined,
    unfilteredBecause: 'this is not Linux',
    cache: path.join(dir, 'cache'),
    user: process.getuid?.() === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_UID } : undefined,
    remove: async () => {
      home.egress?.close();
      await unlock(dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
  try {
    const kind = [sandbox, ...programFolders].join();
    const before = known?.byKind.get(kind);
    await (before ? copyFile(path.join(before.folder, 'sandbox.mjs'), home.script) : bundleSandbox(home.script));
    for (const folder of [home.sockets, home.cache]) await mkdir(folder, { mode: 0o700 });
    await chmod(dir, home.user ? 0o711 : 0o700);
    for (const name of ['g', 'e']) await mkdir(path.join(dir, name), { mode: 0o711 });
    if (home.user) for (const folder of [home.sockets, home.cache]) await chown(folder, home.user.uid, home.user.gid);
    const containers = containersFor(home, sandbox, programFolders);
    await (before ? settleAs(home, before, containers) : settle(home, sandbox, containers));
    if (home.bwrap || home.namespaces) home.egress = createEgressProxy(path.join(home.dir, 'e'), outside);
    if (!before) {
      // Deno stores compiled code permanently when it is used a second time.
      await trial(home);
      // Nothing can be used again of a home that had to copy Deno.
      if (known && home.deno === denoBinary()) known.byKind.set(kind, await copyOf(home, known.folder));
    }
    await lock(home.cache);
    if (!home.user && process.getuid?.() === 0) home.cache = '/dev/null/cache';
    return home;
  } catch (error) {
    await home.remove();
    throw error;
  }
}

/** Finds the strongest way to isolate processes that works here. */
async function settle(home: Home, sandbox: Sandbox, containers: Containers): Promise<void> {
  if (await settleAtOnce(home, containers)) return;
  await settleUser(home);
  await settleContainer(home, sandbox, containers);
  await settleFilter(home);
}

/** Isolates processes as an earlier home of this kind. */
async function settleAs(home: Home, before: KnownHome, { candidates }: Containers): Promise<void> {
  const { user, bareBecause, unfilteredBecause, mode, folder } = before;
  if (home.user && !user) for (const each of [home.sockets, home.cache]) await chown(each, 0, 0);
  Object.assign(home, { user, bareBecause, unfilteredBecause }, candidates.find((each) => each.mode === mode)?.walls);
  await cp(path.join(folder, 'cache'), home.cache, { recursive: true, verbatimSymlinks: true });
}

/** Copies what can be used again. */
async function copyOf(home: Home, parent: string): Promise<KnownHome> {
  const folder = await mkdtemp(path.join(parent, 'home-'));
  await copyFile(home.script, path.join(folder, 'sandbox.mjs'));
  await cp(home.cache, path.join(folder, 'cache'), { recursive: true, verbatimSymlinks: true });
  const { user, bareBecause, unfilteredBecause } = home;
  return { user, bareBecause, unfilteredBecause, mode: modeOf(home), folder };
}

async function bundleSandbox(outfile: string): Promise<void> {
  await writeFile(outfile, await bundleOwn(new URL('../sandbox/main.ts', import.meta.url)));
  await chmod(outfile, 0o444);
}

/**
 * A service that runs as root gives processes another user, which may need a copy of the binary that it can execute.
 */
async function settleUser(home: Home): Promise<void> {
  if (home.user) {
    const isReachable = reaches(home.user, home.script);
    if (isReachable && (await trial(home)) === undefined) return;
    const copy = path.join(home.dir, 'deno');
    await copyFile(home.deno, copy);
    await chmod(copy, 0o755);
    if (isReachable && (await trial({ ...home, deno: copy })) === undefined) {
      home.deno = copy;
      return;
    }
    await rm(copy);
    home.user = undefined;
    for (const folder of [home.sockets, home.cache]) await chown(folder, 0, 0);
  }
  const refusal = await trial(home);
  if (refusal !== undefined) throw new Error(`Functions can't run: ${home.deno} does not start (${refusal})`);
}

/** Whether this user can read a file; the sandbox's script, which a process gets opened, says nothing about its folder. */
export const reaches = (user: { uid: number; gid: number }, file: string) =>
  spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', file], { ...user, env: {} }).status === 0;

/** The containers to try, the best first, and why others are not among them. */
type Containers = { candidates: { mode: string; walls: Pick<Home, 'bwrap' | 'namespaces'> }[]; refusals: string[] };

function containersFor(home: Home, sandbox: Sandbox, programFolders: string[]): Containers {
  const found: Containers = { candidates: [], refusals: [] };
  if (sandbox === 'permissions') return { ...found, refusals: ['it is switched off (SLUICE_SANDBOX)'] };
  const find = (name: string) =>
    programFolders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  for (const mode of ['bwrap', 'namespaces'] as const) {
    if (sandbox !== 'auto' && sandbox !== mode) continue;
    const walls = mode === 'bwrap' ? bwrapOf(find) : namespacesOf(home, find);
    if (typeof walls === 'string') found.refusals.push(`${mode}: ${walls}`);
    else found.candidates.push({ mode, walls });
  }
  return found;
}

type Find = (name: string) => string | undefined;

function bwrapOf(find: Find): Pick<Home, 'bwrap' | 'namespaces'> | string {
  const bwrap = find('bwrap');
  return bwrap ? { bwrap, namespaces: undefined } : 'bubblewrap is not installed';
}

function namespacesOf(home: Home, find: Find): Pick<Home, 'bwrap' | 'namespaces'> | string {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const [unshare, mount] = [find('unshare'), find('mount')];
  if (!unshare || !mount) return 'util-linux (unshare, mount) is not installed';
  const namespaces = openRoot(home.dir, home, { unshare, mount });
  return typeof namespaces === 'string' ? namespaces : { bwrap: undefined, namespaces };
}

/**
 * Tries user, best container and filter together, which works on most machines and saves the trials of each. Returns
 * whether it did.
 */
async function settleAtOnce(home: Home, { candidates: [best] }: Containers): Promise<boolean> {
  if (!best || (home.user && !reaches(home.user, home.script))) return false;
  const all = { ...best.walls, unfilteredBecause: undefined };
  if ((await trial({ ...home, ...all })) !== undefined) return false;
  Object.assign(home, all);
  return true;
}

/** Finds the strongest container that works. If none does, records why, or throws when one is required. */
async function settleContainer(home: Home, sandbox: Sandbox, containers: Containers): Promise<void> {
  const refusals = [...containers.refusals];
  for (const { mode, walls } of containers.candidates) {
    const refusal = await trial({ ...home, ...walls });
    if (refusal === undefined) {
      Object.assign(home, walls);
      return;
    }
    refusals.push(`${mode}: ${refusal}`);
  }
  home.bareBecause = refusals.join('; ');
  if (sandbox !== 'auto' && sandbox !== 'permissions')
    throw new Error(`SLUICE_SANDBOX: a container can't be made (${home.bareBecause})`);
}

/** Tests whether the kernel filters system calls. */
async function settleFilter(home: Home): Promise<void> {
  if (process.platform !== 'linux') return;
  home.unfilteredBecause = await trial({ ...home, unfilteredBecause: undefined });
}

/** Starts and ends a sandbox, which fills the cache. Returns the error, if any. */
async function trial(home: Home): Promise<string | undefined> {
  const { child } = launch(home, { policy: 'DENY_ALL', allowedHosts: [], language: FIRST_LANGUAGE }, WARM);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-500);
  });
  child.stdout.resume();
  try {
    const [code, signal] = await once(child, 'close');
    return code === 0 ? undefined : said.trim() || `exit ${code ?? signal}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Skips links: Deno's cache contains a link to Deno, which chmod would follow. */
async function lock(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile())
      await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
  if (process.getuid?.() === 0) await chown(folder, 0, 0);
  await chmod(folder, 0o555);
}

async function unlock(dir: string): Promise<void> {
  const cache = path.join(dir, 'cache');
  if (!existsSync(cache)) return;
  await chmod(cache, 0o700);
  for (const entry of await readdir(cache, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(path.join(entry.parentPath, entry.name), 0o700);
}

/** Removes folders of services that have ended. Uses /tmp when socket paths would be too long. */
async function shortParent(parent: string): Promise<string> {
  const place = `${parent}/${PREFIX}${process.pid}-xxxxxx/s/99999.sock`.length > SOCKET_PATH_MAX ? '/tmp' : parent;
  for (const name of await readdir(place)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-\\w{6}$`).exec(name)?.[1];
    if (!pid || isAlive(Number(pid))) continue;
    const left = path.join(place, name);
    await unlock(left).then(
      () => rm(left, { recursive: true, force: true }),
      () => undefined,
    );
  }
  return place;
}

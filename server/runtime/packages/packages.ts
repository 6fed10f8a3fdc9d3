/**
 * npm packages of hosted functions. A version that uses packages brings the package-lock.json that npm wrote; what its
 * code imports is looked up there (lock.ts), fetched from the registry as the tarball whose digest the lock names
 * (registry.ts), unpacked in memory (tarball.ts) and read by Node's rules (resolve-package.ts). From there it goes into
 * the version's one module like the function's own files: nothing is installed, no script of a package ever runs, and
 * nothing is fetched once a version is published.
 *
 * A lock is all that decides: without the network, with the tarballs kept from before, the same lock gives the same
 * code.
 */

import { inFile } from '../build/build-error.ts';
import { type Lock, LockError, type LockedPackage, readLock } from './lock.ts';
import { PackageError } from './package-error.ts';
import type { Registry } from './registry.ts';
import { TarballError, unpack } from './tarball.ts';

export const LOCK_FILE = 'package-lock.json';

/** Of what one version takes from packages. Only packages that its code reaches count. */
export const PACKAGES_MAX = 500;
export const PACKAGES_MAX_BYTES = 100 * 1024 * 1024;
export const PACKAGES_MAX_FILES = 30_000;
export const PACKAGES_SECONDS = 60;

export type Package = {
  /** Where npm would put it: "node_modules/a/node_modules/b". */
  dir: string;
  name: string;
  version: string;
  /** Path in the package → content. */
  files: ReadonlyMap<string, Buffer>;
  manifest: Record<string, unknown>;
};

/** The packages of one build. */
export type PackageTree = {
  lock: Lock | undefined;
  /** The package that `name` means in the folder of a package, or for the function itself (""). Throws PackageError. */
  find(name: string, fromDir: string): Promise<Package | undefined>;
  /** One that was found before. */
  at(dir: string): Package | undefined;
};

/** Reads the lock among a version's files; without one there are no packages. BuildError when it can't be used. */
export function openPackages(files: ReadonlyMap<string, string>, registry: Registry | undefined): PackageTree {
  const text = files.get(LOCK_FILE);
  const lock = text === undefined || !registry ? undefined : lockOf(text);
  const signal = AbortSignal.timeout(PACKAGES_SECONDS * 1000);
  const loading = new Map<string, Promise<Package>>();
  const loaded = new Map<string, Package>();
  const left = { packages: PACKAGES_MAX, bytes: PACKAGES_MAX_BYTES, files: PACKAGES_MAX_FILES };

  const load = async (locked: LockedPackage, source: Registry): Promise<Package> => {
    left.packages -= 1;
    if (left.packages < 0) throw new PackageError(`The code needs more than ${PACKAGES_MAX} packages`);
    const { dir, name, version } = locked;
    const found = await contentOf(locked, source, signal, left.bytes);
    left.files -= found.size;
    for (const content of found.values()) left.bytes -= content.length;
    if (left.files < 0) throw new PackageError(`The packages have more than ${PACKAGES_MAX_FILES} files`);
    if (left.bytes < 0)
      throw new PackageError(`The packages have more than ${PACKAGES_MAX_BYTES} bytes; "${name}" is one too many`);
    const one = { dir, name, version, files: found, manifest: manifestOf(found) };
    loaded.set(dir, one);
    return one;
  };

  return {
    lock,
    at: (dir) => loaded.get(dir),
    async find(name, fromDir) {
      const locked = lock?.find(name, fromDir);
      if (!locked || !registry) return undefined;
      const begun = loading.get(locked.dir) ?? load(locked, registry);
      loading.set(locked.dir, begun);
      return begun;
    },
  };
}

function lockOf(text: string): Lock {
  try {
    return readLock(text);
  } catch (error) {
    if (error instanceof LockError) throw inFile(LOCK_FILE, error.message);
    throw error;
  }
}

async function contentOf(locked: LockedPackage, registry: Registry, signal: AbortSignal, maxBytes: number) {
  const { name, version } = locked;
  try {
    return await unpack(await registry.tarball(locked, signal), maxBytes);
  } catch (error) {
    if (error instanceof TarballError) throw new PackageError(`The package "${name}" ${version}: ${error.message}`);
    throw error;
  }
}

/** The content of a package.json; empty when it can't be read. */
export function manifestOf(files: ReadonlyMap<string, Buffer>, folder = ''): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(files.get(`${folder}package.json`)?.toString() ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * npm packages of hosted functions. A version with packages includes the package-lock.json that npm wrote. An import is
 * looked up there (lock.ts); the tarball with its digest is fetched from the registry (registry.ts), unpacked in memory
 * (tarball.ts) and resolved by Node's rules (resolve-package.ts). Its files are bundled into the module of the version
 * like the function's files: nothing is installed, no script of a package runs, and nothing is fetched after a version
 * is published.
 *
 * The lock alone determines the result: with cached tarballs, the same lock builds the same code without a network.
 */

import { inFile } from '../build/build-error.ts';
import { type Lock, LockError, type LockedPackage, readLock } from './lock.ts';
import { PackageError } from './package-error.ts';
import type { Registry } from './registry.ts';
import { TarballError, unpack } from './tarball.ts';

export const LOCK_FILE = 'package-lock.json';

/** Limits per version. Only packages that its code imports count. */
export const PACKAGES_MAX = 500;
export const PACKAGES_MAX_BYTES = 100 * 1024 * 1024;
export const PACKAGES_MAX_FILES = 30_000;
export const PACKAGES_SECONDS = 60;

export type Package = {
  /** The folder in which npm would install it: "node_modules/a/node_modules/b". */
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
  /** Finds the package with this name from a package's folder, or from the function (""). Throws PackageError. */
  find(name: string, fromDir: string): Promise<Package | undefined>;
  /** Returns a package that was found before. */
  at(dir: string): Package | undefined;
};

/** Reads the lock of a version; without one there are no packages. Throws BuildError when it is invalid. */
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
      throw new PackageError(`The packages have more than ${PACKAGES_MAX_BYTES} bytes; "${name}" exceeds the limit`);
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

/** The content of a package.json; empty when it is invalid. */
export function manifestOf(files: ReadonlyMap<string, Buffer>, folder = ''): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(files.get(`${folder}package.json`)?.toString() ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

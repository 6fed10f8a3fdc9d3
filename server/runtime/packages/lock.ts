/** Reads a package-lock.json of npm 7 or later: the package at each path, and the digest of its tarball. */
import path from 'node:path/posix';

export type LockedPackage = {
  /** "node_modules/a/node_modules/b" */
  dir: string;
  /** Its name in the registry; an alias appears in `dir` only. */
  name: string;
  version: string;
  /** The URL from which the author of the lock installed it. */
  resolved: string | undefined;
  /** Subresource integrity: "sha512-…". */
  integrity: string | undefined;
  /** A local folder instead of a package from a registry. */
  isLink: boolean;
};

export type Lock = {
  /** Returns the package that Node finds by this name from a package's folder; "" is the function itself. */
  find(name: string, fromDir: string): LockedPackage | undefined;
};

export class LockError extends Error {
  override name = 'LockError';
}

/** Names that npm allows or has allowed. They become part of URLs, so anything else is rejected. */
const NAME = /^(@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;
const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;
const NAME_MAX_CHARS = 214;
const VERSION_MAX_CHARS = 256;
const FOLDER = 'node_modules/';

export function readLock(text: string): Lock {
  const packages = packagesOf(text);
  return {
    find(name, fromDir) {
      for (let dir = fromDir; ; dir = parentOf(dir)) {
        const at = dir ? `${dir}/${FOLDER}${name}` : FOLDER + name;
        const entry = Object.hasOwn(packages, at) ? packages[at] : undefined;
        if (entry !== undefined) return locked(at, name, entry);
        if (dir === '') return undefined;
      }
    },
  };
}

function packagesOf(text: string): Record<string, unknown> {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch (error) {
    throw new LockError(`Expected JSON: ${error instanceof Error ? error.message : error}`);
  }
  const packages = memberOf(lock, 'packages');
  if (typeof packages === 'object' && packages !== null && !Array.isArray(packages)) return { ...packages };
  throw new LockError('Expected "packages", as npm 7 and later write it (lockfileVersion 2 or 3)');
}

function locked(dir: string, asked: string, entry: unknown): LockedPackage {
  const name = textOf(entry, 'name') ?? asked;
  const version = textOf(entry, 'version') ?? '';
  const isLink = memberOf(entry, 'link') === true;
  const isUsable = NAME.test(name) && name.length <= NAME_MAX_CHARS;
  if (!isUsable || (!isLink && !(VERSION.test(version) && version.length <= VERSION_MAX_CHARS)))
    throw new LockError(`"${dir}": expected the name and version of a package`);
  return { dir, name, version, resolved: textOf(entry, 'resolved'), integrity: textOf(entry, 'integrity'), isLink };
}

/** "node_modules/a/node_modules/b" → "node_modules/a" → "" */
function parentOf(dir: string): string {
  const at = dir.lastIndexOf(`/${FOLDER}`);
  return at < 0 ? '' : dir.slice(0, at);
}

/** The package of a file: "node_modules/@a/b/lib/c.js" → "node_modules/@a/b". */
export function dirOf(file: string): string {
  const at = file.lastIndexOf(FOLDER) + FOLDER.length;
  const parts = file.slice(at).split('/');
  return file.slice(0, at) + parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join('/');
}

/** "@a/b/c.js" → the package "@a/b" and the path "./c.js"; undefined for an invalid package name. */
export function splitSpecifier(specifier: string): { name: string; subpath: string } | undefined {
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  if (!NAME.test(name) || name.length > NAME_MAX_CHARS) return undefined;
  const rest = path.join('.', ...parts.filter(Boolean));
  return rest.startsWith('..') ? undefined : { name, subpath: rest === '.' ? '.' : `./${rest}` };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function textOf(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
}

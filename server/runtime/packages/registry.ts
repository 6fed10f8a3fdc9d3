/**
 * Tarballs from the npm registry, each checked against its digest in the lock, and cached under that digest: a lock
 * that was built once builds again without the registry. The folder may be emptied at any time.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Agent, request } from 'undici';
import type { LockedPackage } from './lock.ts';
import { PackageError } from './package-error.ts';

export type Registry = {
  /** Returns the tarball of a package, checked against the digest in the lock. Throws PackageError. */
  tarball(locked: LockedPackage, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
};

const PUBLIC_HOST = 'registry.npmjs.org';
const TARBALL_MAX_BYTES = 30 * 1024 * 1024;
const ANSWER_MS = 20_000;
const AT_ONCE = 8;
const KEPT_MAX_BYTES = 2 * 1024 ** 3;
const INTEGRITY = /^sha512-([A-Za-z0-9+/]{86}==)$/;

/** `address` is the URL of the registry, as in npm's configuration; tarballs are cached in `folder`. */
export function createRegistry(address: string, folder: string, keptMaxBytes = KEPT_MAX_BYTES): Registry {
  const base = new URL(address.replace(/\/*$/, '/'));
  const agent = new Agent({ connections: AT_ONCE, headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  const kept = createKept(folder, keptMaxBytes);
  const fetching = new Map<string, Promise<Buffer>>();

  const fetchOne = async (locked: LockedPackage, digest: string, signal: AbortSignal) => {
    const bytes = await download(base, locked, agent, signal).catch((error: unknown) => {
      if (error instanceof PackageError) throw named(locked, error.message);
      if (signal.aborted) throw named(locked, 'the time limit for fetching it was reached');
      throw named(locked, `the registry ${base.host} can't be reached (${reasonOf(error)})`);
    });
    if (digestOf(bytes) !== digest)
      throw named(locked, 'its tarball in the registry does not match package-lock.json (integrity)');
    await kept.put(digest, bytes);
    return bytes;
  };

  return {
    async tarball(locked, signal) {
      if (locked.isLink) throw named(locked, 'it is a link to a folder; add its files to the function');
      const digest = locked.integrity?.split(/\s+/).flatMap((each) => INTEGRITY.exec(each)?.[1] ?? [])[0];
      if (!digest) throw named(locked, 'package-lock.json names no sha512 digest (integrity) for it');
      const before = await kept.get(digest);
      if (before) return before;
      const begun = fetching.get(digest) ?? fetchOne(locked, digest, signal);
      fetching.set(digest, begun);
      return begun.finally(() => fetching.delete(digest));
    },
    close: () => agent.destroy(),
  };
}

const named = ({ name, version }: LockedPackage, why: string) =>
  new PackageError(`The package "${name}" ${version} can't be used: ${why}`);

/**
 * Like npm: a URL of the public registry means the configured one; any other URL has to be within the configured one.
 * So a lock cannot make the service connect elsewhere.
 */
function addressOf(base: URL, { name, version, resolved }: LockedPackage): URL {
  if (!resolved) return new URL(`${name}/-/${name.split('/').at(-1)}-${version}.tgz`, base);
  if (!URL.canParse(resolved)) throw new PackageError(`"${resolved}" is not a registry URL`);
  const given = new URL(resolved);
  if (given.host === PUBLIC_HOST && base.host !== PUBLIC_HOST) return new URL(given.pathname.slice(1), base);
  if (given.origin !== base.origin || !given.pathname.startsWith(base.pathname))
    throw new PackageError(
      `package-lock.json resolves it from ${given.protocol}//${given.host}, not from ${base.host}`,
    );
  return new URL(given.pathname, base);
}

async function download(base: URL, locked: LockedPackage, dispatcher: Agent, signal: AbortSignal): Promise<Buffer> {
  const address = addressOf(base, locked);
  const { statusCode, headers, body } = await request(address, { dispatcher, signal });
  const length = Number(headers['content-length'] ?? 0);
  if (statusCode !== 200 || length > TARBALL_MAX_BYTES) {
    body.on('error', () => undefined).destroy();
    throw new PackageError(
      statusCode === 200 ? tooLong : `the registry ${address.host} returned ${statusCode} for ${address.pathname}`,
    );
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > TARBALL_MAX_BYTES) throw new PackageError(tooLong);
  }
  return Buffer.concat(chunks);
}

const tooLong = `its tarball has more than ${TARBALL_MAX_BYTES} bytes`;
const digestOf = (bytes: Buffer) => createHash('sha512').update(bytes).digest('base64');
const reasonOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? `${error.code}` : error instanceof Error ? error.message : `${error}`;

/** The cache of tarballs by digest. The least recently used ones are evicted. */
function createKept(folder: string, maxBytes: number) {
  const fileOf = (digest: string) => path.join(folder, `${Buffer.from(digest, 'base64').toString('hex')}.tgz`);
  let totalBytes: number | undefined;

  const prune = async () => {
    const entries = [];
    for (const name of await readdir(folder)) {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found) entries.push({ file, usedMs: found.mtimeMs, sizeBytes: found.size });
    }
    entries.sort((a, b) => a.usedMs - b.usedMs);
    totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const { file, sizeBytes } of entries) {
      if (totalBytes <= maxBytes) return;
      await rm(file, { force: true });
      totalBytes -= sizeBytes;
    }
  };

  return {
    async get(digest: string): Promise<Buffer | undefined> {
      const file = fileOf(digest);
      const bytes = await readFile(file).catch(() => undefined);
      if (!bytes || digestOf(bytes) !== digest) return undefined;
      const used = new Date();
      await utimes(file, used, used).catch(() => undefined);
      return bytes;
    },
    /** Without a writable folder, builds are only slower. */
    async put(digest: string, bytes: Buffer): Promise<void> {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const half = path.join(folder, `${randomUUID()}.new`);
        await writeFile(half, bytes, { mode: 0o600 });
        await rename(half, fileOf(digest));
        if (totalBytes !== undefined) totalBytes += bytes.length;
        if (totalBytes === undefined || totalBytes > maxBytes) await prune();
      } catch {
        totalBytes = undefined;
      }
    },
  };
}

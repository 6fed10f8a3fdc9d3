/**
 * The cache of blobs: files in 256 subfolders of one folder, which nodes may share. Whatever is wrong with a file, the
 * blob is read from the database instead: no operation rejects.
 */
import { hash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type BlobFiles = {
  /** Undefined if the file does not exist, cannot be read or has other bytes. */
  read(sha256: string): Promise<Buffer | undefined>;
  write(sha256: string, bytes: Uint8Array): Promise<void>;
  remove(sha256: string): Promise<void>;
  /** All files, a subfolder at a time; each with its size and the time of its last use. */
  list(): AsyncGenerator<BlobFile[], void, undefined>;
  /** Removes files until the folder has room, the least recently used first. */
  trim(): Promise<void>;
};
export type BlobFile = { sha256: string; size: number; usedAtMs: number };

/** After a trim, the folder is this full. */
const TRIMMED = 0.8;
/** The folder is trimmed when this part of its limit was written since the last time. */
const TRIM_AFTER = 0.1;
/** A partial file of this age was left by a crash. */
const LEFT_MS = 3_600_000;
const BLOB = /^[0-9a-f]{64}$/;

/** @param maxBytes the limit of the folder; it may be exceeded by a tenth. */
export function openBlobFiles(folder: string, maxBytes: number): BlobFiles {
  let writtenBytes = 0;
  let trimming: Promise<void> | undefined;

  async function* list(): AsyncGenerator<BlobFile[], void, undefined> {
    for (let part = 0; part < 256; part++) yield await filesIn(join(folder, part.toString(16).padStart(2, '0')));
  }

  async function trim(): Promise<void> {
    writtenBytes = 0;
    const files: BlobFile[] = [];
    for await (const some of list()) files.push(...some);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= maxBytes) return;
    files.sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const { sha256, size } of files) {
      if (bytes <= maxBytes * TRIMMED) return;
      await remove(sha256);
      bytes -= size;
    }
  }

  const remove = (sha256: string) => rm(blobPath(folder, sha256), { force: true }).catch(() => {});

  return {
    async read(sha256) {
      const path = blobPath(folder, sha256);
      const bytes = await readFile(path).catch(() => undefined);
      if (!bytes) return undefined;
      if (digest(bytes) !== sha256) {
        await remove(sha256);
        return undefined;
      }
      const now = new Date();
      void utimes(path, now, now).catch(() => {});
      return bytes;
    },
    async write(sha256, bytes) {
      await writeWhole(blobPath(folder, sha256), bytes).catch(() => {});
      writtenBytes += bytes.byteLength;
      if (writtenBytes < maxBytes * TRIM_AFTER) return;
      trimming ??= trim().finally(() => {
        trimming = undefined;
      });
      await trimming;
    },
    remove,
    list,
    trim,
  };
}

async function filesIn(folder: string): Promise<BlobFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files: BlobFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found) continue;
    if (BLOB.test(name)) files.push({ sha256: name, size: found.size, usedAtMs: found.mtimeMs });
    else if (Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true }).catch(() => {});
  }
  return files;
}

/** Atomic, so that readers get whole files; not synchronized, because the database has the bytes. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const half = join(parent, `${randomUUID()}.new`);
  try {
    await writeFile(half, bytes, { flag: 'wx', mode: 0o600 });
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** The path of a blob in such a folder. */
export function blobPath(folder: string, sha256: string): string {
  if (!BLOB.test(sha256)) throw new Error(`"${sha256}" is not a blob hash`);
  return join(folder, sha256.slice(0, 2), sha256);
}

export const digest = (bytes: Uint8Array): string => hash('sha256', bytes);

import { hash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { access, mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepBlobs } from './blob-sweep.ts';
import { type BlobReader, type Blobs, BlobUnavailable } from './blobs.ts';
import { folderIdentity } from './folder-identity.ts';

/** Blobs as files in 256 subfolders of one folder. */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (sha256: string): string => blobPath(folder, sha256);

  const has = async (sha256: string): Promise<boolean> => {
    return access(pathOf(sha256)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
  };

  return {
    has,

    async put(bytes) {
      const sha256 = digest(bytes);
      if (!(await touch(pathOf(sha256)))) await writeWhole(pathOf(sha256), bytes);
      return sha256;
    },

    async get(sha256) {
      const bytes = await readFile(pathOf(sha256)).catch((error: NodeJS.ErrnoException) => {
        throw unavailable(sha256, error);
      });
      return checked(sha256, bytes);
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true });
    },

    sweep: (sweep) => sweepBlobs(folder, sweep),
    description: { kind: 'folder', folder },
    identity: folderIdentity(folder),
  };
}

/** Reads synchronously into one buffer: allocating a buffer per blob would dominate the cost. */
export function folderReader(folder: string): BlobReader {
  let scratch = Buffer.allocUnsafeSlow(256 * 1024);

  function readWhole(path: string): Buffer {
    const fd = openSync(path, 'r');
    try {
      let length = 0;
      for (;;) {
        const read = readSync(fd, scratch, length, scratch.length - length, null);
        length += read;
        if (read === 0) return scratch.subarray(0, length);
        if (length < scratch.length) continue;
        const larger = Buffer.allocUnsafeSlow(2 * scratch.length);
        larger.set(scratch);
        scratch = larger;
      }
    } finally {
      closeSync(fd);
    }
  }

  return {
    read(sha256) {
      const path = blobPath(folder, sha256);
      let bytes: Buffer;
      try {
        bytes = readWhole(path);
      } catch (error) {
        throw unavailable(sha256, error as NodeJS.ErrnoException);
      }
      return checked(sha256, bytes);
    },
  };
}

function unavailable(sha256: string, error: NodeJS.ErrnoException): BlobUnavailable {
  const { code = 'EIO' } = error;
  const what = code === 'ENOENT' ? `blob ${sha256} does not exist` : `blob ${sha256} cannot be read`;
  return new BlobUnavailable(what, code, { cause: error });
}

function checked(sha256: string, bytes: Buffer): Buffer {
  if (digest(bytes) !== sha256) throw new BlobUnavailable(`blob ${sha256} is damaged`, 'DAMAGED');
  return bytes;
}

/** The path of a blob in such a folder. */
export function blobPath(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`"${sha256}" is not a blob hash`);
  return join(folder, sha256.slice(0, 2), sha256);
}

function digest(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

/** Renews the age of a file; false if it does not exist. */
async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Writes atomically: after a crash, the name has the whole file or none. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const half = join(parent, `${randomUUID()}.new`);
  try {
    const file = await open(half, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
  await syncFolder(parent);
  await syncFolder(dirname(parent));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

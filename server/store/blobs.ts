import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlobSweep, sweepBlobs } from './blob-sweep.ts';

/** Bytes kept under their own SHA-256 (64 lower-case hex digits): written once, never changed, equal bytes kept once. */
export type Blobs = {
  /** Keeps the bytes and answers their address; they are on disk when it resolves, and safe from `sweep` for a while. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes at an address. Throws when there are none or when they no longer are what was put. */
  get(sha256: string): Promise<Buffer>;
  has(sha256: string): Promise<boolean>;
  /** Forgets an address; no matter if it wasn't known. */
  remove(sha256: string): Promise<void>;
  /** Removes what nothing refers to; answers how many those were. */
  sweep(sweep: BlobSweep): Promise<number>;
};

/** Blobs as files of one folder, spread over 256 folders in it. */
export function folderBlobs(folder: string): Blobs {
  const pathOf = (sha256: string): string => blobPath(folder, sha256);

  const has = async (sha256: string): Promise<boolean> => {
    return access(pathOf(sha256)).then(
      () => true,
      () => false,
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
      const bytes = await readFile(pathOf(sha256)).catch((error: unknown) => {
        throw new Error(`there is no blob ${sha256}`, { cause: error });
      });
      if (digest(bytes) !== sha256) throw new Error(`blob ${sha256} is damaged`);
      return bytes;
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true });
    },

    sweep: (sweep) => sweepBlobs(folder, sweep),
  };
}

/** The file of a blob in such a folder. */
export function blobPath(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`"${sha256}" is not the address of a blob`);
  return join(folder, sha256.slice(0, 2), sha256);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Makes a file young again; false when there is none. */
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

/** A crash leaves the whole file or none under its name. */
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
